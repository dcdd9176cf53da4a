"""Drawn terrain matches the rules' terrain, except for rounded corners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from render.terrain import CUT, round_corners
from rules.core.scene import Feature, TerrainPiece

PLACES = st.lists(st.tuples(st.floats(0, 240), st.floats(0, 240)), min_size=3, max_size=9, unique=True)


def measure_edge(points: tuple[tuple[float, float], ...], *, closed: bool) -> BaseGeometry:
    return LineString([*points, points[0]] if closed else points)


@given(PLACES, st.booleans())
def test_drawn_lines_differ_from_the_rules_only_at_cut_corners(points: list[tuple[float, float]], closed: bool) -> None:
    piece = TerrainPiece(feature=Feature.WOOD, points=tuple(points), closed=closed)
    counts, rounded = measure_edge(piece.points, closed=closed), round_corners(piece)
    assert max(counts.distance(Point(corner)) for corner in rounded) <= 2 * CUT
    assert measure_edge(rounded, closed=closed).hausdorff_distance(counts) <= 2 * CUT


@pytest.mark.parametrize(("wide", "high"), [(30, 18), (60, 4), (12, 8)])
def test_a_large_rectangle_is_drawn_as_one(wide: float, high: float) -> None:
    corners = ((0, 0), (wide, 0), (wide, high), (0, high))
    rounded = Polygon(round_corners(TerrainPiece(feature=Feature.WOOD, points=corners)))
    assert rounded.area >= Polygon(corners).area - 4 * CUT * CUT
    assert rounded.bounds == pytest.approx((0, 0, wide, high), abs=1e-6)


def test_a_line_goes_by_its_points_however_long_it_is() -> None:
    road = TerrainPiece(feature=Feature.ROAD, points=((0, 0), (100, 0), (100, 100)), closed=False)
    assert LineString(round_corners(road)).distance(Point(100, 0)) <= CUT
