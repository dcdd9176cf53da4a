"""Marching: points, costs, impulses, forced marches and digging in (CA-2)."""

import pytest

from rules.campaign.columns import ColumnDay, Pace, Task
from rules.campaign.day import is_entrenched
from rules.campaign.ground import board_of
from rules.campaign.marching import march_columns, march_points_per_day
from rules.core.play import Play
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, at, country, day, hex_at, make_map, ordered, with_terrain

STEPS = ["scrub", "hills", "forest", "mountain", "marsh"]
LETTERS = {
    "open": ".",
    "scrub": "s",
    "hills": "h",
    "forest": "f",
    "mountain": "M",
    "marsh": "m",
    "sea": "~",
    "lake": "o",
}


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("blue horse 0203", 6),
        ("blue foot 0203", 4),
        ("blue mixed 0203", 4),
        ("blue guns 0203", 3),
        ("blue horse 0203 wagon", 3),
        ("blue foot 0203 forced", 6),
        ("blue horse 0203 scout", 5),
    ],
)
def test_2_1_points_a_day(line: str, points: int) -> None:
    state = country(make_map(OPEN), line)
    assert march_points_per_day(state, state.columns[0]) == points


def test_2_1_a_power_may_have_numbers_of_its_own() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0703", values={"points_foot": 5})
    assert [march_points_per_day(state, column) for column in state.columns] == [5, 4]


@pytest.mark.parametrize(
    ("terrain", "foot", "wheels"),
    [
        ("open", 1, 1),
        ("scrub", 2, 2),
        ("hills", 2, 2),
        ("forest", 2, None),
        ("mountain", 3, None),
        ("marsh", 3, None),
        ("sea", None, None),
        ("lake", None, None),
    ],
)
def test_2_2_what_a_hex_costs(terrain: str, foot: int | None, wheels: int | None) -> None:
    board = board_of(country(make_map(with_terrain(LETTERS[terrain], "0303"))))
    costs = [board.step_cost(hex_at("0203"), hex_at("0303"), pace) for pace in (Pace.FOOT, Pace.MOUNTED, Pace.WHEELED)]
    assert costs == [foot, foot, wheels]


@pytest.mark.parametrize("terrain", STEPS)
def test_2_2_along_a_road_every_step_costs_one(terrain: str) -> None:
    board = board_of(country(make_map(with_terrain(LETTERS[terrain], "0303"), "road: 0203 0303")))
    assert {board.step_cost(hex_at("0203"), hex_at("0303"), pace) for pace in Pace} == {1}
    off_road = board.step_cost(hex_at("0302"), hex_at("0303"), Pace.FOOT)
    assert off_road is not None
    assert off_road > 1


@pytest.mark.parametrize(
    ("crossing", "foot", "wheels"), [("", 2, None), ("ford: 0203/0303", 1, 1), ("bridge: 0203/0303", 1, 1)]
)
def test_2_2_rivers(crossing: str, foot: int, wheels: int | None) -> None:
    lines = ["river: 0203/0303", *([crossing] if crossing else [])]
    board = board_of(country(make_map(OPEN, *lines)))
    assert board.step_cost(hex_at("0303"), hex_at("0203"), Pace.FOOT) == foot
    assert board.step_cost(hex_at("0203"), hex_at("0303"), Pace.WHEELED) == wheels


def test_2_2_by_sea_from_port_to_port_in_a_whole_day() -> None:
    name = make_map(with_terrain("~", "0403", "0404", "0402", "0405"))
    points = ["Here 0303 blue port", "There 0503 blue port", "Away 0703 red port"]
    sailing = country(name, "blue foot 0303 via:0503,0603", points=points)
    after, _ = day(sailing)
    assert at(after, "blue-foot") == "0503"
    after, lines = day(country(name, "blue foot 0303 via:0703", points=points))
    assert at(after, "blue-foot") == "0303"
    assert lines[0] == "blue foot: finds no ship to 0703 (CA-2.2)"
    late = country(name, "blue foot 0203 via:0303,0503", points=points)
    assert at(day(late)[0], "blue-foot") == "0303"


def test_2_3_points_are_not_kept_overnight() -> None:
    hilly = with_terrain("M", "0303")
    state, _ = day(country(make_map(hilly), "blue guns 0203 via:0204,0304"))
    assert at(state, "blue-guns") == "0304"
    rough = with_terrain("s", "0204", "0304")
    state, _ = day(country(make_map(rough), "blue guns 0203 via:0204,0304"))
    assert at(state, "blue-guns") == "0204", "2 of its 3 points are spent, and the third is lost"
    assert state.unit("blue-guns").orders.way == (hex_at("0304"),)


def test_2_3_one_hex_an_impulse() -> None:
    state = country(make_map(OPEN), "blue horse 0100 to:0107", values={"points_mounted": 12})
    state, _ = day(state)
    assert at(state, "blue-horse") == "0107"
    assert len(state.unit("blue-horse").today.entered) == 7


def test_2_6_by_road_only_a_1_costs_stragglers() -> None:
    name = make_map(OPEN, "road: 0203 0204 0205 0206")
    state, lines = day(country(name, "blue foot 0203 forced via:0204"), 2)
    assert state.unit("blue-foot").figures == 24
    assert "blue foot: forced march: no stragglers on the forced march (CA-2.6)" in lines
    state, _ = day(country(name, "blue foot 0203 forced via:0204"), 1)
    assert state.unit("blue-foot").figures == 22
    assert state.unit("blue-foot").troops[0].stragglers == 2


def test_2_6_stragglers_return_on_a_day_of_rest() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 forced via:0204"), 1)
    state, lines = day(ordered(state, "blue-foot", task=Task.REST, way=()))
    assert state.unit("blue-foot").figures == 24
    assert "blue foot: 2 stragglers back (CA-2.6)" in lines


def test_2_6_no_throw_for_a_column_that_entered_nothing() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 forced"))
    assert state.unit("blue-foot").figures == 24


def test_2_7_any_number_of_columns_in_a_hex() -> None:
    lines = ["blue foot 0203 via:0204"] * 5
    state, _ = day(country(make_map(OPEN), *lines))
    assert {at(state, column.id) for column in state.columns} == {"0204"}


def test_2_8_entrenched_from_the_second_whole_day_of_digging() -> None:
    state = country(make_map(OPEN), "blue foot 0203 dig")
    assert not is_entrenched(state, state.unit("blue-foot"))
    state, _ = day(state)
    assert is_entrenched(state, state.unit("blue-foot"))
    state, _ = day(ordered(state, "blue-foot", task=Task.NONE, way=(hex_at("0204"),)))
    assert not is_entrenched(state, state.unit("blue-foot"))


def test_2_8_in_its_own_fort() -> None:
    points = ["Fort 0203 blue fort", "Other 0303 red fort"]
    state = country(make_map(OPEN), "blue foot 0203", "blue foot 0303", points=points)
    assert [is_entrenched(state, column) for column in state.columns] == [True, False]


def test_2_3_a_column_that_turns_to_cheaper_ground_has_no_points_left_over() -> None:
    state = country(make_map(OPEN), "blue foot 0203 via:0204,0205", "red foot 0807")
    play = Play(state.changed("blue-foot", today=ColumnDay(points=3)), ScriptedDice(()))
    for impulse in (1, 2):
        march_columns(play, impulse)
        assert at(play.state, "blue-foot") == "0204"
