"""Hidden troops, in every system in inches: nobody else knows of them until they are found or show themselves."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refused import Refused
from rules.core.ruleset import Ruleset
from rules.core.sealed import SealedDice
from rules.core.tabletop.battle import Place, TableState
from rules.core.tabletop.hiding import Hide, Unhide, all_shown
from rules.core.tabletop.setting_up import Begin
from rules.core.umpire import SetOption
from rules.registry import rulesets

SYSTEMS = ("magdala", "empire", "charge")
State = TableState[Any]


def dice() -> SealedDice:
    """Dice that always fall alike."""
    return SealedDice(bytes(32), "game", 1, 1)


def laid(system: Ruleset[Any], *, secret: bool = False) -> State:
    """A first battle with troops that may be hidden, a unit of each side 30 inches apart and the rest gone."""
    state = system.setup(next(iter(system.scenarios)), {}, dice())
    firsts = [next(u for u in state.of_side(side.id) if u.place is not None) for side in state.sides]
    for unit in list(state.units):
        if unit not in {one.id for one in firsts}:
            state = state.without(unit)
    for unit, x in zip(firsts, (12.0, 42.0), strict=True):
        state = state.changed(unit.id, place=Place(x=x, y=24.0, facing=90.0 if x < 20 else 270.0))
    options = {"hidden_troops": True, "deploy_in_secret": secret}
    return state.model_copy(update={"terrain": (), "options": state.options.model_copy(update=options)})


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> Ruleset[Any]:
    """Each system in inches."""
    return rulesets()[request.param]


def hidden(system: Ruleset[Any]) -> tuple[State, Any, Any]:
    """Such a table with the second side's unit hidden; the unit that is shown, and the hidden one."""
    state = laid(system)
    shown, other = (state.of_side(side.id)[0] for side in state.sides)
    after, report = system.act(state, Hide(unit=other.id), NoDice())
    assert report.audience == {other.side}
    return after, shown, other


def test_nothing_is_hidden_before_the_umpire_allows_it(system: Ruleset[Any]) -> None:
    state = laid(system)
    allowed = state.model_copy(update={"options": state.options.model_copy(update={"hidden_troops": False})})
    with pytest.raises(Refused, match="/umpire option"):
        system.act(allowed, Hide(unit=next(iter(state.units))), NoDice())
    after, _ = system.act(allowed, SetOption(name="hidden_troops", value="yes"), NoDice())
    assert not system.hides_nothing(after)


def test_others_see_the_table_as_if_the_unit_had_never_been_there(system: Ruleset[Any]) -> None:
    state, shown, unit = hidden(system)
    without = laid(system).without(unit.id)
    for viewer in (PUBLIC, shown.side):
        seen = system.view(state, viewer)
        assert (set(seen.units), seen.hidden) == ({shown.id}, {})
        assert system.roster(state, viewer) == system.roster(without, viewer)
        assert system.scene(state, viewer) == system.scene(without, viewer)
        assert unit.id not in system.write_state(system.told(state, viewer))
    for viewer in (UMPIRE, unit.side):
        card = next(one for one in system.roster(state, viewer) if one.id == unit.id)
        assert card.line.startswith("hidden")
        assert any(base.unit == unit.id for base in system.scene(state, viewer).bases)


def test_it_is_stored_and_its_own_side_takes_it_with_it(system: Ruleset[Any]) -> None:
    state, _, unit = hidden(system)
    system.check(state)
    assert system.read_state(system.write_state(state)) == state
    own = system.told(state, unit.side)
    system.check(own)
    assert set(own.hidden) == {unit.id}
    assert unit.id not in own.units


def test_shown_again_it_stands_where_it_stood(system: Ruleset[Any]) -> None:
    state, _, unit = hidden(system)
    after, report = system.act(state, Unhide(unit=unit.id), NoDice())
    assert after.units[unit.id].place == unit.place
    assert (after.hidden, report.showed_hidden, report.audience) == ({}, True, None)


