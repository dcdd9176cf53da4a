"""Draw tracks on a hex map: moves below the counters, fire and melees above, and their labels."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from PIL import Image

from render.arrows import draw_burst, draw_melee
from render.geometry import Box, View, bounding_box, dashes, smooth_corners
from render.palette import RGB, mix
from render.pen import Painter, combine, dot, fill, ink, stroke
from rules.core.hexboard.hex_scene import Course, Track
from rules.core.scene import Point

from .map_canvas import MapCanvas
from .plane import hex_centre

OVER = frozenset({"fire", "miss", "melee"})
"""Track kinds drawn above the counters."""
COURSE = "course"
"""Kind of a planned move: its last hex is still empty."""
WAY, SHOT = 0.1, 0.055
"""Widths of a move and of a shot, in hexes."""
SHORT = 0.42
"""Distance in hexes from the last hex's centre to the end of a move or shot."""
USUAL = 54
"""Pixels per hex at which crossed swords have their usual size."""
KEPT_FREE = 0.3
"""Half the width, in hexes, of the square in each hex of a move that other text avoids."""
ALONG, BESIDE = (0.5, 0.35, 0.65), 0.9
"""Label positions: fractions of the track, and distance from the track in multiples of the label's size."""
FINER = 2
"""Enlargement of a track's mask before its reduction. Tracks are long; larger masks would slow down drawing."""


def draw_tracks(canvas: MapCanvas, tracks: Sequence[Track], *, above: bool) -> None:
    """Draw the tracks that belong above the counters or, unless `above`, below them."""
    for track in dict.fromkeys(track for track in tracks if (track.kind in OVER) is above and len(track.hexes) > 1):
        colour = canvas.sides[track.side].colour if track.side in canvas.sides else canvas.look.ink
        DRAWN.get(track.kind, _draw_move)(canvas.image, track, canvas.view, colour, canvas.look.theme.paper)


def _shorten_line(points: Sequence[Point], by: float) -> list[Point]:
    """Return the line shortened by `by` at its end; its start remains."""
    line = list(points)
    length = by
    while len(line) > 2 and math.dist(line[-1], line[-2]) <= length:
        length -= math.dist(line[-1], line[-2])
        del line[-1]
    (x, y), (px, py) = line[-1], line[-2]
    part = min(length / (math.dist((x, y), (px, py)) or 1), 0.95)
    line[-1] = x + (px - x) * part, y + (py - y) * part
    return line


def _split_arrow_head(line: Sequence[Point], reach: float) -> tuple[list[Point], list[Point]]:
    """Return a line in two parts: the shaft, and the arrow head, which is `reach` long."""
    tip = line[-1]
    neck = _shorten_line(line, reach)
    x, y = neck[-1]
    length = math.dist(tip, (x, y)) or 1
    ux, uy = (tip[0] - x) / length, (tip[1] - y) / length
    half = reach * 0.62
    return neck, [tip, (x - uy * half, y + ux * half), (x + uy * half, y - ux * half)]


def _line_of_move(track: Track, view: View) -> tuple[list[Point], list[Point]]:
    """Return a move's line and arrow head in pixels.

    A planned move ends in the middle of its last hex. Any other move ends before the counter in it.
    """
    middles = [hex_centre(at) for at in track.hexes]
    has_stops = isinstance(track, Course) and track.stops  # stops are marked in the middles of their hexes
    line = [view.pixel(point) for point in (middles if has_stops else smooth_corners(middles, closed=False))]
    short = 0.0 if track.kind == COURSE else SHORT
    return _split_arrow_head(_shorten_line(line, short * view.scale), 0.26 * view.scale)


def _paint_layers(image: Image.Image, points: Sequence[Point], layers: Iterable[tuple[RGB, int, Painter]]) -> None:
    box = bounding_box(points).grow(14)
    for colour, strength, paint in layers:
        ink(image, box, colour, paint, strength=strength, finer=FINER)


def _draw_move(image: Image.Image, track: Track, view: View, colour: RGB, paper: RGB) -> None:
    """Draw an arrow along the hexes, with a ring at the start."""
    line, head = _line_of_move(track, view)
    thick = WAY * view.scale
    casing = combine(stroke([line], thick + 4), stroke([head], 4, closed=True), dot([line[0]], thick * 0.95 + 2))
    filling = combine(stroke([line], thick), fill(head), dot([line[0]], thick * 0.95))
    layers = ((paper, 215, casing), (colour, 255, filling), (paper, 255, dot([line[0]], thick * 0.5)))
    _paint_layers(image, [*line, *head], layers)


