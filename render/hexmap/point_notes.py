"""Draw points with their holders, and open battles, on the hexes of a campaign's map."""

from collections.abc import Callable

from render.badges import badge
from render.palette import AMBER, SideLook
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexNote
from rules.core.scene import Marker

from .note_canvas import NoteCanvas

SWORDS, LEAST_SWORDS, SWORDS_AT = 0.46, 15, (0.0, -0.5)
"""Size of a battle's badge in hexes, its minimum in pixels, and its offset from the hex's centre."""


def draw_objective(pad: NoteCanvas, note: HexNote, side: SideLook | None) -> None:
    """Draw a ring in the holder's colour: whole for a side with solid counters, corner brackets for the other one.

    Without a holder it is a dark dot at each corner.
    """
    colour = side.colour if side else pad.look.ink
    thick = max(pad.view.scale * 0.055, 2.5)
    if side is None:
        _dot_corners(pad, note, thick)
        return
    if side.solid:
        ring = pad.ring(note, 0.9)
        pad.lay(note, pad.look.theme.paper, lambda pen: pen.line(ring, 255, thick + 2.5, closed=True), strength=220)
        pad.lay(note, colour, lambda pen: pen.line(ring, 255, thick, closed=True))
        return
    corners = [pad.at(note, 0, 0), *pad.ring(note, 0.9)][1:]
    arms = []
    for number, corner in enumerate(corners):
        for other in (corners[number - 1], corners[(number + 1) % 6]):
            arms.append(
                [corner, (corner[0] + (other[0] - corner[0]) * 0.28, corner[1] + (other[1] - corner[1]) * 0.28)]
            )

    def paint(thick: float) -> Callable[[Pen], None]:
        def arm(pen: Pen) -> None:
            for line in arms:
                pen.line(line, 255, thick)

        return arm

    pad.lay(note, pad.look.theme.paper, paint(thick + 2.5), strength=220)
    pad.lay(note, colour, paint(thick))


def _dot_corners(pad: NoteCanvas, note: HexNote, thick: float) -> None:
    corners = pad.ring(note, 0.9)

    def paint(radius: float) -> Callable[[Pen], None]:
        def dots(pen: Pen) -> None:
            for corner in corners:
                pen.disc(corner, radius, 255)

        return dots

    pad.lay(note, pad.look.theme.paper, paint(thick + 1.5), strength=220)
    pad.lay(note, pad.look.ink, paint(thick))


def draw_battle(pad: NoteCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Draw an amber ring with a dark rim around the hex, and crossed swords at its top."""
    ring, line = pad.ring(note, 0.99), max(pad.view.scale * 0.09, 3)
    pad.lay(note, pad.look.ink, lambda pen: pen.line(ring, 255, line + 3, closed=True))
    pad.lay(note, AMBER, lambda pen: pen.line(ring, 255, line, closed=True))
    swords = badge(Marker.MELEE, max(round(pad.view.scale * SWORDS), LEAST_SWORDS))
    x, y = pad.at(note, *SWORDS_AT)
    pad.image.paste(swords, (round(x - swords.width / 2), round(y - swords.height / 2)), swords)
