"""Maps compared with the same maps drawn plainly with Pillow: `python -m benchmarks.draw`.

The plain code is a first attempt: double size for smooth edges, thousands of small calls, no reuse between pictures,
full colour, the usual PNG. It draws the same terrain, grid, units and names, with less finish and without placing
texts; it draws every hex anew with its number. Prints medians and their ratio: for a table, a whole hex map, and the
part shown after an action.
"""

import random
import statistics
import time
from collections.abc import Callable
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw, ImageFont

from render import badges, bases, dice, lettering, plates, scenes, table, tiles
from render.geometry import Box, View, bounding_box, rotated_corners
from render.hexmap import (
    counters,
    growth,
    heights,
    land_shapes,
    legend,
    names,
    network,
    notes,
    scatter,
    waters,
)
from render.hexmap.picture import plan_picture, visible_part
from render.hexmap.plane import hex_centre, hex_outline
from render.scenes import draw
from rules.core.hexboard.hex_scene import HexGround, HexScene
from rules.core.scene import Feature, TableScene
from tests.render.great_war_samples import SCENE as GREAT_WAR
from tests.render.hex_samples import SCENE
from tests.render.samples import BATTLE

ROUNDS = 15
COLOURS = {
    Feature.HILL: "#c8a878",
    Feature.WOOD: "#90a878",
    Feature.ROUGH: "#b8ac98",
    Feature.MARSH: "#b8ccc0",
    Feature.RIVER: "#90bcd0",
    Feature.ROAD: "#faecc8",
    Feature.BUILDING: "#cc8e68",
}


