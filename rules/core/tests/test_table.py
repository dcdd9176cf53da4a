"""The table in inches, and words for places."""

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.refusal import NoPlace, Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop import table
from rules.core.tabletop.place import (
    BackToHorses,
    Destination,
    MoveByDistance,
    Spot,
    TowardsUnit,
    TurnOnSpot,
    parse_destination,
)
from rules.core.tabletop.squares import parse_heading
from rules.core.tabletop.table import Base

NAMES = {"a1": "Ansar 2", "bw": "Black Watch", "a2": "Ansar 2 6"}


def base(x: float, y: float, facing: float = 0, frontage: float = 4, depth: float = 2) -> Base:
    return Base(at=(x, y), facing=facing, frontage=frontage, depth=depth)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("30,12", Spot(at=(30, 12))),
        ("30.5, 12 facing 90", Spot(at=(30.5, 12), facing=90)),
        ("-3,4", Spot(at=(-3, 4))),
        ("A1", Spot(at=(6, 6), in_square=True)),
        ("c3 face ne", Spot(at=(30, 30), facing=45, in_square=True)),
        ("forward 6", MoveByDistance(turn=0, inches=6)),
        ('back 3"', MoveByDistance(turn=180, inches=3)),
        ("left 4 inches", MoveByDistance(turn=270, inches=4)),
        ("Right 4 facing north-west", MoveByDistance(turn=90, inches=4, facing=315)),
        ("towards Black Watch", TowardsUnit(unit="bw")),
        ("toward BW 6", TowardsUnit(unit="bw", inches=6)),
        ("towards Ansar 2", TowardsUnit(unit="a1")),
        ("towards ansar 2 4.5", TowardsUnit(unit="a1", inches=4.5)),
        ("towards Ansar 2 6", TowardsUnit(unit="a2")),
        ("face 450", TurnOnSpot(facing=90)),
        ("face sse", TurnOnSpot(facing=157.5)),
        ("horses", BackToHorses()),
    ],
)
def test_words_for_a_place(words: str, expected: object) -> None:
    assert parse_destination(words, NAMES) == expected


@pytest.mark.parametrize(
    "words", ["", "  ", "over there", "1,2,3", "forward", "towards", "face up", "C123", "forward umpteen", "x" * 5000]
)
def test_other_words_are_refused_with_how_to_say_it(words: str) -> None:
    with pytest.raises(Refused, match="Say it as"):
        parse_destination(words, NAMES)


def test_a_misspelt_unit_is_refused_with_the_nearest() -> None:
    with pytest.raises(Refused, match="Black Watch"):
        parse_destination("towards Blak Watch", NAMES)


@given(st.text(max_size=60))
def test_any_text_is_a_place_or_refused(words: str) -> None:
    with suppress(Refused):
        assert isinstance(parse_destination(words, NAMES), Destination)


def test_headings() -> None:
    assert [parse_heading(word) for word in ("n", "east", "south-west", "WNW", "-90")] == [0, 90, 225, 292.5, 270]


def test_a_base_faces_north_with_its_front_to_the_north() -> None:
    corners = list(base(10, 10).outline.exterior.coords)
    assert corners[0] == pytest.approx((8, 9))
    assert corners[1] == pytest.approx((12, 9))
    turned = list(base(10, 10, 90).outline.exterior.coords)
    assert turned[0] == pytest.approx((11, 8))


def test_distances_are_between_nearest_points() -> None:
    assert table.gap(base(10, 10), base(10, 20)) == pytest.approx(8)
    assert table.gap(base(10, 10), base(20, 10)) == pytest.approx(6)
    assert table.gap(base(10, 10), base(20, 10, 90)) == pytest.approx(7)
    assert table.is_within(base(10, 10), base(10, 20), 8)
    assert not table.is_within(base(10, 10), base(10, 20), 7.9)
    assert table.gap_to_point(base(10, 10), (10, 15)) == pytest.approx(4)


def test_touching_is_not_overlapping() -> None:
    assert table.are_touching(base(10, 10), base(10, 12))
    assert not table.are_overlapping(base(10, 10), base(10, 12))
    assert table.are_overlapping(base(10, 10), base(10, 11))
    assert not table.are_touching(base(10, 10), base(10, 12.1))


@pytest.mark.parametrize(("point", "degrees"), [((10, 0), 0), ((20, 10), 90), ((10, 20), 180), ((0, 10), 90)])
def test_degrees_off_the_bow(point: tuple[float, float], degrees: float) -> None:
    assert table.angle_off_front(base(10, 10), point) == pytest.approx(degrees)


def test_the_edge_of_the_table() -> None:
    assert table.is_on_table(base(2, 1), 72, 48)
    assert not table.is_on_table(base(1, 1), 72, 48)


def test_a_run_ends_at_contact() -> None:
    assert table.run_until_contact(base(10, 30), 0, 20, base(10, 10)) == pytest.approx(18, abs=table.CONTACT)
    assert table.run_until_contact(base(10, 30), 0, 5, base(10, 10)) == 5
    assert table.run_until_contact(base(10, 30), 180, 20, base(10, 10)) == 20
    assert table.run_until_contact(base(10, 30), 0, 20, base(15, 10)) == 20


