"""The table without its units: ground and terrain, drawn once for a table and kept."""

import random
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from rules.core.scene import Feature, Ground, TerrainPiece
from rules.core.tabletop.squares import GRID

from .geometry import Box, View, around
from .palette import RGB, Theme, mix, settle, theme
from .pen import Pen
from .terrain import DRAWN

FINER = 2
BEYOND = 2.0
"""Inches by which what is drawn of a piece may reach beyond it."""
BOTTOM_UP = (
    Feature.MARSH,
    Feature.HILL,
    Feature.ROUGH,
    Feature.RIVER,
    Feature.ROAD,
    Feature.RAILWAY,
    Feature.ZAREBA,
    Feature.EARTHWORKS,
    Feature.SANDBAGS,
    Feature.SANGAR,
    Feature.BUILDING,
    Feature.WOOD,
)


@lru_cache(maxsize=24)
def ground(kind: Ground, box: Box, scale: float, terrain: tuple[TerrainPiece, ...], style: str) -> Image.Image:
    """The ground of `box` at `scale` pixels an inch, in the fixed palette. Kept: never draw on it."""
    look = theme(style, kind)
    view = View(box, scale * FINER)
    size = round(box.width * scale) * FINER, round(box.height * scale) * FINER
    image = toned(blotches(_noise(size, scale * FINER)), look.wash)
    _specks(image, kind, view, look)
    for feature in BOTTOM_UP:
        for piece in terrain:
            if piece.feature is feature and around(piece.points).grown(piece.width / 2 + BEYOND).meets(box):
                DRAWN[feature](image, piece, view, look)
    image = image.reduce(FINER)
    _grid(image, View(box, scale), look)
    return settle(image)


def _noise(size: tuple[int, int], scale: float) -> Image.Image:
    """Soft noise of that many pixels, its measure three inches."""
    across, down = (max(round(length / scale / 3), 2) for length in size)
    noise = Image.frombytes("L", (across, down), random.Random(across * 1000 + down).randbytes(across * down))
    return noise.resize(size, Image.Resampling.BICUBIC)


def blotches(noise: Image.Image) -> Image.Image:
    """Noise in the tones 0, 1 and 2, like colour laid on wet paper."""
    tones = noise.point([0 if v < 96 else 1 if v < 160 else 2 for v in range(256)])
    return Image.frombytes("P", noise.size, tones.tobytes())


def toned(blotted: Image.Image, tones: Sequence[RGB]) -> Image.Image:
    """Blotches in three colours."""
    blotted.putpalette([part for tone in tones for part in tone])
    return blotted.convert("RGB")


def _specks(image: Image.Image, kind: Ground, view: View, look: Theme) -> None:
    """A sparse texture: ripples of sand, tufts of grass or stones."""
    if look.speck == look.paper:
        return
    dice = random.Random(int(view.box.left * 7 + view.box.top * 13))
    pen = Pen(ImageDraw.Draw(image), zoom=view.scale)
    across, down = view.box.width, view.box.height
    fine = 1 / view.scale
    for _ in range(int(across * down / 9)):
        x, y = dice.uniform(0, across), dice.uniform(0, down)
        if kind is Ground.DESERT:
            length = dice.uniform(0.3, 0.8)
            for row in range(dice.choice((1, 2, 2, 3))):
                shift = row * 0.22
                arc = [
                    (x + shift + part * length, y + shift + (0.1, 0.02, 0.0, 0.04)[i])
                    for i, part in enumerate((0, 0.33, 0.66, 1))
                ]
                pen.line(arc, look.speck, fine * 1.6)
        elif kind is Ground.HILLS:
            size = dice.uniform(0.05, 0.14)
            pen.line([(x - size, y + size), (x, y - size), (x + size * 1.2, y + size * 0.6)], look.speck, fine * 2)
        else:
            for lean in (-0.16, 0.0, 0.16):
                pen.line([(x + lean * 0.4, y), (x + lean, y - 0.26 + abs(lean) * 0.4)], look.speck, fine * 2)


def _grid(image: Image.Image, view: View, look: Theme) -> None:
    mask = Image.new("L", image.size)
    draw = ImageDraw.Draw(mask)
    first, last = int(view.box.left // GRID), int(view.box.right // GRID) + 1
    for number in range(first, last + 1):
        x = round((number * GRID - view.box.left) * view.scale)
        draw.line((x, 0, x, image.height), fill=72)
    first, last = int(view.box.top // GRID), int(view.box.bottom // GRID) + 1
    for number in range(first, last + 1):
        y = round((number * GRID - view.box.top) * view.scale)
        draw.line((0, y, image.width, y), fill=72)
    image.paste(mix(look.ink, look.paper, 0.1), (0, 0), mask)
