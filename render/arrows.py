"""Draw moves, fire, melees and retreats as arrows and signs on the table."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PIL import Image

from rules.core.scene import Arrow, Point

from .geometry import around, inside
from .palette import AMBER, BLOOD, INK, RGB, mix
from .pen import Pen, ink

RINGED = 50.0
"""Minimum arrow length in pixels for a ring at the start of a move."""
SIGN = 13.0
"""Distance in pixels from the centre of a warning sign to its top."""
DOT = 3.0
"""Radius in pixels of the dot at each end of a duel line."""
BURST = 17.0
"""Radius in pixels of a burst, from the centre to the points."""
Ring = Sequence[Point]
Drawer = Callable[[Image.Image, Point, Point, RGB, RGB], None]


def trim_to_bases(start: Point, end: Point, rings: Sequence[Ring], gap: float) -> tuple[Point, Point]:
    """Return a line (pixels) trimmed to run from the start base's edge to `gap` short of the end base's edge.

    `rings` are outlines of bases. Only an outline that contains `start` or `end` trims the line.
    """
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    steps = max(int(length / 2), 1)
    line = [
        (start[0] + (end[0] - start[0]) * i / steps, start[1] + (end[1] - start[1]) * i / steps)
        for i in range(steps + 1)
    ]
    first, last = 0, steps
    for ring in rings:
        if inside(start, ring):
            first = max(first, next((i for i, p in enumerate(line) if not inside(p, ring)), 0))
        if inside(end, ring):
            last = min(last, next((i for i in range(steps, -1, -1) if not inside(line[i], ring)), steps))
    pause = round(gap * steps / length) if length else 0
    if last - pause <= first:
        return line[first], line[max(last, first)]
    return line[first], line[last - pause]


def draw_arrow(image: Image.Image, arrow: Arrow, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw an arrow of a known kind between two pixels; draw an unknown kind as a move."""
    if math.dist(start, end) >= 1:
        DRAWN.get(arrow.kind, draw_move)(image, start, end, colour, paper)


def _line_frame(start: Point, end: Point) -> tuple[float, Callable[[float, float], Point]]:
    """Return a line's length and a function that maps (distance along, offset to the right) to a point."""
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    return length, lambda along, off: (start[0] + ux * along - uy * off, start[1] + uy * along + ux * off)


def _arrow_outline(start: Point, end: Point, thick: float, head: float) -> list[Point]:
    length, at = _line_frame(start, end)
    neck = max(length - head * 1.25, length * 0.3)
    return [
        at(0, -thick * 0.25),
        at(neck, -thick),
        at(neck, -head * 0.62),
        at(length, 0),
        at(neck, head * 0.62),
        at(neck, thick),
        at(0, thick * 0.25),
    ]


