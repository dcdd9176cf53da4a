"""Mark the stops of planned moves: a ring and a plate where a stage ends, and the time in every other hex."""

from collections.abc import Iterator, Sequence

from PIL import Image

from render.geometry import Box, View
from render.palette import RGB, mix
from render.pen import dot, ink
from rules.core.hexboard.hex_scene import Course, Track, TrackStop
from rules.core.scene import Point

from .looks import HexLook
from .note_canvas import LABEL, LEAST, about, label
from .plane import centre

RING, DOT = 0.15, 0.075
"""Radius of the ring where a stage ends, and of the dot in every other hex, in hexes."""
MOST_WIDE = 0.8
"""Maximum width in hexes of the plate with a time: wider plates would cover the next hex."""
AWAY = 0.3
"""Distance in hexes from the hex's centre to the nearer edge of its plate."""


def draw_stops(
    image: Image.Image,
    tracks: Sequence[Track],
    view: View,
    look: HexLook,
    least: int,
    standing: Sequence[Box],
    tags: Sequence[Box],
) -> list[Box]:
    """Mark all stops, except the last hex of a move: there is the arrow's head. Return the plates' boxes.

    Plates cover neither each other nor `tags`. Text is at least `least` pixels high. Plates with times are left out
    where they would not fit into their hex.
    """
    courses = [track for track in tracks if isinstance(track, Course)]
    stops = list(dict.fromkeys(stop for track in courses for stop in track.stops if view.box.holds(centre(stop.hex))))
    heads = {track.hexes[-1] for track in courses}
    for stop in stops:
        if stop.hex not in heads:
            _draw_mark(image, view.px(centre(stop.hex)), (RING if stop.rest else DOT) * view.scale, look)
    edge, taken = mix(look.ink, look.theme.paper, 0.25), list(tags)
    for stop in sorted(stops, key=lambda stop: not stop.rest):  # where stages end is written first
        drawn = label(stop.rest or stop.time, max(round(view.scale * LABEL), least, LEAST), *_paint(stop, look), edge)
        if not stop.rest and drawn.width > MOST_WIDE * view.scale:
            continue
        boxes = [about(spot, drawn, image) for spot in _spots(view.px(centre(stop.hex)), drawn.size, view.scale)]
        free = [box for box in boxes if not any(box.meets(other) for other in taken)]
        if free:
            box = min(free, key=lambda box: box.shared_area(standing))
            image.paste(drawn, (int(box.left), int(box.top)), drawn)
            taken.append(box)
    return taken[len(tags) :]


def _paint(stop: TrackStop, look: HexLook) -> tuple[RGB, RGB]:
    """Return the colours of a plate and of its text: dark where a stage ends."""
    return (look.ink, look.theme.plate) if stop.rest else (look.theme.plate, look.ink)


def _draw_mark(image: Image.Image, at: Point, radius: float, look: HexLook) -> None:
    """Draw a disc of paper with a dark rim."""
    box = Box(*at, *at).grown(radius + 3)
    for part, colour in ((1.0, look.ink), (0.6, look.theme.paper)):
        ink(image, box, colour, dot([at], radius * part))


def _spots(at: Point, size: tuple[int, int], scale: float) -> Iterator[Point]:
    """Yield the middles of a plate beside a hex's centre: right, left, below and above."""
    (x, y), across, down = at, AWAY * scale + size[0] / 2, AWAY * scale + size[1] / 2
    yield from ((x + across, y), (x - across, y), (x, y + down), (x, y - down))
