"""The board without anything that moves, put together from tiles that are drawn once and kept."""

import math
from collections.abc import Collection
from threading import Lock

from PIL import Image

from render.geometry import Box, View
from render.palette import settle
from rules.core.hexboard.hexes import Hex

from .grid import beyond, draw_grid
from .land import bare
from .land_shapes import KeyedBoard
from .looks import hex_look
from .names import draw_names
from .plane import box_of

TILE = 128
"""Pixels of a tile: small enough that a part seen after an action shares most of them with the last."""
MOST = 2400
"""Tiles that are kept."""
TileAt = tuple[int, int]
"""The column and row of a tile."""
Key = tuple[KeyedBoard, int, str, TileAt]


def ground(keyed: KeyedBoard, box: Box, scale: int, style: str, standing: Collection[Hex]) -> Image.Image:
    """`box` of the board, on whole pixels, at `scale` pixels a hex, with its names clear of the units `standing` there.

    A new picture: it may be drawn on.
    """
    left, top, right, bottom = (round(edge * scale) for edge in box)
    image = Image.new("RGB", (right - left, bottom - top))
    rows, columns = range(top // TILE, (bottom - 1) // TILE + 1), range(left // TILE, (right - 1) // TILE + 1)
    tiles_at = [(column, row) for row in rows for column in columns]
    for (column, row), tile in TILES.at(keyed, tiles_at, scale, style).items():
        image.paste(tile, (column * TILE - left, row * TILE - top))
    draw_names(image, keyed.board, View(box, scale), hex_look(style), standing)
    return image


class Tiles:
    """Squares of the plane with their land, grid and numbers; unused ones are forgotten. Never draw on one."""

    def __init__(self) -> None:
        self._kept: dict[Key, Image.Image] = {}
        self._lock = Lock()

    def at(self, keyed: KeyedBoard, tiles_at: list[TileAt], scale: int, style: str) -> dict[TileAt, Image.Image]:
        """The tiles at those tiles_at; what is missing is drawn in one go."""
        keys: dict[TileAt, Key] = {at: (keyed, scale, style, at) for at in tiles_at}
        with self._lock:
            found = {at: self._kept[key] for at, key in keys.items() if key in self._kept}
        missing = [at for at in tiles_at if at not in found]
        if missing:
            found |= _drawn(keyed, missing, scale, style)
        with self._lock:
            for at, tile in found.items():
                self._kept.pop(keys[at], None)
                self._kept[keys[at]] = tile
            for key in list(self._kept)[:-MOST]:
                del self._kept[key]
        return found

    def cache_clear(self) -> None:
        """Forgets all."""
        with self._lock:
            self._kept.clear()


TILES = Tiles()


def _drawn(keyed: KeyedBoard, tiles_at: list[TileAt], scale: int, style: str) -> dict[TileAt, Image.Image]:
    """New tiles, in the fixed palette, cut from one picture of the part of the board that they cover."""
    columns, rows = zip(*tiles_at, strict=True)
    tiles = Box(min(columns) * TILE, min(rows) * TILE, (max(columns) + 1) * TILE, (max(rows) + 1) * TILE)
    west, north, east, south = (edge * scale for edge in box_of(cell.hex for cell in keyed.board.cells))
    board = Box(math.floor(west), math.floor(north), math.ceil(east), math.ceil(south))
    common = tiles.within(board)
    look, view = hex_look(style), View(Box(*(edge / scale for edge in common)), scale)
    image = bare(keyed, view, style)
    draw_grid(image, keyed.board, view, look)
    beyond(image, keyed.board, view, look)
    whole = settle(image)
    corners = {
        (column, row): (int(column * TILE - common.left), int(row * TILE - common.top)) for column, row in tiles_at
    }
    return {at: whole.crop((left, top, left + TILE, top + TILE)) for at, (left, top) in corners.items()}