def draw_plainly(scene: TableScene, area: Box | None = None) -> bytes:
    """Draw the table (or `area`) without tiles, at the same scale."""
    part = table.visible_part(scene, area)
    finer = table.plan_picture(scene, area, "campaign").view.scale * 2
    size = int(part.width * finer), int(part.height * finer)
    image = Image.new("RGB", size, "#eedbb2")
    pen = ImageDraw.Draw(image)
    view, dice = View(part, finer), random.Random(1)
    for _ in range(8_000):
        x, y = dice.randrange(size[0]), dice.randrange(size[1])
        pen.ellipse((x, y, x + 3, y + 3), fill=dice.choice(("#e4cfa0", "#f2e2c0", "#d8c090")))
    for piece in scene.terrain:
        points = [view.pixel(point) for point in piece.points]
        colour = COLOURS.get(piece.feature, "#443322")
        if piece.closed:
            pen.polygon(points, fill=colour, outline="black")
        else:
            pen.line(points, fill=colour, width=int(piece.width * finer))
        left, top = min(x for x, _ in points), min(y for _, y in points)
        right, bottom = max(x for x, _ in points), max(y for _, y in points)
        for _ in range(int((right - left) * (bottom - top) / 900)):
            x, y = dice.uniform(left, right), dice.uniform(top, bottom)
            pen.ellipse((x, y, x + 12, y + 12), fill=colour, outline="#554433")
        _write(pen, (left, top), piece.name)
    for inches in range(0, int(scene.width) + 1, 12):
        x, _ = view.pixel((inches, 0))
        pen.line((x, 0, x, size[1]), fill="#c0a880", width=2)
    for inches in range(0, int(scene.height) + 1, 12):
        _, y = view.pixel((0, inches))
        pen.line((0, y, size[0], y), fill="#c0a880", width=2)
    for base in scene.bases:
        ring = [view.pixel(corner) for corner in rotated_corners(base.at, base.facing, base.frontage, base.depth)]
        pen.polygon(ring, fill="#b0242c" if base.side == scene.sides[0].id else "#e6eef4", outline="black", width=4)
        pen.line((ring[0], ring[2]), fill="white", width=4)
        pen.line((ring[1], ring[3]), fill="white", width=4)
        x, y = view.pixel(base.at)
        _write(pen, (x, y + 40), f"{base.name} {base.strength}")
        for number, marker in enumerate(base.markers):
            _write(pen, (x + 40 * number, y + 90), marker.value)
    for arrow in scene.arrows:
        pen.line([view.pixel(point) for point in (arrow.start, arrow.end)], fill="#b0242c", width=12)
    _write(pen, (40, 40), scene.title)
    out = BytesIO()
    image.resize((size[0] // 2, size[1] // 2), Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()


def _write(pen: ImageDraw.ImageDraw, at: tuple[float, float], text: str) -> None:
    if not text:
        return
    face = ImageFont.truetype(str(files("render.fonts") / "DejaVuSansCondensed.ttf"), 40)
    pen.text(at, text, fill="black", font=face, stroke_width=4, stroke_fill="white")


def move_units(number: int) -> TableScene:
    """Return the battle with all units slightly moved, as after a turn: only terrain can be reused."""
    shift = number * 0.01
    stepped = tuple(base.model_copy(update={"at": (base.at[0] + shift, base.at[1])}) for base in BATTLE.bases)
    return BATTLE.model_copy(update={"bases": stepped})


GROUND_COLOURS = dict(
    zip(
        HexGround,
        (
            "#92bed0",
            "#efe5c0",
            "#f8ecc8",
            "#e8dc94",
            "#d8dea6",
            "#bcce92",
            "#d4d298",
            "#a08050",
            "#b0c8ac",
            "#b08850",
            "#e8d2a8",
            "#e6ceb8",
            "#96222a",
            *(
                "#ceba92",
                "#bea67e",
                "#b2b484",
                "#d6c8b4",
                "#e4d0a0",
                "#86aab6",
                "#86aab6",
                "#c8b088",
                "#b0c8ac",
                "#bcce92",
            ),
        ),
        strict=True,
    )
)
GROWTHS_PER_HEX = 14
"""Number of trees or houses per hex."""


def draw_hexes_plainly(scene: HexScene, area: Box | None = None) -> bytes:
    """Draw the hex map (or `area`) without tiles, at the same scale."""
    part = visible_part(scene, area)
    scale = plan_picture(scene, area, "campaign").view.scale
    view = View(part, scale * 2)
    image = Image.new("RGB", (round(part.width * scale * 2), round(part.height * scale * 2)), "#faf5e8")
    pen, dice = ImageDraw.Draw(image), random.Random(1)
    margin = part.grow(0.6)
    for cell in scene.board.cells:
        if not margin.contains(hex_centre(cell.hex)):
            continue
        corners = [view.pixel(corner) for corner in hex_outline(cell.hex)]
        pen.polygon(corners, fill=GROUND_COLOURS[cell.ground], outline="gray")
        x, y = view.pixel(hex_centre(cell.hex))
        if cell.ground is not HexGround.SEA:
            for _ in range(GROWTHS_PER_HEX):
                dx, dy = dice.uniform(-scale, scale) * 0.7, dice.uniform(-scale, scale) * 0.7
                pen.ellipse((x + dx - 8, y + dy - 8, x + dx + 8, y + dy + 8), fill="#42703f", outline="#2a2a1e")
        _write(pen, (x - 30, y - scale), cell.hex.label)
        _write(pen, (x - 30, y + scale / 2), cell.name)
    for line in scene.board.lines:
        pen.line([view.pixel(hex_centre(at)) for at in line.hexes], fill="#2a231e", width=8)
    for stack in scene.stacks:
        for number, counter in enumerate(reversed(stack.counters)):
            x, y = (edge + 8 * number for edge in view.pixel(hex_centre(stack.hex)))
            half = scale * 0.7
            fill = "#b0242c" if counter.side == scene.sides[0].id else "#e6eef4"
            pen.rectangle((x - half, y - half, x + half, y + half), fill=fill, outline="black", width=4)
            pen.line((x - half / 2, y - half / 2, x + half / 2, y + half / 2), fill="white", width=4)
            _write(pen, (x - half, y - half), counter.formation)
            _write(pen, (x - half, y + half / 3), f"{counter.left} {counter.name} {counter.right}")
    for note in scene.notes:
        _write(pen, view.pixel(hex_centre(note.hex)), note.text or note.kind.value)
    for track in scene.tracks:
        pen.line([view.pixel(hex_centre(at)) for at in track.hexes], fill="#b0242c", width=12)
    out = BytesIO()
    image.resize((image.width // 2, image.height // 2), Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()


def move_stacks(number: int, scene: HexScene = SCENE) -> HexScene:
    """Return the hex map with all stacks moved, as after a turn: only the board can be reused."""
    stacks = tuple(stack.model_copy(update={"hex": stack.hex.neighbours()[number % 6]}) for stack in scene.stacks)
    return scene.model_copy(update={"stacks": stacks})


KEPT = (
    *(tiles.TILES, bases.base_sprite, plates.plate_sprite, plates.place_name_sprite, badges.badge_sprite),
    *(land_shapes.land_shapes, scatter.scatter_pictures, scatter.area_without_vegetation, growth.scattered_sprite),
    *(network.link_hexes, heights.hill_contours, waters.water_area, dice.die_sprite),
    *(counters.counter_sprite, legend.note_sample, legend.ground_sample, names.name_sprite, notes.note_stamp),
    *(plates.label_sprite, lettering.text_mask, lettering.haloed_text),
)


def clear_caches() -> None:
    """Empty every cache of pictures."""
    for cache in KEPT:
        cache.cache_clear()


def measure_median(job: Callable[[int], bytes], before: Callable[[], None] = lambda: None) -> tuple[float, int]:
    """Return the median milliseconds, and the size of the last picture in bytes."""
    milliseconds, picture = [], b""
    for number in range(ROUNDS):
        before()
        start = time.process_time()
        picture = job(number)
        milliseconds.append((time.process_time() - start) * 1000)
    return statistics.median(milliseconds), len(picture)


def compare(title: str, ours: Callable[[int], bytes], plain: Callable[[int], bytes]) -> None:
    """Draw both ways. Print times, file sizes and the ratio."""
    ours(0)
    first, _ = measure_median(ours, clear_caches)
    with TemporaryDirectory() as folder:
        tiles.TILES.use_folder(Path(folder))
        measure_median(ours, clear_caches)
        restarted, _ = measure_median(ours, clear_caches)
        tiles.TILES.use_folder(None)
    later, size = measure_median(ours)
    plainly_drawn, plain_size = measure_median(plain)
    print(f"{title}, median of {ROUNDS}:")
    print(f"  first of its map     {first:7.1f} ms  {size // 1024:5d} KB")
    print(f"  first after a start  {restarted:7.1f} ms  {size // 1024:5d} KB")
    print(f"  ground kept          {later:7.1f} ms  {size // 1024:5d} KB")
    print(f"  the plain way        {plainly_drawn:7.1f} ms  {plain_size // 1024:5d} KB")
    print(f"  ratio, plain to ours {plainly_drawn / later:7.1f}")
    print(f"  and to the first     {plainly_drawn / first:7.1f}     (after a start: {plainly_drawn / restarted:.1f})")


def main() -> None:
    """Draw, measure and print."""
    units = len(BATTLE.bases)
    compare(
        f'a full map of 72" x 48" with {units} units',
        lambda number: draw(move_units(number)),
        lambda number: draw_plainly(move_units(number)),
    )
    close_up = Box(24, 12, 48, 30)
    compare(
        "the part of it that is shown after an action",
        lambda number: draw(move_units(number), area=close_up),
        lambda number: draw_plainly(move_units(number), close_up),
    )
    for suffix, scene in (("", SCENE), (", a battlefield with trenches, hills and water", GREAT_WAR)):
        hexes, counters = len(scene.board.cells), sum(len(stack.counters) for stack in scene.stacks)
        compare(
            f"a full map of {hexes} hexes with {counters} counters{suffix}",
            lambda number, scene=scene: scenes.draw(move_stacks(number, scene)),
            lambda number, scene=scene: draw_hexes_plainly(move_stacks(number, scene)),
        )
        part = bounding_box([hex_centre(at) for track in scene.tracks for at in track.hexes]).grow(1.5)
        compare(
            "the part of it that is shown after an action",
            lambda number, scene=scene, part=part: scenes.draw(move_stacks(number, scene), area=part),
            lambda number, scene=scene, part=part: draw_hexes_plainly(move_stacks(number, scene), part),
        )


if __name__ == "__main__":
    main()
