"""Place the names of terrain pieces where they cover neither units nor other text."""

import math
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from PIL import Image

from rules.core.scene import Feature, Point, TerrainPiece

from .coverage import BASE, CoverageGrid, Floats, boxes_inside, boxes_overlap
from .geometry import Box, View, bounding_box
from .palette import Theme, mix
from .plates import place_name_sprite
from .stamp import paste_into
from .terrain import round_corners

WATERS = frozenset({Feature.RIVER, Feature.MARSH})
LINES = frozenset(
    {Feature.EARTHWORKS, Feature.SANDBAGS, Feature.ZAREBA, Feature.SANGAR, Feature.RAILWAY, Feature.BUILDING}
)
"""Terrain that text should not cover."""
COVERED = LINES | {Feature.WOOD}
"""Terrain drawn so densely that a name on top would be hard to read."""
EDGED = 0.4
"""Inches by which works extend beyond their line."""
LEAST_SEEN = 60
"""Minimum visible size in pixels, across and down, of a named area."""
STEP = 14
"""Pixels between two tried positions."""
WANDER = 7
"""Number of tried positions in each direction."""


class PlaceName(NamedTuple):
    """A drawn name, and positions of its centre in pixels, the preferred position first."""

    drawn: Image.Image
    anchors: tuple[Point, ...]

    @property
    def preferred_ring(self) -> tuple[Point, ...]:
        """Return the corners, in pixels, of the name's box at the preferred position."""
        (x, y), (wide, high) = self.anchors[0], self.drawn.size
        left, top = round(x - wide / 2), round(y - high / 2)
        return Box(left, top, left + wide, top + high).ring


def visible_terrain_names(terrain: Sequence[TerrainPiece], view: View, look: Theme, size: int) -> tuple[PlaceName, ...]:
    """Return the drawn names of all visible terrain pieces, in text `size` pixels high."""
    names = []
    for piece in terrain:
        if not piece.name:
            continue
        water = piece.feature in WATERS
        colour = mix(look.bank, look.ink, 0.3) if water else mix(look.ink, look.wash[1], 0.12)
        label = place_name_sprite(piece.name, colour, look.wash[0], size)
        anchors = _candidate_centres(piece, view, label.size)
        if anchors:
            names.append(PlaceName(label, anchors))
    return tuple(names)


def _candidate_centres(piece: TerrainPiece, view: View, size: tuple[int, int]) -> tuple[Point, ...]:
    """Return possible centres of a piece's name, best first; empty if none fits.

    The name stands in or beside an area, and on or beside a line.
    """
    frame = view.frame
    beside = size[1] / 2 + 2
    if piece.closed:
        extent = bounding_box([view.pixel(point) for point in piece.points])
        if not extent.overlaps(frame):
            return ()
        visible_part = extent.clip_to(frame)
        if min(visible_part.width, visible_part.height) < LEAST_SEEN and min(extent.width, extent.height) > LEAST_SEEN:
            return ()
        x, y = visible_part.centre
        midst, sides = ((x, y),), ((x, visible_part.bottom + beside), (x, visible_part.top - beside))
        fits = piece.feature not in COVERED and size[0] < visible_part.width
        return midst + sides if fits else sides + midst
    line = [view.pixel(point) for point in round_corners(piece)]
    seen_points = [p for p in line if frame.left < p[0] < frame.right and frame.top < p[1] < frame.bottom]
    along = [seen_points[len(seen_points) * part // 8] for part in (4, 2, 6, 3, 5, 1, 7)] if seen_points else []
    breadth = piece.width * view.scale
    extent = bounding_box(line)
    if max(extent.width, extent.height) < size[0]:  # a bridge is shorter than its name
        x, y = extent.centre
        return (x, extent.bottom + beside + breadth / 2), (x, extent.top - beside - breadth / 2)
    if breadth > size[1] * 0.7:
        return tuple(along)
    off = beside + breadth / 2 + view.scale * (EDGED if piece.feature in COVERED else 0)
    return tuple((x, y + way * off) for x, y in along for way in (-1, 1))


def draw_place_names(image: Image.Image, names: Sequence[PlaceName], occupied: CoverageGrid, frame: Box) -> None:
    """Draw each name at the candidate position where it covers least of the content in `occupied`.

    A name that would cover a base or a plate is omitted.
    """
    placed_boxes: list[Box] = []
    for name in names:
        boxes = _candidate_boxes(name)
        weights = occupied.weigh_boxes(boxes)
        weights[~boxes_inside(boxes, frame)] = np.inf
        for placed_box in placed_boxes:
            weights[boxes_overlap(boxes, np.array(placed_box))] = np.inf
        best = int(weights.argmin())
        if weights[best] < BASE:
            box = Box(*boxes[best].tolist())
            paste_into(image, name.drawn, box)
            placed_boxes.append(box)


def _candidate_boxes(name: PlaceName) -> Floats:
    """Return a name's possible boxes, best first: at the preferred positions, then ever farther away."""
    anchors = np.array(name.anchors)
    middles = np.concatenate([anchors, (SHIFTS[:, None] + anchors).reshape(-1, 2)])
    size = np.array(name.drawn.size)
    corner = np.round(middles - size / 2)
    return np.concatenate([corner, corner + size], axis=1)


_SHIFTS = [(x * STEP, y * STEP) for x, y in product(range(-WANDER, WANDER + 1), repeat=2)]
SHIFTS = np.array(sorted(_SHIFTS, key=lambda shift: math.hypot(shift[0] * 0.6, shift[1])), dtype=float)
"""Offsets from a preferred position, nearest first. Horizontal offsets count less than vertical offsets."""
