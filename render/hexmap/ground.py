"""Draw the board without units or notes, from cached tiles."""

import hashlib
import math
from functools import lru_cache, partial

from PIL import Image

from render.fixed_palette import to_fixed_palette
from render.geometry import Box, View
from render.tiles import TiledGround

from .grid import blank_outside_board, draw_grid
from .land import draw_land
from .land_shapes import KeyedBoard, board_box
from .looks import hex_look

AROUND = 16
"""Margin in pixels drawn around a tile before cutting, so that neighbouring tiles join seamlessly."""


def hex_map_ground(keyed: KeyedBoard, scale: int, style: str) -> TiledGround:
    """Return the ground of a board at `scale` pixels per hex."""
    content = f"hexes|{_board_hash(keyed)}|{scale}|{style}"
    return TiledGround(content, board_box(keyed), scale, partial(_draw_tile, keyed, scale, style))


@lru_cache(maxsize=32)
def _board_hash(keyed: KeyedBoard) -> str:
    return hashlib.sha256(keyed.board.model_dump_json().encode()).hexdigest()


def _draw_tile(keyed: KeyedBoard, scale: int, style: str, tile: Box) -> Image.Image:
    """Return a tile in the fixed palette, cut from a slightly larger drawing so that edges match."""
    west, north, east, south = (edge * scale for edge in board_box(keyed))
    board = Box(math.floor(west), math.floor(north), math.ceil(east), math.ceil(south))
    common = tile.grow(AROUND).clip_to(board)
    look, view = hex_look(style), View(Box(*(edge / scale for edge in common)), scale)
    image = draw_land(keyed, view, style)
    draw_grid(image, keyed.board, view, look)
    blank_outside_board(image, keyed.board, view, look)
    left, top = round(tile.left - common.left), round(tile.top - common.top)
    return to_fixed_palette(image).crop((left, top, left + round(tile.width), top + round(tile.height)))
