"""Draw notes, which are marks on hexes such as objectives, below or above the counters."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from PIL import Image

from render.badges import badge_sprite
from render.fonts import Face
from render.geometry import Box, View, dashes, point_beside, points_at_intervals
from render.lettering import write_text
from render.palette import AMBER, GREEN, INK, RGB, WHITE, SideLook, mix
from render.pen import Painter, combine, dot, fill, stroke
from render.stamp import Stamp, paste_centred
from render.symbols import general_star
from rules.core.hexboard.hex_scene import HexNote, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point, StatusMarker

from .looks import HexLook
from .map_canvas import LABEL, REACH, MapCanvas
from .plane import hex_centre, hex_outline
from .wire import draw_wire

GREY = RGB(96, 96, 96)
GOLD = AMBER
Drawer = Callable[[MapCanvas, HexNote, SideLook | None], None]
EAST, WEST = (0.31, -0.4), (-0.32, -0.39)
"""Offsets of stars and beach letters from a hex's centre: beside the number, clear of text on counters."""
FLAG = (0.0, 0.4), (0.0, 0.54), (-0.5, -0.56), (-0.9, -0.12), (0.0, -0.5)
"""Candidate offsets for an entry marker's formation name; the spot that covers counters least wins."""
SIGN = 0.12
"""Half the size of a star or beach letter, in hexes."""
LETTER = 0.8
"""Half the size of a beach letter's roundel, in multiples of the text size."""
THROWN, MOST_THROWN = 0.17, 0.34
"""Usual and maximum text size, in hexes, of the score at which units enter by a hex."""
NUMBER, SHORT = 0.3, 3
"""Text size in hexes of a short weight on a hex, and maximum number of letters of a short weight."""
SWORDS, LEAST_SWORDS, SWORDS_AT = 0.46, 15, (0.0, -0.5)
"""Size of a battle's badge in hexes, its minimum in pixels, and its offset from the hex's centre."""
OVER = frozenset(
    {
        NoteKind.BATTLE,
        NoteKind.CHOSEN,
        NoteKind.CANDIDATE,
        NoteKind.PUT_OUT,
        NoteKind.ENTRY,
        NoteKind.VICTORY,
        NoteKind.BEACH,
    }
)
"""Note kinds drawn above the counters."""


def draw_entry_pennant(canvas: MapCanvas, note: HexNote, side: SideLook | None) -> None:
    """Draw a pennant on a staff at the hex's western corner."""
    scale = canvas.view.scale
    colour = side.colour if side else canvas.look.ink
    foot, head = canvas.pixel_at(note, -0.5, 0.34), canvas.pixel_at(note, -0.5, -0.44)
    flag = [head, (head[0] + 0.3 * scale, head[1] + 0.1 * scale), (head[0], head[1] + 0.22 * scale)]

    def staff(thick: float) -> Painter:
        return combine(stroke([(foot, head)], thick), stroke([flag], thick * 0.8, closed=True), fill(flag))

    canvas.paint_near_hex(note, canvas.look.theme.paper, staff(max(scale * 0.09, 5)))
    canvas.paint_near_hex(note, colour, staff(max(scale * 0.035, 2)))


def write_entry_name(canvas: MapCanvas, note: HexNote, side: SideLook | None) -> None:
    """Write a formation's name beside its entry marker, which shows where it enters the map."""
    colour = side.colour if side else canvas.look.ink
    spots = [canvas.pixel_at(note, *spot) for spot in FLAG]
    canvas.draw_label(spots, note.text, canvas.look.theme.plate, colour, size=0.18, beside=True)


