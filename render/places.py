"""Names of places, set where they cover neither units nor other writing."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image

from rules.core.scene import Feature, Point, TerrainPiece

from .geometry import Box, View, around, smooth
from .palette import Theme, mix
from .placing import Spot
from .plates import place_name

WATERS = frozenset({Feature.RIVER, Feature.MARSH})
STEP = 14
"""Pixels from one trial to the next."""
WANDER = 7
"""Trials in each direction."""


class PlaceName(NamedTuple):
    """A name as drawn, and where its middle would best be (pixels)."""

    drawn: Image.Image
    anchors: tuple[Point, ...]

    def at(self, middle: Point) -> Box:
        """The name's box about `middle`."""
        left, top = round(middle[0] - self.drawn.width / 2), round(middle[1] - self.drawn.height / 2)
        return Box(left, top, left + self.drawn.width, top + self.drawn.height)

    @property
    def wanted_ring(self) -> tuple[Point, ...]:
        """The corners of the box it would best have."""
        box = self.at(self.anchors[0])
        return (box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom)


def place_names(terrain: Sequence[TerrainPiece], view: View, look: Theme) -> tuple[PlaceName, ...]:
    """The names of all pieces in sight."""
    names = []
    for piece in terrain:
        anchors = _anchors(piece, view) if piece.name else ()
        if anchors:
            water = piece.feature in WATERS
            colour = mix(look.bank, look.ink, 0.3) if water else mix(look.ink, look.wash[1], 0.12)
            names.append(PlaceName(place_name(piece.name, colour, look.wash[0]), anchors))
    return tuple(names)


def _anchors(piece: TerrainPiece, view: View) -> tuple[Point, ...]:
    """Where the middle of a piece's name may be: in the midst of an area and by its sides, or along a line."""
    frame = view.frame
    if piece.closed:
        whole = around([view.px(point) for point in piece.points])
        if not whole.meets(frame):
            return ()
        seen = whole.within(frame)
        x, y = seen.centre
        return ((x, y), (x, seen.bottom + 16), (x, seen.top - 16))
    line = [view.px(point) for point in smooth(piece.points, closed=False)]
    seen_points = [p for p in line if frame.left < p[0] < frame.right and frame.top < p[1] < frame.bottom]
    if not seen_points:
        return ()
    count = len(seen_points)
    return tuple(seen_points[count * part // 8] for part in (4, 2, 6, 3, 5, 1, 7))


def draw_place_names(
    image: Image.Image, names: Sequence[PlaceName], bases: Sequence[Box], spots: Sequence[Spot], frame: Box
) -> None:
    """Sets each name at the free spot nearest to where it belongs; one that nothing is free for is left out."""
    taken = [*bases, *(spot.box for spot in spots)]
    for name in names:
        free = (
            box for box in _trials(name) if box.within(frame) == box and not any(box.meets(other) for other in taken)
        )
        box = next(free, None)
        if box is not None:
            image.paste(name.drawn, (int(box.left), int(box.top)), name.drawn)
            taken.append(box)


def _trials(name: PlaceName) -> Iterator[Box]:
    for anchor in name.anchors:
        yield name.at(anchor)
    shifts = [(x * STEP, y * STEP) for x in range(-WANDER, WANDER + 1) for y in range(-WANDER, WANDER + 1)]
    for dx, dy in sorted(shifts, key=lambda shift: math.hypot(shift[0] * 0.6, shift[1])):
        for x, y in name.anchors:
            yield name.at((x + dx, y + dy))
