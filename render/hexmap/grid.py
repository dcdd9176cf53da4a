"""Draw the outlines of hexes, and blank paper outside the board."""

from PIL import Image, ImageDraw

from render.geometry import Box, View
from rules.core.hexboard.hex_scene import HexBoard, HexCell, HexGround

from .looks import HexLook
from .plane import CORNERS, hex_centre, hex_outline

LINE, LINE_STRENGTH, WATER_STRENGTH = 1.2, 92, 60
FINER = 2
"""Supersampling factor of the outlines."""
MARGIN = 0.6


def visible_cells(board: HexBoard, box: Box) -> list[HexCell]:
    """Return the board's cells that may overlap `box`."""
    area = box.grow(MARGIN)
    return [cell for cell in board.cells if area.contains(hex_centre(cell.hex))]


def draw_grid(image: Image.Image, board: HexBoard, view: View, look: HexLook) -> None:
    """Draw thin hex outlines, paler on the sea."""
    cells, size = visible_cells(board, view.box), view.scale * FINER
    for water, colour, strength in ((True, look.theme.bank, WATER_STRENGTH), (False, look.ink, LINE_STRENGTH)):
        mask = Image.new("L", (image.width * FINER, image.height * FINER))
        draw = ImageDraw.Draw(mask)
        for cell in cells:
            if (cell.ground is HexGround.SEA) is water:
                x, y = view.pixel(hex_centre(cell.hex))
                ring = [(x * FINER + dx * size, y * FINER + dy * size) for dx, dy in (*CORNERS, CORNERS[0])]
                draw.line(ring, fill=strength, width=round(LINE * FINER))
        image.paste(colour, mask=mask.reduce(FINER))


def blank_outside_board(image: Image.Image, board: HexBoard, view: View, look: HexLook) -> None:
    """Fill the area outside the board's hexes with blank paper."""
    mask = Image.new("1", image.size, 1)
    draw = ImageDraw.Draw(mask)
    for cell in visible_cells(board, view.box):
        draw.polygon([view.pixel(corner) for corner in hex_outline(cell.hex, 1.02)], fill=0)
    image.paste(look.theme.paper, mask=mask)