def turn_of(state: State, side: str, system: Ruleset[Any]) -> State:
    """The table when units of that side may move."""
    for _ in range(60):
        if any(True for _ in system.legal(all_shown(state), side, "move")):
            return state
        if tests := [*system.legal(all_shown(state), side, "conduct")] if "conduct" in system.actions else []:
            state, report = system.act(state, tests[0], dice())
            assert report.audience in (None, {side}), "a hidden unit tests in secret"
            continue
        sided = "side" in system.actions["turn_next"].model_fields
        words = ({"side": one.id} if sided else {} for one in state.sides)
        chosen = (offer for one in system.open_prompts(state) if one.required for offer in one.offers)
        ways = [*system.without_choice(state), *(system.parse("turn_next", one) for one in words)]
        ways += [system.parse(one.kind, one.args) for one in chosen]
        state, _ = system.act(state, next(way for way in ways if system.allows(state, way)), dice())
    raise AssertionError("it never moves")


def test_a_hidden_unit_moves_unseen(system: Ruleset[Any]) -> None:
    state, shown, unit = hidden(system)
    state = turn_of(state, unit.side, system)
    place = state.hidden[unit.id].place
    away = Place(x=place.x, y=place.y, facing=place.facing)
    to = f"{away.x - 3:g},{away.y:g}"
    after, report = system.act(state, system.parse("move", {"unit": unit.id, "to": to}), dice())
    assert unit.id in after.hidden, report.headline
    assert after.hidden[unit.id].place != place
    assert report.audience == {unit.side}
    assert system.view(after, shown.side) == system.view(state, shown.side)


def test_who_walks_into_a_hidden_unit_stops_before_it_and_it_is_found(system: Ruleset[Any]) -> None:
    state, shown, unit = hidden(system)
    near = Place(x=18.0, y=24.0, facing=270.0)
    state = state.model_copy(update={"hidden": {unit.id: unit.model_copy(update={"place": near})}})
    state = turn_of(state, shown.side, system)
    to = f"{state.units[shown.id].place.x + 5:g},24"
    after, report = system.act(state, system.parse("move", {"unit": shown.id, "to": to}), dice())
    assert unit.id in after.units
    assert report.showed_hidden
    assert "found by" in report.outcome
    system.check(after)
    placement = type(system).battles.file_type.ways.placement
    assert placement.gap(after.units[shown.id], after.units[unit.id]) >= 0
    assert after.units[shown.id].place.x < near.x


@pytest.mark.parametrize(("sight", "found"), [(0, False), (12, False), (36, True)])
def test_it_is_seen_within_the_inches_of_the_option(system: Ruleset[Any], sight: int, found: bool) -> None:
    state, shown, unit = hidden(system)
    state = turn_of(state, shown.side, system)
    state = state.model_copy(update={"options": state.options.model_copy(update={"sight": sight})})
    at = state.units[shown.id].place
    move = system.parse("move", {"unit": shown.id, "to": f"{at.x + 1:g},24"})
    after, report = system.act(state, move, dice())
    assert (unit.id in after.units, report.showed_hidden) == (found, found)


def test_what_is_hidden_outlives_an_undo_of_others(system: Ruleset[Any]) -> None:
    then, shown, unit = hidden(system)
    moved = unit.model_copy(update={"place": Place(x=50.0, y=30.0)})
    now = then.model_copy(update={"hidden": {unit.id: moved}}).changed(shown.id, place=Place(x=20.0, y=20.0))
    kept = system.keeping_hidden(then, now, shown.side)
    assert kept.hidden == now.hidden
    assert kept.units == then.units
    assert system.keeping_hidden(then, now, UMPIRE) == then
    assert system.keeping_hidden(then, now, unit.side) == then
    assert system.outlives_undo(now, "move", {"unit": unit.id})
    assert not system.outlives_undo(now, "move", {"unit": shown.id})


def bare(system: Ruleset[Any], *, in_secret: bool) -> State:
    """A bare table in its set-up, with troops that may be hidden."""
    document = system.bare_table(dict(FORM), "Our field")
    state = system.setup_uploaded(document, {}, dice())
    options = {"hidden_troops": True, "deploy_in_secret": in_secret}
    return state.model_copy(update={"options": state.options.model_copy(update=options)})


FORM = {"size": "72 x 48", "ground": "green", "sides": "Red, west\nBlue, east", "first": "Red", "turns": "8"}


def put_on(system: Ruleset[Any], state: State, side: str, name: str, x: float) -> tuple[State, Any]:
    """The table with a unit of the system's first troops more."""
    troop = next(iter(system.troops))
    words = {"troop": troop, "side": side, "name": name, "x": x, "y": 24.0, "facing": 0.0}
    return system.act(state, system.parse("add_unit", words), dice())


