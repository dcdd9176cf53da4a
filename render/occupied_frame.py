"""Where anybody stands: the part of a map with all units and all that moved, without the empty rest."""

from collections.abc import Iterable, Iterator

from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.scene import Point, TableScene

from .geometry import Box, around, corners
from .hexmap.plane import outline

INCHES, HEXES = 2.0, 1.0
"""Inches or hexes shown around them."""


def peopled(scenes: Iterable[Scene]) -> Box | None:
    """The part of the map with everybody in any of these scenes of one game; None where nobody stands on it."""
    points, margin = list[Point](), INCHES
    for scene in scenes:
        if isinstance(scene, HexScene):
            points.extend(_on_hexes(scene))
            margin = HEXES
        else:
            points.extend(_on_table(scene))
    return around(points).grown(margin) if points else None


def _on_table(scene: TableScene) -> Iterator[Point]:
    for base in scene.bases:
        yield from corners(base.at, base.facing, base.frontage, base.depth)
    for arrow in scene.arrows:
        yield from (arrow.start, arrow.end)


def _on_hexes(scene: HexScene) -> Iterator[Point]:
    taken = {stack.hex for stack in scene.stacks if stack.counters}
    for at in taken.union(*(track.hexes for track in scene.tracks)):
        yield from outline(at)
