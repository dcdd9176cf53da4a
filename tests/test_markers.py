"""Markers, in every system in inches: nobody can tell what lies under one until it is found."""

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

from .hidden_tables import SYSTEMS, A, B, act, alike, dice, marked, refusal, system, turn_of, worlds

__all__ = ["system"]


def test_nobody_else_can_tell_a_marker_with_a_unit_from_a_dummy(system: Ruleset[Any]) -> None:
    one, other, shown, unit = worlds(system)
    alike(system, one, other, PUBLIC, shown.side)
    for viewer in (PUBLIC, shown.side):
        assert [marker.unit for marker in system.view(one, viewer).markers.values()] == ["", ""]
        system.check(system.storable_view(one, viewer))
    for viewer in (UMPIRE, unit.side):
        lines = {card.id: card.line for card in system.roster(one, viewer)}
        assert unit.name in lines[A]
        assert "nothing" in lines[B]
        assert lines[unit.id].startswith("hidden under Marker A")
        names = {base.unit: base.name for base in system.scene(one, viewer).bases}
        assert names[A] == f"Marker A: {unit.name}"
        assert names[B] == "Marker B: nothing"


def test_markers_move_alike_once_a_turn_and_what_lies_there_goes_along(system: Ruleset[Any]) -> None:
    told, states = [], []
    for state, *_ in (marked(system), marked(system, unit_first=False)):
        now = turn_of(state, state.markers[A].side, system)
        reports = []
        for name, to in ((A, "36,24"), (B, "34,40"), (A, "forward 9"), (A, "towards Marker B")):
            try:
                now, report = act(system, now, "move_marker", unit=name, to=to)
                reports.append(report.model_dump_json())
                assert report.audience is None
            except Refused as refused:
                reports.append(str(refused))
        told.append(reports)
        states.append(now)
    assert told[0] == told[1]
    assert ["moved this turn" in each or "may move" in each for each in told[0]] == [False, False, True, True]
    shown = states[0].sides[0].id
    alike(system, *states, PUBLIC, shown)
    hidden = states[1].hidden[states[1].markers[B].unit]
    assert hidden.place == states[1].markers[B].place == Place(x=34.0, y=40.0, facing=270.0)


def test_a_marker_keeps_to_its_inches_its_turn_and_clear_of_the_enemy(system: Ruleset[Any]) -> None:
    state, shown, unit = marked(system)
    away = turn_of(state, shown.side, system)
    if unit.side not in away.acting_sides:
        assert "in their turn" in refusal(system, away, "move_marker", unit=A, to="forward 3")
    state = turn_of(state, unit.side, system)
    assert "may move 8" in refusal(system, state, "move_marker", unit=A, to="forward 9")
    assert "off the table" in refusal(system, state, "move_marker", unit=B, to="42,47.5")
    near = state.changed(shown.id, place=Place(x=34.0, y=24.0, facing=90.0))
    assert shown.name in refusal(system, near, "move_marker", unit=A, to="35,24")
    assert shown.name in refusal(system, near, "move_marker", unit=A, to="forward 8")
    after, _ = act(system, near, "move_marker", unit=A, to=f"towards {shown.name}")
    assert A in after.markers
    assert after.markers[A].place.x < 42
    assert "There is no marker" in refusal(system, state, "move_marker", unit="marker_z", to="forward 1")


def test_what_lies_under_a_marker_does_not_move_by_itself(system: Ruleset[Any]) -> None:
    state, shown, unit = marked(system)
    state = turn_of(state, unit.side, system)
    assert "move Marker A" in refusal(system, state, "move", unit=unit.id, to="forward 1")
    assert not system.allows(state, system.parse("move", {"unit": unit.id, "to": "forward 1"}))
    view = system.view(state, unit.side)
    moves = [one for one in system.legal(view, unit.side, "move") if one.unit == unit.id]
    assert all("towards" in str(one.to) for one in moves)
    with pytest.raises(Refused, match="lie"):
        system.act(state, SetField(unit=unit.id, field="place", value="50,20"), NoDice())
    after, _ = act(system, state, "set_marker", unit=A, field="place", value="50,20")
    assert after.hidden[unit.id].place.point == (50.0, 20.0)
    assert "its place alone" in refusal(system, state, "set_marker", unit=A, field="name", value="X")
    assert "is a marker" in refusal(system, state, "move", unit=A, to="forward 1")
    assert "is a marker" in refusal(system, state, "fire", unit=shown.id, target=A)
    with pytest.raises(Refused, match="is a marker"):
        system.odds(state, system.parse("fire", {"unit": shown.id, "target": B}))


@pytest.mark.parametrize("unit_first", [True, False])
def test_who_walks_into_a_marker_stops_before_it_and_turns_it_over(system: Ruleset[Any], unit_first: bool) -> None:
    state, shown, unit = marked(system, unit_first=unit_first)
    state = markers.move_marker(state, state.markers[A], Place(x=17.0, y=24.0, facing=270.0))
    state = turn_of(state, shown.side, system)
    to = f"{state.units[shown.id].place.x + 6:g},24"
    after, report = act(system, state, "move", unit=shown.id, to=to)
    assert report.showed_hidden
    assert set(after.markers) == {B}
    placement = type(system).battles.file_type.ways.placement
    if unit_first:
        assert "under it" in report.outcome
        assert unit.id in after.units
        assert placement.gap(after.units[shown.id], after.units[unit.id]) > 0.05
    else:
        assert "there is nothing under it" in report.outcome
        assert unit.id in after.hidden
    here, there = placement.base(after.units[shown.id]), markers.base(state.markers[A])
    assert here.outline.distance(there.outline) < 1
    system.check(after)