def put_on_each_other(system: Ruleset[Any]) -> tuple[State, str, str]:
    """A set-up in secret in which a unit of each side stands on one spot, and one more of each elsewhere."""
    state = bare(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in (
        (red, "Guards", 30.0),
        (red, "Lancers", 10.0),
        (blue, "Amarar", 31.0),
        (blue, "Hadendoa", 60.0),
    ):
        state, _ = put_on(system, state, side, name, x)
    ids = {unit.name: unit.id for unit in state.hidden.values()}
    return state, ids["Guards"], ids["Amarar"]


@pytest.mark.parametrize("lurks", ["nobody", "first", "second", "both"])
def test_enemies_put_on_one_spot_in_secret_are_set_apart_and_nobody_learns_of_an_ambush_by_it(
    system: Ruleset[Any], lurks: str
) -> None:
    state, first, second = put_on_each_other(system)
    was = {unit: state.hidden[unit].place for unit in (first, second)}
    ambush = {"nobody": (), "first": (first,), "second": (second,), "both": (first, second)}[lurks]
    for unit in ambush:
        state, _ = system.act(state, Hide(unit=unit), NoDice())
    after, report = system.act(state, Begin(), NoDice())
    system.check(after)
    placement = type(system).battles.file_type.ways.placement
    everyone = {**after.units, **after.hidden}
    assert placement.gap(everyone[first], everyone[second]) > 0
    moved = first if lurks == "first" else second
    assert [unit for unit, place in was.items() if everyone[unit].place != place] == [moved]
    about = [step for step in report.steps if "set back to" in step.text]
    assert [step.only_for for step in about] == {"nobody": [None], "both": []}.get(
        lurks, [frozenset({everyone[moved].side})]
    )


def test_a_set_up_in_secret_shows_neither_side_the_other_until_it_ends(system: Ruleset[Any]) -> None:
    state = bare(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0), (blue, "Third", 50.0)):
        state, report = put_on(system, state, side, name, x)
        assert report.audience == {side}
    assert (dict(state.units), len(state.hidden)) == ({}, 3)
    assert [card.name for card in system.roster(state, red)] == ["First"]
    assert [card.name for card in system.roster(state, blue)] == ["Second", "Third"]
    state, report = system.act(state, system.parse("deploy", {"unit": "blue-second", "to": "62,20"}), dice())
    assert (report.audience, state.hidden["blue-second"].place.x) == ({blue}, 62.0)
    state, report = system.act(state, Hide(unit="blue-third"), dice())
    assert report.audience == {blue}
    state, report = system.act(state, system.parse("begin", {}), dice())
    assert report.audience is None
    assert (set(state.units), set(state.hidden)) == ({"red-first", "blue-second"}, {"blue-third"})
    system.check(state)


