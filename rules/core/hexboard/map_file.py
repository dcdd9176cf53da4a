"""Read a map from text: rows of hexes as they lie on the map, then one place, road or other statement per line."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from pydantic import ValidationError

from rules.core.model import Cite, Model
from rules.core.scene import Feature

from .hexes import Hex, Hexside
from .map_spec import M, Terrain

MOST_IN_LINE = 2000
"""Maximum number of hexes that one line of a map's text may name."""
_ROW = re.compile(r"(\d\d)(?: +(.*))?")
_COLUMNS = re.compile(r"columns (\d\d)-(\d\d)")


class TerrainKinds(Model):
    """The terrain kinds of a system and their letters in map text. `terrain_type` adds a system's attributes."""

    terrain_type: ClassVar[type[Terrain]] = Terrain
    cite: Cite
    road_cost: int
    hexside: Hexside
    terrain: tuple[Mapping[str, Any], ...]

    @property
    def terrains(self) -> tuple[Terrain, ...]:
        """Return the terrain kinds with their rules."""
        return tuple(self.terrain_type.model_validate({"cost": None, "cite": self.cite, **row}) for row in self.terrain)


class MapTextParser:
    """Parses a map's text, and records on which line each value stands."""

    def __init__(self, kinds: TerrainKinds, statements: Mapping[str, "StatementParser"]) -> None:
        """Create the parser. `statements` maps the first word of a line to the parser of that line."""
        self.statements = {**statements, **GENERAL_STATEMENTS}
        self.letters = {terrain.letter: terrain.id for terrain in kinds.terrains}
        self.columns = range(0)
        self.values: dict[str, Any] = {
            "terrains": kinds.terrains,
            "road_cost": kinds.road_cost,
            "hexside": kinds.hexside,
            "hexes": {},
        }
        self.line_of: dict[str, int] = {}
        self.halves: dict[int, int] = {}

    def read_line(self, number: int, line: str) -> None:
        """Parse one line. Raises ValueError for an unknown statement or a bad value."""
        if columns := _COLUMNS.fullmatch(line):
            self.columns = range(int(columns[1]), int(columns[2]) + 1)
        elif row := _ROW.fullmatch(line):
            self.read_row(number, int(row[1]), (row[2] or "").split())
        else:
            head, _, words = line.partition(":")
            word = next((word for word in self.statements if head == word or head.startswith(f"{word} ")), None)
            if word is None or not words.strip():
                statements = ", ".join(self.statements)
                raise ValueError(f"a line says {statements}, then a colon and what; {line[:40]!r} does not")
            place = self.statements[word](self, head.removeprefix(word).strip(), words.strip())
            self.line_of.setdefault(place, number)

    def read_row(self, number: int, row: int, letters: list[str]) -> None:
        """Parse one of the two lines of a row: first the hexes in even columns, then those in odd columns."""
        odd = self.halves.get(row, 0)
        columns = [column for column in self.columns if column % 2 == odd]
        if odd > 1:
            raise ValueError(f"row {row:02} appears a third time; it has one line of even columns, one of odd columns")
        self.halves[row] = odd + 1
        if len(letters) != len(columns):
            parity = ("even", "odd")[odd]
            raise ValueError(f"row {row:02} has {len(letters)} hexes in {parity} columns; {len(columns)} lie there")
        for column, letter in zip(columns, letters, strict=True):
            hex_ = Hex.at(column, row)
            if letter not in self.letters:
                raise ValueError(f"{hex_}: no terrain has the letter {letter!r}; there are {' '.join(self.letters)}")
            self.values["hexes"][hex_] = self.letters[letter]
            self.line_of[f"hexes.{hex_}"] = number

    def set_field(self, field: str, value: object) -> str:
        """Store the single value of a field, and return the path of the field."""
        self.values[field] = value
        return field

    def add_item(self, field: str, value: object) -> str:
        """Append an item to a field that holds a list, and return the path of the item."""
        self.values.setdefault(field, []).append(value)
        return f"{field}.{len(self.values[field]) - 1}"

    def set_entry(self, field: str, key: Hex | int | str, value: object) -> str:
        """Store `value` under a key of a mapping field, and return the path of the value.

        Raises ValueError if the key already has a value.
        """
        if key in self.values.setdefault(field, {}):
            raise ValueError(f"{key} appears twice")
        self.values[field][key] = value
        return f"{field}.{key}"

    def require_rows(self) -> None:
        """Raise ValueError if a row is incomplete or missing."""
        for row, lines in self.halves.items():
            if lines < 2 and len(self.columns) > 1:
                raise ValueError(f"row {row:02} lacks the line of its odd columns")
        rows = sorted(self.halves)
        if not rows or rows != list(range(rows[0], rows[-1] + 1)):
            raise ValueError(f"its rows do not follow one another without a gap: {rows}")


