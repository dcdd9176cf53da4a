"""Look up areas of the table by name: the square `C3` is third from the west and the north."""

import re
from contextlib import suppress

from rules.core.refusal import Refused
from rules.core.scene import Point, TableScene
from rules.core.tabletop.landmarks import index_landmarks
from rules.core.tabletop.place import Spot, parse_destination
from rules.core.tabletop.squares import GRID
from rules.core.typed_text import simplify_signs

from .area_lookup import find_by_name
from .geometry import Box

AROUND = 12.0
"""Margin in inches around a unit in a zoomed picture."""
_SPAN = re.compile(r"([a-z])(\d{1,2})(?:\s*(?:-|to|:)\s*([a-z])(\d{1,2}))?", re.IGNORECASE)


def column_letter(number: int) -> str:
    """Return a column's letter; column 0 is the westernmost."""
    return chr(ord("A") + number)


def count_squares(scene: TableScene) -> tuple[int, int]:
    """Return the number of columns and rows of squares; the last may be narrower."""
    return -int(-scene.width // GRID), -int(-scene.height // GRID)


def find_area(scene: TableScene, text: str) -> Box:
    """Return the box, in inches, of the square, span (`B2-D4`), unit or place that `text` names.

    Raises ValueError, with the allowed names, for other text.
    """
    query = simplify_signs(text).strip()
    across, down = count_squares(scene)
    table = Box(0, 0, scene.width, scene.height)
    span = _SPAN.fullmatch(query)
    if span:
        first, row, last, last_row = span.groups()
        columns = sorted(ord(letter.upper()) - ord("A") for letter in (first, last or first))
        rows = sorted(int(number) - 1 for number in (row, last_row or row))
        if columns[1] < across and rows[0] >= 0 and rows[1] < down:
            corner = (columns[1] + 1) * GRID, (rows[1] + 1) * GRID
            return Box(columns[0] * GRID, rows[0] * GRID, *corner).clip_to(table)
        raise ValueError(
            f"“{query}” lies off the table: its squares run from A1 in the north-west "
            f"to {column_letter(across - 1)}{down} in the south-east."
        )
    units = [(base.unit, base.name, base.at) for base in scene.bases]
    short = {base.unit: base.short for base in scene.bases}
    allowed = f"a square (A1 to {column_letter(across - 1)}{down}), a span such as A1-B2, a unit or named ground"
    try:
        x, y = find_by_name(query, [*units, *_named_places(scene)], allowed, short)
    except ValueError:
        point = _parse_point(query)
        if point is None or not table.contains(point):
            raise
        x, y = point
    return Box(x, y, x, y).grow(AROUND).clip_to(table)


def _named_places(scene: TableScene) -> list[tuple[str, str, Point]]:
    """Return objectives and named terrain pieces: id (the same as the name), name and middle."""
    return [(name, name, landmark.middle) for name, landmark in index_landmarks(scene.terrain, scene.goals).items()]


def _parse_point(text: str) -> Point | None:
    """Return the point of a place such as `B2 NW` or `30,12` (inches), or None otherwise."""
    with suppress(Refused):
        if isinstance(place := parse_destination(text, {}), Spot):
            return place.at
    return None


def list_areas(scene: TableScene) -> list[tuple[str, str]]:
    """Return the names that `find_area` accepts, with labels for completion: units, places, then squares."""
    across, down = count_squares(scene)
    units = [(base.unit, f"around {base.name}") for base in scene.bases]
    units += [(name, f"around {name}") for name, _, _ in _named_places(scene)]
    return units + [(f"{column_letter(x)}{y + 1}",) * 2 for x in range(across) for y in range(down)]
