"""The board without anything that moves, put together from tiles that are drawn once and kept."""

import math
from itertools import product
from threading import Lock

from PIL import Image

from render.geometry import Box, View
from render.palette import settle

from .grid import beyond, draw_grid
from .land import bare
from .land_shapes import KeyedBoard
from .looks import hex_look
from .plane import box_of

TILE = 512
"""Pixels of a tile: a part seen after an action shares most of them with the last."""
AROUND = 16
"""Pixels drawn beyond a tile's edge, so that it meets the next one as if both were one picture."""
MOST = 150
"""Tiles that are kept."""
TileAt = tuple[int, int]
"""The column and row of a tile."""
Key = tuple[KeyedBoard, int, str, TileAt]


def ground(keyed: KeyedBoard, box: Box, scale: int, style: str) -> Image.Image:
    """`box` of the board, on whole pixels, at `scale` pixels a hex. A new picture: it may be drawn on."""
    left, top, right, bottom = (round(edge * scale) for edge in box)
    image = Image.new("RGB", (right - left, bottom - top))
    rows, columns = range(top // TILE, (bottom - 1) // TILE + 1), range(left // TILE, (right - 1) // TILE + 1)
    for row, column in product(rows, columns):
        tile = TILES.at(keyed, (column, row), scale, style)
        image.paste(tile, (column * TILE - left, row * TILE - top))
    return image


class Tiles:
    """Squares of the plane with their land and grid; unused ones are forgotten. Never draw on one."""

    def __init__(self) -> None:
        self._kept: dict[Key, Image.Image] = {}
        self._lock = Lock()

    def at(self, keyed: KeyedBoard, at: TileAt, scale: int, style: str) -> Image.Image:
        """One tile. It is drawn alone, so its pixels hang on nothing that was drawn before."""
        key = (keyed, scale, style, at)
        with self._lock:
            tile = self._kept.pop(key, None)
        tile = tile or _drawn(keyed, at, scale, style)
        with self._lock:
            self._kept[key] = tile
            for old in list(self._kept)[:-MOST]:
                del self._kept[old]
        return tile

    def cache_clear(self) -> None:
        """Forgets all."""
        with self._lock:
            self._kept.clear()


TILES = Tiles()


def _drawn(keyed: KeyedBoard, at: TileAt, scale: int, style: str) -> Image.Image:
    """A new tile, in the fixed palette, cut from a picture that reaches a little further."""
    left, top = (index * TILE for index in at)
    board = box_of(cell.hex for cell in keyed.board.cells)
    west, north, east, south = (edge * scale for edge in board)
    common = (
        Box(left, top, left + TILE, top + TILE)
        .grown(AROUND)
        .within(Box(math.floor(west), math.floor(north), math.ceil(east), math.ceil(south)))
    )
    look, view = hex_look(style), View(Box(*(edge / scale for edge in common)), scale)
    image = bare(keyed, view, style)
    draw_grid(image, keyed.board, view, look)
    beyond(image, keyed.board, view, look)
    left, top = round(left - common.left), round(top - common.top)
    return settle(image).crop((left, top, left + TILE, top + TILE))
