"""Markers and units off the table, in every system in inches: nobody can tell what lies under one until it is found."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refused import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop import markers
from rules.core.tabletop.battle import Place
from rules.core.tabletop.hiding import Hide, Unhide
from rules.core.umpire import RemoveUnit, SetField
from rules.registry import rulesets

from .test_hidden_troops import SYSTEMS, State, bare, dice, laid, put_on, system, turn_of

__all__ = ["system"]

A, B = "marker_a", "marker_b"


def act(system: Ruleset[Any], state: State, kind: str, **args: Any) -> tuple[State, Any]:
    return system.act(state, system.parse(kind, args), dice())


def refusal(system: Ruleset[Any], state: State, kind: str, **args: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(system, state, kind, **args)
    return str(refused.value)


def put(system: Ruleset[Any], state: State, side: str, x: float, y: float = 24.0) -> State:
    return act(system, state, "put_marker", side=side, x=x, y=y, facing=270.0)[0]


def under(system: Ruleset[Any], state: State, unit: Any) -> State:
    """The unit hidden under a marker where it stands."""
    state = put(system, state, unit.side, unit.place.x, unit.place.y)
    return system.act(state, Hide(unit=unit.id, marker=True), NoDice())[0]


def marked(system: Ruleset[Any], *, unit_first: bool = True) -> tuple[State, Any, Any]:
    """A table with the second side's unit under one marker and nothing under the other; the shown unit, the hidden."""
    state = laid(system)
    shown, other = (state.of_side(side.id)[0] for side in state.sides)
    places = [(42.0, 24.0), (42.0, 40.0)]
    at = places[0] if unit_first else places[1]
    state = state.changed(other.id, place=Place(x=at[0], y=at[1], facing=270.0))
    for x, y in places:
        state = put(system, state, other.side, x, y)
    state, report = system.act(state, Hide(unit=other.id, marker=True), NoDice())
    assert report.audience == {other.side}
    system.check(state)
    return state, shown, other


def worlds(system: Ruleset[Any]) -> tuple[State, State, Any, Any]:
    """Two tables alike but for what lies under their markers."""
    one, shown, unit = marked(system)
    other, *_ = marked(system, unit_first=False)
    assert (one.markers[A].unit, other.markers[B].unit) == (unit.id, unit.id)
    return one, other, shown, unit


def alike(system: Ruleset[Any], one: State, other: State, *viewers: str) -> None:
    """Whether these viewers see the same in both."""
    for viewer in viewers:
        assert system.write_state(system.told(one, viewer)) == system.write_state(system.told(other, viewer))
        assert system.roster(one, viewer) == system.roster(other, viewer)
        assert system.scene(one, viewer) == system.scene(other, viewer)
        assert system.strengths(one, viewer) == system.strengths(other, viewer)
        files = [system.write_scenario(system.view(state, viewer), "ours", "Ours") for state in (one, other)]
        assert files[0] == files[1]


def test_nobody_else_can_tell_a_marker_with_a_unit_from_a_dummy(system: Ruleset[Any]) -> None:
    one, other, shown, unit = worlds(system)
    alike(system, one, other, PUBLIC, shown.side)
    for viewer in (PUBLIC, shown.side):
        assert [marker.unit for marker in system.view(one, viewer).markers.values()] == ["", ""]
        system.check(system.told(one, viewer))
    for viewer in (UMPIRE, unit.side):
        lines = {card.id: card.line for card in system.roster(one, viewer)}
        assert unit.name in lines[A]
        assert "nothing" in lines[B]
        assert lines[unit.id].startswith("hidden under Marker A")
        names = {base.unit: base.name for base in system.scene(one, viewer).bases}
        assert names[A] == f"Marker A: {unit.name}"
        assert names[B] == "Marker B: nothing"


