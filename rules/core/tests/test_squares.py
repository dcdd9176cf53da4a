"""Places in words: a written place is read again, and lands within the tolerance of its words."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.refusal import NoPlace, Refused
from rules.core.tabletop import squares, table
from rules.core.tabletop.battle import Place
from rules.core.tabletop.place import Spot, TurnOnSpot, parse_destination

from .companies import PLACEMENT, company, table_of
from .test_placement import WAYS

WIDTH, HEIGHT = 72.0, 48.0
TIGHT = 1e-6
INCHES = st.floats(0, 240, allow_nan=False)
DEGREES = st.floats(0, 360, exclude_max=True)
PLACE_TOLERANCE = squares.PART / 2
"""Tolerance of a place in words, in inches, along each axis."""
FACING_TOLERANCE = 22.5
"""Tolerance of a facing in words, in degrees."""


def angle_between(first: float, second: float) -> float:
    return abs(math.remainder(first - second, 360))


@given(INCHES, INCHES, DEGREES)
def test_place_in_words_is_read_within_its_tolerance(x: float, y: float, facing: float) -> None:
    place = Place(x=x, y=y, facing=facing)
    spot = parse_destination(place.spot_in_words, {})
    assert isinstance(spot, Spot)
    assert spot.facing is not None
    assert max(abs(spot.at[0] - x), abs(spot.at[1] - y)) <= PLACE_TOLERANCE + TIGHT
    assert angle_between(spot.facing, facing) <= FACING_TOLERANCE + TIGHT
    assert Place(x=spot.at[0], y=spot.at[1], facing=spot.facing).spot_in_words == place.spot_in_words


@given(st.floats(-999, 999), st.floats(-999, 999), DEGREES)
def test_a_place_in_full_is_read_as_exactly_that_place(x: float, y: float, facing: float) -> None:
    place = Place(x=round(x, 3), y=round(y, 3), facing=round(facing, 3) % 360)
    assert Place.from_words(place.in_words()) == place
    assert parse_destination(place.in_words(), {}) == Spot(at=place.point, facing=place.facing)


@given(st.floats(0, WIDTH), st.floats(0, HEIGHT), DEGREES)
def test_unit_is_set_down_whole_at_its_place_in_words(x: float, y: float, facing: float) -> None:
    place_ = Place(x=x, y=y, facing=facing)
    stood = table.shift_onto_table(PLACEMENT.base_at(company("A", 0, 0), place_), WIDTH, HEIGHT)
    assert table.is_on_table(stood, WIDTH, HEIGHT)
    unit = company("A", *stood.at, stood.facing)
    assert unit.place is not None
    down = PLACEMENT.base(
        unit.model_copy(update={"place": WAYS.set_down(table_of(unit), "a", unit.place.spot_in_words)})
    )
    assert down is not None
    assert table.is_on_table(down, WIDTH, HEIGHT)
    assert (
        max(abs(first - second) for first, second in zip(down.at, stood.at, strict=True))
        <= PLACE_TOLERANCE + stood.radius
    )


@pytest.mark.parametrize(
    ("at", "facing", "words"),
    [
        ((30, 18), 180, "C2 facing south"),
        ((20.8, 12.9), 168.9, "B2 NE facing south"),
        ((24.1, 12.1), 44, "C2 NW facing north-east"),
        ((35.9, 23.9), 225, "C2 SE facing south-west"),
        ((0, 0), 359.9, "A1 NW facing north"),
        ((72, 48), 270, "F4 SE facing west"),
        ((24, 6), 22.5, "B1 E facing NNE"),
        ((30, 14), 22.6, "C2 N facing north-east"),
        ((-3, 12), 0, "-3,12 facing north"),
        ((400, 12), 0, "400,12 facing north"),
    ],
)
def test_place_words_have_square_part_and_direction(at: tuple[float, float], facing: float, words: str) -> None:
    assert Place(x=at[0], y=at[1], facing=facing).spot_in_words == words


@pytest.mark.parametrize(
    ("words", "at", "facing"),
    [
        ("C2", (30, 18), None),
        ("to c2 facing south", (30, 18), 180),
        ("at C2 NW", (26, 14), None),
        ("C2, its north-west corner facing south", (26, 14), 180),
        ("in C2 north west, face 90°", (26, 14), 90),
        ("C2 s facing nne", (30, 22), 22.5),
        ("C2 east side", (34, 18), None),
        ("C2 middle facing Southwest", (30, 18), 225),
        ("to 20.8,12.9 facing 168.9°", (20.8, 12.9), 168.9),
        ("C2 facing south (26.5,14 facing 168.9°)", (26.5, 14), 168.9),
    ],
)
def test_the_words_for_a_place(words: str, at: tuple[float, float], facing: float | None) -> None:
    spot = parse_destination(words, {})
    assert isinstance(spot, Spot)
    assert (spot.at, spot.facing) == (at, facing)


@pytest.mark.parametrize("direction", squares.DIRECTIONS)
def test_written_direction_is_read_again(direction: str) -> None:
    heading = squares.parse_heading(direction)
    assert parse_destination(f"face {direction}", {}) == TurnOnSpot(facing=heading)
    assert squares.direction_name(heading) == direction


@pytest.mark.parametrize("point", squares.COMPASS_LETTERS)
def test_named_compass_point_is_written_again(point: str) -> None:
    assert squares.parse_heading(squares.direction_name(squares.parse_heading(point))) == squares.parse_heading(point)


@pytest.mark.parametrize("words", ["C2 NNW", "C2 inland", "C2 NW NE", "C2 facing", "C2 facing up", "C2 (30,12", "C2 6"])
def test_unknown_part_of_a_square_is_refused_with_the_parts(words: str) -> None:
    with pytest.raises(NoPlace, match=r"C2 NW facing south.*A square has the parts N, NE, E, SE, S, SW, W and NW\.$"):
        parse_destination(words, {})


def test_square_off_the_table_is_refused_with_the_squares() -> None:
    state, base = table_of(unit := company("A", 36, 40)), PLACEMENT.base(company("A", 36, 40))
    assert base is not None
    away = WAYS.find_way(state, unit, base, parse_destination("H2", {}))
    with pytest.raises(Refused, match=r'^That leads off the table of 72" by 48", squares A1 to F4\.'):
        WAYS.check_way(state, unit, away, 99)


def test_a_column_that_the_edge_cuts_off_has_places_too() -> None:
    narrow = table_of(unit := company("A", 36, 40)).model_copy(update={"width": 62.0})
    assert WAYS.set_down(narrow, unit.id, "F2 facing north").point == (60, 18)
    with pytest.raises(Refused, match="squares A1 to F4"):
        WAYS.require_clearance(
            narrow, unit.model_copy(update={"place": WAYS.set_down(narrow, unit.id, "G2 facing north")})
        )


def test_relative_words_are_no_place_by_themselves() -> None:
    assert Place.from_words("C2 facing east") == Place(x=30, y=18, facing=90)
    for words in ("forward 6", "towards Black Watch", "face east", "horses"):
        with pytest.raises(
            Refused, match=rf"^“{words}” says no place by itself\. Say it as “C2”, “C2 NW facing south”, or"
        ):
            Place.from_words(words)
    with pytest.raises(
        Refused, match=r"^“nowhere” is no place on the table\. Say it as “C2”, “C2 NW facing south”, or"
    ):
        Place.from_words("nowhere")
