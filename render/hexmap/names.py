"""Write the names of places, roads and large areas, and the numbers of hexes."""

import math
from collections.abc import Collection, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from render.fonts import Face, font, text_width
from render.geometry import Box, View
from render.lettering import haloed_text
from render.palette import RGB, mix
from render.stamp import centred_box, paste_into
from rules.core.hexboard.hex_scene import HexBoard, HexGround
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

from .grid import visible_cells
from .map_canvas import MapCanvas
from .plane import hex_centre

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
"""Diameter in hexes of a ring that names avoid, and share of a name's height that lies outside the ring."""
HIDDEN, TOUCHED = 0.25, 0.1
"""Maximum covered share of a name, and covered share that is still ignored."""
BUILDING = 0.6
"""Width in hexes of a building that names avoid."""
BENEATH = 0.42
"""Distance in hexes of a place name below the centre."""
BESIDE = 0.24
"""Distance in hexes of a road's name from the road."""
LINE = 1.5
"""Height of a written name, as a multiple of the text size."""


def draw_names(canvas: MapCanvas, board: HexBoard, avoided: Sequence[Box], ringed: Collection[Hex]) -> None:
    """Write all visible names of places, large areas and roads.

    Names avoid the boxes in `avoided` (pixels), place names also the rings around `ringed` hexes. A name without free
    space is omitted.
    """
    view, look = canvas.view, canvas.look
    named_cells = [cell for cell in board.cells if cell.name]
    rings = {at: _building_box(at, view, RINGED) for at in ringed}
    buildings = [_building_box(cell.hex, view) for cell in named_cells]
    for cell in named_cells:
        if view.box.contains(hex_centre(cell.hex)):
            x, y = hex_centre(cell.hex)
            label = name_sprite(cell.name, look.ink, look.text_halo, _fit_text_size(PLACE, canvas), 0.0)
            is_ringed = cell.hex in ringed
            across = (label.width / view.scale + (RINGED if is_ringed else COUNTER)) / 2
            away = max(BENEATH, RINGED / 2 + label.height / view.scale * CLOSE) if is_ringed else BENEATH
            spots = [(x, y + away), (x, y - away), (x + across, y), (x - across, y)]
            if is_ringed:
                spots += [(x + right * across, y + down * away) for right in (1, -1) for down in (0.6, -0.6)]
            obstacles = [*avoided, *buildings, *(box for at, box in rings.items() if at != cell.hex)]
            _write_name(canvas, label, [view.pixel(spot) for spot in spots], obstacles)
    for name in board.names:
        blue = mix(look.theme.bank, look.ink, 0.15)
        colour, behind = (blue, look.sea[1]) if name.water else (mix(look.ink, look.text_halo, 0.15), look.text_halo)
        label = name_sprite(name.name, colour, behind, _fit_text_size(WATER if name.water else ACROSS, canvas), SPACED)
        _write_name(canvas, label, [_choose_area_name_point(canvas, name.hex, label, board, avoided)])
    for line in board.lines:
        if line.name and len(line.hexes) > 1:
            _write_along_road(canvas, line.name, [hex_centre(at) for at in line.hexes])


