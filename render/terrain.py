"""Draw terrain pieces in the style of an old campaign map, such as hachured hills.

Each function draws one piece; the pen's unit is an inch of the table.
"""

import random
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from shapely import Polygon

from rules.core.scene import Feature, Point, TerrainPiece

from .geometry import (
    bounding_box,
    is_inside_edges,
    point_ahead,
    point_beside,
    points_at_intervals,
    ring_edges,
    signed_area,
    smooth_corners,
)
from .palette import RGB, Theme, mix
from .pen import Pen

CUT = 1.5
"""Distance in inches from each corner within which outlines are rounded; elsewhere they match the rules' outline."""

Drawer = Callable[[Pen, TerrainPiece, Theme], None]
VILLAGE, HOUSE = 5.5, 2.0
"""Minimum width and depth in inches of a building drawn as a village, and length of a village's house."""


def _seeded_random(piece: TerrainPiece) -> random.Random:
    return random.Random(zlib.crc32(repr(piece.points).encode()))


def round_corners(piece: TerrainPiece) -> tuple[Point, ...]:
    """Return the piece's points as a line with rounded corners."""
    return smooth_corners(piece.points, closed=piece.closed, most=CUT)


def _piece_outline(piece: TerrainPiece) -> tuple[Point, ...]:
    """Return a piece's outline with rounded corners; a line becomes a strip as wide as the piece."""
    if piece.closed and len(piece.points) >= 3:
        return round_corners(piece)
    middle, half = list(points_at_intervals(round_corners(piece), 0.5, closed=False)), piece.width / 2
    left, right = ([point_beside(at, side) for at in middle] for side in (-half, half))
    return smooth_corners([*left, *reversed(right)], closed=True, most=CUT)


def _scatter_points(ring: Sequence[Point], step: float, dice: random.Random) -> Iterator[Point]:
    """Yield points about `step` apart inside the ring, row by row from the north."""
    box, edge = bounding_box(ring), ring_edges(ring)
    y, row = box.top + step / 2, 0
    while y < box.bottom:
        north, south = y - 0.3 * step, y + 0.3 * step
        near = [(a, b) for a, b in edge if (a[1] >= north or b[1] >= north) and (a[1] <= south or b[1] <= south)]
        x = box.left + step * (0.3 if row % 2 else 0.8)
        while x < box.right:
            point = x + dice.uniform(-0.28, 0.28) * step, y + dice.uniform(-0.28, 0.28) * step
            if is_inside_edges(point, near):
                yield point
            x += step
        y, row = y + step * 0.82, row + 1


