"""Draw the table's ground and terrain, without units, from cached tiles."""

import hashlib
import math
import random
from functools import lru_cache, partial
from itertools import product

from PIL import Image, ImageDraw

from rules.core.scene import Feature, Ground, Point, TableScene, TerrainPiece
from rules.core.tabletop.squares import GRID

from .fixed_palette import to_fixed_palette
from .geometry import Box, View, bounding_box
from .palette import RGB, Theme, mix, theme
from .pen import Pen, map_pen
from .terrain import DRAWERS
from .tiles import TILE, TiledGround
from .wash import draw_blotches

FINER = 2
BLOTCH = 3.0
"""Size of a wash blotch, in inches."""
SPARSE, SPECK = 3.0, 2.0
"""Distance between specks, and radius of a speck, in inches."""
BEYOND = 2.0
"""Maximum distance in inches by which a drawing extends beyond its terrain piece."""
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


def table_ground(scene: TableScene, scale: float, style: str) -> TiledGround:
    """Return the ground of a table at `scale` pixels per inch."""
    table = Box(0, 0, scene.width, scene.height)
    content = f"table|{scene.ground}|{scene.width}x{scene.height}|{_terrain_hash(scene.terrain)}|{scale!r}|{style}"
    return TiledGround(content, table, scale, partial(_draw_tile, scene, scale, style))


@lru_cache(maxsize=32)
def _terrain_hash(terrain: tuple[TerrainPiece, ...]) -> str:
    digest = hashlib.sha256()
    for piece in terrain:
        digest.update(piece.model_dump_json().encode())
    return digest.hexdigest()


def _draw_tile(scene: TableScene, scale: float, style: str, tile: Box) -> Image.Image:
    """Return a tile in the fixed palette; terrain pieces are drawn whole, so that tiles match."""
    cut = tile.clip_to(Box(0, 0, math.ceil(scene.width * scale), math.ceil(scene.height * scale)))
    size = round(cut.width) * FINER, round(cut.height) * FINER
    look, box = theme(style, scene.ground), Box(*(edge / scale for edge in cut))
    view = View(box, scale * FINER)
    tones = draw_blotches(box, BLOTCH, size)
    tones.putpalette([part for tone in look.wash for part in tone])
    image = tones.convert("RGB")
    pen = map_pen(image, view)
    _draw_specks(pen, scene.ground, view, look)
    for feature in BOTTOM_UP:
        for piece in scene.terrain:
            if piece.feature is feature and bounding_box(piece.points).grow(piece.width / 2 + BEYOND).overlaps(box):
                DRAWERS[feature](pen, piece, look)
    image = image.reduce(FINER)
    _draw_grid(image, View(box, scale), look)
    return to_fixed_palette(image).crop((0, 0, TILE, TILE))


def _draw_specks(pen: Pen, kind: Ground, view: View, look: Theme) -> None:
    """Draw sparse sand ripples, grass tufts or stones, about one per square of `SPARSE` inches."""
    if look.speck == look.paper:
        return
    area = view.box.grow(SPECK)
    columns = range(math.floor(area.left / SPARSE), math.ceil(area.right / SPARSE))
    rows = range(math.floor(area.top / SPARSE), math.ceil(area.bottom / SPARSE))
    for row, column in product(rows, columns):
        dice = random.Random(row * 1000 + column)
        at = (column + dice.random()) * SPARSE, (row + dice.random()) * SPARSE
        _draw_speck(pen, at, kind, look.speck, 1 / view.scale, dice)


def _draw_speck(pen: Pen, at: Point, kind: Ground, colour: RGB, fine: float, dice: random.Random) -> None:
    """Draw one ripple, stone or tuft; `fine` is the length of one pixel in inches."""
    x, y = at
    if kind is Ground.DESERT:
        length = dice.uniform(0.3, 0.8)
        for row in range(dice.choice((1, 2, 2, 3))):
            shift = row * 0.22
            arc = [
                (x + shift + part * length, y + shift + (0.1, 0.02, 0.0, 0.04)[i])
                for i, part in enumerate((0, 0.33, 0.66, 1))
            ]
            pen.line(arc, colour, fine * 1.6)
    elif kind is Ground.HILLS:
        size = dice.uniform(0.05, 0.14)
        pen.line([(x - size, y + size), (x, y - size), (x + size * 1.2, y + size * 0.6)], colour, fine * 2)
    else:
        for lean in (-0.16, 0.0, 0.16):
            pen.line([(x + lean * 0.4, y), (x + lean, y - 0.26 + abs(lean) * 0.4)], colour, fine * 2)


def _draw_grid(image: Image.Image, view: View, look: Theme) -> None:
    """Draw thin lines between the squares of the table."""
    mask = Image.new("L", image.size)
    draw = ImageDraw.Draw(mask)
    for number in range(int(view.box.left // GRID), int(view.box.right // GRID) + 2):
        x = round((number * GRID - view.box.left) * view.scale)
        draw.line((x, 0, x, image.height), fill=72)
    for number in range(int(view.box.top // GRID), int(view.box.bottom // GRID) + 2):
        y = round((number * GRID - view.box.top) * view.scale)
        draw.line((0, y, image.width, y), fill=72)
    image.paste(mix(look.ink, look.paper, 0.1), (0, 0), mask)
