"""A full map against the same table drawn the plain way with Pillow: `python -m benchmarks.draw`.

The plain way is what one writes first: twice the size for smooth edges, thousands of small calls, nothing kept from
one picture to the next, full colour, the usual PNG. It draws the same ground, terrain, grid, units and names, with
less finish and without finding room for the writing. Prints medians, and their ratio.
"""

import random
import statistics
import time
from collections.abc import Callable
from importlib.resources import files
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from render import bases, ground, markers, plates
from render.geometry import corners
from render.table import draw
from rules.core.scene import Feature, TableScene
from tests.render.samples import BATTLE

ROUNDS = 15
SCALE = 36
"""Pixels an inch at twice the size."""
COLOURS = {
    Feature.HILL: "#c8a878",
    Feature.WOOD: "#90a878",
    Feature.ROUGH: "#b8ac98",
    Feature.MARSH: "#b8ccc0",
    Feature.RIVER: "#90bcd0",
    Feature.ROAD: "#faecc8",
    Feature.BUILDING: "#cc8e68",
}


def plainly(scene: TableScene) -> bytes:
    """The table the plain way."""
    size = int(scene.width * SCALE), int(scene.height * SCALE)
    image = Image.new("RGB", size, "#eedbb2")
    pen = ImageDraw.Draw(image)
    dice = random.Random(1)
    for _ in range(8_000):
        x, y = dice.randrange(size[0]), dice.randrange(size[1])
        pen.ellipse((x, y, x + 3, y + 3), fill=dice.choice(("#e4cfa0", "#f2e2c0", "#d8c090")))
    for piece in scene.terrain:
        points = [(x * SCALE, y * SCALE) for x, y in piece.points]
        colour = COLOURS.get(piece.feature, "#443322")
        if piece.closed:
            pen.polygon(points, fill=colour, outline="black")
        else:
            pen.line(points, fill=colour, width=int(piece.width * SCALE))
        left, top = min(x for x, _ in points), min(y for _, y in points)
        right, bottom = max(x for x, _ in points), max(y for _, y in points)
        for _ in range(int((right - left) * (bottom - top) / 900)):
            x, y = dice.uniform(left, right), dice.uniform(top, bottom)
            pen.ellipse((x, y, x + 12, y + 12), fill=colour, outline="#554433")
        _write(pen, (left, top), piece.name)
    for inches in range(0, int(scene.width) + 1, 12):
        pen.line((inches * SCALE, 0, inches * SCALE, size[1]), fill="#c0a880", width=2)
    for inches in range(0, int(scene.height) + 1, 12):
        pen.line((0, inches * SCALE, size[0], inches * SCALE), fill="#c0a880", width=2)
    for base in scene.bases:
        ring = [(x * SCALE, y * SCALE) for x, y in corners(base.at, base.facing, base.frontage, base.depth)]
        pen.polygon(ring, fill="#b0242c" if base.side == scene.sides[0].id else "#e6eef4", outline="black", width=4)
        pen.line((ring[0], ring[2]), fill="white", width=4)
        pen.line((ring[1], ring[3]), fill="white", width=4)
        _write(pen, (base.at[0] * SCALE, base.at[1] * SCALE + 40), f"{base.name} {base.strength}")
        for number, marker in enumerate(base.markers):
            _write(pen, (base.at[0] * SCALE + 40 * number, base.at[1] * SCALE + 90), marker.value)
    for arrow in scene.arrows:
        pen.line([(x * SCALE, y * SCALE) for x, y in (arrow.start, arrow.end)], fill="#b0242c", width=12)
    _write(pen, (40, 40), scene.title)
    out = BytesIO()
    image.resize((size[0] // 2, size[1] // 2), Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()


def _write(pen: ImageDraw.ImageDraw, at: tuple[float, float], text: str) -> None:
    face = ImageFont.truetype(str(files("render.fonts") / "DejaVuSansCondensed.ttf"), 40)
    pen.text(at, text, fill="black", font=face, stroke_width=4, stroke_fill="white")


def moved(number: int) -> TableScene:
    """The battle with every unit elsewhere by a little, as after a turn: only the ground may be reused."""
    shift = number * 0.01
    stepped = tuple(base.model_copy(update={"at": (base.at[0] + shift, base.at[1])}) for base in BATTLE.bases)
    return BATTLE.model_copy(update={"bases": stepped})


def forget() -> None:
    """Empties every cache of pictures."""
    for kept in (ground.ground, bases.base_sprite, plates.plate, plates.place_name, markers.badge):
        kept.cache_clear()


def median(job: Callable[[int], bytes], before: Callable[[], None] = lambda: None) -> tuple[float, int]:
    """Milliseconds of the middle run, and the bytes of the last picture."""
    took, made = [], b""
    for number in range(ROUNDS):
        before()
        start = time.perf_counter()
        made = job(number)
        took.append((time.perf_counter() - start) * 1000)
    return statistics.median(took), len(made)


def main() -> None:
    """Draws, measures, prints."""
    draw(BATTLE)
    first, _ = median(lambda number: draw(moved(number)), forget)
    later, size = median(lambda number: draw(moved(number)))
    plain, plain_size = median(lambda number: plainly(moved(number)))
    units = len(BATTLE.bases)
    print(f'a full map of 72" x 48" with {units} units, median of {ROUNDS}:')
    print(f"  first of its table   {first:7.1f} ms  {size // 1024:5d} KB")
    print(f"  ground kept          {later:7.1f} ms  {size // 1024:5d} KB")
    print(f"  the plain way        {plain:7.1f} ms  {plain_size // 1024:5d} KB")
    print(f"  ratio, plain to ours {plain / later:7.1f}     (first of its table: {plain / first:.1f})")


if __name__ == "__main__":
    main()