def draw_hill(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw tints by height, and hachures down the slopes, heavier on the shaded south-eastern slopes."""
    dice = _seeded_random(piece)
    outline = _piece_outline(piece)
    shape = Polygon(outline).buffer(0)
    box = bounding_box(outline)
    rise = max(min(box.width, box.height) / 6.5, 0.9)
    for level, tint in enumerate(look.hills):
        higher = shape.buffer(-rise * level)
        for part in getattr(higher, "geoms", (higher,)):
            if not part.buffer(-rise * 0.4).is_empty:
                _draw_hill_level(pen, list(part.exterior.coords)[:-1], tint, rise, look, dice)


def _draw_hill_level(pen: Pen, ring: list[Point], tint: RGB, rise: float, look: Theme, dice: random.Random) -> None:
    """Draw one level of a hill: its tint, its edge, and hachures inwards from the edge."""
    pen.area(ring, tint)
    if signed_area(ring) < 0:
        ring.reverse()
    line = mix(tint, look.ink, 0.45)
    length = min(rise * 0.62, 0.85)
    for (x, y), (ux, uy) in points_at_intervals(ring, 0.34, closed=True):
        nx, ny = -uy, ux
        shade = (nx + ny) / 1.414
        reach = length * (0.75 + 0.25 * shade) * dice.uniform(0.75, 1.1)
        pen.line([(x, y), (x + nx * reach, y + ny * reach)], line, 0.055 + 0.045 * -shade)
    pen.line(ring, mix(tint, look.ink, 0.3), 0.05, closed=True)


def draw_wood(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a tinted floor under tree crowns; each crown has a shadow and a highlight."""
    dice = _seeded_random(piece)
    ring = _piece_outline(piece)
    pen.area(ring, look.wood)
    pen.line(ring, look.tree, 0.08, closed=True)
    dark = mix(look.tree, look.ink, 0.55)
    for x, y in _scatter_points(ring, 1.15, dice):
        r = dice.uniform(0.36, 0.52)
        pen.disc((x + 0.14, y + 0.18), r, mix(look.wood, look.ink, 0.3))
        pen.disc((x, y), r, dark)
        pen.disc((x, y), r - 0.07, look.tree)
        pen.disc((x - r * 0.28, y - r * 0.3), r * 0.5, look.tree_light)


def draw_rough_ground(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw stones and scrub within a dotted edge."""
    dice = _seeded_random(piece)
    ring = _piece_outline(piece)
    pen.area(ring, mix(look.wash[1], look.stone, 0.4))
    for at, _ in points_at_intervals(ring, 0.5, closed=True):
        pen.disc(at, 0.07, mix(look.stone, look.ink, 0.5))
    for x, y in _scatter_points(ring, 1.35, dice):
        if dice.random() < 0.6:
            _draw_stone(pen, (x, y), dice.uniform(0.2, 0.42), look, dice)
        else:
            for lean in (-0.26, -0.1, 0.08, 0.26):
                pen.line([(x, y), (x + lean, y - 0.42 + abs(lean))], mix(look.tree, look.ink, 0.25), 0.07)


def _draw_stone(pen: Pen, at: Point, size: float, look: Theme, dice: random.Random) -> None:
    """Draw a stone with a shadow, about `size` inches in radius."""
    x, y = at
    spokes = ((1.0, 0.1), (0.5, 0.75), (-0.5, 0.8), (-1.0, 0.0), (-0.4, -0.75), (0.5, -0.8))
    stone = [(x + a * size * dice.uniform(0.8, 1.15), y + b * size * dice.uniform(0.7, 1.0)) for a, b in spokes]
    pen.area([(px + 0.06, py + 0.08) for px, py in stone], mix(look.stone, look.ink, 0.55))
    pen.area(stone, mix(look.stone, look.paper, 0.35))
    pen.line(stone, mix(look.stone, look.ink, 0.6), 0.05, closed=True)


def draw_river(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw water between bank lines; a closed piece is a lake."""
    line = round_corners(piece)
    if piece.closed:
        pen.area(line, look.water)
        pen.line(line, look.bank, 0.12, closed=True)
        return
    pen.line(line, look.bank, piece.width + 0.16)
    pen.line(line, look.water, piece.width - 0.1)
    if piece.width >= 1:
        ripple = mix(look.water, look.bank, 0.4)
        for count, at in enumerate(points_at_intervals(line, 1.3, closed=False)):
            start = point_beside(at, (-0.22, 0.2, 0.02)[count % 3] * piece.width)
            pen.line([start, point_ahead((start, at[1]), 0.8)], ripple, 0.06)


def draw_marsh(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw short horizontal strokes of water with reeds."""
    dice = _seeded_random(piece)
    ring = _piece_outline(piece)
    pen.area(ring, look.marsh)
    for x, y in _scatter_points(ring, 1.2, dice):
        length = dice.uniform(0.3, 0.55)
        pen.line([(x - length, y), (x + length, y)], look.bank, 0.08)
        for lean in (-0.18, 0.0, 0.18):
            pen.line([(x + lean * 0.5, y - 0.06), (x + lean, y - 0.5)], mix(look.tree, look.ink, 0.2), 0.06)


def draw_road(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a pale band between two lines."""
    line = round_corners(piece)
    pen.line(line, mix(look.ink, look.road, 0.35), piece.width * 0.7 + 0.14, closed=piece.closed)
    pen.line(line, look.road, piece.width * 0.7 - 0.02, closed=piece.closed)


def draw_railway(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a single line with cross sleepers."""
    line = round_corners(piece)
    for at in points_at_intervals(line, 0.6, closed=piece.closed):
        pen.line([point_beside(at, 0.38), point_beside(at, -0.38)], look.ink, 0.09)
    pen.line(line, look.ink, 0.16, closed=piece.closed)


def draw_building(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a house, or the houses of a village; an open piece is a wall."""
    points, box = piece.points, bounding_box(piece.points)
    if not piece.closed:
        pen.line(points, look.ink, piece.width + 0.14)
        pen.line(points, look.building, max(piece.width - 0.1, 0.1))
    elif min(box.width, box.height) < VILLAGE:
        _draw_house(pen, points, look)
    else:
        _draw_village(pen, piece, look)


def _draw_village(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a yard with an edge, and separate houses in the yard."""
    dice, yard = _seeded_random(piece), Polygon(piece.points).buffer(0)
    pen.area(piece.points, mix(look.wash[1], look.building, 0.3))
    for x, y in _scatter_points(piece.points, HOUSE * 1.6, dice):
        wide, deep = (HOUSE, HOUSE * 0.7) if dice.random() < 0.5 else (HOUSE * 0.7, HOUSE)
        corners = [(x + wide / 2 * i, y + deep / 2 * j) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        if yard.contains(Polygon(corners)):
            _draw_house(pen, corners, look)
    pen.line(piece.points, look.building, 0.12, closed=True)


def _draw_house(pen: Pen, points: Sequence[Point], look: Theme) -> None:
    """Draw a house with a ridge and a shadow."""
    pen.area([(x + 0.22, y + 0.28) for x, y in points], mix(look.wash[1], look.ink, 0.5))
    pen.area(points, look.building)
    if len(points) == 4:
        a, b, c, d = points
        east, west = _middle(b, c), _middle(a, d)
        long_way = abs(a[0] - b[0]) + abs(a[1] - b[1]) >= abs(b[0] - c[0]) + abs(b[1] - c[1])
        ridge = (west, east) if long_way else (_middle(a, b), _middle(c, d))
        shaded = [ridge[0], ridge[1], c, d] if long_way else [ridge[0], b, c, ridge[1]]
        pen.area(shaded, mix(look.building, look.ink, 0.25))
        pen.line(ridge, mix(look.building, look.ink, 0.6), 0.06)
    pen.line(points, look.ink, 0.1, closed=True)


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def draw_earthworks(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a bank: a heavy line with hachures down both slopes."""
    earth = mix(look.hills[3], look.ink, 0.15)
    for count, at in enumerate(points_at_intervals(piece.points, 0.36, closed=piece.closed)):
        reach = 0.78 if count % 2 else 0.5
        pen.line([point_beside(at, reach), point_beside(at, -reach)], mix(look.ink, earth, 0.3), 0.08)
    pen.line(piece.points, look.ink, 0.5, closed=piece.closed)
    pen.line(piece.points, earth, 0.3, closed=piece.closed)


def draw_sandbags(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a row of sandbags in two courses."""
    for course, off in enumerate((0.16, -0.16)):
        for at in islice(points_at_intervals(piece.points, 0.31, closed=piece.closed), course, None, 2):
            beside = point_beside(at, off), at[1]
            bag = [point_ahead(beside, -0.2), point_ahead(beside, 0.2)]
            pen.line(bag, look.ink, 0.4)
            pen.line(bag, mix(look.road, look.stone, 0.35), 0.26)


def draw_zareba(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a tangle of thorn bushes."""
    dice = _seeded_random(piece)
    thorn = mix(look.tree, look.ink, 0.5)
    pen.line(piece.points, mix(look.wood, look.tree, 0.35), 0.7, closed=piece.closed)
    for (x, y), _ in points_at_intervals(piece.points, 0.27, closed=piece.closed):
        for _ in range(2):
            a, b = dice.uniform(-0.62, 0.62), dice.uniform(-0.62, 0.62)
            pen.line([(x - a, y - b), (x + a, y + b)], thorn, 0.07)


def draw_sangar(pen: Pen, piece: TerrainPiece, look: Theme) -> None:
    """Draw a breastwork of loose stones."""
    dice = _seeded_random(piece)
    line = round_corners(piece)
    for at, _ in points_at_intervals(line, 0.44, closed=piece.closed):
        _draw_stone(pen, at, dice.uniform(0.26, 0.36), look, dice)


DRAWERS: Mapping[Feature, Drawer] = {
    Feature.HILL: draw_hill,
    Feature.WOOD: draw_wood,
    Feature.ROUGH: draw_rough_ground,
    Feature.RIVER: draw_river,
    Feature.MARSH: draw_marsh,
    Feature.ROAD: draw_road,
    Feature.RAILWAY: draw_railway,
    Feature.BUILDING: draw_building,
    Feature.EARTHWORKS: draw_earthworks,
    Feature.SANDBAGS: draw_sandbags,
    Feature.ZAREBA: draw_zareba,
    Feature.SANGAR: draw_sangar,
}
