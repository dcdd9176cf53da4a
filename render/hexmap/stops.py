"""Mark the stops of planned moves: the time in each hex, and the end of each stage."""

from collections.abc import Sequence

from render.geometry import Box
from render.palette import mix
from render.pen import dot, ink
from rules.core.hexboard.hex_scene import Course, Track

from .map_canvas import MapCanvas
from .plane import hex_centre

RING, DOT = 0.15, 0.075
"""Radius of the ring where a stage ends, and of the dot in every other hex, in hexes."""
MOST_WIDE = 0.8
"""Maximum width in hexes of the plate with a time: wider plates would cover the next hex."""
AWAY = 0.3
"""Distance in hexes from a hex's centre to the nearer edge of the hex's plate."""


def draw_stops(canvas: MapCanvas, tracks: Sequence[Track]) -> None:
    """Draw a dot in each hex of planned moves, and a plate with the time or stage.

    A move's last hex has the arrow's head instead of a dot. A plate without enough space is omitted.
    """
    view, look = canvas.view, canvas.look
    courses = [track for track in tracks if isinstance(track, Course)]
    stops = dict.fromkeys(stop for track in courses for stop in track.stops if view.box.contains(hex_centre(stop.hex)))
    heads = {track.hexes[-1] for track in courses}
    for stop in stops:
        if stop.hex not in heads:
            at, radius = view.pixel(hex_centre(stop.hex)), (RING if stop.rest else DOT) * view.scale
            box = Box(*at, *at).grow(radius + 3)
            ink(canvas.image, box, look.ink, dot([at], radius))
            ink(canvas.image, box, look.theme.paper, dot([at], radius * 0.6))
    edge = mix(look.ink, look.theme.paper, 0.25)
    for stop in sorted(stops, key=lambda stop: not stop.rest):  # the ends of stages have priority
        colours = (look.ink, look.theme.plate) if stop.rest else (look.theme.plate, look.ink)
        label = canvas.make_label(stop.rest or stop.time, *colours, edge)
        if stop.rest or label.width <= MOST_WIDE * view.scale:
            x, y = view.pixel(hex_centre(stop.hex))
            across, down = (AWAY * view.scale + length / 2 for length in label.size)
            canvas.paste_label(label, [(x + across, y), (x - across, y), (x, y + down), (x, y - down)])