def draw_move(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a tapering arrow with a pale casing; a long arrow has a ring at the start."""
    head = min(24.0, max(math.dist(start, end) * 0.5, 10))
    body = _arrow_outline(start, end, 4.2, head)
    ring = math.dist(start, end) > RINGED
    box = around([*body, start]).grown(8)

    def casing(pen: Pen) -> None:
        pen.line(body, 255, 4, closed=True)
        if ring:
            pen.ring(start, 7, 255, 7)

    def filling(pen: Pen) -> None:
        pen.area(body, 255)
        if ring:
            pen.ring(start, 5.5, 255, 2.6)

    ink(image, box, paper, casing, strength=215)
    ink(image, box, colour, filling)


def draw_retreat(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a dashed, hollow arrow for a retreat."""
    head = min(26.0, max(math.dist(start, end) * 0.5, 12))
    length, at = _line_frame(start, end)
    neck = max(length - head * 1.1, 0)
    point = [at(neck, -head * 0.6), at(length, 0), at(neck, head * 0.6)]
    box = around([start, end, *point]).grown(8)
    dash, gap = 12.0, 7.0
    dashes = [(at(a, 0), at(min(a + dash, neck), 0)) for a in _distances(dash + gap, neck)]

    def casing(pen: Pen) -> None:
        for a, b in dashes:
            pen.line([a, b], 255, 12)
        pen.area(point, 255)
        pen.line(point, 255, 6, closed=True)

    def filling(pen: Pen) -> None:
        for a, b in dashes:
            pen.line([a, b], 255, 7)
        pen.line(point, 255, 3.4, closed=True)

    def hollow(pen: Pen) -> None:
        for a, b in dashes:
            pen.line([a, b], 255, 2.6)

    ink(image, box, paper, casing)
    ink(image, box, colour, filling)
    ink(image, box, paper, hollow)


def draw_fire(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw dashed shots that end in a burst: fire with casualties."""
    draw_miss(image, start, end, colour, paper)
    draw_burst(image, end, BURST)


def draw_miss(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw dashed shots without a burst: fire without casualties."""
    length, at = _line_frame(start, end)
    box = around([start, end]).grown(22)
    shots = [(at(a, 0), at(min(a + 12, length - 12), 0)) for a in _distances(20, length - 12)]

    def casing(pen: Pen) -> None:
        for a, b in shots:
            pen.line([a, b], 255, 9)

    def filling(pen: Pen) -> None:
        for a, b in shots:
            pen.line([a, b], 255, 4.6)

    ink(image, box, paper, casing, strength=190)
    ink(image, box, colour, filling)


def draw_past(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:  # noqa: ARG001
    """Draw a warning sign over a friendly base that blocks a line of fire."""
    x, y = start
    sign = [(x, y - SIGN), (x + SIGN, y + SIGN * 0.75), (x - SIGN, y + SIGN * 0.75)]
    box = around(sign).grown(5)

    def cry(pen: Pen) -> None:
        pen.line([(x, y - SIGN * 0.35), (x, y + SIGN * 0.2)], 255, 2.6)
        pen.disc((x, y + SIGN * 0.5), 1.7, 255)

    ink(image, box, paper, lambda pen: pen.line(sign, 255, 8, closed=True))
    ink(image, box, INK, lambda pen: pen.line(sign, 255, 4.5, closed=True))
    ink(image, box, AMBER, lambda pen: pen.area(sign, 255))
    ink(image, box, INK, cry)


def draw_aim(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a thin line from a firing figure to its target."""
    box = around([start, end]).grown(5)
    ink(image, box, paper, lambda pen: pen.line([start, end], 255, 3.4), strength=170)
    ink(image, box, colour, lambda pen: pen.line([start, end], 255, 1.6))


def draw_duel(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB, strength: int = 255) -> None:
    """Draw a line between two duelling figures: a full dot at `start`, a hollow dot at `end`."""
    box = around([start, end]).grown(8)
    ink(image, box, paper, lambda pen: pen.line([start, end], 255, 4.5), strength=strength)
    ink(image, box, INK, lambda pen: pen.line([start, end], 255, 2.2), strength=strength)
    for at, within in ((start, colour), (end, paper)):
        for radius, of in ((DOT + 2.4, paper), (DOT + 1, INK), (DOT, within)):
            ink(image, box, of, partial(_disc, at, radius), strength=strength)


def draw_past_duel(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a finished duel, paler than a current duel because the figures have moved on."""
    draw_duel(image, start, end, colour, paper, PALE)


def _disc(at: Point, radius: float, pen: Pen) -> None:
    pen.disc(at, radius, 255)


def draw_barred(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:  # noqa: ARG001
    """Draw a thin dashed line with a cross, from a figure that cannot fire."""
    length, at = _line_frame(start, end)
    middle, box = length / 2, around([start, end]).grown(8)
    dashes = [(at(a, 0), at(min(a + 5, length), 0)) for a in _distances(9, length)]
    cross = [(at(middle - 4, -4), at(middle + 4, 4)), (at(middle - 4, 4), at(middle + 4, -4))]

    def paint(thick: float) -> Callable[[Pen], None]:
        def lines(pen: Pen) -> None:
            for a, b in dashes:
                pen.line([a, b], 255, thick)
            for a, b in cross:
                pen.line([a, b], 255, thick + 1)

        return lines

    ink(image, box, paper, paint(3.4), strength=170)
    ink(image, box, BLOOD, paint(1.4))


def draw_burst(image: Image.Image, at: Point, radius: float) -> None:
    """Draw a flash with sixteen points, where a shot causes casualties."""
    spokes = [(math.cos(math.pi * i / 8), math.sin(math.pi * i / 8)) for i in range(16)]
    reach = radius * 8 / 17, radius
    flash = [(at[0] + a * reach[i % 2], at[1] + b * reach[i % 2]) for i, (a, b) in enumerate(spokes)]
    box = around([at]).grown(radius + 5)
    ink(image, box, INK, lambda pen: pen.line(flash, 255, 2.4, closed=True))
    ink(image, box, AMBER, lambda pen: pen.area(flash, 255))


def draw_melee(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB, size: float = 1.0) -> None:
    """Draw crossed swords halfway between two points, over the bases' edges; `size` scales the drawing."""
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    crossed = [[(-12 * way, -12), (9 * way, 9)] for way in (-1, 1)] + [
        [(3 * way, 11), (11 * way, 3)] for way in (-1, 1)
    ]
    lines = [[(x + dx * size, y + dy * size) for dx, dy in line] for line in crossed]

    def swords(thick: float) -> Callable[[Pen], None]:
        def paint(pen: Pen) -> None:
            for line in lines:
                pen.line(line, 255, thick * size)

        return paint

    box = around([(x, y)]).grown(22 * size)
    ink(image, box, paper, swords(7))
    ink(image, box, mix(colour, INK, 0.35), swords(3))


def draw_leader(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a leader line from a plate to the edge of the plate's base, with a dot at the base."""

    def line(thick: float, dot: float) -> Callable[[Pen], None]:
        def paint(pen: Pen) -> None:
            pen.line([start, end], 255, thick)
            pen.disc(end, dot, 255)

        return paint

    box = around([start, end]).grown(8)
    ink(image, box, paper, line(4, 5), strength=215)
    ink(image, box, mix(colour, INK, 0.25), line(1.8, 3.4))


def _distances(step: float, length: float) -> list[float]:
    return [step * count for count in range(max(int((length - 1) / step) + 1, 0))]


DRAWN: Mapping[str, Drawer] = {
    "move": draw_move,
    "retreat": draw_retreat,
    "fire": draw_fire,
    "miss": draw_miss,
    "past": draw_past,
    "melee": draw_melee,
    "duel": draw_duel,
    "fought": draw_past_duel,
    "aim": draw_aim,
    "barred": draw_barred,
}
PALE = 95
"""Opacity, out of 255, of a finished duel."""
ABOVE = frozenset({"melee", "duel", "past", "aim", "barred"})
"""Arrow kinds drawn above the bases; all other kinds are drawn below."""