def test_room_to_halt_short_of_or_beyond_a_friend() -> None:
    friend = base(10, 20)
    assert table.run_until_clear(base(10, 30), 0, 9, [friend]) == pytest.approx(8, abs=table.STRIDE)
    assert table.run_until_clear(base(10, 30), 0, 14, [friend]) == 14
    assert table.run_until_clear(base(10, 30), 0, 1, [base(10, 30)]) == 0


def test_terrain_on_the_way() -> None:
    wood = TerrainPiece(feature=Feature.WOOD, points=((5, 15), (15, 15), (15, 20), (5, 20)))
    river = TerrainPiece(feature=Feature.RIVER, points=((0, 40), (72, 40)), closed=False, width=2)
    well = TerrainPiece(feature=Feature.BUILDING, points=((30, 30),), closed=False, width=2)
    pieces = (wood, river, well)
    assert table.pieces_crossed_by_line(pieces, (10, 10), (10, 30)) == (wood,)
    assert table.pieces_crossed_by_line(pieces, (20, 10), (20, 39.5)) == (river,)
    assert table.pieces_crossed_by_line(pieces, (10, 17), (10, 17)) == (wood,)
    assert table.pieces_crossed_by_line(pieces, (30, 10), (30, 30)) == (well,)
    assert table.gap_to_piece(river, base(10, 30)) == pytest.approx(8)


POINTS = st.tuples(st.floats(0, 72), st.floats(0, 48))


@given(POINTS, st.floats(0, 360), st.floats(0, 40))
def test_shifting_goes_the_way_and_the_inches(start: tuple[float, float], way: float, inches: float) -> None:
    end = table.shift_point(start, way, inches)
    assert table.distance(start, end) == pytest.approx(inches, abs=1e-6)
    if inches > 1:
        turn = abs(table.bearing(start, end) - way) % 360
        assert math.isclose(min(turn, 360 - turn), 0, abs_tol=1e-6)


@given(POINTS, POINTS, st.floats(0, 359), st.floats(0, 359))
def test_gaps_are_the_same_both_ways_and_no_longer_than_between_centres(first, second, facing, turned) -> None:
    first_base, second_base = base(*first, facing), base(*second, turned)
    assert table.gap(first_base, second_base) == pytest.approx(table.gap(second_base, first_base))
    assert table.gap(first_base, second_base) <= table.distance(first, second) + 1e-9


@given(POINTS, POINTS, st.floats(0, 359), st.floats(0, 40))
def test_a_run_never_ends_on_the_enemy(first, second, way, inches) -> None:
    first_base, second_base = base(*first), base(*second)
    run = table.run_until_contact(first_base, way, inches, second_base)
    assert 0 <= run <= inches
    if run > 0:
        assert not table.are_overlapping(first_base.moved_to(table.shift_point(first_base.at, way, run)), second_base)


@pytest.mark.parametrize("words", ["forward 0", "forward -6", "back -1", "left 0.0"])
def test_a_step_is_of_more_than_no_inches(words: str) -> None:
    with pytest.raises(Refused, match="more than 0") as refused:
        parse_destination(words, NAMES)
    assert not isinstance(refused.value, NoPlace)


def test_a_base_reaches_along_a_bearing_from_its_nearest_to_its_furthest_corner() -> None:
    base = Base(at=(10, 20), facing=0, frontage=4, depth=2)
    for way, reach in ((90, (8, 12)), (180, (19, 21)), (0, (-21, -19)), (270, (-12, -8))):
        assert table.extent_along_bearing(base, way) == pytest.approx(reach)


def test_within_and_touching_are_exact_at_their_inches() -> None:
    first_base, second_base = Base(at=(10, 10), frontage=4, depth=1), Base(at=(10, 16), frontage=4, depth=1)
    assert table.gap(first_base, second_base) == pytest.approx(5)
    assert (table.is_within(first_base, second_base, 5), table.is_within(first_base, second_base, 4.99)) == (
        True,
        False,
    )
    assert table.gap_to_point(first_base, (10, 13)) == pytest.approx(2.5)
    assert table.gap_to_point(first_base, (10, 10.2)) == 0


def test_base_slightly_over_the_edge_is_on_the_table() -> None:
    for x, y, is_whole in ((1.96, 10, True), (1.94, 10, False), (10, 0.46, True), (10, 0.44, False)):
        assert table.is_on_table(Base(at=(x, y), frontage=4, depth=1), 72, 48) is is_whole
        assert table.is_on_table(Base(at=(72 - x, 48 - y), frontage=4, depth=1), 72, 48) is is_whole


def test_degrees_off_the_bow_are_the_shorter_way_round() -> None:
    base = Base(at=(0, 0), facing=350, frontage=1, depth=1)
    assert table.angle_off_front(base, (0, -5)) == pytest.approx(10)
    assert table.angle_off_front(base, (-5, 0)) == pytest.approx(80)
    assert table.angle_off_front(base, (0, 5)) == pytest.approx(170)
