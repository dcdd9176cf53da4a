"""Draw points with their holders, and open battles, on the hexes of a campaign's map."""

from collections.abc import Sequence

from render.badges import badge
from render.palette import AMBER, SideLook
from render.pen import dot
from render.stamp import paste_centred
from rules.core.hexboard.hex_scene import HexNote
from rules.core.scene import Marker, Point

from .map_canvas import MapCanvas

SWORDS, LEAST_SWORDS, SWORDS_AT = 0.46, 15, (0.0, -0.5)
"""Size of a battle's badge in hexes, its minimum in pixels, and its offset from the hex's centre."""


def draw_objective(pad: MapCanvas, note: HexNote, side: SideLook | None) -> None:
    """Draw a ring in the holder's colour: whole for a side with solid counters, corner brackets for the other one.

    Without a holder it is a dark dot at each corner.
    """
    colour = side.colour if side else pad.look.ink
    thick = max(pad.view.scale * 0.055, 2.5)
    ring, paper = pad.ring(note, 0.9), pad.look.theme.paper
    if side is None:
        pad.lay(note, paper, dot(ring, thick + 1.5), strength=220)
        pad.lay(note, colour, dot(ring, thick))
        return
    lines = [ring] if side.solid else _brackets(ring)
    pad.lay_rimmed(note, colour, lines, thick, (paper, 2.5, 220), closed=side.solid)


def _brackets(corners: Sequence[Point]) -> list[Sequence[Point]]:
    """Return the short lines from each corner towards its two neighbours."""
    arms = list[Sequence[Point]]()
    for number, (x, y) in enumerate(corners):
        for other in (corners[number - 1], corners[(number + 1) % 6]):
            arms.append(((x, y), (x + (other[0] - x) * 0.28, y + (other[1] - y) * 0.28)))
    return arms


def draw_battle(pad: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Draw an amber ring with a dark rim around the hex, and crossed swords at its top."""
    ring, line = pad.ring(note, 0.99), max(pad.view.scale * 0.09, 3)
    pad.lay_rimmed(note, AMBER, [ring], line, (pad.look.ink, 3, 255), closed=True)
    swords = badge(Marker.MELEE, max(round(pad.view.scale * SWORDS), LEAST_SWORDS))
    paste_centred(pad.image, swords, pad.at(note, *SWORDS_AT))
