"""Build the legend of a hex map: sides, markers, notes and, on a whole map, grounds."""

from collections.abc import Collection, Iterator
from functools import lru_cache

from PIL import Image, ImageDraw

from render.geometry import Box, View
from render.legend import LegendEntry, LegendRow, arrange_in_rows, status_marker_entries
from render.palette import SIDES, SideLook, mix
from rules.core.hexboard.hex_scene import HexBoard, HexCell, HexGround, HexNote, HexScene, NoteKind
from rules.core.hexboard.hexes import Hex

from .counter_layout import CounterFace
from .counters import counter_sprite
from .grid import visible_cells
from .land import draw_land
from .land_shapes import KeyedBoard
from .looks import hex_look
from .map_canvas import MapCanvas
from .notes import draw_notes
from .plane import box_around_hexes, hex_centre, hex_outline

SIGN, NOTE_SIGN = 1.0, 0.9
"""Height of a sample hex, and of a sample hex with a note, in multiples of the text size."""
NOTE_ROOM = 0.14
"""Margin in hexes around a sample note, which may extend beyond its hex."""
SIGN_STEP = 6
"""Step in pixels between the possible heights of samples."""
CARD, BACK = 0.75, 1.2
"""Size of a sample counter, and of a sample of its back, in multiples of the text size."""
WORDS = {NoteKind.ENTRY: "entry marker", NoteKind.VICTORY: "victory hex", NoteKind.BEACH: "landing beach"}
UNNAMED = frozenset({HexGround.SEA, HexGround.OPEN})
"""Grounds that need no legend entry."""
SHOWN_ALONE = frozenset(
    {
        *(HexGround.KEY_BUILDING, HexGround.EMBANKMENT, HexGround.DITCH),
        *(HexGround.TRENCH, HexGround.HILL, HexGround.WATERWAY, HexGround.FORD),
    }
)
"""Grounds whose sample hex lies in open land. The sample hex of any other ground lies amid the same ground."""
MIDDLE = Hex.at(2, 2)


def legend_rows(
    scene: HexScene,
    area: Box,
    style: str,
    limit: int,
    text_size: int,
    *,
    grounds: bool,
    ranges: bool = False,
    letters: bool | None = None,
) -> tuple[LegendRow, ...]:
    """Return the rows of the legend for the part `area` of the map.

    `limit`, the width of a row, and `text_size` are in pixels. `grounds` adds samples of the grounds and a list of
    units off the map. `ranges` explains the range on counters. `letters` explains the terrain letters over a
    photograph; it is None without a photograph.
    """
    look = hex_look(style).theme
    counters = [counter for stack in scene.stacks if area.contains(hex_centre(stack.hex)) for counter in stack.counters]
    notes = [note for note in scene.notes if area.contains(hex_centre(note.hex))]
    entries = [
        LegendEntry(counter_sprite(CounterFace(), look.side_look(side), round(text_size * CARD)), side.name)
        for side in scene.legend or scene.sides
    ]
    hidden = next((counter.side for counter in counters if counter.face_down), None)
    if hidden is not None:
        looks = look.side_looks(scene.sides)
        back = counter_sprite(CounterFace(face_down=True), looks[hidden], round(text_size * BACK), text_size)
        entries.append(LegendEntry(back, "face down"))
    if ranges:
        entries.append(LegendEntry(None, f"{scene.left_is} ◂range▸ movement"))
    markers = {marker for counter in counters if not counter.face_down for marker in counter.markers}
    entries += status_marker_entries(markers, text_size)
    high = _round_sample_height(text_size * NOTE_SIGN)
    holders = {note.side for note in notes if note.kind is NoteKind.OBJECTIVE}
    kinds = {note.kind for note in notes}
    if any(holders):
        entries += _holder_entries(scene, holders, style, high)
        kinds.remove(NoteKind.OBJECTIVE)
    present_kinds = [kind for kind in NoteKind if kind in kinds]
    entries += [LegendEntry(note_sample(kind, style, high), WORDS.get(kind, kind.value)) for kind in present_kinds]
    if letters:
        entries += [LegendEntry(None, f"{letter} {name}") for letter, name in scene.board.terrains]
    elif grounds and letters is None:
        present = {cell.ground for cell in visible_cells(scene.board, area)} - UNNAMED
        high = _round_sample_height(text_size * SIGN)
        entries += [LegendEntry(ground_sample(kind, style, high), kind.value) for kind in HexGround if kind in present]
    off_map = f"Off the map: {', '.join(scene.off_map)}" if grounds and scene.off_map else ""
    return arrange_in_rows(entries, off_map, limit, text_size)


def _holder_entries(scene: HexScene, holders: Collection[str], style: str, high: int) -> Iterator[LegendEntry]:
    """Yield an entry for each side that holds an objective, and one for objectives that nobody holds."""
    look = hex_look(style).theme
    for side in scene.legend or scene.sides:
        if side.id in holders:
            sign = note_sample(NoteKind.OBJECTIVE, style, high, look.side_look(side))
            yield LegendEntry(sign, f"held by {side.name}")
    if "" in holders:
        yield LegendEntry(note_sample(NoteKind.OBJECTIVE, style, high), "held by nobody")


def _round_sample_height(height: float) -> int:
    """Round a sample's height to a multiple of `SIGN_STEP`, so that pictures share cached samples."""
    return max(round(height / SIGN_STEP), 1) * SIGN_STEP


@lru_cache(maxsize=128)
def note_sample(kind: NoteKind, style: str, high: int, holder: SideLook | None = None) -> Image.Image:
    """Return a sample of a note on an empty hex, `high` pixels high, in the holder's colours.

    The image is cached: never draw on it.
    """
    view, look = View(box_around_hexes([MIDDLE]).grow(NOTE_ROOM), high), hex_look(style)
    image = Image.new("RGB", (round(view.frame.width), round(view.frame.height)), look.theme.paper)
    ring = [view.pixel(corner) for corner in hex_outline(MIDDLE)]
    ImageDraw.Draw(image).polygon(ring, outline=mix(look.theme.paper, look.ink, 0.3))
    side_look = holder or (SIDES[0] if kind is NoteKind.ENTRY else None)
    canvas = MapCanvas(image, view, style, high // 2, {"": side_look} if side_look else {})
    for above in (False, True):
        draw_notes(canvas, [HexNote(hex=MIDDLE, kind=kind)], above=above)
    return image


@lru_cache(maxsize=128)
def ground_sample(kind: HexGround, style: str, high: int) -> Image.Image:
    """Return a sample hex of this ground, `high` pixels high. The image is cached: never draw on it."""
    around = HexGround.OPEN if kind in SHOWN_ALONE else kind
    cells = [HexCell(hex=neighbour, ground=around) for neighbour in MIDDLE.neighbours()]
    board = HexBoard(key=f"sign of {kind}", cells=(*cells, HexCell(hex=MIDDLE, ground=kind)))
    look, view = hex_look(style), View(box_around_hexes([MIDDLE]).grow(0.06), high)
    land = draw_land(KeyedBoard(board.key, board), view, style)
    sign = Image.new("RGB", land.size, look.theme.paper)
    ring = [view.pixel(corner) for corner in hex_outline(MIDDLE)]
    mask = Image.new("L", sign.size)
    ImageDraw.Draw(mask).polygon(ring, fill=255)
    sign.paste(land, mask=mask)
    ImageDraw.Draw(sign).polygon(ring, outline=mix(look.theme.paper, look.ink, 0.5))
    return sign