def draw_hex_numbers(canvas: MapCanvas, board: HexBoard) -> None:
    """Write each hex's number at the top of the hex, if hexes are large enough.

    A number that would overlap a name, be cut off, or hide behind counters is omitted.
    """
    view, look, text_size = canvas.view, canvas.look, canvas.text_size
    if not has_space_for_numbers(view, text_size):
        return
    rim = max(text_size // 12, 1)
    frame = Box(0, 0, *canvas.image.size)
    colours = {behind: mix(look.ink, behind, PALE) for behind in (look.sea[2], look.text_halo)}
    for cell in visible_cells(board, view.box):
        x, y = hex_centre(cell.hex)
        x, y = view.pixel((x, y - HEAD))
        box = Box(x - text_size, y - text_size * FIGURE / 2, x + text_size, y + text_size * FIGURE / 2)
        behind = look.sea[2] if cell.ground is HexGround.SEA else look.text_halo
        is_clear_of_names = not any(box.overlaps(name) for name in canvas.name_boxes)
        if box.clip_to(frame) == box and is_clear_of_names and _covered_share(box, canvas.counter_boxes) <= HIDDEN:
            number = haloed_text(cell.hex.label, Face.PLAIN, text_size, colours[behind], behind, rim)
            number.paste_on(canvas.image, (x, y))


def has_space_for_numbers(view: View, text_size: int) -> bool:
    """Whether a hex number, in text `text_size` pixels high, fits into a hex."""
    return text_size <= view.scale * NUMBER


def _choose_area_name_point(
    canvas: MapCanvas, name_hex: Hex, label: Image.Image, board: HexBoard, avoided: Sequence[Box]
) -> Point:
    """Return the pixel on which to centre a large area's name.

    The name stands in a hex of the area's ground near `name_hex`, clear of the boxes in `avoided` if possible.
    """
    view = canvas.view
    ground = next((cell.ground for cell in board.cells if cell.hex == name_hex), None)
    middle = hex_centre(name_hex)
    if not view.box.contains(middle):
        return view.pixel(middle)
    points = [at for cell in board.cells if cell.ground is ground and view.box.contains(at := hex_centre(cell.hex))]
    near = (at for at in points if math.dist(at, middle) <= STRAY)
    visible_points = sorted(near, key=lambda at: math.dist(at, middle))

    def covered_area(at: Point) -> float:
        return centred_box(view.pixel(at), label, canvas.image).shared_area(avoided)

    free = next((at for at in visible_points if not covered_area(at)), None)
    return view.pixel(free or min(visible_points, key=covered_area, default=middle))


def _covered_share(box: Box, covering: Sequence[Box]) -> float:
    """Return the share of `box` that the boxes `covering` cover."""
    return box.shared_area(covering) / (box.width * box.height)


def _building_box(at: Hex, view: View, wide: float = BUILDING) -> Box:
    """Return the box in pixels of a building or ring in a hex, `wide` hexes wide."""
    x, y = view.pixel(hex_centre(at))
    return Box(x, y, x, y).grow(view.scale * wide / 2)


def _fit_text_size(size: tuple[float, int], canvas: MapCanvas) -> int:
    return max(min(round(canvas.view.scale * size[0]), size[1]), canvas.text_size)


def _write_along_road(canvas: MapCanvas, name: str, points: list[Point]) -> None:
    """Write the name beside the middle of a road, in the road's direction."""
    view, look = canvas.view, canvas.look
    middle = (len(points) - 1) // 2
    (x1, y1), (x2, y2) = points[middle], points[middle + 1]
    if x2 < x1:
        x1, y1, x2, y2 = x2, y2, x1, y1
    angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
    ink, size = mix(look.ink, look.text_halo, 0.1), _fit_text_size(WAY, canvas)
    turned = name_sprite(name, ink, look.text_halo, size, 0.06, angle)
    x, y = view.pixel(((x1 + x2) / 2, (y1 + y2) / 2))
    lean, off = math.radians(angle), max(BESIDE * view.scale, size * LINE / 2)
    _write_name(canvas, turned, [(x + math.sin(lean) * off, y - math.cos(lean) * off)])


def _write_name(canvas: MapCanvas, label: Image.Image, middles: Sequence[Point], avoided: Sequence[Box] = ()) -> None:
    """Write a name around the point of `middles` where the boxes in `avoided` cover it least.

    A name is omitted if it would be largely covered, or would overlap another name.
    """
    if not Box(0, 0, *canvas.image.size).contains(middles[0]):
        return
    if free := canvas.free_boxes(label, middles, canvas.name_boxes):
        box = min(free, key=lambda box: max(_covered_share(box, avoided), TOUCHED))
        if _covered_share(box, avoided) <= HIDDEN:
            paste_into(canvas.image, label, box)
            canvas.name_boxes.append(box)


@lru_cache(maxsize=128)
def name_sprite(name: str, colour: RGB, halo: RGB, size: int, spaced: float, angle: float = 0.0) -> Image.Image:
    """Return a drawn name with a halo, turned clockwise by `angle` degrees. The image is cached: never draw on it."""
    gap, rim = round(size * spaced), max(round(size * 0.14), 2)
    parts = name if gap else (name,)
    across = sum(text_width(part, Face.PLACE, size) + gap for part in parts)
    image = Image.new("RGBA", (across + 4 * rim, round(size * LINE)), (*halo, 0))
    draw = ImageDraw.Draw(image)
    face = font(Face.PLACE, size)
    for rimmed in (True, False):
        x = float(2 * rim)
        for part in parts:
            at = x, round(size * 1.1)
            if rimmed:
                pale = (*halo, 215)
                draw.text(at, part, font=face, fill=pale, anchor="ls", stroke_width=rim, stroke_fill=pale)
            else:
                draw.text(at, part, font=face, fill=colour, anchor="ls")
            x += text_width(part, Face.PLACE, size) + gap
    return image.rotate(-angle, resample=Image.Resampling.BICUBIC, expand=True) if angle else image
