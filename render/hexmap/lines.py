"""Draw roads, railways, telegraphs, embankments and ditches along lines of hexes."""

import math
from functools import lru_cache

import shapely
from PIL import Image
from shapely.geometry.base import BaseGeometry

from render.geometry import Box, View, bounding_box, point_beside, points_at_intervals, smooth_corners
from render.palette import mix
from render.pen import Pen, map_pen
from render.terrain import DRAWERS
from rules.core.hexboard.hex_scene import HexBoard, HexGround
from rules.core.scene import Feature, Point, TerrainPiece

from .heights import draw_hachures
from .land_shapes import KeyedBoard
from .looks import HexLook
from .network import link_hexes, merge_lines
from .plane import box_around_hexes, hex_centre
from .rivers import draw_rivers
from .trenches import TRENCHES, draw_trenches
from .waters import draw_fords, water_area

INCHES = 6.0
"""Inches per hex, for features drawn by the table's code."""
ORDER = (Feature.RIVER, Feature.ROAD, Feature.RAILWAY)
WIDTHS = {Feature.RIVER: 1.1, Feature.ROAD: 1.0}
CLEAR = {HexGround.EMBANKMENT: 0.2, HexGround.DITCH: 0.13}
"""Distance in hexes that vegetation keeps from the centre line of a work, by ground."""
WAY_CLEAR, TRENCH_CLEAR = 0.07, 0.18
"""Distance in hexes that vegetation keeps from a road, railway or water, and from a trench."""
MARGIN = 0.5
"""Margin in hexes beyond the view within which lines are still drawn."""
BEYOND = 0.32
"""Distance in hexes from the centre of a work's last hex, or only hex, to the work's end."""
WIRE_BESIDE = 0.14
"""Distance in hexes of the telegraph wire from the line of hex centres, which roads follow."""
POLES, ARM, FOOT = 0.34, 0.05, 0.09
"""Distance between two poles, half the length of a pole's arms, and length of the pole, in hexes."""
WIRE, POLE = 0.016, 0.026
"""Widths of the wire and of the poles, in hexes."""


@lru_cache(maxsize=32)
def lines_of_works(keyed: KeyedBoard, ground: HexGround) -> tuple[tuple[Point, ...], ...]:
    """Return the lines of all embankments or ditches, which extend beyond the outermost hex centres."""
    hexes = {cell.hex for cell in keyed.board.cells if cell.ground is ground}
    pairs = ((at, neighbour) for at in hexes for neighbour in at.neighbours() if neighbour in hexes and at < neighbour)
    steps = [(hex_centre(at), hex_centre(neighbour)) for at, neighbour in pairs]
    lone = [at for at in hexes if not hexes & set(at.neighbours())]
    steps += [((x, y - BEYOND), (x, y + BEYOND)) for x, y in map(hex_centre, lone)]
    lines = merge_lines(sorted(steps))
    return tuple((_point_beyond(line[1], line[0]), *line[1:-1], _point_beyond(line[-2], line[-1])) for line in lines)


def _point_beyond(start: Point, end: Point) -> Point:
    """Return the point `BEYOND` hexes past the end of a line."""
    part = 1 + BEYOND / math.dist(start, end)
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def area_along_lines(keyed: KeyedBoard) -> BaseGeometry:
    """Return the area of roads, railways, water and earthworks, on which nothing grows."""
    courses = ([hex_centre(at) for at in line.hexes] for line in keyed.board.lines if line.hexes[1:])
    ways = [
        shapely.LineString(smooth_corners(course, closed=False)).buffer(WAY_CLEAR, quad_segs=2) for course in courses
    ]
    ways += [shapely.LineString(line).buffer(TRENCH_CLEAR, quad_segs=2) for line in link_hexes(keyed, TRENCHES)]
    ways.append(water_area(keyed).buffer(WAY_CLEAR, quad_segs=2))
    works = ((line, clear) for ground, clear in CLEAR.items() for line in lines_of_works(keyed, ground))
    banks = [shapely.LineString(line).buffer(clear, quad_segs=2) for line, clear in works]
    return shapely.union_all([*ways, *banks])


