"""Draw actions on the table as arrows and signs, and arcs of fire as wedges."""

import math
from collections.abc import Callable, Mapping, Sequence

from PIL import Image

from rules.core.scene import Arrow, Fan, Point

from .geometry import bounding_box, is_inside_ring, star_corners
from .palette import AMBER, BLOOD, INK, RGB, mix
from .pen import combine, dot, fill, ink, stroke

RINGED = 50.0
"""Minimum arrow length in pixels for a ring at the start of a move."""
SIGN = 13.0
"""Distance in pixels from the centre of a warning sign to its top."""
DOT = 3.0
"""Radius in pixels of the dot at each end of a duel line."""
BURST = 17.0
"""Radius in pixels of a burst, from the centre to the points."""
FAN_STEPS = 24
"""Number of straight segments in the curved far edge of a fan."""
FAN_FILL, FAN_EDGE = 56, 170
"""Opacity, out of 255, of a fan's fill and edge."""
Ring = Sequence[Point]
Drawer = Callable[[Image.Image, Point, Point, RGB, RGB], None]


def trim_line_to_bases(start: Point, end: Point, rings: Sequence[Ring], gap: float) -> tuple[Point, Point]:
    """Return a line without the parts that lie on the bases at its ends.

    `rings` are the outlines of bases, in pixels. The line stops `gap` before the base at its end.
    """
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    steps = max(int(length / 2), 1)
    line = [
        (start[0] + (end[0] - start[0]) * i / steps, start[1] + (end[1] - start[1]) * i / steps)
        for i in range(steps + 1)
    ]
    first, last = 0, steps
    for ring in rings:
        if is_inside_ring(start, ring):
            first = max(first, next((i for i, p in enumerate(line) if not is_inside_ring(p, ring)), 0))
        if is_inside_ring(end, ring):
            last = min(last, next((i for i in range(steps, -1, -1) if not is_inside_ring(line[i], ring)), steps))
    pause = round(gap * steps / length) if length else 0
    if last - pause <= first:
        return line[first], line[max(last, first)]
    return line[first], line[last - pause]


