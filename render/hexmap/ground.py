"""The board without anything that moves, laid together of tiles that are drawn once and kept."""

from functools import lru_cache

from PIL import Image

from render.geometry import Box, View
from render.palette import settle

from .grid import beyond, draw_grid
from .land import bare
from .lie import Kept
from .looks import hex_look
from .names import draw_names

TILE = 384
"""Pixels of a tile: small enough that a part seen after an action shares most of them with the last."""


def ground(kept: Kept, box: Box, scale: int, style: str) -> Image.Image:
    """`box` of the board, on whole pixels, at `scale` pixels a hex. A new picture: it may be drawn on."""
    left, top, right, bottom = (round(edge * scale) for edge in box)
    image = Image.new("RGB", (right - left, bottom - top))
    for row in range(top // TILE, (bottom - 1) // TILE + 1):
        for column in range(left // TILE, (right - 1) // TILE + 1):
            image.paste(tile(kept, column, row, scale, style), (column * TILE - left, row * TILE - top))
    draw_names(image, kept.board, View(box, scale), hex_look(style))
    return image


@lru_cache(maxsize=256)
def tile(kept: Kept, column: int, row: int, scale: int, style: str) -> Image.Image:
    """A square of the plane with its land, grid and numbers, in the fixed palette. Kept: never draw on it."""
    edges = (column * TILE, row * TILE, (column + 1) * TILE, (row + 1) * TILE)
    look, view = hex_look(style), View(Box(*(edge / scale for edge in edges)), scale)
    image = bare(kept, view, style)
    draw_grid(image, kept.board, view, look)
    beyond(image, kept.board, view, look)
    return settle(image)
