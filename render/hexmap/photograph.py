"""Draw a photograph of a printed map under the hexes, and terrain letters over the photograph."""

from PIL import Image

from render import photograph
from render.fonts import Face
from render.geometry import View
from render.lettering import haloed_text
from rules.core.hexboard.hex_scene import HexScene

from .grid import draw_grid, visible_cells
from .land_shapes import KeyedBoard
from .lines import draw_rivers_and_roads
from .looks import HexLook
from .plane import box_around_hexes, hex_centre

LETTER = 0.36
"""Height of a terrain letter, as a fraction of a hex."""


def has_terrain_letters(scene: HexScene, scale: float, text_size: int) -> bool:
    """Whether terrain letters are drawn: always if the scene says so, otherwise if there is space."""
    return scene.has_letters or text_size <= scale * LETTER


def draw_over_photograph(jpeg: bytes, scene: HexScene, view: View, look: HexLook, text_size: int) -> Image.Image:
    """Return the photograph with roads, rivers, hexes and terrain letters (see `has_terrain_letters`)."""
    board = scene.board
    map_area = box_around_hexes(cell.hex for cell in board.cells)
    field = photograph.cut_photograph(jpeg, map_area, view.box, view.scale)
    draw_rivers_and_roads(field, KeyedBoard(board.key, board), view, look)
    draw_grid(field, board, view, look)
    if has_terrain_letters(scene, view.scale, text_size):
        size = max(round(view.scale * LETTER), text_size)
        for cell in visible_cells(board, view.box):
            if cell.letter:
                letter = haloed_text(cell.letter, Face.BOLD, size, look.ink, look.text_halo, max(size // 8, 1))
                letter.paste_on(field, view.pixel(hex_centre(cell.hex)))
    return field