def draw_arrow(image: Image.Image, arrow: Arrow, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw an arrow between two pixels; an unknown kind is drawn as a move."""
    if math.dist(start, end) >= 1:
        DRAWERS.get(arrow.kind, draw_move)(image, start, end, colour, paper)


def _measure_line(start: Point, end: Point) -> tuple[float, Callable[[float, float], Point]]:
    """Return a line's length, and a function that returns points on the line and beside it.

    The function takes a distance along the line, and a distance to its right.
    """
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    return length, lambda along, off: (start[0] + ux * along - uy * off, start[1] + uy * along + ux * off)


def draw_move(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a tapering arrow with a pale casing; a long arrow has a ring at the start."""
    length, at = _measure_line(start, end)
    head, thick = min(24.0, max(length * 0.5, 10)), 4.2
    neck = max(length - head * 1.25, length * 0.3)
    left = [at(0, -thick * 0.25), at(neck, -thick), at(neck, -head * 0.62)]
    right = [at(neck, head * 0.62), at(neck, thick), at(0, thick * 0.25)]
    body = [*left, at(length, 0), *right]
    box = bounding_box([*body, start]).grow(8)
    casing, filling = [stroke([body], 4, closed=True)], [fill(body)]
    if length > RINGED:
        casing.append(lambda pen: pen.ring(start, 7, 255, 7))
        filling.append(lambda pen: pen.ring(start, 5.5, 255, 2.6))
    ink(image, box, paper, combine(*casing), strength=215)
    ink(image, box, colour, combine(*filling))


def draw_retreat(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a dashed, hollow arrow for a retreat."""
    head = min(26.0, max(math.dist(start, end) * 0.5, 12))
    length, at = _measure_line(start, end)
    neck = max(length - head * 1.1, 0)
    point = [at(neck, -head * 0.6), at(length, 0), at(neck, head * 0.6)]
    box = bounding_box([start, end, *point]).grow(8)
    dash, gap = 12.0, 7.0
    dashes = [(at(a, 0), at(min(a + dash, neck), 0)) for a in _dash_starts(dash + gap, neck)]
    ink(image, box, paper, combine(stroke(dashes, 12), fill(point), stroke([point], 6, closed=True)))
    ink(image, box, colour, combine(stroke(dashes, 7), stroke([point], 3.4, closed=True)))
    ink(image, box, paper, stroke(dashes, 2.6))


def draw_fire(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw dashed shots that end in a burst: fire with casualties."""
    draw_miss(image, start, end, colour, paper)
    draw_burst(image, end, BURST)


def draw_miss(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw dashed shots without a burst: fire without casualties."""
    length, at = _measure_line(start, end)
    box = bounding_box([start, end]).grow(22)
    shots = [(at(a, 0), at(min(a + 12, length - 12), 0)) for a in _dash_starts(20, length - 12)]
    ink(image, box, paper, stroke(shots, 9), strength=190)
    ink(image, box, colour, stroke(shots, 4.6))


def draw_blocked_fire(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:  # noqa: ARG001
    """Draw a warning sign over a friendly base that blocks a line of fire."""
    x, y = start
    sign = [(x, y - SIGN), (x + SIGN, y + SIGN * 0.75), (x - SIGN, y + SIGN * 0.75)]
    box = bounding_box(sign).grow(5)
    bar = [(x, y - SIGN * 0.35), (x, y + SIGN * 0.2)]
    ink(image, box, paper, stroke([sign], 8, closed=True))
    ink(image, box, INK, stroke([sign], 4.5, closed=True))
    ink(image, box, AMBER, fill(sign))
    ink(image, box, INK, combine(stroke([bar], 2.6), dot([(x, y + SIGN * 0.5)], 1.7)))


def draw_aiming_line(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a thin line from a firing figure to its target."""
    box = bounding_box([start, end]).grow(5)
    ink(image, box, paper, stroke([(start, end)], 3.4), strength=170)
    ink(image, box, colour, stroke([(start, end)], 1.6))


def draw_duel(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB, strength: int = 255) -> None:
    """Draw a line between two duelling figures: a full dot at `start`, a hollow dot at `end`."""
    box = bounding_box([start, end]).grow(8)
    ink(image, box, paper, stroke([(start, end)], 4.5), strength=strength)
    ink(image, box, INK, stroke([(start, end)], 2.2), strength=strength)
    for at, within in ((start, colour), (end, paper)):
        for radius, shade in ((DOT + 2.4, paper), (DOT + 1, INK), (DOT, within)):
            ink(image, box, shade, dot([at], radius), strength=strength)


def draw_finished_duel(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a finished duel, paler than a current duel, because the figures have moved on."""
    draw_duel(image, start, end, colour, paper, PALE)


def draw_barred_shot(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:  # noqa: ARG001
    """Draw a crossed, dashed line from a figure to a target that it may not fire at."""
    length, at = _measure_line(start, end)
    middle, box = length / 2, bounding_box([start, end]).grow(8)
    dashes = [(at(a, 0), at(min(a + 5, length), 0)) for a in _dash_starts(9, length)]
    cross = [(at(middle - 4, -4), at(middle + 4, 4)), (at(middle - 4, 4), at(middle + 4, -4))]
    ink(image, box, paper, combine(stroke(dashes, 3.4), stroke(cross, 4.4)), strength=170)
    ink(image, box, BLOOD, combine(stroke(dashes, 1.4), stroke(cross, 2.4)))


def draw_burst(image: Image.Image, at: Point, radius: float) -> None:
    """Draw a flash with eight points, where a shot causes casualties."""
    flash = [(at[0] - y, at[1] + x) for x, y in star_corners(16, radius * 8 / 17, radius)]
    box = bounding_box([at]).grow(radius + 5)
    ink(image, box, INK, stroke([flash], 2.4, closed=True))
    ink(image, box, AMBER, fill(flash))


def draw_melee(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB, size: float = 1.0) -> None:
    """Draw crossed swords halfway between two pixels; `size` scales the swords."""
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    blades = [[(-12 * way, -12), (9 * way, 9)] for way in (-1, 1)]
    hilts = [[(3 * way, 11), (11 * way, 3)] for way in (-1, 1)]
    lines = [[(x + dx * size, y + dy * size) for dx, dy in line] for line in blades + hilts]
    box = bounding_box([(x, y)]).grow(22 * size)
    ink(image, box, paper, stroke(lines, 7 * size))
    ink(image, box, mix(colour, INK, 0.35), stroke(lines, 3 * size))


def draw_leader_line(image: Image.Image, start: Point, end: Point, colour: RGB, paper: RGB) -> None:
    """Draw a thin line from a plate to its unit's base, with a dot at the base."""
    box = bounding_box([start, end]).grow(8)
    ink(image, box, paper, combine(stroke([(start, end)], 4), dot([end], 5)), strength=215)
    ink(image, box, mix(colour, INK, 0.25), combine(stroke([(start, end)], 1.8), dot([end], 3.4)))


def draw_fan(image: Image.Image, at: Point, fan: Fan, scale: float, colour: RGB) -> None:
    """Draw an arc of fire as a wedge from the pixel `at`, at `scale` pixels per inch."""
    reach, turns = fan.reach * scale, [2 * step / FAN_STEPS - 1 for step in range(FAN_STEPS + 1)]
    directions = (math.radians(fan.facing + fan.degrees * turn) for turn in turns)
    ring = [at, *((at[0] + reach * math.sin(way), at[1] - reach * math.cos(way)) for way in directions)]
    box = bounding_box(ring).grow(3)
    ink(image, box, colour, fill(ring), strength=FAN_FILL, finer=1)
    ink(image, box, colour, stroke([ring], 1.6, closed=True), strength=FAN_EDGE)


def _dash_starts(step: float, length: float) -> list[float]:
    return [step * count for count in range(max(int((length - 1) / step) + 1, 0))]


DRAWERS: Mapping[str, Drawer] = {
    "move": draw_move,
    "retreat": draw_retreat,
    "fire": draw_fire,
    "miss": draw_miss,
    "past": draw_blocked_fire,
    "melee": draw_melee,
    "duel": draw_duel,
    "fought": draw_finished_duel,
    "aim": draw_aiming_line,
    "barred": draw_barred_shot,
}
PALE = 95
"""Opacity, out of 255, of a finished duel."""
ABOVE = frozenset({"melee", "duel", "past", "aim", "barred"})
"""Arrow kinds drawn above the bases; all other kinds are drawn below."""
