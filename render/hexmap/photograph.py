"""Draw a photograph of a real map under the hexes, with the letters of the rules' terrain over it."""

from functools import lru_cache

from PIL import Image

from render import photograph
from render.fonts import Face
from render.geometry import View
from render.lettering import TextMask, text_mask
from render.palette import RGB
from rules.core.hexboard.hex_scene import HexScene

from .grid import draw_grid, visible_cells
from .land_shapes import KeyedBoard
from .lines import draw_ways
from .looks import HexLook
from .plane import box_of, centre

LETTER = 0.36
"""Height of a terrain letter, as a fraction of a hex."""


def has_letters(scene: HexScene, scale: float, words: int) -> bool:
    """Whether letters of text size `words` are written: if the scene asks for them, or if they fit well."""
    return scene.has_letters or words <= scale * LETTER


def draw_over_photograph(jpeg: bytes, scene: HexScene, view: View, look: HexLook, words: int) -> Image.Image:
    """Return the photograph with roads, rivers, hexes, and the letter of each hex's terrain (see `has_letters`)."""
    board = scene.board
    whole = box_of(cell.hex for cell in board.cells)
    field = photograph.ground(jpeg, whole, view.box, view.scale)
    draw_ways(field, KeyedBoard(board.key, board), view, look)
    draw_grid(field, board, view, look)
    if has_letters(scene, view.scale, words):
        size = max(round(view.scale * LETTER), words)
        for cell in visible_cells(board, view.box):
            if cell.letter:
                x, y = view.px(centre(cell.hex))
                drawn = letter_sprite(cell.letter, look.ink, look.wash_halo, size)
                field.paste(drawn.image, (round(x) + drawn.left, round(y) + drawn.top), drawn.image)
    return field


@lru_cache(maxsize=256)
def letter_sprite(letter: str, colour: RGB, halo: RGB, size: int) -> TextMask:
    """Return a drawn letter with its halo, and its offset from the middle. Cached: never draw on the image."""
    behind, inside = (text_mask(letter, Face.BOLD, size, "mm", each) for each in (max(size // 8, 1), 0))
    image = Image.new("RGBA", behind.image.size, halo)
    image.paste(colour, (inside.left - behind.left, inside.top - behind.top), inside.image)
    image.putalpha(behind.image)
    return TextMask(image, behind.left, behind.top)