def test_who_marches_towards_a_marker_goes_as_far_as_it_may_and_turns_it_over(system: Ruleset[Any]) -> None:
    state, shown, _ = marked(system)
    state = turn_of(state, shown.side, system)
    march = system.parse("move", {"unit": shown.id, "to": "towards Marker A"})
    assert "towards marker a" in system.label(state, march).casefold()
    assert "towards Marker A" in system.places.destinations(system.view(state, shown.side), shown.side, shown.id)
    after, _ = system.act(state, march, dice())
    assert set(after.markers) == {A, B}
    near = markers.move_marker(state, state.markers[A], Place(x=17.0, y=24.0, facing=270.0))
    after, report = system.act(near, march, dice())
    assert (set(after.markers), report.showed_hidden) == ({B}, True)


def test_who_walks_over_two_markers_turns_over_the_first_on_his_way(system: Ruleset[Any]) -> None:
    state, shown, _ = marked(system)
    for name, x in ((A, 18.5), (B, 16.0)):
        state = markers.move_marker(state, state.markers[name], Place(x=x, y=24.0, facing=270.0))
    state = turn_of(state, shown.side, system)
    after, report = act(system, state, "move", unit=shown.id, to=f"{state.units[shown.id].place.x + 6:g},24")
    assert set(after.markers) == {A}
    assert report.outcome.count("Marker") == 1


@pytest.mark.parametrize("sight", [0, 29])
def test_it_is_seen_from_the_inches_of_the_option_whatever_lies_there(system: Ruleset[Any], sight: int) -> None:
    one, other, shown, _ = worlds(system)
    found = []
    for state in (one, other):
        now = turn_of(state, shown.side, system)
        now = now.model_copy(update={"options": now.options.model_copy(update={"sight": sight})})
        at = now.units[shown.id].place
        after, report = act(system, now, "move", unit=shown.id, to=f"{at.x + 1:g},24")
        found.append((set(after.markers), report.showed_hidden))
    assert found[0] == found[1]
    assert found[0] == (({B}, True) if sight else ({A, B}, False))


def test_the_umpire_turns_a_marker_over_and_takes_one_off(system: Ruleset[Any]) -> None:
    state, _, unit = marked(system)
    for name in (A, unit.id):
        after, report = system.act(state, Unhide(unit=name), NoDice())
        assert (set(after.markers), unit.id in after.units, report.audience) == ({B}, True, None)
        assert "under Marker A" in report.headline
    after, report = system.act(state, Unhide(unit=B), NoDice())
    assert report.headline == "There is nothing under Marker B."
    one, other, shown, _ = worlds(system)
    taken = [act(system, each, "take_marker", unit=A) for each in (one, other)]
    assert taken[0][1] == taken[1][1]
    alike(system, taken[0][0], taken[1][0], PUBLIC, shown.side)
    assert unit.id in taken[0][0].hidden


def test_a_marker_whose_unit_the_umpire_removes_stays_and_is_a_dummy(system: Ruleset[Any]) -> None:
    state, _, unit = marked(system)
    after, report = system.act(state, RemoveUnit(unit=unit.id), NoDice())
    assert report.audience == {unit.side}
    assert (unit.id in after.hidden, after.markers[A].unit) == (False, "")
    system.check(after)


def test_who_charges_from_under_a_marker_is_seen(system: Ruleset[Any]) -> None:
    state, shown, unit = marked(system)
    near = Place(x=20.0, y=24.0, facing=270.0)
    state = markers.move_marker(state, state.markers[A], near)
    state = turn_of(state, unit.side, system)
    charge = system.parse("move", {"unit": unit.id, "to": f"towards {shown.name}"})
    if not system.allows(state, charge):
        pytest.skip("it cannot charge now")
    after, report = system.act(state, charge, dice())
    assert (unit.id in after.units, set(after.markers), report.audience) == (True, {B}, None)
    assert "hidden under Marker A" in report.steps[0].text


@pytest.mark.parametrize(
    ("name", "phase", "other"),
    [("empire", "movement of units", "rifle and machine gun fire"), ("charge", "moves", "fire")],
)
def test_markers_move_in_the_phase_in_which_units_do(name: str, phase: str, other: str) -> None:
    system = rulesets()[name]
    state, _, unit = marked(system)
    state = turn_of(state, unit.side, system)
    assert state.phase == phase
    later = state.model_copy(update={"phase": other, "active": unit.side})
    assert phase in refusal(system, later, "move_marker", unit=A, to="forward 3")


@given(
    st.sampled_from(SYSTEMS),
    st.lists(st.tuples(st.sampled_from([A, B]), st.floats(1, 71), st.floats(1, 47)), max_size=4),
)
def test_wherever_markers_are_put_they_are_sound_and_alike(name: str, puts: list[tuple[str, float, float]]) -> None:
    system = rulesets()[name]
    one, other, shown, _ = worlds(system)
    for marker, x, y in puts:
        told = []
        for state in (one, other):
            try:
                told.append(act(system, state, "set_marker", unit=marker, field="place", value=f"{x:.1f},{y:.1f}"))
            except Refused as refused:
                told.append((state, str(refused)))
        (one, said), (other, so) = told
        if isinstance(said, str) or said.showed_hidden:
            assert isinstance(said, str) == isinstance(so, str)
            return
        assert said == so
        alike(system, one, other, PUBLIC, shown.side)
        system.check(one)