def test_it_is_stored_and_read_again(system: Ruleset[Any]) -> None:
    state, _, unit = marked(system)
    assert system.read_state(system.write_state(state)) == state
    own = system.told(state, unit.side)
    system.check(own)
    assert own.markers[A].unit == unit.id


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
    if unit.side not in away.acting:
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
    state = markers.moved(state, state.markers[A], Place(x=17.0, y=24.0, facing=270.0))
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
    assert "towards Marker A" in system.places(system.view(state, shown.side), shown.side, shown.id)
    after, _ = system.act(state, march, dice())
    assert set(after.markers) == {A, B}
    near = markers.moved(state, state.markers[A], Place(x=17.0, y=24.0, facing=270.0))
    after, report = system.act(near, march, dice())
    assert (set(after.markers), report.showed_hidden) == ({B}, True)


def test_who_walks_over_two_markers_turns_over_the_first_on_his_way(system: Ruleset[Any]) -> None:
    state, shown, _ = marked(system)
    for name, x in ((A, 18.5), (B, 16.0)):
        state = markers.moved(state, state.markers[name], Place(x=x, y=24.0, facing=270.0))
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
    state = markers.moved(state, state.markers[A], near)
    state = turn_of(state, unit.side, system)
    charge = system.parse("move", {"unit": unit.id, "to": f"towards {shown.name}"})
    if not system.allows(state, charge):
        pytest.skip("it cannot charge now")
    after, report = system.act(state, charge, dice())
    assert (unit.id in after.units, set(after.markers), report.audience) == (True, {B}, None)
    assert "hidden under Marker A" in report.steps[0].text


def test_letters_are_given_in_turn_and_never_again(system: Ruleset[Any]) -> None:
    state = laid(system)
    first, second = (side.id for side in state.sides)
    state = put(system, put(system, state, first, 50.0, 10.0), second, 50.0, 40.0)
    state, _ = act(system, state, "take_marker", unit=B)
    state, report = act(system, state, "put_marker", side=first, x=30.0, y=10.0)
    assert list(state.markers) == [A, "marker_c"]
    assert report.headline == f"A marker of the {state.sides[0].name} is put on the table at C1 S: Marker C."
    assert "lies there" in refusal(system, state, "put_marker", side=second, x=30.0, y=10.0)
    with pytest.raises(Refused, match="Choose another"):
        system.act(state, SetField(unit=next(iter(state.units)), field="name", value="marker d"), NoDice())


def test_a_side_has_only_so_many_markers_whatever_the_other_has() -> None:
    system = rulesets()["charge"]
    state = bare(system, in_secret=True)
    state = state.model_copy(update={"width": 240.0})
    red, blue = (side.id for side in state.sides)
    for number in range(markers.MOST_MARKERS):
        state = put(system, state, blue, 3.0 + 6 * number, 40.0)
    assert "30 markers" in refusal(system, state, "put_marker", side=blue, x=3.0, y=20.0)
    state, _ = act(system, state, "put_marker", side=red, x=3.0, y=40.0)
    assert [each.name for each in system.view(state, red).markers.values()] == ["Marker A"]
    assert "Marker BH" in [each.name for each in state.markers.values()]
    system.check(state)


def test_what_lies_under_a_marker_outlives_an_undo_of_others(system: Ruleset[Any]) -> None:
    then, shown, unit = marked(system)
    now, _ = act(system, then, "set_marker", unit=A, field="place", value="50,20")
    now, _ = act(system, now, "set_marker", unit=B, field="place", value="50,40")
    kept = system.keeping_hidden(then, now, shown.side)
    assert (kept.markers, kept.hidden, kept.units) == (then.markers, then.hidden, then.units)
    found, _ = system.act(now, Unhide(unit=A), NoDice())
    assert system.keeping_hidden(then, found, shown.side) == then
    gone, _ = system.act(now, RemoveUnit(unit=unit.id), NoDice())
    kept = system.keeping_hidden(then, gone, shown.side)
    assert (kept.markers[A].unit, unit.id in kept.hidden, kept.markers[A].place) == ("", False, then.markers[A].place)
    for each in (UMPIRE, unit.side):
        assert system.keeping_hidden(then, now, each) == then
    before = laid(system)
    kept = system.keeping_hidden(before.without(unit.id), now, shown.side)
    assert (kept.markers, set(kept.hidden)) == ({}, {unit.id})
    system.check(kept)