def _draw_retreat(image: Image.Image, track: Track, view: View, colour: RGB, paper: RGB) -> None:
    """Draw a dashed, hollow arrow along the hexes."""
    line, head = _line_of_move(track, view)
    thick = WAY * 1.15 * view.scale
    dash = 0.055 * view.scale
    pieces = dashes(line, dash * 5.6, dash)
    layers = (
        (paper, 255, combine(stroke(pieces, thick + 4), fill(head), stroke([head], 6, closed=True))),
        (colour, 255, combine(stroke(pieces, thick), stroke([head], 3, closed=True))),
        (paper, 255, stroke(pieces, max(thick - 4, 1.5))),
    )
    _paint_layers(image, [*line, *head], layers)


def _line_of_fire(track: Track, view: View) -> list[Point]:
    """Return the line of fire in pixels, between the edges of the two counters."""
    ends = [view.pixel(hex_centre(track.hexes[0])), view.pixel(hex_centre(track.hexes[-1]))]
    return _shorten_line(_shorten_line(ends, SHORT * view.scale)[::-1], SHORT * view.scale)[::-1]


def _draw_fire(image: Image.Image, track: Track, view: View, colour: RGB, paper: RGB) -> None:
    """Draw shots that end in a burst."""
    _draw_shots(image, track, view, colour, paper)
    draw_burst(image, _line_of_fire(track, view)[-1], view.scale * 0.18)


def _draw_shots(image: Image.Image, track: Track, view: View, colour: RGB, paper: RGB) -> None:
    """Draw the dashes of a line of fire between the two counters."""
    line = _line_of_fire(track, view)
    long = 0.13 * view.scale
    shots = dashes(line, long * 3.2, long) or [(line[0], line[-1])]
    thick = max(SHOT * view.scale, 2.5)
    _paint_layers(image, line, ((paper, 230, stroke(shots, thick + 4)), (colour, 255, stroke(shots, thick))))


def _draw_miss(image: Image.Image, track: Track, view: View, colour: RGB, paper: RGB) -> None:
    """Draw shots that end in a puff of dust."""
    _draw_shots(image, track, view, colour, paper)
    x, y = _line_of_fire(track, view)[-1]
    r = view.scale * 0.085
    puffs = [(x, y), (x - r * 1.2, y + r * 0.5), (x + r * 1.2, y + r * 0.4), (x + r * 0.2, y - r)]
    layers = ((mix(colour, paper, 0.25), 255, dot(puffs, r + 1.6)), (paper, 255, dot(puffs, r)))
    _paint_layers(image, puffs, layers)


def _draw_melee(image: Image.Image, track: Track, view: View, colour: RGB, paper: RGB) -> None:
    """Draw crossed swords between the two hexes."""
    start, end = (view.pixel(hex_centre(at)) for at in (track.hexes[0], track.hexes[-1]))
    draw_melee(image, start, end, colour, paper, size=min(max(view.scale / USUAL, 0.9), 1.6))


def waypoint_boxes(tracks: Iterable[Track], view: View) -> list[Box]:
    """Return boxes around the centres of the hexes that moves pass, in pixels."""
    middles = (view.pixel(hex_centre(at)) for track in tracks if track.kind not in OVER for at in track.hexes)
    return [Box(x, y, x, y).grow(KEPT_FREE * view.scale) for x, y in middles]


def label_moves_with_hexes(tracks: Iterable[Track]) -> tuple[Track, ...]:
    """Return the tracks; moves without a label get the number of their last hex, for typing orders."""
    return tuple(
        track
        if track.text or track.kind in OVER or not track.hexes
        else track.model_copy(update={"text": f"→ {track.hexes[-1].label}"})
        for track in tracks
    )


def draw_track_labels(canvas: MapCanvas, tracks: Sequence[Track]) -> None:
    """Draw each track's label beside the track, where it covers counters least.

    A label that would overlap other text is omitted.
    """
    look, frame = canvas.look, Box(0, 0, *canvas.image.size)
    edge = mix(look.ink, look.theme.paper, 0.25)
    for track in dict.fromkeys(track for track in tracks if track.text and len(track.hexes) > 1):
        label = canvas.make_label(track.text, look.theme.plate, look.ink, edge)
        canvas.paste_label(label, filter(frame.contains, _label_spots(track, canvas.view, label.size)))


def _label_spots(track: Track, view: View, size: tuple[int, int]) -> Iterable[Point]:
    """Yield possible centres of a track's label, best first."""
    points = [view.pixel(hex_centre(at)) for at in track.hexes]
    (ax, ay), (bx, by) = list(pairwise(points))[(len(points) - 1) // 2]
    wide, high = size
    for part in ALONG:
        x, y = ax + (bx - ax) * part, ay + (by - ay) * part
        yield from ((x, y - high * BESIDE), (x, y + high * BESIDE), (x - wide * BESIDE, y), (x + wide * BESIDE, y))


DRAWN: Mapping[str, Callable[[Image.Image, Track, View, RGB, RGB], None]] = {
    "move": _draw_move,
    "retreat": _draw_retreat,
    "fire": _draw_fire,
    "miss": _draw_miss,
    "melee": _draw_melee,
}