StatementParser = Callable[[MapTextParser, str, str], str]
"""Parser of one line: takes the map's text, the label, and the words after the colon; returns the value's path."""


def _add_hex_line(text: MapTextParser, label: str, words: str, *, field: str, feature: Feature) -> str:
    return text.add_item(field, {"feature": feature, "name": label, "hexes": parse_hexes_of_line(words)})


def _add_name_across(text: MapTextParser, label: str, words: str, *, water: bool) -> str:
    return text.add_item("across", {"hex": Hex.from_label(label), "name": words, "water": water})


GENERAL_STATEMENTS: Mapping[str, StatementParser] = {
    "name": lambda text, label, words: text.set_entry("names", Hex.from_label(label), words),
    "water": partial(_add_name_across, water=True),
    "across": partial(_add_name_across, water=False),
    "victory": lambda text, kind, words: text.set_entry("victory", kind, parse_hexes_of_line(words)),
    "road": partial(_add_hex_line, field="roads", feature=Feature.ROAD),
    "railway": partial(_add_hex_line, field="railways", feature=Feature.RAILWAY),
}
"""Lines that every map may have: places, names written across, victory hexes, roads and railways."""


def parse_hex_blocks(text: str) -> Iterator[Hex]:
    """Yield the hexes of a text such as `2608-2610 2309`, each block column by column.

    The block `2608-2610` is written with its north-west and its south-east hex.
    """
    for word in text.split():
        first, _, last = word.partition("-")
        start, end = Hex.from_label(first), Hex.from_label(last or first)
        for column in range(start.column, end.column + 1):
            for row in range(start.row, end.row + 1):
                yield Hex.at(column, row)


def parse_hexes_of_line(text: str) -> tuple[Hex, ...]:
    """Return the hexes of a line's text. Raises ValueError for more than `MOST_IN_LINE`."""
    hexes = tuple(islice(parse_hex_blocks(text), MOST_IN_LINE + 1))
    if len(hexes) > MOST_IN_LINE:
        raise ValueError(f"a line may name at most {MOST_IN_LINE:,} hexes")
    return hexes


class LineFault(NamedTuple):
    """A fault in a map's text, and its line; the line is 0 for a fault of the whole map."""

    line: int
    why: str


def read_map_with_faults(
    text: str, spec_type: type[M], kinds: TerrainKinds, statements: Mapping[str, StatementParser]
) -> tuple[M | None, Sequence[LineFault]]:
    """Return the map that a text describes, and every fault of the text.

    The map is None if a line cannot be read, a row is incomplete or a value is invalid. Otherwise, its contents are
    also checked for consistency.
    """
    map_text = MapTextParser(kinds, statements)
    faults: list[LineFault] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        try:
            if words:
                map_text.read_line(number, words)
        except ValueError as error:
            faults.append(LineFault(number, str(error)))
    if faults:
        return None, faults
    try:
        map_text.require_rows()
        spec = spec_type.model_validate(map_text.values)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        places = [(".".join(map(str, detail["loc"][:2])), detail["msg"]) for detail in details]
        return None, [LineFault(map_text.line_of.get(place, 0), why) for place, why in places]
    except ValueError as error:
        return None, [LineFault(0, str(error))]
    return spec, [LineFault(map_text.line_of.get(place, 0), why) for place, why in spec.faults()]


def read_map(
    text: str, name: str, spec_type: type[M], kinds: TerrainKinds, statements: Mapping[str, StatementParser]
) -> M:
    """Return the map that a text describes. Raises ValueError naming the file and the line of the first fault."""
    spec, faults = read_map_with_faults(text, spec_type, kinds, statements)
    for fault in faults:
        raise ValueError(f"{name}, line {fault.line}: {fault.why}" if fault.line else f"{name}: {fault.why}")
    assert spec is not None
    return spec
