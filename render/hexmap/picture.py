"""Draw the picture of a hex map: a board with its counters, notes and tracks.

All functions are safe in worker threads, because cached images are never changed.
"""

from collections.abc import Iterable

from PIL import Image

from render.dice import dice_strip_height, draw_dice
from render.geometry import Box, View
from render.map_frame import SIDE_MARGIN, MapEdge, PictureLayout, bar_sections, frame_map, lay_out_picture
from rules.core.hexboard.hex_scene import HexScene, NoteKind

from .areas import map_box
from .ground import hex_map_ground
from .land_shapes import KeyedBoard
from .legend import legend_rows
from .looks import hex_look
from .map_canvas import MapCanvas
from .names import draw_hex_numbers, draw_names, has_space_for_numbers
from .notes import draw_notes, sign_boxes
from .photograph import draw_over_photograph, has_terrain_letters
from .plane import COLUMN, hex_centre
from .plates import draw_plates
from .stacks import draw_fan_count, draw_stack, legible_counters, stack_box
from .stops import draw_stops
from .tracks import draw_track_labels, draw_tracks, label_moves_with_hexes, waypoint_boxes

MOST_WIDE, MOST_HIGH = 1330, 1240
"""Maximum width and height of the map itself, in pixels."""
SCALES = (124, 106, 90, 76, 64, 54)
"""Preferred scales in pixels per hex; a large map may get a smaller scale."""
LEAST_SCALE = 8
LEAST = 5.0
"""Minimum number of hexes shown in each direction."""
LEAST_PICTURE = 620


def draw_map(scene: HexScene, area: Box | None, style: str, shrink: float, photograph: bytes | None) -> Image.Image:
    """Return an RGB picture of the scene or of `area` (see `scenes.draw_image`)."""
    look, is_over = hex_look(style), photograph is not None
    layout = plan_picture(scene, area, style, shrink, over_photograph=is_over)
    view = layout.map_view
    stack_boxes = [stack_box(stack, view, layout.text_size) for stack in scene.stacks if stack.counters]
    if photograph is None:
        field = hex_map_ground(KeyedBoard(scene.board.key, scene.board), round(view.scale), style).picture(view.box)
    else:
        field = draw_over_photograph(photograph, scene, view, look, layout.text_size)
    avoided = [*stack_boxes, *sign_boxes(scene.notes, view, layout.text_size), *waypoint_boxes(scene.tracks, view)]
    ringed = {note.hex for note in scene.notes if note.kind is NoteKind.OBJECTIVE}
    canvas = MapCanvas(field, view, style, layout.text_size, look.theme.side_looks(scene.sides), stack_boxes)
    draw_names(canvas, scene.board, avoided, ringed)
    draw_hex_numbers(canvas, scene.board)
    draw_notes(canvas, scene.notes, above=False)
    draw_tracks(canvas, scene.tracks, above=False)
    for stack in sorted(scene.stacks, key=lambda stack: hex_centre(stack.hex)[::-1]):
        if stack.counters and view.box.grow(1).contains(hex_centre(stack.hex)):
            draw_stack(canvas, stack)
    draw_notes(canvas, scene.notes, above=True)
    for stack in scene.stacks:
        draw_fan_count(canvas, stack)
    draw_tracks(canvas, scene.tracks, above=True)
    has_numbers = has_space_for_numbers(view, layout.text_size)
    draw_track_labels(canvas, scene.tracks if has_numbers else label_moves_with_hexes(scene.tracks))
    draw_stops(canvas, scene.tracks)
    draw_plates(canvas, scene)
    image = frame_map(field, layout, look.theme)
    draw_dice(image, scene.dice, SIDE_MARGIN, layout.strip_top, layout.width - 2 * SIDE_MARGIN)
    return image


def plan_picture(
    scene: HexScene, area: Box | None, style: str, shrink: float = 1.0, *, over_photograph: bool = False
) -> PictureLayout:
    """Return the layout of a picture of `area`, or of the whole map, aligned to whole pixels."""
    part = visible_part(scene, area)
    most = min(MOST_WIDE / part.width, MOST_HIGH / part.height) * shrink
    scale = next((step for step in SCALES if step <= most), max(int(most), LEAST_SCALE))
    part = Box(*(round(edge * scale) / scale for edge in part))
    hexes = [cell.hex for cell in scene.board.cells]
    columns = _edge_labels(((at.column * COLUMN, at.column) for at in hexes), part.left, part.right)
    rows = _edge_labels(((at.row + 0.25, at.row) for at in hexes), part.top, part.bottom)
    across = MapEdge(bar_sections(part.left, part.right, COLUMN), columns)
    down = MapEdge(bar_sections(part.top, part.bottom, 1.0), rows)
    return lay_out_picture(
        (scene.title, scene.subtitle),
        View(part, scale),
        (across, down),
        lambda limit, text_size: legend_rows(
            scene,
            part,
            style,
            limit,
            text_size,
            grounds=area is None,
            letters=has_terrain_letters(scene, scale, text_size) if over_photograph else None,
            ranges=_shows_range(scene, part, scale, text_size),
        ),
        round(LEAST_PICTURE * shrink),
        lambda limit, across: dice_strip_height(scene.dice, limit, across),
    )


def _shows_range(scene: HexScene, part: Box, scale: float, text_size: int) -> bool:
    """Whether a visible counter shows a range."""
    stacks = (stack for stack in scene.stacks if part.contains(hex_centre(stack.hex)))
    return any(layout.middle for stack in stacks for _, layout in legible_counters(stack, scale, text_size))


def _edge_labels(lines: Iterable[tuple[float, int]], start: float, end: float) -> tuple[tuple[float, str], ...]:
    """Return the position and two-digit number of each column or row with a visible centre line."""
    return tuple((at, f"{number:02}") for at, number in sorted(set(lines)) if start < at < end)


def visible_part(scene: HexScene, area: Box | None) -> Box:
    """Clip `area` to the map, and enlarge it to `LEAST` hexes; None means the whole map.

    Raises ValueError if `area` is off the map.
    """
    board = map_box(scene)
    if area is None:
        return board
    inside = area.clip_to(board)
    if inside.width <= 0 or inside.height <= 0:
        low, high = (pick(cell.hex for cell in scene.board.cells) for pick in (min, max))
        raise ValueError(f"That area is not on the map, whose hexes run from {low.label} to {high.label}.")
    return inside.enlarge_to(LEAST).clip_to(board)
