"""Compute the occupied part of a map: the area around all units and moves."""

from collections.abc import Iterable, Iterator

from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.scene import Point, TableScene

from .geometry import Box, around, corners
from .hexmap.plane import outline

INCHES, HEXES = 2.0, 1.0
"""Margin around units and moves, in inches on a table and in hexes on a hex map."""


def occupied_area(scenes: Iterable[Scene]) -> Box | None:
    """Return the area around all units and moves in `scenes`; None if no unit is on the map."""
    points, margin = list[Point](), INCHES
    for scene in scenes:
        if isinstance(scene, HexScene):
            points.extend(_hex_points(scene))
            margin = HEXES
        else:
            points.extend(_table_points(scene))
    return around(points).grown(margin) if points else None


def _table_points(scene: TableScene) -> Iterator[Point]:
    for base in scene.bases:
        yield from corners(base.at, base.facing, base.frontage, base.depth)
    for arrow in scene.arrows:
        yield from (arrow.start, arrow.end)


def _hex_points(scene: HexScene) -> Iterator[Point]:
    occupied = {stack.hex for stack in scene.stacks if stack.counters}
    for at in occupied.union(*(track.hexes for track in scene.tracks)):
        yield from outline(at)