def test_an_undo_of_others_tells_nothing_of_what_lies_where(system: Ruleset[Any]) -> None:
    one, other, shown, _ = worlds(system)
    kept = []
    for then in (one, other):
        now, _ = act(system, then, "set_marker", unit=A, field="place", value="50,20")
        now, _ = act(system, now, "take_marker", unit=B)
        kept.append(system.keeping_hidden(then, now, shown.side))
        system.check(kept[-1])
    assert kept[0].markers == one.markers
    alike(system, *kept, PUBLIC, shown.side)


def test_a_file_holds_markers_and_they_begin_so(system: Ruleset[Any]) -> None:
    state, shown, unit = marked(system)
    file = system.write_scenario(state, "ours", "Ours")
    begun = system.setup_uploaded(file, {}, dice())
    assert (begun.markers, set(begun.hidden), set(begun.units)) == (state.markers, {unit.id}, {shown.id})
    assert begun.letters == state.letters
    assert system.write_scenario(begun, "ours", "Ours") == file
    system.check(begun)
    theirs = system.write_scenario(system.view(state, shown.side), "ours", "Ours")
    assert theirs.count(b"[[dummies]]") == 2
    assert unit.name.encode() not in theirs


def test_letters_of_a_file_follow_places_and_not_what_lies_there(system: Ruleset[Any]) -> None:
    for unit_first in (True, False):
        state, _, unit = marked(system, unit_first=unit_first)
        text = system.write_scenario(state, "ours", "Ours").decode()
        for letter in "AB":
            text = text.replace(f'marker = "{letter}"', "marker = true")
        begun = system.setup_uploaded(text.encode(), {}, dice())
        assert begun.markers[A if unit_first else B].unit == unit.id


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('marker = "B"', 'marker = "A"', "there is another A"),
        ("hidden = true\n", "", "only hidden units with a place"),
        ('marker = "B"', 'marker = "b?"', "marker"),
        ('marker = "B"', "marker = false", "a dummy is nothing but a marker"),
    ],
)
def test_a_file_with_wrong_markers_is_refused(old: str, new: str, why: str) -> None:
    system = rulesets()["charge"]
    text = system.write_scenario(marked(system)[0], "ours", "Ours").decode()
    assert old in text
    with pytest.raises(Refused, match=why):
        system.read_scenario(text.replace(old, new).encode())


@pytest.mark.parametrize(
    ("update", "why"),
    [({"unit": "nobody"}, "no hidden unit"), ({"name": "Marker Q"}, "called as no marker"), ({"side": "x"}, "side")],
)
def test_a_game_from_outside_with_wrong_markers_is_refused(update: dict[str, Any], why: str) -> None:
    system = rulesets()["empire"]
    state = markers.changed(marked(system)[0], marked(system)[0].markers[A], **update)
    with pytest.raises(Refused, match=why):
        system.check(state)