def draw_entry_ring(canvas: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Draw a thin dashed ring in a hex where units may enter the map."""
    pieces = dashes(hex_outline(note.hex, 0.84), 0.12, 0.035, closed=True)
    ring = stroke([tuple(map(canvas.view.pixel, piece)) for piece in pieces], max(canvas.view.scale * 0.03, 1.5))
    canvas.paint_near_hex(note, _entry_colour(canvas.look), ring, strength=170)


def write_entry_score(canvas: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Write the score at which units enter the map by this hex."""
    letters = max(round(canvas.view.scale * THROWN), canvas.text_size)
    if letters <= canvas.view.scale * MOST_THROWN:
        at, colour, halo = canvas.pixel_at(note, 0.36, 0.0), _entry_colour(canvas.look), canvas.look.text_halo
        write_text(canvas.image, at, note.text, colour, Face.BOLD, letters, "mm", rim=2, rim_colour=halo)


def _entry_colour(look: HexLook) -> RGB:
    return mix(look.theme.sides[0].colour, look.ink, 0.2)


def draw_victory_star(canvas: MapCanvas, note: HexNote, side: SideLook | None) -> None:
    """Draw a golden star beside the hex's number, edged in the holder's colour."""
    x, y = canvas.pixel_at(note, *EAST)
    r = max(canvas.view.scale * 0.09, 5.5)
    edge = side.colour if side else canvas.look.ink

    def shape(radius: float) -> Painter:
        return fill([(x + dx, y + dy) for dx, dy in general_star(radius)])

    canvas.paint_near_hex(note, canvas.look.theme.paper, shape(r * 1.65), strength=200)
    canvas.paint_near_hex(note, edge, shape(r * 1.36))
    canvas.paint_near_hex(note, GOLD, shape(r * 0.9))


def write_beach_letter(canvas: MapCanvas, note: HexNote, side: SideLook | None) -> None:
    """Write the landing beach's letter in a roundel beside the hex's number."""
    fill = side.colour if side else canvas.look.theme.bank
    canvas.draw_label([canvas.pixel_at(note, *WEST)], note.text, fill, WHITE, round_=True, size=0.21)


def draw_improved_position(canvas: MapCanvas, note: HexNote, side: SideLook | None) -> None:
    """Draw a ring-shaped trench inside the hex, with teeth pointing outwards."""
    ring = hex_outline(note.hex, 0.87)
    pixel = canvas.view.pixel
    course = [pixel(corner) for corner in ring]
    teeth = [(pixel(at[0]), pixel(point_beside(at, -0.085))) for at in points_at_intervals(ring, 0.1, closed=True)]
    earth = mix(canvas.look.theme.hills[3], canvas.look.ink, 0.55)
    scale = canvas.view.scale

    def paint(extra: float) -> Painter:
        return combine(stroke([course], scale * 0.05 + extra, closed=True), stroke(teeth, scale * 0.028 + extra))

    canvas.paint_near_hex(note, canvas.look.theme.paper, paint(2.5), strength=200)
    canvas.paint_near_hex(note, mix(earth, side.colour, 0.5) if side else earth, paint(0))


def draw_objective(canvas: MapCanvas, note: HexNote, side: SideLook | None) -> None:
    """Draw an objective in the colour of the side that holds it.

    Sides with solid counters have a ring, other sides brackets at the hex's corners. Without a holder, draw dots.
    """
    colour = side.colour if side else canvas.look.ink
    thick = max(canvas.view.scale * 0.055, 2.5)
    ring, paper = canvas.outline_pixels(note, 0.9), canvas.look.theme.paper
    if side is None:
        canvas.paint_near_hex(note, paper, dot(ring, thick + 1.5), strength=220)
        canvas.paint_near_hex(note, colour, dot(ring, thick))
        return
    lines = [ring] if side.solid else _corner_brackets(ring)
    canvas.draw_rimmed_lines(note, colour, lines, thick, (paper, 2.5, 220), closed=side.solid)


def _corner_brackets(corners: Sequence[Point]) -> list[Sequence[Point]]:
    """Return short lines from each corner towards its two neighbouring corners."""
    arms = list[Sequence[Point]]()
    for number, (x, y) in enumerate(corners):
        for neighbour in (corners[number - 1], corners[(number + 1) % 6]):
            arms.append(((x, y), (x + (neighbour[0] - x) * 0.28, y + (neighbour[1] - y) * 0.28)))
    return arms


def draw_battle_ring(canvas: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Draw an amber ring around a hex with a battle, and crossed swords at its top."""
    ring, line = canvas.outline_pixels(note, 0.99), max(canvas.view.scale * 0.09, 3)
    canvas.draw_rimmed_lines(note, AMBER, [ring], line, (canvas.look.ink, 3, 255), closed=True)
    swords = badge_sprite(StatusMarker.MELEE, max(round(canvas.view.scale * SWORDS), LEAST_SWORDS))
    paste_centred(canvas.image, swords, canvas.pixel_at(note, *SWORDS_AT))


def _make_outline_drawer(colour: RGB, thick: float) -> Drawer:
    """Return a function that outlines a hex in `colour`."""

    def draw(canvas: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
        ring, rim = canvas.outline_pixels(note, 0.99), (canvas.look.theme.paper, 3, 230)
        canvas.draw_rimmed_lines(note, colour, [ring], max(canvas.view.scale * thick, 2), rim, closed=True)

    return draw


def write_hex_weight(canvas: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Write the weight of a hex, one of the candidates of a decision, on the hex's edge."""
    dark, size = mix(WEIGHED[note.kind], INK, 0.2), NUMBER if len(note.text) <= SHORT else LABEL
    fill, writing = (dark, WHITE) if note.kind is NoteKind.CHOSEN else (WHITE, dark)
    spots = [canvas.pixel_at(note, 0, y) for y in (0.46, -0.46)]
    canvas.draw_label(spots, note.text, fill, writing, size=size)


def draw_excluded_hex(canvas: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Draw a hex that a decision excludes, grey and struck through."""
    ring = canvas.outline_pixels(note, 0.95)
    line = max(canvas.view.scale * 0.03, 1.5)
    bar = canvas.pixel_at(note, -0.36, 0.36), canvas.pixel_at(note, 0.36, -0.36)
    canvas.paint_near_hex(note, GREY, fill(ring), strength=105)
    canvas.paint_near_hex(note, GREY, stroke([ring], line, closed=True))
    canvas.draw_rimmed_lines(note, GREY, [bar], line, (WHITE, 3, 200))


def write_exclusion_number(canvas: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Write on an excluded hex the number of the card's row that excludes it."""
    canvas.draw_label([canvas.pixel_at(note, 0, 0)], note.text, WHITE, mix(GREY, INK, 0.4), round_=True, size=0.24)


WEIGHED: Mapping[NoteKind, RGB] = {NoteKind.CHOSEN: GREEN, NoteKind.CANDIDATE: mix(AMBER, INK, 0.15)}
SHAPES: Mapping[NoteKind, Drawer] = {
    NoteKind.ENTRY: draw_entry_pennant,
    NoteKind.ENTRY_HEX: draw_entry_ring,
    NoteKind.OBJECTIVE: draw_objective,
    NoteKind.VICTORY: draw_victory_star,
    NoteKind.BATTLE: draw_battle_ring,
    NoteKind.IMPROVED: draw_improved_position,
    NoteKind.WIRE: draw_wire,
    NoteKind.CHOSEN: _make_outline_drawer(WEIGHED[NoteKind.CHOSEN], 0.085),
    NoteKind.CANDIDATE: _make_outline_drawer(WEIGHED[NoteKind.CANDIDATE], 0.055),
    NoteKind.PUT_OUT: draw_excluded_hex,
}
WORDS: Mapping[NoteKind, Drawer] = {
    NoteKind.ENTRY: write_entry_name,
    NoteKind.ENTRY_HEX: write_entry_score,
    NoteKind.BEACH: write_beach_letter,
    NoteKind.CHOSEN: write_hex_weight,
    NoteKind.CANDIDATE: write_hex_weight,
    NoteKind.PUT_OUT: write_exclusion_number,
}
"""Drawers of a note's text, by note kind."""
ORDER = (
    *(NoteKind.ENTRY, NoteKind.ENTRY_HEX, NoteKind.OBJECTIVE, NoteKind.VICTORY, NoteKind.BEACH, NoteKind.IMPROVED),
    *(NoteKind.BATTLE, NoteKind.WIRE, NoteKind.CANDIDATE, NoteKind.PUT_OUT, NoteKind.CHOSEN),
)
"""Note kinds in drawing order, lowest layer first."""


def sign_boxes(notes: Iterable[HexNote], view: View, text_size: int) -> list[Box]:
    """Return the boxes, in pixels, of victory stars, crossed swords and beach letters."""
    boxes = list[Box]()
    for note in notes:
        off = {NoteKind.VICTORY: EAST, NoteKind.BEACH: WEST, NoteKind.BATTLE: SWORDS_AT}.get(note.kind)
        if off is not None:
            x, y = hex_centre(note.hex)
            left, top = view.pixel((x + off[0], y + off[1]))
            letter = text_size * LETTER if note.kind is NoteKind.BEACH else 0.0
            half = max((SWORDS / 2 if note.kind is NoteKind.BATTLE else SIGN) * view.scale, letter)
            boxes.append(Box(left, top, left, top).grow(half))
    return boxes


def draw_notes(canvas: MapCanvas, notes: Sequence[HexNote], *, above: bool) -> None:
    """Draw the notes that belong above the counters or, unless `above`, below them."""
    area = canvas.view.box.grow(REACH)
    visible_notes = (note for note in notes if area.contains(hex_centre(note.hex)))
    for note in sorted(visible_notes, key=lambda note: ORDER.index(note.kind)):
        if (note.kind in OVER) is not above:
            continue
        side = canvas.sides.get(note.side)
        if note.kind in SHAPES:
            stamp = note_stamp(note.kind, side, canvas.view.scale, canvas.style)
            stamp.paste_on(canvas.image, canvas.pixel_at(note, 0, 0))
        if note.kind in WORDS and (note.text or note.kind is NoteKind.BEACH):
            WORDS[note.kind](canvas, note, side)


@lru_cache(maxsize=256)
def note_stamp(kind: NoteKind, side: SideLook | None, scale: float, style: str) -> Stamp:
    """Return a note's drawing, anchored in the hex's centre. The image is cached: never draw on it."""
    note, half = HexNote(hex=Hex.at(0, 0), kind=kind), math.ceil(REACH * scale)
    x, y = hex_centre(note.hex)
    view = View(Box(x, y, x, y).grow(half / scale), scale)
    image = Image.new("RGBA", (2 * half, 2 * half))
    SHAPES[kind](MapCanvas(image, view, style), note, side)
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    return Stamp(image.crop((left, top, right, bottom)), left - half, top - half)
