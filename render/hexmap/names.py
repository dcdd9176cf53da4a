"""Write the names of places, roads, and large areas such as bays and towns, and number the hexes."""

import math
from collections.abc import Collection, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from render.fonts import Face, font, width
from render.geometry import Box, View
from render.lettering import TextMask, text_mask
from render.palette import RGB, mix
from rules.core.hexboard.hex_scene import HexBoard, HexGround
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

from .grid import visible_cells
from .looks import HexLook
from .note_canvas import about
from .plane import centre

PLACE, ACROSS, WATER, WAY = (0.23, 24), (0.38, 30), (0.44, 36), (0.2, 20)
"""Text sizes of places, large areas, waters and roads: a fraction of a hex, and a maximum in pixels."""
NUMBER = 0.34
"""Maximum height of a hex number, as a fraction of a hex."""
HEAD = 0.36
"""Distance in hexes of a hex number above the centre."""
FIGURE = 0.73
"""Height of a digit, as a fraction of the text size."""
PALE = 0.4
"""Share of the background in a hex number's colour."""
SPACED = 0.22
"""Letter spacing of a large area's name, as a fraction of the text size."""
STRAY = 5.0
"""Maximum distance in hexes by which a large area's name may move."""
COUNTER = 0.8
"""Width of counters in a hex, in hexes."""
RINGED, CLOSE = 1.05, 0.36
"""Diameter in hexes of a ring that names avoid, and the share of a name's height that lies outside it."""
HIDDEN, TOUCHED = 0.25, 0.1
"""Maximum share of a name that may be covered, and share up to which covering is ignored."""
BUILDING = 0.6
"""Width in hexes of a building that names avoid."""
BENEATH = 0.42
"""Distance in hexes of a place name below the centre."""
BESIDE = 0.24
"""Distance in hexes of a road's name from the road."""
LINE = 1.5
"""Height of a written name, as a multiple of the text size."""


def draw_names(
    image: Image.Image,
    board: HexBoard,
    view: View,
    look: HexLook,
    standing: Sequence[Box],
    words: int,
    ringed: Collection[Hex] = (),
) -> list[Box]:
    """Write all visible names at least `words` pixels high; return their boxes.

    The names of places in `ringed` hexes stand outside a ring there. Names shift inwards from the edge, and avoid the
    counters and signs in `standing` (pixels). A name without free space is omitted.
    """
    taken = list[Box]()
    named = [cell for cell in board.cells if cell.name]
    rings = {at: _building_box(at, view, RINGED) for at in ringed}
    buildings = [_building_box(cell.hex, view) for cell in named]
    for cell in named:
        if view.box.holds(centre(cell.hex)):
            x, y = centre(cell.hex)
            drawn = name_sprite(cell.name, look.ink, look.wash_halo, _text_size(PLACE, view, words), 0.0)
            is_ringed = cell.hex in ringed
            aside = (drawn.width / view.scale + (RINGED if is_ringed else COUNTER)) / 2
            away = max(BENEATH, RINGED / 2 + drawn.height / view.scale * CLOSE) if is_ringed else BENEATH
            spots = [(x, y + away), (x, y - away), (x + aside, y), (x - aside, y)]
            if is_ringed:
                spots += [(x + right * aside, y + down * away) for right in (1, -1) for down in (0.6, -0.6)]
            around = [*standing, *buildings, *(box for at, box in rings.items() if at != cell.hex)]
            _place_name(image, drawn, [view.px(spot) for spot in spots], taken, around)
    for name in board.names:
        blue = mix(look.theme.bank, look.ink, 0.15)
        colour, behind = (blue, look.sea[1]) if name.water else (mix(look.ink, look.wash_halo, 0.15), look.wash_halo)
        drawn = name_sprite(name.name, colour, behind, _text_size(WATER if name.water else ACROSS, view, words), SPACED)
        _place_name(image, drawn, [_free_spot(name.hex, drawn, image, board, view, standing)], taken)
    for line in board.lines:
        if line.name and len(line.hexes) > 1:
            _write_along_road(image, line.name, [centre(at) for at in line.hexes], view, look, words, taken)
    return taken