def draw_lines(image: Image.Image, keyed: KeyedBoard, view: View, look: HexLook) -> None:
    """Draw all visible hachures, fords, earthworks, rivers, roads, railways and telegraphs, in this order."""
    pen = map_pen(image, view)
    area = view.box.grow(MARGIN)
    draw_hachures(pen, keyed, view, look)
    draw_fords(pen, keyed, look)
    draw_rivers(pen, keyed.board, look)
    draw_trenches(pen, keyed, view, look)
    for ground, draw in ((HexGround.DITCH, _draw_ditch), (HexGround.EMBANKMENT, _draw_embankment)):
        for course in lines_of_works(keyed, ground):
            if bounding_box(course).grow(MARGIN).overlaps(area):
                draw(pen, smooth_corners(course, closed=False), look, area)
    _draw_roads(image, keyed, view, look)
    _draw_telegraphs(pen, keyed.board, look)


def draw_rivers_and_roads(image: Image.Image, keyed: KeyedBoard, view: View, look: HexLook) -> None:
    """Draw only the rivers, roads, railways and telegraphs, for use over a photograph."""
    pen = map_pen(image, view)
    draw_rivers(pen, keyed.board, look)
    _draw_roads(image, keyed, view, look)
    _draw_telegraphs(pen, keyed.board, look)


def _draw_roads(image: Image.Image, keyed: KeyedBoard, view: View, look: HexLook) -> None:
    area = view.box.grow(MARGIN)
    pen = map_pen(image, View(Box(*(edge * INCHES for edge in view.box)), view.scale / INCHES))
    ways = [line for line in keyed.board.lines if line.hexes[1:] and box_around_hexes(line.hexes).overlaps(area)]
    for line in sorted((line for line in ways if line.feature in ORDER), key=lambda line: ORDER.index(line.feature)):
        points = tuple((x * INCHES, y * INCHES) for x, y in map(hex_centre, line.hexes))
        way = TerrainPiece(feature=line.feature, points=points, closed=False, width=WIDTHS.get(line.feature, 1.0))
        DRAWERS[line.feature](pen, way, look.theme)


def _draw_telegraphs(pen: Pen, board: HexBoard, look: HexLook) -> None:
    """Draw all telegraph lines of a board; the poles stand upright on the page."""
    wire, pole = mix(look.ink, look.theme.road, 0.25), look.ink
    for line in board.telegraphs:
        course = smooth_corners([hex_centre(at) for at in line], closed=False)
        tops = [(x, y - WIRE_BESIDE) for (x, y), _ in points_at_intervals(course, POLES, closed=False)]
        pen.line(tops, wire, WIRE)
        for x, y in tops:
            pen.line([(x, y - FOOT / 4), (x, y + FOOT)], pole, POLE)
            pen.line([(x - ARM, y), (x + ARM, y)], pole, POLE)


def _draw_ditch(pen: Pen, course: tuple[Point, ...], look: HexLook, area: Box) -> None:
    """Draw a ditch: a cut with one shaded bank, teeth down both banks, and a floor."""
    dark = mix(look.theme.hills[3], look.ink, 0.6)
    pen.line(course, mix(look.theme.hills[3], look.ink, 0.2), 0.2)
    pen.line(course, mix(look.theme.hills[3], look.ink, 0.42), 0.09)
    for at in points_at_intervals(course, 0.055, closed=False):
        if area.contains(at[0]):
            for side in (-1, 1):
                pen.line([point_beside(at, side * 0.12), point_beside(at, side * 0.05)], dark, 0.018)
    for side, thick in ((-1, 0.026), (1, 0.05)):
        pen.line([point_beside(at, side * 0.115) for at in points_at_intervals(course, 0.1, closed=False)], dark, thick)


def _draw_embankment(pen: Pen, course: tuple[Point, ...], look: HexLook, area: Box) -> None:
    """Draw an embankment: a broad crown with hachures down both slopes."""
    earth = look.theme.hills[3]
    pen.line(course, mix(look.theme.hills[0], look.ink, 0.12), 0.42)
    for index, station in enumerate(points_at_intervals(course, 0.05, closed=False)):
        point, (ux, uy) = station
        reach = 0.21 if index % 2 else 0.17
        for side in (-1, 1) if area.contains(point) else ():
            shade = mix(earth, look.ink, 0.55 if side * (uy - ux) < 0 else 0.3)
            pen.line([point_beside(station, side * 0.08), point_beside(station, side * reach)], shade, 0.02)
    pen.line(course, mix(earth, look.theme.paper, 0.55), 0.17)
    for side in (-1, 1):
        edge = [point_beside(at, side * 0.085) for at in points_at_intervals(course, 0.1, closed=False)]
        pen.line(edge, mix(earth, look.ink, 0.5), 0.018)
