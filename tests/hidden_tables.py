"""Tables in inches with hidden troops and markers, of every system that has them."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedDice
from rules.core.tabletop.battle import Place, TableState
from rules.core.tabletop.hidden_units import Hide, show_units
from rules.registry import rulesets

SYSTEMS = ("magdala", "empire", "charge")
State = TableState[Any]
MARKER_A, MARKER_B = "marker_a", "marker_b"
FORM = {"size": "72 x 48", "ground": "green", "sides": "Red, west\nBlue, east", "first": "Red", "turns": "8"}


def create_dice() -> SealedDice:
    """Return dice with a fixed seed."""
    return SealedDice(bytes(32), "game", 1, 1)


def lay_table(system: Ruleset[Any], *, secret: bool = False) -> State:
    """Return the system's first battle with hidden troops allowed, and one unit of each side, 30 inches apart."""
    state = system.setup(next(iter(system.scenarios)), {}, create_dice())
    firsts = [next(u for u in state.units_of(side.id) if u.place is not None) for side in state.sides]
    for unit in list(state.units):
        if unit not in {unit_shown.id for unit_shown in firsts}:
            state = state.without_unit(unit)
    for unit, x in zip(firsts, (12.0, 42.0), strict=True):
        state = state.changed(unit.id, place=Place(x=x, y=24.0, facing=90.0 if x < 20 else 270.0))
    options = {"hidden_troops": True, "deploy_in_secret": secret}
    return state.model_copy(update={"terrain": (), "options": state.options.model_copy(update=options)})


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> Ruleset[Any]:
    """Each rule system that measures in inches."""
    return rulesets()[request.param]


def lay_table_with_hidden_unit(system: Ruleset[Any]) -> tuple[State, Any, Any]:
    """Return a table with the second side's unit hidden, the shown unit, and the hidden unit."""
    state = lay_table(system)
    enemy, hidden = (state.units_of(side.id)[0] for side in state.sides)
    after, report = system.act(state, Hide(unit=hidden.id), NoDice())
    assert report.audience == {hidden.side}
    return after, enemy, hidden


def advance_to_turn(state: State, side: str, system: Ruleset[Any]) -> State:
    """Return the table at the next moment when units of `side` may move."""
    for _ in range(60):
        if any(True for _ in system.legal_actions(show_units(state, state.hidden), side, "move")):
            return state
        if (
            tests := [*system.legal_actions(show_units(state, state.hidden), side, "conduct")]
            if "conduct" in system.actions
            else []
        ):
            state, report = system.act(state, tests[0], create_dice())
            assert report.audience in (None, {side}), "a hidden unit tests in secret"
            continue
        takes_side = "side" in system.actions["turn_next"].model_fields
        words = ({"side": side.id} if takes_side else {} for side in state.sides)
        chosen = (offer for prompt in system.open_prompts(state) if prompt.required for offer in prompt.offers)
        ways = [*system.actions_without_choice(state), *(system.parse("turn_next", args) for args in words)]
        ways += [system.parse(offer.kind, offer.args) for offer in chosen]
        state, _ = system.act(state, next(way for way in ways if system.allows(state, way)), create_dice())
    raise AssertionError("it never moves")


def lay_bare_table(system: Ruleset[Any], *, in_secret: bool) -> State:
    """Return an empty table during set-up, with hidden troops allowed."""
    document = system.bare_tables.make_document(dict(FORM), "Our field")
    state = system.own_battles.set_up(document, {}, create_dice())
    options = {"hidden_troops": True, "deploy_in_secret": in_secret}
    return state.model_copy(update={"options": state.options.model_copy(update=options)})


def add_unit(system: Ruleset[Any], state: State, side: str, name: str, x: float) -> tuple[State, Any]:
    """Add a unit of the system's first troop type. Return the table and the report."""
    troop = next(iter(system.troops))
    words = {"troop": troop, "side": side, "name": name, "x": x, "y": 24.0, "facing": 0.0}
    return system.act(state, system.parse("add_unit", words), create_dice())


def act(system: Ruleset[Any], state: State, kind: str, **args: Any) -> tuple[State, Any]:
    return system.act(state, system.parse(kind, args), create_dice())


def get_refusal(system: Ruleset[Any], state: State, kind: str, **args: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(system, state, kind, **args)
    return str(refused.value)


def put_marker(system: Ruleset[Any], state: State, side: str, x: float, y: float = 24.0) -> State:
    return act(system, state, "put_marker", side=side, x=x, y=y, facing=270.0)[0]


def hide_under_marker(system: Ruleset[Any], state: State, unit: Any) -> State:
    """Hide the unit under a new marker at its place. Return the table."""
    state = put_marker(system, state, unit.side, unit.place.x, unit.place.y)
    return system.act(state, Hide(unit=unit.id, marker=True), NoDice())[0]


def lay_table_with_markers(system: Ruleset[Any], *, unit_first: bool = True) -> tuple[State, Any, Any]:
    """Return a table with two markers of the second side, one of them empty, the shown unit and the hidden unit."""
    state = lay_table(system)
    enemy, hidden = (state.units_of(side.id)[0] for side in state.sides)
    places = [(42.0, 24.0), (42.0, 40.0)]
    at = places[0] if unit_first else places[1]
    state = state.changed(hidden.id, place=Place(x=at[0], y=at[1], facing=270.0))
    for x, y in places:
        state = put_marker(system, state, hidden.side, x, y)
    state, report = system.act(state, Hide(unit=hidden.id, marker=True), NoDice())
    assert report.audience == {hidden.side}
    system.require_valid_state(state)
    return state, enemy, hidden


def lay_two_worlds(system: Ruleset[Any]) -> tuple[State, State, Any, Any]:
    """Return two tables that differ only in which marker hides the unit, the shown unit, and the hidden unit."""
    first, enemy, unit = lay_table_with_markers(system)
    second, *_ = lay_table_with_markers(system, unit_first=False)
    assert (first.markers[MARKER_A].unit, second.markers[MARKER_B].unit) == (unit.id, unit.id)
    return first, second, enemy, unit


def assert_views_match(system: Ruleset[Any], first: State, second: State, *viewers: str) -> None:
    """Assert that these viewers see the same on both tables."""
    for viewer in viewers:
        assert system.write_state(system.storable_view(first, viewer)) == system.write_state(
            system.storable_view(second, viewer)
        )
        assert system.roster(first, viewer) == system.roster(second, viewer)
        assert system.scene(first, viewer) == system.scene(second, viewer)
        assert system.strengths(first, viewer) == system.strengths(second, viewer)
        files = [system.own_battles.write(system.view(state, viewer), "ours", "Ours") for state in (first, second)]
        assert files[0] == files[1]
