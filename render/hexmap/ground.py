"""The board without anything that moves, laid together of tiles that are drawn once and kept."""

import math
from collections.abc import Collection
from threading import Lock

from PIL import Image

from render.geometry import Box, View
from render.palette import settle
from rules.core.hexboard.hexes import Hex

from .grid import beyond, draw_grid
from .land import bare
from .lie import Kept
from .looks import hex_look
from .names import draw_names
from .plane import box_of

TILE = 128
"""Pixels of a tile: small enough that a part seen after an action shares most of them with the last."""
MOST = 2400
"""Tiles that are kept."""
Spot = tuple[int, int]
"""A tile's column and row."""
Key = tuple[Kept, int, str, Spot]


def ground(kept: Kept, box: Box, scale: int, style: str, standing: Collection[Hex]) -> Image.Image:
    """`box` of the board, on whole pixels, at `scale` pixels a hex, with its names clear of who is `standing` there.

    A new picture: it may be drawn on.
    """
    left, top, right, bottom = (round(edge * scale) for edge in box)
    image = Image.new("RGB", (right - left, bottom - top))
    rows, columns = range(top // TILE, (bottom - 1) // TILE + 1), range(left // TILE, (right - 1) // TILE + 1)
    spots = [(column, row) for row in rows for column in columns]
    for (column, row), tile in TILES.at(kept, spots, scale, style).items():
        image.paste(tile, (column * TILE - left, row * TILE - top))
    draw_names(image, kept.board, View(box, scale), hex_look(style), standing)
    return image


class Tiles:
    """Squares of the plane with their land, grid and numbers; the least wanted are forgotten. Never draw on one."""

    def __init__(self) -> None:
        self._kept: dict[Key, Image.Image] = {}
        self._lock = Lock()

    def at(self, kept: Kept, spots: list[Spot], scale: int, style: str) -> dict[Spot, Image.Image]:
        """The tiles at those spots; what is missing is drawn in one go."""
        keys: dict[Spot, Key] = {spot: (kept, scale, style, spot) for spot in spots}
        with self._lock:
            found = {spot: self._kept[key] for spot, key in keys.items() if key in self._kept}
        missing = [spot for spot in spots if spot not in found]
        if missing:
            found |= _drawn(kept, missing, scale, style)
        with self._lock:
            for spot, tile in found.items():
                self._kept.pop(keys[spot], None)
                self._kept[keys[spot]] = tile
            for key in list(self._kept)[:-MOST]:
                del self._kept[key]
        return found

    def cache_clear(self) -> None:
        """Forgets all."""
        with self._lock:
            self._kept.clear()


TILES = Tiles()


def _drawn(kept: Kept, spots: list[Spot], scale: int, style: str) -> dict[Spot, Image.Image]:
    """New tiles, in the fixed palette, cut out of one picture of what they and the board have in common."""
    columns, rows = zip(*spots, strict=True)
    tiles = Box(min(columns) * TILE, min(rows) * TILE, (max(columns) + 1) * TILE, (max(rows) + 1) * TILE)
    west, north, east, south = (edge * scale for edge in box_of(cell.hex for cell in kept.board.cells))
    board = Box(math.floor(west), math.floor(north), math.ceil(east), math.ceil(south))
    common = tiles.within(board)
    look, view = hex_look(style), View(Box(*(edge / scale for edge in common)), scale)
    image = bare(kept, view, style)
    draw_grid(image, kept.board, view, look)
    beyond(image, kept.board, view, look)
    whole = settle(image)
    corners = {(column, row): (int(column * TILE - common.left), int(row * TILE - common.top)) for column, row in spots}
    return {spot: whole.crop((left, top, left + TILE, top + TILE)) for spot, (left, top) in corners.items()}
