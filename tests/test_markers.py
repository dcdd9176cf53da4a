"""Markers in every system in inches: nobody can tell a unit from a dummy until it is found."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop import markers
from rules.core.tabletop.battle import Place
from rules.core.tabletop.hidden_units import Unhide
from rules.core.umpire import RemoveUnit, SetField
from rules.registry import rulesets

from .hidden_tables import (
    MARKER_A,
    MARKER_B,
    SYSTEMS,
    act,
    advance_to_turn,
    assert_views_match,
    create_dice,
    get_refusal,
    lay_table_with_markers,
    lay_two_worlds,
    system,
)

__all__ = ["system"]


def test_nobody_else_can_tell_a_marker_with_a_unit_from_a_dummy(system: Ruleset[Any]) -> None:
    first, second, enemy, unit = lay_two_worlds(system)
    assert_views_match(system, first, second, PUBLIC, enemy.side)
    for viewer in (PUBLIC, enemy.side):
        assert [marker.unit for marker in system.view(first, viewer).markers.values()] == ["", ""]
        system.require_valid_state(system.storable_view(first, viewer))
    for viewer in (UMPIRE, unit.side):
        lines = {card.id: card.line for card in system.roster(first, viewer)}
        assert unit.name in lines[MARKER_A]
        assert "nothing" in lines[MARKER_B]
        assert lines[unit.id].startswith("hidden under Marker A")
        names = {base.unit: base.name for base in system.scene(first, viewer).bases}
        assert names[MARKER_A] == f"Marker A: {unit.name}"
        assert names[MARKER_B] == "Marker B: nothing"


def test_markers_move_once_a_turn_with_their_units(system: Ruleset[Any]) -> None:
    results, states = [], []
    for state, *_ in (lay_table_with_markers(system), lay_table_with_markers(system, unit_first=False)):
        now = advance_to_turn(state, state.markers[MARKER_A].side, system)
        reports = []
        for name, to in (
            (MARKER_A, "36,24"),
            (MARKER_B, "34,40"),
            (MARKER_A, "forward 9"),
            (MARKER_A, "towards Marker B"),
        ):
            try:
                now, report = act(system, now, "move_marker", unit=name, to=to)
                reports.append(report.model_dump_json())
                assert report.audience is None
            except Refused as refused:
                reports.append(str(refused))
        results.append(reports)
        states.append(now)
    assert results[0] == results[1]
    assert ["moved this turn" in result or "may move" in result for result in results[0]] == [False, False, True, True]
    enemy_side = states[0].sides[0].id
    assert_views_match(system, *states, PUBLIC, enemy_side)
    hidden = states[1].hidden[states[1].markers[MARKER_B].unit]
    assert hidden.place == states[1].markers[MARKER_B].place == Place(x=34.0, y=40.0, facing=270.0)


def test_a_marker_keeps_to_its_inches_its_turn_and_clear_of_the_enemy(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_markers(system)
    away = advance_to_turn(state, enemy.side, system)
    if unit.side not in away.acting_sides:
        assert "in their turn" in get_refusal(system, away, "move_marker", unit=MARKER_A, to="forward 3")
    state = advance_to_turn(state, unit.side, system)
    assert "may move 8" in get_refusal(system, state, "move_marker", unit=MARKER_A, to="forward 9")
    assert "off the table" in get_refusal(system, state, "move_marker", unit=MARKER_B, to="42,47.5")
    near = state.changed(enemy.id, place=Place(x=34.0, y=24.0, facing=90.0))
    assert enemy.name in get_refusal(system, near, "move_marker", unit=MARKER_A, to="35,24")
    assert enemy.name in get_refusal(system, near, "move_marker", unit=MARKER_A, to="forward 8")
    after, _ = act(system, near, "move_marker", unit=MARKER_A, to=f"towards {enemy.name}")
    assert MARKER_A in after.markers
    assert after.markers[MARKER_A].place.x < 42
    assert "There is no marker" in get_refusal(system, state, "move_marker", unit="marker_z", to="forward 1")


def test_a_unit_under_a_marker_does_not_move_by_itself(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_markers(system)
    state = advance_to_turn(state, unit.side, system)
    assert "move Marker A" in get_refusal(system, state, "move", unit=unit.id, to="forward 1")
    assert not system.allows(state, system.parse("move", {"unit": unit.id, "to": "forward 1"}))
    view = system.view(state, unit.side)
    moves = [action for action in system.legal_actions(view, unit.side, "move") if action.unit == unit.id]
    assert all("towards" in str(move.to) for move in moves)
    with pytest.raises(Refused, match="lie"):
        system.act(state, SetField(unit=unit.id, field="place", value="50,20"), NoDice())
    after, _ = act(system, state, "set_marker", unit=MARKER_A, field="place", value="50,20")
    assert after.hidden[unit.id].place.point == (50.0, 20.0)
    assert "its place alone" in get_refusal(system, state, "set_marker", unit=MARKER_A, field="name", value="X")
    assert "is a marker" in get_refusal(system, state, "move", unit=MARKER_A, to="forward 1")
    assert "is a marker" in get_refusal(system, state, "fire", unit=enemy.id, target=MARKER_A)
    with pytest.raises(Refused, match="is a marker"):
        system.odds(state, system.parse("fire", {"unit": enemy.id, "target": MARKER_B}))


@pytest.mark.parametrize("unit_first", [True, False])
def test_a_unit_stops_before_a_marker_and_reveals_it(system: Ruleset[Any], unit_first: bool) -> None:
    state, enemy, unit = lay_table_with_markers(system, unit_first=unit_first)
    state = markers.move_marker(state, state.markers[MARKER_A], Place(x=17.0, y=24.0, facing=270.0))
    state = advance_to_turn(state, enemy.side, system)
    to = f"{state.units[enemy.id].place.x + 6:g},24"
    after, report = act(system, state, "move", unit=enemy.id, to=to)
    assert report.showed_hidden
    assert set(after.markers) == {MARKER_B}
    placement = type(system).battles.file_type.ways.placement
    if unit_first:
        assert "under it" in report.outcome
        assert unit.id in after.units
        assert placement.gap(after.units[enemy.id], after.units[unit.id]) > 0.05
    else:
        assert "there is nothing under it" in report.outcome
        assert unit.id in after.hidden
    unit_base, marker_base = placement.base(after.units[enemy.id]), markers.base_of_marker(state.markers[MARKER_A])
    assert unit_base.outline.distance(marker_base.outline) < 1
    system.require_valid_state(after)


def test_a_march_towards_a_marker_reveals_it(system: Ruleset[Any]) -> None:
    state, enemy, _ = lay_table_with_markers(system)
    state = advance_to_turn(state, enemy.side, system)
    march = system.parse("move", {"unit": enemy.id, "to": "towards Marker A"})
    assert "towards marker a" in system.label(state, march).casefold()
    assert "towards Marker A" in system.places.destinations(system.view(state, enemy.side), enemy.side, enemy.id)
    after, _ = system.act(state, march, create_dice())
    assert set(after.markers) == {MARKER_A, MARKER_B}
    near = markers.move_marker(state, state.markers[MARKER_A], Place(x=17.0, y=24.0, facing=270.0))
    after, report = system.act(near, march, create_dice())
    assert (set(after.markers), report.showed_hidden) == ({MARKER_B}, True)


def test_a_move_over_two_markers_reveals_the_first(system: Ruleset[Any]) -> None:
    state, enemy, _ = lay_table_with_markers(system)
    for name, x in ((MARKER_A, 18.5), (MARKER_B, 16.0)):
        state = markers.move_marker(state, state.markers[name], Place(x=x, y=24.0, facing=270.0))
    state = advance_to_turn(state, enemy.side, system)
    after, report = act(system, state, "move", unit=enemy.id, to=f"{state.units[enemy.id].place.x + 6:g},24")
    assert set(after.markers) == {MARKER_A}
    assert report.outcome.count("Marker") == 1


@pytest.mark.parametrize("sight", [0, 29])
def test_a_marker_is_seen_from_the_options_inches(system: Ruleset[Any], sight: int) -> None:
    first, second, enemy, _ = lay_two_worlds(system)
    results = []
    for state in (first, second):
        now = advance_to_turn(state, enemy.side, system)
        now = now.model_copy(update={"options": now.options.model_copy(update={"sight": sight})})
        at = now.units[enemy.id].place
        after, report = act(system, now, "move", unit=enemy.id, to=f"{at.x + 1:g},24")
        results.append((set(after.markers), report.showed_hidden))
    assert results[0] == results[1]
    assert results[0] == (({MARKER_B}, True) if sight else ({MARKER_A, MARKER_B}, False))


def test_the_umpire_turns_a_marker_over_and_takes_one_off(system: Ruleset[Any]) -> None:
    state, _, unit = lay_table_with_markers(system)
    for name in (MARKER_A, unit.id):
        after, report = system.act(state, Unhide(unit=name), NoDice())
        assert (set(after.markers), unit.id in after.units, report.audience) == ({MARKER_B}, True, None)
        assert "under Marker A" in report.headline
    after, report = system.act(state, Unhide(unit=MARKER_B), NoDice())
    assert report.headline == "There is nothing under Marker B."
    first, second, enemy, _ = lay_two_worlds(system)
    results = [act(system, table, "take_marker", unit=MARKER_A) for table in (first, second)]
    assert results[0][1] == results[1][1]
    assert_views_match(system, results[0][0], results[1][0], PUBLIC, enemy.side)
    assert unit.id in results[0][0].hidden


def test_a_marker_becomes_a_dummy_when_its_unit_is_removed(system: Ruleset[Any]) -> None:
    state, _, unit = lay_table_with_markers(system)
    after, report = system.act(state, RemoveUnit(unit=unit.id), NoDice())
    assert report.audience == {unit.side}
    assert (unit.id in after.hidden, after.markers[MARKER_A].unit) == (False, "")
    system.require_valid_state(after)


def test_a_unit_that_charges_from_a_marker_is_seen(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_markers(system)
    near = Place(x=20.0, y=24.0, facing=270.0)
    state = markers.move_marker(state, state.markers[MARKER_A], near)
    state = advance_to_turn(state, unit.side, system)
    charge = system.parse("move", {"unit": unit.id, "to": f"towards {enemy.name}"})
    if not system.allows(state, charge):
        pytest.skip("it cannot charge now")
    after, report = system.act(state, charge, create_dice())
    assert (unit.id in after.units, set(after.markers), report.audience) == (True, {MARKER_B}, None)
    assert "hidden under Marker A" in report.steps[0].text


@pytest.mark.parametrize(
    ("name", "phase", "wrong_phase"),
    [("empire", "movement of units", "rifle and machine gun fire"), ("charge", "moves", "fire")],
)
def test_markers_move_in_the_phase_in_which_units_do(name: str, phase: str, wrong_phase: str) -> None:
    system = rulesets()[name]
    state, _, unit = lay_table_with_markers(system)
    state = advance_to_turn(state, unit.side, system)
    assert state.phase == phase
    later = state.model_copy(update={"phase": wrong_phase, "active": unit.side})
    assert phase in get_refusal(system, later, "move_marker", unit=MARKER_A, to="forward 3")


@given(
    st.sampled_from(SYSTEMS),
    st.lists(st.tuples(st.sampled_from([MARKER_A, MARKER_B]), st.floats(1, 71), st.floats(1, 47)), max_size=4),
)
def test_markers_at_any_place_are_valid_and_look_alike(name: str, puts: list[tuple[str, float, float]]) -> None:
    system = rulesets()[name]
    first, second, enemy, _ = lay_two_worlds(system)
    for marker, x, y in puts:
        results = []
        for state in (first, second):
            try:
                results.append(act(system, state, "set_marker", unit=marker, field="place", value=f"{x:.1f},{y:.1f}"))
            except Refused as refused:
                results.append((state, str(refused)))
        (first, result), (second, second_result) = results
        if isinstance(result, str) or result.showed_hidden:
            assert isinstance(result, str) == isinstance(second_result, str)
            return
        assert result == second_result
        assert_views_match(system, first, second, PUBLIC, enemy.side)
        system.require_valid_state(first)
