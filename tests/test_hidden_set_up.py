"""Hidden units during set-up, secret or open, in every system that measures in inches."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop.hidden_units import Hide, Unhide
from rules.core.tabletop.set_up import Begin
from rules.registry import rulesets

from .hidden_tables import MARKER_B, State, act, add_unit, create_dice, get_refusal, lay_bare_table, system

__all__ = ["system"]


def put_enemies_on_one_spot(system: Ruleset[Any]) -> tuple[State, str, str]:
    """Return a secret set-up in which two enemies share a spot, with another unit of each side elsewhere."""
    state = lay_bare_table(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in (
        (red, "Guards", 30.0),
        (red, "Lancers", 10.0),
        (blue, "Amarar", 31.0),
        (blue, "Hadendoa", 60.0),
    ):
        state, _ = add_unit(system, state, side, name, x)
    ids = {unit.name: unit.id for unit in state.hidden.values()}
    return state, ids["Guards"], ids["Amarar"]


@pytest.mark.parametrize("lurks", ["nobody", "first", "second", "both"])
def test_enemies_on_one_spot_are_separated_without_revealing_an_ambush(system: Ruleset[Any], lurks: str) -> None:
    state, first, second = put_enemies_on_one_spot(system)
    was = {unit: state.hidden[unit].place for unit in (first, second)}
    ambush = {"nobody": (), "first": (first,), "second": (second,), "both": (first, second)}[lurks]
    for unit in ambush:
        state, _ = system.act(state, Hide(unit=unit), NoDice())
    after, report = system.act(state, Begin(), NoDice())
    system.require_valid_state(after)
    placement = type(system).battles.file_type.ways.placement
    units = {**after.units, **after.hidden}
    assert placement.gap(units[first], units[second]) > 0
    moved_unit = first if lurks == "first" else second
    assert [unit for unit, place in was.items() if units[unit].place != place] == [moved_unit]
    steps = [step for step in report.steps if "set back to" in step.text]
    assert [step.only_for for step in steps] == {"nobody": [None], "both": []}.get(
        lurks, [frozenset({units[moved_unit].side})]
    )


def test_a_secret_set_up_hides_both_sides_until_it_ends(system: Ruleset[Any]) -> None:
    state = lay_bare_table(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0), (blue, "Third", 50.0)):
        state, report = add_unit(system, state, side, name, x)
        assert report.audience == {side}
    assert (dict(state.units), len(state.hidden)) == ({}, 3)
    assert [card.name for card in system.roster(state, red)] == ["First"]
    assert [card.name for card in system.roster(state, blue)] == ["Second", "Third"]
    state, report = system.act(state, system.parse("deploy", {"unit": "blue-second", "to": "62,20"}), create_dice())
    assert (report.audience, state.hidden["blue-second"].place.x) == ({blue}, 62.0)
    state, report = system.act(state, Hide(unit="blue-third"), create_dice())
    assert report.audience == {blue}
    state, report = system.act(state, system.parse("begin", {}), create_dice())
    assert report.audience is None
    assert (set(state.units), set(state.hidden)) == ({"red-first", "blue-second"}, {"blue-third"})
    system.require_valid_state(state)


def test_a_secret_set_up_does_not_reveal_places(system: Ruleset[Any]) -> None:
    state = lay_bare_table(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, _ = add_unit(system, state, side, name, x)
    for name in ("Second", "Nobody"):
        with pytest.raises(Refused, match=f"No unit here is called “{name}”"):
            system.act(state, system.parse("deploy", {"unit": "red-first", "to": f"towards {name}"}), create_dice())
    state, report = system.act(state, system.parse("deploy", {"unit": "red-first", "to": "60,24"}), create_dice())
    assert (report.audience, state.hidden["red-first"].place.x) == ({red}, 60.0)


def test_a_set_up_does_not_reveal_enemy_ambushes(system: Ruleset[Any]) -> None:
    for in_secret in (False, True):
        state = lay_bare_table(system, in_secret=in_secret)
        red, blue = (side.id for side in state.sides)
        for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
            state, _ = add_unit(system, state, side, name, x)
            state, _ = system.act(state, Hide(unit=f"{side}-{name.casefold()}"), create_dice())
        for view in (system.view, system.storable_view):
            ambushes = {viewer: view(state, viewer).setting_up.in_ambush for viewer in (PUBLIC, red, blue, UMPIRE)}
            both = ("red-first", "blue-second")
            assert ambushes == {PUBLIC: (), red: both[:1], blue: both[1:], UMPIRE: both}


@pytest.mark.parametrize("in_secret", [False, True])
def test_an_undo_during_set_up_keeps_enemy_ambushes(system: Ruleset[Any], in_secret: bool) -> None:
    state = lay_bare_table(system, in_secret=in_secret)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, _ = add_unit(system, state, side, name, x)
    earlier, _ = system.act(state, Hide(unit="red-first"), create_dice())
    now, _ = system.act(earlier, Hide(unit="blue-second"), create_dice())
    now, _ = system.act(now, Unhide(unit="red-first"), create_dice())
    back = system.hidden_troops.keep_hidden_facts(earlier, now, red)
    assert back.setting_up.in_ambush == ("red-first", "blue-second")
    system.require_valid_state(back)
    begun, _ = system.act(back, system.parse("begin", {}), create_dice())
    assert set(begun.hidden) == {"red-first", "blue-second"}


def test_an_open_set_up_hides_only_ambushes(system: Ruleset[Any]) -> None:
    state = lay_bare_table(system, in_secret=False)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, report = add_unit(system, state, side, name, x)
        assert report.audience is None
    state, _ = system.act(state, Hide(unit="blue-second"), create_dice())
    assert system.side_of(state, system.parse("unhide", {"unit": "blue-second"})) == blue
    state, report = system.act(state, system.parse("deploy", {"unit": "blue-second", "to": "62,20"}), create_dice())
    assert (report.audience, set(state.hidden)) == ({blue}, {"blue-second"})
    state, _ = system.act(state, system.parse("begin", {}), create_dice())
    assert (set(state.units), set(state.hidden)) == ({"red-first"}, {"blue-second"})
    assert system.side_of(state, system.parse("unhide", {"unit": "blue-second"})) == UMPIRE


def test_both_sides_may_use_the_same_name_in_secret(system: Ruleset[Any]) -> None:
    state = lay_bare_table(system, in_secret=True)
    for side, x in zip((side.id for side in state.sides), (10.0, 60.0), strict=True):
        state, report = add_unit(system, state, side, "First", x)
        assert report.audience == {side}
    assert sorted(unit.name for unit in state.hidden.values()) == ["First", "First"]
    begun, _ = system.act(state, system.parse("begin", {}), create_dice())
    system.require_valid_state(begun)
    assert len(begun.units) == 2


def test_a_secret_set_up_hides_markers_until_it_ends(system: Ruleset[Any]) -> None:
    state = lay_bare_table(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, _ = add_unit(system, state, side, name, x)
    for side, x, y in ((blue, 60.0, 24.0), (blue, 60.0, 10.0), (red, 10.0, 40.0)):
        state, report = act(system, state, "put_marker", side=side, x=x, y=y)
        assert report.audience == {side}
    state, report = system.act(state, Hide(unit="blue-second", marker=True), create_dice())
    assert report.audience == {blue}
    assert state.markers[MARKER_B].unit == "blue-second"
    assert [marker.name for marker in system.view(state, red).markers.values()] == ["Marker A"]
    assert system.view(state, PUBLIC).markers == {}
    assert [marker.name for marker in system.view(state, blue).markers.values()] == ["Marker B", "Marker D"]
    assert get_refusal(system, state, "deploy", unit="blue-second", to="forward 1")
    state, report = act(system, state, "move_marker", unit=MARKER_B, to="50,20")
    assert (report.audience, state.hidden["blue-second"].place.point) == ({blue}, (50.0, 20.0))
    state, _ = act(system, state, "begin")
    system.require_valid_state(state)
    assert (set(state.units), set(state.hidden)) == ({"red-first"}, {"blue-second"})
    assert [marker.name for marker in system.view(state, red).markers.values()] == ["Marker A", "Marker B", "Marker D"]
    assert system.view(state, red).letters == {"": 4}


def test_an_ambush_does_not_hold_a_phase_open_at_the_start() -> None:
    """BE-1: hidden drilled foot is not asked to fix bayonets, since everyone would see it."""
    system = rulesets()["empire"]
    begun = []
    for lurks in (False, True):
        state = lay_bare_table(system, in_secret=True)
        red, blue = (side.id for side in state.sides)
        for side, troop, name, x in ((red, "british-regulars", "First", 10.0), (blue, "zulus", "Second", 60.0)):
            state, _ = act(system, state, "add_unit", troop=troop, side=side, name=name, x=x, y=24.0, facing=0.0)
        if lurks:
            words = {"troop": "british-regulars", "side": blue, "name": "Third", "x": 60.0, "y": 40.0, "facing": 0.0}
            state, _ = act(system, state, "add_unit", **words)
            state, _ = system.act(state, Hide(unit=f"{blue}-third"), create_dice())
        begun.append(act(system, state, "begin"))
    (without, first), (after, second) = begun
    assert after.hidden
    assert (system.awaited_viewers(after), first) == (system.awaited_viewers(without), second)
    assert system.storable_view(after, red) == system.storable_view(without, red)


def test_secret_actions_change_no_public_number(system: Ruleset[Any]) -> None:
    state = lay_bare_table(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, _ = add_unit(system, state, side, name, x)
    after = state
    for to in ("62,20", "60,24", "62,20"):
        after, _ = act(system, after, "deploy", unit="blue-second", to=to)
    after, _ = act(system, after, "set", unit="blue-second", field="place", value="50,20,0")
    assert after.hidden != state.hidden
    for viewer in (PUBLIC, red):
        assert system.write_state(system.storable_view(after, viewer)) == system.write_state(
            system.storable_view(state, viewer)
        )
