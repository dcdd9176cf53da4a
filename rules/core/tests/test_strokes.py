"""Pieces of terrain made of strokes of a finger."""

import math
import random
import time

import pytest
from shapely import Polygon

from rules.core.refusal import Refused
from rules.core.tabletop.strokes import MOST_POINTS, trace_line, trace_outline, write_points

WIDTH, HEIGHT = 72.0, 48.0


def circle(x: float, y: float, radius: float, count: int = 300) -> list[tuple[float, float]]:
    turns = (2 * math.pi * step / count for step in range(count))
    return [(x + radius * math.sin(turn), y + radius * math.cos(turn)) for turn in turns]


def test_drawn_circle_becomes_an_outline_of_few_points() -> None:
    outline = trace_outline(circle(30, 20, 6), WIDTH, HEIGHT)
    assert len(outline) <= MOST_POINTS
    assert Polygon(outline).area == pytest.approx(math.pi * 36, rel=0.05)
    assert len(write_points(outline)) <= 500


def test_outline_is_cut_at_crossings_and_at_the_edge() -> None:
    eight = [(10, 10), (30, 30), (30, 10), (18, 22)]
    assert Polygon(trace_outline(eight, WIDTH, HEIGHT)).is_valid
    cut = trace_outline(circle(0, 20, 6), WIDTH, HEIGHT)
    assert min(x for x, _ in cut) == 0
    assert Polygon(cut).area == pytest.approx(math.pi * 18, rel=0.05)


def test_line_near_the_edge_is_extended_to_it() -> None:
    line = trace_line([(20, 1.2), (21, 10), (20, 20)], WIDTH, HEIGHT)
    assert (line[0], line[-1]) == ((20, 0), (20, 20))
    scribble = [(step / 5, 20 + 3 * math.sin(step)) for step in range(350)]
    assert len(trace_line(scribble, WIDTH, HEIGHT)) <= MOST_POINTS


def test_a_wild_scribble_takes_no_time() -> None:
    dice = random.Random(1)
    scribble = [(dice.uniform(-9, 90), dice.uniform(-9, 60)) for _ in range(3000)]
    began = time.process_time()
    assert len(trace_outline(scribble, WIDTH, HEIGHT)) <= MOST_POINTS
    assert len(trace_line(scribble, WIDTH, HEIGHT)) <= MOST_POINTS
    assert time.process_time() - began < 1


@pytest.mark.parametrize("stroke", [[], [(5, 5)], [(5, 5), (5.1, 5), (5, 5.1)], [(-9, -9), (-5, -9), (-5, -5)]])
def test_a_touch_or_a_stroke_off_the_table_is_no_ground(stroke: list[tuple[float, float]]) -> None:
    for trace in (trace_outline, trace_line):
        with pytest.raises(Refused, match="too small"):
            trace(stroke, WIDTH, HEIGHT)
