"""Barbed wire: coils between crossed pickets, along the edge of a hex."""

import math
from collections.abc import Callable
from itertools import pairwise

from render.geometry import stations
from render.palette import SideLook, mix
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexNote
from rules.core.scene import Point

from .note_canvas import NoteCanvas
from .plane import outline

RING = 0.84
"""Where the belt runs, of the hex: clear of a counter and of its neighbours' belts."""
COIL, PITCH = 0.058, 0.078
"""Radius of the coils, and from one to the next."""
TURN = 14
"""Points of a coil's turn."""
BARB, BARBS = 0.03, 0.117
"""Half the length of a barb, and from one to the next."""
PICKET = 0.09
"""Half the length of a picket."""
NUMBER = 0.24
"""The belt leaves out as much of the upper edge on either side of the hex's number."""
THIN, LEAST = 0.011, 1.0
"""The wire, of a hex, and pixels at least."""


def wire(pad: NoteCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Coils all round the hex with their barbs, pickets at its corners."""
    corners = outline(note.hex, RING)
    belt, scale = _belt(corners), pad.view.scale
    coils = [[pad.view.px(point) for point in _coiled(start, end)] for start, end in belt]
    barbs = [
        [
            pad.view.px((x - uy * BARB - ux * BARB, y + ux * BARB - uy * BARB)),
            pad.view.px((x + uy * BARB + ux * BARB, y - ux * BARB + uy * BARB)),
        ]
        for line in belt
        for (x, y), (ux, uy) in stations(line, BARBS, closed=False)
    ]
    posts = [
        [pad.view.px((x - lean * PICKET * 0.6, y + PICKET)), pad.view.px((x + lean * PICKET * 0.6, y - PICKET))]
        for x, y in corners
        for lean in (-1, 1)
    ]

    def paint(more: float) -> Callable[[Pen], None]:
        def entanglement(pen: Pen) -> None:
            thin = max(scale * THIN, LEAST) + more
            for line in (*coils, *barbs):
                pen.line(line, 255, thin)
            for post in posts:
                pen.line(post, 255, thin * 2)

        return entanglement

    pad.lay(note, pad.look.theme.paper, paint(2), strength=150)
    pad.lay(note, mix(pad.look.ink, pad.look.theme.bank, 0.3), paint(0))


def _coiled(start: Point, end: Point) -> list[Point]:
    """A wire in coils from one point to another."""
    (ax, ay), (bx, by) = start, end
    turns = max(round(math.dist(start, end) / PITCH), 1)
    found = []
    for step in range(turns * TURN + 1):
        part, angle = step / (turns * TURN), math.tau * step / TURN
        found.append((ax + (bx - ax) * part + COIL * math.sin(angle), ay + (by - ay) * part + COIL * math.cos(angle)))
    return found


def _belt(corners: list[Point]) -> list[tuple[Point, Point]]:
    """The sides of the hex, of the upper one only what is clear of its number."""
    top, middle = min(y for _, y in corners), sum(x for x, _ in corners) / len(corners)
    found = list[tuple[Point, Point]]()
    for start, end in pairwise([*corners, corners[0]]):
        if max(start[1], end[1]) - top < COIL:
            found += [(start, (middle - NUMBER, top)), ((middle + NUMBER, top), end)]
        else:
            found.append((start, end))
    return found