def test_in_secret_nobody_is_told_where_the_other_side_stands(system: Ruleset[Any]) -> None:
    state = bare(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, _ = put_on(system, state, side, name, x)
    for name in ("Second", "Nobody"):
        with pytest.raises(Refused, match=f"No unit here is called “{name}”"):
            system.act(state, system.parse("deploy", {"unit": "red-first", "to": f"towards {name}"}), dice())
    state, report = system.act(state, system.parse("deploy", {"unit": "red-first", "to": "60,24"}), dice())
    assert (report.audience, state.hidden["red-first"].place.x) == ({red}, 60.0)


def test_during_a_set_up_nobody_is_told_who_of_others_is_to_lie_in_ambush(system: Ruleset[Any]) -> None:
    for in_secret in (False, True):
        state = bare(system, in_secret=in_secret)
        red, blue = (side.id for side in state.sides)
        for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
            state, _ = put_on(system, state, side, name, x)
            state, _ = system.act(state, Hide(unit=f"{side}-{name.casefold()}"), dice())
        for seen in (system.view, system.told):
            named = {viewer: seen(state, viewer).setting_up.in_ambush for viewer in (PUBLIC, red, blue, UMPIRE)}
            both = ("red-first", "blue-second")
            assert named == {PUBLIC: (), red: both[:1], blue: both[1:], UMPIRE: both}


@pytest.mark.parametrize("in_secret", [False, True])
def test_who_takes_back_during_a_set_up_leaves_others_in_ambush(system: Ruleset[Any], in_secret: bool) -> None:
    state = bare(system, in_secret=in_secret)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, _ = put_on(system, state, side, name, x)
    then, _ = system.act(state, Hide(unit="red-first"), dice())
    now, _ = system.act(then, Hide(unit="blue-second"), dice())
    now, _ = system.act(now, Unhide(unit="red-first"), dice())
    back = system.keeping_hidden(then, now, red)
    assert back.setting_up.in_ambush == ("red-first", "blue-second")
    system.check(back)
    begun, _ = system.act(back, system.parse("begin", {}), dice())
    assert set(begun.hidden) == {"red-first", "blue-second"}


def test_in_an_open_set_up_only_what_is_to_lie_in_ambush_is_hidden(system: Ruleset[Any]) -> None:
    state = bare(system, in_secret=False)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, report = put_on(system, state, side, name, x)
        assert report.audience is None
    state, _ = system.act(state, Hide(unit="blue-second"), dice())
    assert system.side_of(state, system.parse("unhide", {"unit": "blue-second"})) == blue
    state, report = system.act(state, system.parse("deploy", {"unit": "blue-second", "to": "62,20"}), dice())
    assert (report.audience, set(state.hidden)) == ({blue}, {"blue-second"})
    state, _ = system.act(state, system.parse("begin", {}), dice())
    assert (set(state.units), set(state.hidden)) == ({"red-first"}, {"blue-second"})
    assert system.side_of(state, system.parse("unhide", {"unit": "blue-second"})) == UMPIRE


def test_who_fires_from_hiding_is_seen_by_all() -> None:
    """MM-3: in Magdala, at a target 10 inches off."""
    system = rulesets()["magdala"]
    state, shown, unit = hidden(system)
    near = unit.model_copy(update={"place": Place(x=22.0, y=24.0, facing=270.0)})
    state = turn_of(state.model_copy(update={"hidden": {unit.id: near}}), unit.side, system)
    shot = next(one for one in system.legal(all_shown(state), unit.side, "fire") if one.unit == unit.id)
    after, report = system.act(state, shot, dice())
    assert (unit.id in after.units, report.audience, report.showed_hidden) == (True, None, True)
    assert "lain hidden" in report.steps[0].text
    assert shown.id in after.units


def test_units_of_a_file_begin_in_ambush(system: Ruleset[Any]) -> None:
    state, shown, unit = hidden(system)
    file = system.write_scenario(state, "ours", "Ours")
    assert file.count(b"hidden = true") == 1
    begun = system.setup_uploaded(file, {}, dice())
    assert (set(begun.units), set(begun.hidden), begun.may_hide) == ({shown.id}, {unit.id}, True)
    assert begun.hidden[unit.id].place == unit.place
    assert system.write_scenario(begun, "ours", "Ours") == file
    public = system.write_scenario(system.view(state, PUBLIC), "ours", "Ours")
    assert unit.name.encode() not in public
    whole = system.write_scenario(system.view(state, UMPIRE), "ours", "Ours")
    assert whole.count(b"hidden = true") == 1


def test_a_unit_that_is_called_as_a_hidden_one_is_another(system: Ruleset[Any]) -> None:
    state, shown, unit = hidden(system)
    for name in (unit.name, unit.name.upper(), unit.id):
        after, _ = put_on(system, state, shown.side, name, 20.0)
        assert after.hidden == state.hidden
        assert not {*after.units} & {*after.hidden}
        system.check(after)
        found, _ = system.act(after, Unhide(unit=unit.id), NoDice())
        assert {*found.units} == {*after.units, unit.id}


def test_in_secret_both_sides_may_call_a_unit_alike(system: Ruleset[Any]) -> None:
    state = bare(system, in_secret=True)
    for side, x in zip((one.id for one in state.sides), (10.0, 60.0), strict=True):
        state, report = put_on(system, state, side, "First", x)
        assert report.audience == {side}
    assert sorted(unit.name for unit in state.hidden.values()) == ["First", "First"]
    begun, _ = system.act(state, system.parse("begin", {}), dice())
    system.check(begun)
    assert len(begun.units) == 2


def test_a_hidden_quality_of_a_hidden_unit_is_told_to_the_umpire_alone() -> None:
    system = rulesets()["magdala"]
    state, _, unit = hidden(system)
    secret = system.parse("secret", {"unit": unit.id, "field": "secret_quality", "value": "-2"})
    open_one, told = system.act(laid(system), secret, dice())
    after, report = system.act(state, secret, dice())
    assert after.hidden[unit.id].secret_quality == open_one.units[unit.id].secret_quality == -2
    assert report.audience == told.audience != {unit.side}