def test_in_a_set_up_in_secret_markers_too_are_unseen_until_it_ends(system: Ruleset[Any]) -> None:
    state = bare(system, in_secret=True)
    red, blue = (side.id for side in state.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        state, _ = put_on(system, state, side, name, x)
    for side, x, y in ((blue, 60.0, 24.0), (blue, 60.0, 10.0), (red, 10.0, 40.0)):
        state, report = act(system, state, "put_marker", side=side, x=x, y=y)
        assert report.audience == {side}
    state, report = system.act(state, Hide(unit="blue-second", marker=True), dice())
    assert report.audience == {blue}
    assert state.markers[B].unit == "blue-second"
    assert [each.name for each in system.view(state, red).markers.values()] == ["Marker A"]
    assert system.view(state, PUBLIC).markers == {}
    assert [each.name for each in system.view(state, blue).markers.values()] == ["Marker B", "Marker D"]
    assert refusal(system, state, "deploy", unit="blue-second", to="forward 1")
    state, report = act(system, state, "move_marker", unit=B, to="50,20")
    assert (report.audience, state.hidden["blue-second"].place.point) == ({blue}, (50.0, 20.0))
    state, _ = act(system, state, "begin")
    system.check(state)
    assert (set(state.units), set(state.hidden)) == ({"red-first"}, {"blue-second"})
    assert [each.name for each in system.view(state, red).markers.values()] == ["Marker A", "Marker B", "Marker D"]
    assert system.view(state, red).letters == {"": 4}


def off_table(system: Ruleset[Any]) -> tuple[State, Any, Any]:
    """A table with the second side's unit hidden off the table."""
    state = laid(system)
    shown, other = (state.of_side(side.id)[0] for side in state.sides)
    state = state.changed(other.id, place=None)
    after, report = system.act(state, Hide(unit=other.id), NoDice())
    assert report.audience == {other.side}
    return after, shown, other


def test_a_unit_off_the_table_comes_on_in_secret_where_it_is_put(system: Ruleset[Any]) -> None:
    state, _, unit = off_table(system)
    system.check(state)
    assert system.settled(state).over is None
    with pytest.raises(Refused, match="no place"):
        system.act(state, Unhide(unit=unit.id), NoDice())
    own = system.view(state, unit.side)
    assert own.all_placed
    assert next(card for card in system.roster(state, unit.side) if card.id == unit.id).line.startswith(
        "hidden off the table"
    )
    assert "off the table" in refusal(system, state, "move", unit=unit.id, to="forward 3")
    after, report = system.act(state, SetField(unit=unit.id, field="place", value="60,20"), NoDice())
    assert (report.audience, after.hidden[unit.id].place.point) == ({unit.side}, (60.0, 20.0))
    after, _ = system.act(after, Unhide(unit=unit.id), NoDice())
    assert after.units[unit.id].place.point == (60.0, 20.0)
    assert system.strengths(state, unit.side) == system.strengths(after, unit.side)


def test_whether_the_game_has_ended_hangs_on_hidden_units_too() -> None:
    """CH-5: of an army of which all that is shown has fallen, the phases go on."""
    system = rulesets()["charge"]
    state = system.setup(next(iter(system.scenarios)), {}, dice())
    state = state.model_copy(update={"options": state.options.model_copy(update={"hidden_troops": True})})
    fallen, *others = state.of_side(state.sides[0].id)
    for unit in others:
        state, _ = system.act(state, Hide(unit=unit.id), NoDice())
    state = state.changed(fallen.id, figures=0)
    reckoning = type(system).reckoning
    assert reckoning.verdict(state, state.options.beaten_at) is not None
    assert reckoning.ended(state) is None
    after, _ = act(system, state, "turn_next")
    assert after.phase != state.phase


def test_a_file_holds_units_off_the_table_and_a_set_up_begins_with_them(system: Ruleset[Any]) -> None:
    state, _, unit = off_table(system)
    file = system.write_scenario(state, "ours", "Ours")
    begun = system.setup_uploaded(file, {}, dice())
    assert begun.hidden[unit.id].place is None
    assert system.write_scenario(begun, "ours", "Ours") == file
    table = bare(system, in_secret=False)
    red, blue = (side.id for side in table.sides)
    for side, name, x in ((red, "First", 10.0), (blue, "Second", 60.0)):
        table, _ = put_on(system, table, side, name, x)
    table = table.changed("blue-second", place=None)
    table, _ = system.act(table, Hide(unit="blue-second"), dice())
    put, report = act(system, table, "deploy", unit="blue-second", to="62,20")
    assert (report.audience, put.hidden["blue-second"].place.point) == ({blue}, (62.0, 20.0))
    table, _ = act(system, table, "begin")
    assert table.hidden["blue-second"].place is None


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
