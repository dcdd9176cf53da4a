"""The map of hexes: a board with its counters, as a PNG.

Pure and safe in worker threads: what is kept between calls (ground, counters, signs) is never drawn on.
"""

from collections.abc import Iterable

from PIL import Image

from render.dice import draw_dice, strip_height
from render.geometry import Box, View
from render.palette import INK_ONLY, STYLES, png
from render.sheet import SIDE_MARGIN, Plan, Side, draw_frame, fields, lay_out, paper
from rules.core.hexboard.hex_scene import HexScene

from .areas import board_box
from .ground import ground
from .land_shapes import KeyedBoard
from .legend import legend_rows
from .looks import hex_look
from .names import draw_names, draw_numbers
from .notes import draw_notes, signs
from .plane import COLUMN, centre
from .plates import draw_plates
from .printing import LEAST as LEAST_PRINT
from .stacks import covered, draw_count, draw_stack, read
from .tracks import draw_labels, draw_tracks, waypoints

MOST_WIDE, MOST_HIGH = 1330, 1240
"""Most pixels of the map itself."""
SCALES = (124, 106, 90, 76, 64, 54)
"""Pixels a hex may have; one of a large map may have fewer."""
LEAST_SCALE = 8
LEAST = 5.0
"""Hexes that are shown at least, each way."""
LEAST_SHEET = 620


def draw(scene: HexScene, *, area: Box | None = None, style: str = "campaign") -> bytes:
    """The scene, or only `area` of it (plane units, one from hex to hex) at a larger scale, as a PNG.

    Raises:
        ValueError: on an unknown style or an area off the map, saying what is allowed.
    """
    drawn = picture(scene, area=area, style=style)
    return png(drawn.convert("L").convert("RGB") if style == INK_ONLY else drawn)


def picture(scene: HexScene, *, area: Box | None = None, style: str = "campaign", shrink: float = 1.0) -> Image.Image:
    """The scene as an RGB picture, the map `shrink` of its usual size. Raises ValueError as `draw` does.

    In a part of the map nothing is smaller than what a telephone shows; all of it is also there to be enlarged.
    """
    look = hex_look(style)
    sheet = plan(scene, part_shown(scene, area), style, shrink, whole=area is None)
    shown = sheet.view.box
    view = View(shown, sheet.view.scale)
    least = LEAST_PRINT if area is None else sheet.words
    standing = [covered(stack, view, least) for stack in scene.stacks if stack.counters]
    field = ground(KeyedBoard(scene.board.key, scene.board), shown, round(view.scale), style)
    signed = [*standing, *signs(scene.notes, view), *waypoints(scene.tracks, view)]
    names = draw_names(field, scene.board, view, look, signed, sheet.words)
    draw_numbers(field, scene.board, view, look, sheet.words, names, standing)
    sides = {side.id: look.theme.sides[side.index % len(look.theme.sides)] for side in scene.sides}
    draw_notes(field, scene.notes, view, style, sides, over=False, least=least)
    draw_tracks(field, scene.tracks, view, look, sides, over=False)
    for stack in sorted(scene.stacks, key=lambda stack: centre(stack.hex)[::-1]):
        if stack.counters and shown.grown(1).holds(centre(stack.hex)):
            draw_stack(field, stack, view, sides, least)
    tags = draw_notes(field, scene.notes, view, style, sides, over=True, least=least, standing=standing)
    for stack in scene.stacks:
        draw_count(field, stack, view, least)
    draw_tracks(field, scene.tracks, view, look, sides, over=True)
    labels = draw_labels(field, scene.tracks, view, look, least, standing, tags)
    draw_plates(field, scene, view, look.theme, sides, sheet.words, least, [*names, *tags, *labels])
    image = paper(sheet, look.theme.paper)
    image.paste(field, (int(sheet.view.left), int(sheet.view.top)))
    draw_frame(image, sheet, look.theme)
    draw_dice(image, scene.dice, SIDE_MARGIN, sheet.strip_top, sheet.width - 2 * SIDE_MARGIN)
    return image


def size(scene: HexScene, *, area: Box | None = None, shrink: float = 1.0) -> tuple[int, int]:
    """Width and height of the picture of it, or of `area`, in pixels."""
    sheet = plan(scene, part_shown(scene, area), STYLES[0], shrink, whole=area is None)
    return sheet.width, sheet.height


def plan(scene: HexScene, shown: Box, style: str, shrink: float, *, whole: bool) -> Plan:
    """Lays the sheet out for that part of the map, moved to whole pixels."""
    scale = fitting(min(MOST_WIDE / shown.width, MOST_HIGH / shown.height) * shrink)
    shown = Box(*(round(edge * scale) / scale for edge in shown))
    hexes = [cell.hex for cell in scene.board.cells]
    sides = (
        Side(
            fields(shown.left, shown.right, COLUMN),
            _labels(((at.column * COLUMN, at.column) for at in hexes), shown.left, shown.right),
        ),
        Side(
            fields(shown.top, shown.bottom, 1.0),
            _labels(((at.row + 0.25, at.row) for at in hexes), shown.top, shown.bottom),
        ),
    )
    return lay_out(
        (scene.title, scene.subtitle),
        View(shown, scale),
        sides,
        lambda room, words: legend_rows(
            scene, shown, style, room, words, grounds=whole, ranges=_ranged(scene, shown, scale, words, whole=whole)
        ),
        round(LEAST_SHEET * shrink),
        lambda room, across: strip_height(scene.dice, room, across),
    )


def _ranged(scene: HexScene, shown: Box, scale: float, words: int, *, whole: bool) -> bool:
    """Whether there is a counter in sight with a range on it."""
    least = LEAST_PRINT if whole else words
    seen = (stack for stack in scene.stacks if shown.holds(centre(stack.hex)))
    return any(put.middle for stack in seen for _, put in read(stack, scale, least))


def fitting(scale: float) -> int:
    """The largest of a few scales that is no larger: pictures of one scale share their ground."""
    return next((fits for fits in SCALES if fits <= scale), max(int(scale), LEAST_SCALE))


def _labels(lines: Iterable[tuple[float, int]], start: float, end: float) -> tuple[tuple[float, str], ...]:
    """Two digits for each column or row whose middle is in sight."""
    return tuple((at, f"{number:02}") for at, number in sorted(set(lines)) if start < at < end)


def part_shown(scene: HexScene, area: Box | None) -> Box:
    """`area` within the map and not too small to read, or all of it. Raises ValueError when it is off the map."""
    board = board_box(scene)
    if area is None:
        return board
    inside = area.within(board)
    if inside.width <= 0 or inside.height <= 0:
        low, high = (pick(cell.hex for cell in scene.board.cells) for pick in (min, max))
        raise ValueError(f"That area is not on the map, whose hexes run from {low.label} to {high.label}.")
    return inside.at_least(LEAST).within(board)
