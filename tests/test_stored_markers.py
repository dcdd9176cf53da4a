"""Stored markers: their letters in games and files, and after an undo."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop import markers
from rules.core.tabletop.hidden_units import Unhide
from rules.core.umpire import RemoveUnit, SetField
from rules.registry import rulesets

from .hidden_tables import (
    MARKER_A,
    MARKER_B,
    act,
    assert_views_match,
    create_dice,
    get_refusal,
    lay_bare_table,
    lay_table,
    lay_table_with_markers,
    lay_two_worlds,
    put_marker,
    system,
)

__all__ = ["system"]


def test_a_marker_is_stored_and_read_again(system: Ruleset[Any]) -> None:
    state, _, unit = lay_table_with_markers(system)
    assert system.read_state(system.write_state(state)) == state
    own = system.storable_view(state, unit.side)
    system.require_valid_state(own)
    assert own.markers[MARKER_A].unit == unit.id


def test_letters_are_given_in_turn_and_never_again(system: Ruleset[Any]) -> None:
    state = lay_table(system)
    first, second = (side.id for side in state.sides)
    state = put_marker(system, put_marker(system, state, first, 50.0, 10.0), second, 50.0, 40.0)
    state, _ = act(system, state, "take_marker", unit=MARKER_B)
    state, report = act(system, state, "put_marker", side=first, x=30.0, y=10.0)
    assert list(state.markers) == [MARKER_A, "marker_c"]
    assert report.headline == f"A marker of the {state.sides[0].name} is put on the table at C1 S: Marker C."
    assert "lies there" in get_refusal(system, state, "put_marker", side=second, x=30.0, y=10.0)
    with pytest.raises(Refused, match="Choose another"):
        system.act(state, SetField(unit=next(iter(state.units)), field="name", value="marker d"), NoDice())


def test_the_number_of_a_sides_markers_is_limited() -> None:
    system = rulesets()["charge"]
    state = lay_bare_table(system, in_secret=True)
    state = state.model_copy(update={"width": 240.0})
    red, blue = (side.id for side in state.sides)
    for number in range(markers.MOST_MARKERS):
        state = put_marker(system, state, blue, 3.0 + 6 * number, 40.0)
    assert "30 markers" in get_refusal(system, state, "put_marker", side=blue, x=3.0, y=20.0)
    state, _ = act(system, state, "put_marker", side=red, x=3.0, y=40.0)
    assert [marker.name for marker in system.view(state, red).markers.values()] == ["Marker A"]
    assert "Marker BH" in [marker.name for marker in state.markers.values()]
    system.require_valid_state(state)


def test_a_unit_under_a_marker_survives_an_undo_of_others(system: Ruleset[Any]) -> None:
    earlier, enemy, unit = lay_table_with_markers(system)
    now, _ = act(system, earlier, "set_marker", unit=MARKER_A, field="place", value="50,20")
    now, _ = act(system, now, "set_marker", unit=MARKER_B, field="place", value="50,40")
    undone = system.hidden_troops.keep_hidden_facts(earlier, now, enemy.side)
    assert (undone.markers, undone.hidden, undone.units) == (earlier.markers, earlier.hidden, earlier.units)
    revealed, _ = system.act(now, Unhide(unit=MARKER_A), NoDice())
    assert system.hidden_troops.keep_hidden_facts(earlier, revealed, enemy.side) == earlier
    gone, _ = system.act(now, RemoveUnit(unit=unit.id), NoDice())
    undone = system.hidden_troops.keep_hidden_facts(earlier, gone, enemy.side)
    assert (undone.markers[MARKER_A].unit, unit.id in undone.hidden, undone.markers[MARKER_A].place) == (
        "",
        False,
        earlier.markers[MARKER_A].place,
    )
    for viewer in (UMPIRE, unit.side):
        assert system.hidden_troops.keep_hidden_facts(earlier, now, viewer) == earlier
    before = lay_table(system)
    undone = system.hidden_troops.keep_hidden_facts(before.without_unit(unit.id), now, enemy.side)
    assert (undone.markers, set(undone.hidden)) == ({}, {unit.id})
    system.require_valid_state(undone)


def test_an_undo_of_others_does_not_reveal_markers(system: Ruleset[Any]) -> None:
    first, second, enemy, _ = lay_two_worlds(system)
    undone = []
    for earlier in (first, second):
        now, _ = act(system, earlier, "set_marker", unit=MARKER_A, field="place", value="50,20")
        now, _ = act(system, now, "take_marker", unit=MARKER_B)
        undone.append(system.hidden_troops.keep_hidden_facts(earlier, now, enemy.side))
        system.require_valid_state(undone[-1])
    assert undone[0].markers == first.markers
    assert_views_match(system, *undone, PUBLIC, enemy.side)


def test_a_file_contains_markers(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_markers(system)
    file = system.own_battles.write(state, "ours", "Ours")
    begun = system.own_battles.set_up(file, {}, create_dice())
    assert (begun.markers, set(begun.hidden), set(begun.units)) == (state.markers, {unit.id}, {enemy.id})
    assert begun.letters == state.letters
    assert system.own_battles.write(begun, "ours", "Ours") == file
    system.require_valid_state(begun)
    enemy_file = system.own_battles.write(system.view(state, enemy.side), "ours", "Ours")
    assert enemy_file.count(b"[[dummies]]") == 2
    assert unit.name.encode() not in enemy_file


def test_letters_in_a_file_depend_on_places_only(system: Ruleset[Any]) -> None:
    for unit_first in (True, False):
        state, _, unit = lay_table_with_markers(system, unit_first=unit_first)
        text = system.own_battles.write(state, "ours", "Ours").decode()
        for letter in "AB":
            text = text.replace(f'marker = "{letter}"', "marker = true")
        begun = system.own_battles.set_up(text.encode(), {}, create_dice())
        assert begun.markers[MARKER_A if unit_first else MARKER_B].unit == unit.id


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
    text = system.own_battles.write(lay_table_with_markers(system)[0], "ours", "Ours").decode()
    assert old in text
    with pytest.raises(Refused, match=why):
        system.own_battles.read(text.replace(old, new).encode())


@pytest.mark.parametrize(
    ("update", "why"),
    [({"unit": "nobody"}, "no hidden unit"), ({"name": "Marker Q"}, "called as no marker"), ({"side": "x"}, "side")],
)
def test_a_game_from_outside_with_wrong_markers_is_refused(update: dict[str, Any], why: str) -> None:
    system = rulesets()["empire"]
    state = markers.change_marker(
        lay_table_with_markers(system)[0], lay_table_with_markers(system)[0].markers[MARKER_A], **update
    )
    with pytest.raises(Refused, match=why):
        system.require_valid_state(state)
