"""Names on the map: of places beneath their hexes, along ways, and wide across bays and towns."""

import math
from collections.abc import Collection
from functools import lru_cache

from PIL import Image, ImageDraw

from render.fonts import Face, font, width
from render.geometry import View
from render.palette import RGB, mix
from rules.core.hexboard.hex_scene import HexBoard
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

from .looks import HexLook
from .plane import centre

PLACE, ACROSS, WATER, WAY = (0.23, 24), (0.38, 30), (0.44, 36), (0.2, 20)
"""Sizes of the writing: of a hex, and the most pixels."""
LEAST = 11
SPACED = 0.22
"""Of its size: what is put between the letters of a name across the map."""
STRAY = 5.0
"""How far at most a name across the map is moved to be read."""
COUNTER = 0.8
"""Room that counters take in a hex."""
BENEATH = 0.42
"""How far under its centre a place's name stands."""
BESIDE = 0.24


def draw_names(image: Image.Image, board: HexBoard, view: View, look: HexLook, standing: Collection[Hex]) -> None:
    """All names in sight, pushed in from the edge; those across the map off the hexes where counters stand."""
    blue = mix(look.theme.bank, look.ink, 0.15)
    halo = look.wash_halo
    for line in board.lines:
        if line.name and len(line.hexes) > 1:
            _along(image, line.name, [centre(at) for at in line.hexes], view, look)
    for name in board.names:
        size = _size(WATER if name.water else ACROSS, view)
        colour, behind = (blue, look.sea[1]) if name.water else (mix(look.ink, halo, 0.15), halo)
        drawn = written(name.name, colour, behind, size, SPACED)
        _set(image, drawn, view.px(_free(name.hex, drawn, board, view, standing)))
    for cell in board.cells:
        if cell.name:
            x, y = centre(cell.hex)
            size = _size(PLACE, view)
            _set(image, written(cell.name, look.ink, halo, size, 0.0), view.px((x, y + BENEATH)))


def _free(wanted: Hex, drawn: Image.Image, board: HexBoard, view: View, standing: Collection[Hex]) -> Point:
    """The middle of a name across the map: its hex, or the nearest of that ground where counters cover least of it."""
    high, wide = ((length / view.scale + COUNTER) / 2 for length in (drawn.height, drawn.width))
    middles = [centre(at) for at in standing]

    def covered(at: Point) -> int:
        return sum(abs(x - at[0]) < wide and abs(y - at[1]) < high for x, y in middles)

    of = next((cell.ground for cell in board.cells if cell.hex == wanted), None)
    here = centre(wanted)
    near = [at for cell in board.cells if cell.ground is of and math.dist(at := centre(cell.hex), here) <= STRAY]
    seen = sorted((at for at in near if view.box.holds(at)), key=lambda at: math.dist(at, here))
    return min(seen, key=covered, default=here) if view.box.holds(here) else here


def _size(of: tuple[float, int], view: View) -> int:
    return min(max(round(view.scale * of[0]), LEAST), of[1])


def _along(image: Image.Image, name: str, points: list[tuple[float, float]], view: View, look: HexLook) -> None:
    """A name beside the middle of a way, in its direction."""
    middle = (len(points) - 1) // 2
    (x1, y1), (x2, y2) = points[middle], points[middle + 1]
    if x2 < x1:
        x1, y1, x2, y2 = x2, y2, x1, y1
    angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
    size = _size(WAY, view)
    drawn = written(name, mix(look.ink, look.wash_halo, 0.1), look.wash_halo, size, 0.06)
    turned = drawn.rotate(-angle, resample=Image.Resampling.BICUBIC, expand=True)
    off = BESIDE * view.scale
    x, y = view.px(((x1 + x2) / 2, (y1 + y2) / 2))
    lean = math.radians(angle)
    _set(image, turned, (x + math.sin(lean) * off, y - math.cos(lean) * off))


def _set(image: Image.Image, drawn: Image.Image, middle: tuple[float, float]) -> None:
    """A name about `middle`, moved in where it would be cut; left out where its middle is out of sight."""
    x, y = middle
    if not (0 <= x <= image.width and 0 <= y <= image.height):
        return
    left = min(max(round(x - drawn.width / 2), 2), max(image.width - drawn.width - 2, 2))
    top = min(max(round(y - drawn.height / 2), 2), max(image.height - drawn.height - 2, 2))
    image.paste(drawn, (left, top), drawn)


@lru_cache(maxsize=128)
def written(name: str, colour: RGB, halo: RGB, size: int, spaced: float) -> Image.Image:
    """A name with a halo that lifts it off the ground. Kept: never draw on it."""
    gap, rim = round(size * spaced), max(round(size * 0.14), 2)
    across = sum(width(letter, Face.PLACE, size) + gap for letter in name) if gap else width(name, Face.PLACE, size)
    image = Image.new("RGBA", (across + 4 * rim, round(size * 1.5)), (*halo, 0))
    draw = ImageDraw.Draw(image)
    face = font(Face.PLACE, size)
    for rimmed in (True, False):
        x = float(2 * rim)
        for part in name if gap else (name,):
            at = x, round(size * 1.1)
            if rimmed:
                draw.text(
                    at, part, font=face, fill=(*halo, 215), anchor="ls", stroke_width=rim, stroke_fill=(*halo, 215)
                )
            else:
                draw.text(at, part, font=face, fill=colour, anchor="ls")
            x += width(part, Face.PLACE, size) + gap
    return image