def draw_numbers(
    image: Image.Image,
    board: HexBoard,
    view: View,
    look: HexLook,
    words: int,
    names: Sequence[Box],
    standing: Sequence[Box],
) -> None:
    """Write the hex numbers at the hexes' tops, if text of size `words` fits into a hex.

    On a smaller map, the labels along the edges name the columns and rows. No number overlaps a name, is cut off, or
    hides behind counters.
    """
    if not has_numbers(view, words):
        return
    rim = max(words // 12, 1)
    whole = Box(0, 0, *image.size)
    colours = {behind: mix(look.ink, behind, PALE) for behind in (look.sea[2], look.wash_halo)}
    for cell in visible_cells(board, view.box):
        x, y = centre(cell.hex)
        x, y = view.px((x, y - HEAD))
        box = Box(x - words, y - words * FIGURE / 2, x + words, y + words * FIGURE / 2)
        behind = look.sea[2] if cell.ground is HexGround.SEA else look.wash_halo
        if (
            box.within(whole) == box
            and not any(box.meets(name) for name in names)
            and _covered_share(box, standing) <= HIDDEN
        ):
            number = number_sprite(cell.hex.label, colours[behind], behind, words, rim)
            image.paste(number.image, (round(x) + number.left, round(y) + number.top), number.image)


def has_numbers(view: View, words: int) -> bool:
    """Whether text of size `words` fits into a hex as its number."""
    return words <= view.scale * NUMBER


@lru_cache(maxsize=2048)
def number_sprite(label: str, colour: RGB, halo: RGB, size: int, rim: int) -> TextMask:
    """Return a drawn hex number with its halo, and its offset from the middle. Cached: never draw on the image."""
    behind, letters = (text_mask(label, Face.PLAIN, size, "mm", each) for each in (rim, 0))
    image = Image.new("RGBA", behind.image.size, halo)
    image.paste(colour, (letters.left - behind.left, letters.top - behind.top), letters.image)
    image.putalpha(behind.image)
    return TextMask(image, behind.left, behind.top)


def _free_spot(
    wanted: Hex, drawn: Image.Image, image: Image.Image, board: HexBoard, view: View, standing: Sequence[Box]
) -> Point:
    """Return the pixel for a large area's name: in the nearest free hex of equal ground, or the least covered."""
    of = next((cell.ground for cell in board.cells if cell.hex == wanted), None)
    here = centre(wanted)
    if not view.box.holds(here):
        return view.px(here)
    near = [at for cell in board.cells if cell.ground is of and math.dist(at := centre(cell.hex), here) <= STRAY]
    seen = sorted((at for at in near if view.box.holds(at)), key=lambda at: math.dist(at, here))

    def covered(at: Point) -> float:
        return about(view.px(at), drawn, image).shared_area(standing)

    return view.px(next((at for at in seen if not covered(at)), None) or min(seen, key=covered, default=here))


def _covered_share(box: Box, standing: Sequence[Box]) -> float:
    """Return the share of `box` that the boxes in `standing` cover."""
    return box.shared_area(standing) / (box.width * box.height)


def _building_box(at: Hex, view: View, wide: float = BUILDING) -> Box:
    """Return the box in pixels of the building, or of a ring, in a hex; its width is `wide` hexes."""
    x, y = view.px(centre(at))
    return Box(x, y, x, y).grown(view.scale * wide / 2)


def _text_size(of: tuple[float, int], view: View, words: int) -> int:
    return max(min(round(view.scale * of[0]), of[1]), words)


def _write_along_road(
    image: Image.Image,
    name: str,
    points: list[Point],
    view: View,
    look: HexLook,
    words: int,
    taken: list[Box],
) -> None:
    """Write the name beside the middle of a road, in the road's direction; add its box to `taken`."""
    middle = (len(points) - 1) // 2
    (x1, y1), (x2, y2) = points[middle], points[middle + 1]
    if x2 < x1:
        x1, y1, x2, y2 = x2, y2, x1, y1
    angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
    ink, size = mix(look.ink, look.wash_halo, 0.1), _text_size(WAY, view, words)
    turned = name_sprite(name, ink, look.wash_halo, size, 0.06, angle)
    x, y = view.px(((x1 + x2) / 2, (y1 + y2) / 2))
    lean, off = math.radians(angle), max(BESIDE * view.scale, size * LINE / 2)
    _place_name(image, turned, [(x + math.sin(lean) * off, y - math.cos(lean) * off)], taken)


def _place_name(
    image: Image.Image,
    drawn: Image.Image,
    middles: Sequence[Point],
    taken: list[Box],
    standing: Sequence[Box] = (),
) -> None:
    """Write a name at the least covered of `middles`, shifted inwards from the edge; add its box to `taken`.

    Omit the name if every point overlaps other text, if counters cover too much, or if the first point is invisible.
    """
    if not (0 <= middles[0][0] <= image.width and 0 <= middles[0][1] <= image.height):
        return
    free = [
        box
        for box in (about(middle, drawn, image) for middle in middles)
        if not any(box.meets(other) for other in taken)
    ]
    if free:
        box = min(free, key=lambda box: max(_covered_share(box, standing), TOUCHED))
        if _covered_share(box, standing) > HIDDEN:
            return
        image.paste(drawn, (int(box.left), int(box.top)), drawn)
        taken.append(box)


@lru_cache(maxsize=128)
def name_sprite(name: str, colour: RGB, halo: RGB, size: int, spaced: float, angle: float = 0.0) -> Image.Image:
    """Return a drawn name with a halo, turned clockwise by `angle` degrees. The image is cached: never draw on it."""
    gap, rim = round(size * spaced), max(round(size * 0.14), 2)
    across = sum(width(letter, Face.PLACE, size) + gap for letter in name) if gap else width(name, Face.PLACE, size)
    image = Image.new("RGBA", (across + 4 * rim, round(size * LINE)), (*halo, 0))
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
    return image.rotate(-angle, resample=Image.Resampling.BICUBIC, expand=True) if angle else image
