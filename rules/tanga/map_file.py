"""The text of a map (`data/tanga.txt`): hexes row by row as they lie, then its places and lines, one a line."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import ValidationError

from rules.core.hexboard.hexes import Hex, Hexside
from rules.core.model import Cite, Model
from rules.core.scene import Feature

from .board import Terrain
from .map_spec import MapSpec, faults

_ROW = re.compile(r"(\d\d)(?: +(.*))?")
_COLUMNS = re.compile(r"columns (\d\d)-(\d\d)")
LINES = {"road": ("roads", Feature.ROAD), "railway": ("railways", Feature.RAILWAY)}
WRITTEN = {"water": True, "across": False}
"""Names written across the map, and whether over water."""
WORDS = ("beach", "entry", "victory", "station", "west edge", "name", *WRITTEN, *LINES)
"""What a line may begin with."""


class TerrainKinds(Model):
    """`data/terrain.toml`: the kinds of terrain, each with the letter that stands for it (TA-H.2)."""

    cite: Cite
    road_cost: int
    hexside: Hexside
    terrain: tuple[Mapping[str, Any], ...]

    @property
    def terrains(self) -> tuple[Terrain, ...]:
        """The kinds, each with its rule."""
        return tuple(Terrain.model_validate({"cost": None, "cite": self.cite, **row}) for row in self.terrain)


@cache
def terrain_kinds() -> TerrainKinds:
    """The kinds of terrain of the house game. Raises ValueError when the file is wrong."""
    text = (files("rules.tanga") / "data" / "terrain.toml").read_text(encoding="utf-8")
    return TerrainKinds.model_validate(tomllib.loads(text))


class _Reader:
    """Takes a map's text in line by line, and remembers which line said what."""

    def __init__(self) -> None:
        kinds = terrain_kinds()
        self.letters = {terrain.letter: terrain.id for terrain in kinds.terrains}
        self.columns = range(0)
        self.said: dict[str, Any] = {
            "terrains": kinds.terrains,
            "road_cost": kinds.road_cost,
            "hexside": kinds.hexside,
            **{field: {} for field in ("hexes", "entries", "victory", "names")},
            **{field: [] for field in ("beaches", "roads", "railways", "across")},
        }
        self.line_of: dict[str, int] = {}
        self.halves: dict[int, int] = {}

    def take(self, number: int, line: str) -> None:
        """One line. Raises ValueError when it says nothing that a map says."""
        if columns := _COLUMNS.fullmatch(line):
            self.columns = range(int(columns[1]), int(columns[2]) + 1)
        elif row := _ROW.fullmatch(line):
            self.row(number, int(row[1]), (row[2] or "").split())
        else:
            head, _, rest = line.partition(":")
            word = next((word for word in WORDS if head == word or head.startswith(f"{word} ")), None)
            if word is None or not rest.strip():
                raise ValueError(f"a line says {', '.join(WORDS)}, then a colon and what; {line[:40]!r} does not")
            place = self.statement(word, head.removeprefix(word).strip(), rest.strip())
            self.line_of.setdefault(place, number)

    def row(self, number: int, row: int, letters: list[str]) -> None:
        """The even columns of a row, or, the second time, its odd ones."""
        odd = self.halves.get(row, 0)
        columns = [column for column in self.columns if column % 2 == odd]
        if odd > 1 or len(letters) != len(columns):
            which = ("even", "odd")[odd] if odd <= 1 else "more"
            raise ValueError(f"row {row:02} has {len(letters)} hexes in {which} columns; {len(columns)} lie there")
        self.halves[row] = odd + 1
        for column, letter in zip(columns, letters, strict=True):
            hex_ = Hex.at(column, row)
            if letter not in self.letters:
                raise ValueError(f"{hex_}: no terrain has the letter {letter!r}; there are {' '.join(self.letters)}")
            self.said["hexes"][hex_] = self.letters[letter]
            self.line_of[f"hexes.{hex_}"] = number

    def statement(self, word: str, label: str, rest: str) -> str:
        """What one line says of the map; returns its place in it."""
        if word == "beach":
            if f"beaches.{label}" in self.line_of:
                raise ValueError(f"beach {label} comes twice")
            beach, head = hexes_in(rest)
            self.said["beaches"].append({"letter": label, "beach": beach, "head": head})
            return f"beaches.{label}"
        if word == "station":
            self.said["station"] = Hex.labelled(rest)
            return "station"
        if word == "west edge":
            self.said["west_edge"] = tuple(hexes_in(rest))
            return "west_edge"
        if word in WRITTEN:
            written = {"hex": Hex.labelled(label), "name": rest, "water": WRITTEN[word]}
            return self.add("across", written)
        if word in LINES:
            field, feature = LINES[word]
            return self.add(field, {"feature": feature, "name": label, "hexes": tuple(hexes_in(rest))})
        if word == "entry":
            return self.once("entries", int(label), Hex.labelled(rest))
        if word == "victory":
            return self.once("victory", label, tuple(hexes_in(rest)))
        return self.once("names", Hex.labelled(label), rest)

    def add(self, field: str, what: Mapping[str, Any]) -> str:
        """One more in a list."""
        self.said[field].append(what)
        return f"{field}.{len(self.said[field]) - 1}"

    def once(self, field: str, key: Hex | int | str, what: Any) -> str:
        """Something said of a key. Raises ValueError when it was said before."""
        if key in self.said[field]:
            raise ValueError(f"{key} comes twice")
        self.said[field][key] = what
        return f"{field}.{key}"


def hexes_in(text: str) -> Iterator[Hex]:
    """`2608-2610 2309`: hexes, and blocks from the north-west to the south-east corner, column by column."""
    for word in text.split():
        first, _, last = word.partition("-")
        start, end = Hex.labelled(first), Hex.labelled(last or first)
        for column in range(start.column, end.column + 1):
            for row in range(start.row, end.row + 1):
                yield Hex.at(column, row)


def read_map(text: str, name: str) -> MapSpec:
    """The map of a text. Raises ValueError naming the file and the line of the first fault."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.partition("#")[0].strip()
        try:
            if said:
                reader.take(number, said)
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
    for row, lines in reader.halves.items():
        if lines < 2 and len(reader.columns) > 1:
            raise ValueError(f"{name}: row {row:02} lacks the line of its odd columns")
    rows = sorted(reader.halves)
    if not rows or rows != list(range(rows[0], rows[-1] + 1)):
        raise ValueError(f"{name}: its rows do not follow one another without a gap: {rows}")
    try:
        spec = MapSpec.model_validate(reader.said)
    except ValidationError as error:
        raise ValueError(f"{name}: {error}") from None
    for place, why in faults(spec):
        raise ValueError(f"{name}, line {reader.line_of[place]}: {why}")
    return spec
