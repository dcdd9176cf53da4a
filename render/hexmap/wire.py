"""Barbed wire: an entanglement of coils between crossed pickets, along the edge of a hex."""

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

RING = 0.845
"""Where the belt runs, of the hex: clear of a counter and of its neighbours' belts."""
COIL, STEP = 0.052, 0.088
"""Radius of a coil, and from one to the next."""
PICKET = 0.075
"""Half the length of a picket."""
NUMBER = 0.24
"""The belt leaves out as much of the upper edge on either side of the hex's number."""
LEAST = 1.0
"""Pixels of the thinnest wire."""


def wire(pad: NoteCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Coils all round the hex, pickets at its corners."""
    corners = outline(note.hex, RING)
    belt = _belt(corners)
    scale = pad.view.scale
    steel = mix(pad.look.ink, pad.look.theme.bank, 0.35)
    coils = [at for line in belt for at, _ in stations(line, STEP, closed=False)]

    def paint(more: float) -> Callable[[Pen], None]:
        def entanglement(pen: Pen) -> None:
            thin = max(scale * 0.012, LEAST) + more
            for line in belt:
                pen.line([pad.view.px(point) for point in line], 255, thin)
            for at in coils:
                pen.ring(pad.view.px(at), COIL * scale + more / 2, 255, thin)
            for x, y in corners:
                for lean in (-1, 1):
                    post = ((x - lean * PICKET * 0.7, y + PICKET), (x + lean * PICKET * 0.7, y - PICKET))
                    pen.line([pad.view.px(end) for end in post], 255, max(scale * 0.026, 2) + more)

        return entanglement

    pad.lay(note, pad.look.theme.paper, paint(2.5), strength=170)
    pad.lay(note, steel, paint(0))


def _belt(corners: list[Point]) -> list[list[Point]]:
    """The sides of the hex, of the upper one only what is clear of its number."""
    middle = sum(x for x, _ in corners) / len(corners)
    found = []
    for (ax, ay), (bx, by) in pairwise([*corners, corners[0]]):
        if math.isclose(ay, by, abs_tol=1e-6) and ay == min(y for _, y in corners):
            found += [[(ax, ay), (middle - NUMBER, ay)], [(middle + NUMBER, by), (bx, by)]] if ax < bx else []
        else:
            found.append([(ax, ay), (bx, by)])
    return found
