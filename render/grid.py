"""The squares of the table: `C3` is the third column from the west, the third row from the north, 12 inches each."""

import re
from contextlib import suppress

from rules.core.refusal import Refused
from rules.core.scene import Point, TableScene
from rules.core.tabletop.place import Spot, parse
from rules.core.tabletop.squares import GRID

from .area_lookup import find
from .geometry import Box

AROUND = 12.0
"""Inches shown on every side of a unit that is zoomed to."""
_SPAN = re.compile(r"([a-z])(\d{1,2})(?:\s*(?:-|–|to|:)\s*([a-z])(\d{1,2}))?", re.IGNORECASE)


def column(number: int) -> str:
    """The letter of a column, counted from 0 in the west."""
    return chr(ord("A") + number)


def squares(scene: TableScene) -> tuple[int, int]:
    """Columns and rows of the table; a last one may be narrower."""
    return -int(-scene.width // GRID), -int(-scene.height // GRID)


def area_of(scene: TableScene, text: str) -> Box:
    """The part of the table that `text` names: `B2`, `B2-D4`, a unit by name or id, or around any place. Inches.

    Raises:
        ValueError: with what is allowed, when it names none.
    """
    wanted = text.strip()
    across, down = squares(scene)
    table = Box(0, 0, scene.width, scene.height)
    span = _SPAN.fullmatch(wanted)
    if span:
        first, row, last, last_row = span.groups()
        columns = sorted(ord(letter.upper()) - ord("A") for letter in (first, last or first))
        rows = sorted(int(number) - 1 for number in (row, last_row or row))
        if columns[1] < across and rows[0] >= 0 and rows[1] < down:
            corner = (columns[1] + 1) * GRID, (rows[1] + 1) * GRID
            return Box(columns[0] * GRID, rows[0] * GRID, *corner).within(table)
        raise ValueError(
            f"“{wanted}” lies off the table: its squares run from A1 in the north-west "
            f"to {column(across - 1)}{down} in the south-east."
        )
    units = [(base.unit, base.name, base) for base in scene.bases]
    allowed = f"a square (A1 to {column(across - 1)}{down}), a span such as A1-B2, or a unit on the table"
    try:
        x, y = find(wanted, units, allowed).at
    except ValueError:
        point = _point(wanted)
        if point is None or not table.holds(point):
            raise
        x, y = point
    return Box(x, y, x, y).grown(AROUND).within(table)


def _point(text: str) -> Point | None:
    """The point that words name by themselves, as `B2 NW`."""
    with suppress(Refused):
        if isinstance(named := parse(text, {}), Spot):
            return named.at
    return None


def areas(scene: TableScene) -> list[tuple[str, str]]:
    """What `area_of` may be asked for, as it is written and as it is offered: units, and the squares."""
    across, down = squares(scene)
    units = [(base.unit, f"around {base.name}") for base in scene.bases]
    return units + [(f"{column(x)}{y + 1}",) * 2 for x in range(across) for y in range(down)]
