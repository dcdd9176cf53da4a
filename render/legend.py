"""Build and draw the table's legend: sides, markers, objectives, short names, units off the table."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from PIL import Image

from rules.core.scene import StatusMarker, TableScene
from rules.core.wording import join_with_and

from . import objectives
from .badges import badge_sprite
from .bases import MARKER_TEXT, base_outline_sprite, bases_in_area, legend_swatch, marker_sprite
from .fonts import Face, text_width, wrap_text
from .geometry import Box, View
from .lettering import write_text
from .palette import Theme
from .pips import kill_pip_sprite
from .short_names import shorten_crowded_names

ROW = 1.3
"""Height of a row, in multiples of the text size."""
SWATCH = 0.8
"""Height of a side's sample, in multiples of the text size."""
BETWEEN = 24
"""Pixels between two entries."""


class LegendEntry(NamedTuple):
    """A sign and its explanation."""

    sign: Image.Image | None
    word: str

    def width(self, size: int) -> int:
        """Return the entry's width in pixels, with text of `size` pixels."""
        return (self.sign.width + 8 if self.sign else 0) + text_width(self.word, Face.PLAIN, size)


LegendRow = tuple[LegendEntry, ...]


def legend_rows(
    scene: TableScene, view: View, look: Theme, limit: int, reserved: int, size: int
) -> tuple[LegendRow, ...]:
    """Return the rows of the table's legend, `limit` pixels wide, in text of `size` pixels.

    The first row leaves `reserved` pixels free for the scale bar.
    """
    area = view.box
    bases = bases_in_area(scene.bases, area)
    present = {marker for base in bases for marker in base.markers}
    looks = look.side_looks(scene.sides)
    across, down = round(size * 1.4), round(size * SWATCH)
    entries = [LegendEntry(legend_swatch(looks[side.id], across, down, look.paper), side.name) for side in scene.sides]
    is_whole = area == Box(0, 0, scene.width, scene.height)
    off_table = f"Off the table: {', '.join(scene.off_table)}" if is_whole and scene.off_table else ""
    for side in scene.sides:
        if names := [goal.name for goal in scene.goals if goal.side == side.id and area.contains(goal.at)]:
            ring = objectives.legend_ring(looks[side.id].colour)
            entries.append(LegendEntry(ring, f"the {side.name} must hold {join_with_and(names)}"))
    hidden_side = next((base.side for base in bases if base.hidden), None)
    if hidden_side in looks:
        outlined = base_outline_sprite(looks[hidden_side], size, round(size * 0.6), 0)
        entries.append(LegendEntry(outlined, "hidden from the other side"))
    marker_side = next((base.side for base in bases if base.letter), None)
    if marker_side is not None:
        sign = marker_sprite(looks[marker_side], "", math.ceil(size / MARKER_TEXT))
        entries.append(LegendEntry(sign, "perhaps troops"))
    if any(base.kills for base in bases):
        entries.append(LegendEntry(kill_pip_sprite(round(size * 0.6)), "a kill"))
    entries += status_marker_entries(present, size)
    short = shorten_crowded_names(scene, view, size)
    explained = explain_short_names({short[base.unit]: base.name for base in bases if base.unit in short})
    return arrange_in_rows(entries, off_table, limit, size, reserved, [LegendEntry(None, words) for words in explained])


def explain_short_names(names: Mapping[str, str]) -> list[str]:
    """Return explanations of short names, such as `1B = 1st Berkshires`.

    `names` maps short names to long names. A last word that several names share is explained once: `…d = … detachment`.
    """
    explained, endings = [], dict[str, str]()
    shorts = {name: short for short, name in names.items()}
    for short, name in names.items():
        begun, _, word = name.rpartition(" ")
        if word and shorts.get(begun, "") + word[0] == short and endings.setdefault(word[0], word) == word:
            continue
        explained.append(f"{short} = {name}")
    return explained + [f"…{letter} = … {word}" for letter, word in endings.items()]


def status_marker_entries(present: Collection[StatusMarker], size: int) -> list[LegendEntry]:
    """Return a legend entry for each marker in `present`, for text of `size` pixels."""
    markers = [marker for marker in StatusMarker if marker in present]
    return [LegendEntry(badge_sprite(marker, round(size * 0.85)), marker.value) for marker in markers]


def arrange_in_rows(
    entries: Sequence[LegendEntry],
    last: str,
    limit: int,
    size: int,
    reserved: int = 0,
    fillers: Sequence[LegendEntry] = (),
) -> tuple[LegendRow, ...]:
    """Arrange legend entries in rows `limit` pixels wide, with the text `last` below.

    The first row leaves `reserved` pixels free. Each of `fillers` goes into the first row that still has space.
    """
    rows, free = list[list[LegendEntry]]([[]]), [limit - reserved]
    for entry in entries:
        if rows[-1] and entry.width(size) > free[-1]:
            rows.append([])
            free.append(limit)
        rows[-1].append(entry)
        free[-1] -= entry.width(size) + BETWEEN
    for entry in fillers:
        across = entry.width(size)
        if (number := next((number for number, space in enumerate(free) if across <= space), None)) is None:
            rows.append([])
            free.append(limit)
            number = len(rows) - 1
        rows[number].append(entry)
        free[number] -= across + BETWEEN
    rows += [[LegendEntry(None, line)] for line in wrap_text(last, Face.PLAIN, size, limit)]
    return tuple(tuple(row) for row in rows)


def row_height(size: int) -> int:
    """Return a row's height in pixels, for text of `size` pixels."""
    return round(size * ROW)


def draw_legend(image: Image.Image, rows: tuple[LegendRow, ...], left: int, top: int, look: Theme, size: int) -> None:
    """Draw the rows from pixel (`left`, `top`) downwards."""
    high = row_height(size)
    for number, row in enumerate(rows):
        x, middle = left, top + high * number + high // 2
        for entry in row:
            at = x
            if entry.sign is not None:
                mask = entry.sign if entry.sign.mode == "RGBA" else None
                image.paste(entry.sign, (x, middle - entry.sign.height // 2), mask)
                at += entry.sign.width + 8
            write_text(image, (at, middle), entry.word, look.ink, Face.PLAIN, size, "lm")
            x += entry.width(size) + BETWEEN
