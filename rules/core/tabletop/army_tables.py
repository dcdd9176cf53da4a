"""Turn the rows of a typed table into army lines.

A row of headings defines the columns below. Without headings, a row must have the troops, a number and the unit's name.
An ambiguous row is refused.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rules.core.naming import words_of
from rules.core.refusal import Refused

from . import army_counts
from .army_counts import MOST_PARTS, load_count_words
from .army_text import normalize_words
from .army_troops import TroopFinder
from .army_words import BRACKET, QUOTED

NAME, TROOPS, MORE, STRENGTH, NUMBER, UNITS, LEADER, PLACE, UNUSED = (
    "name", "troops", "more", "strength", "number", "units", "leader", "place", "unused"
)  # fmt: skip
"""Roles of columns: keys of `CountWords.headings`."""
SEPARATORS: Mapping[str, re.Pattern[str]] = {
    "tab": re.compile(r" *\t *"),
    "bar": re.compile(r"\s*\|\s*"),
    "semicolon": re.compile(r"\s*;\s*"),
    "dash": re.compile(r"\s+[-–—]+\s+"),
}
"""Separators between the cells of a row, the plainest first."""
COMMA = "comma"
"""The separator of a file of comma-separated values, whose first line has headings."""
TABLE_ONLY_SEPARATORS = ("tab", "bar")
"""Separators found only in tables. A line with such a separator is always read as a row."""
DRAWN_LINE = re.compile(r"[\s|:+=_–—-]{2,}")
"""Matches a line drawn under headings or between rows."""
EMPTY_CELL = re.compile(r"[-–—.?/]*")
"""Matches a cell without content, such as `-`."""
NAME_AND_TROOPS = re.compile(r"([^()]*[^()\s])\s*\(([^()]+)\)")
"""Matches a cell with a unit's name and its troops in brackets."""
FEWEST_CELLS = 3
"""Minimum number of cells in a row without headings whose separators are dashes or semicolons."""
UNCLEAR = "It is not clear what stands in which column. Give the columns headings, such as “Unit | Troops | Figures”."


@dataclass(frozen=True)
class _Row:
    separator: str
    cells: Sequence[str]

    @property
    def index(self) -> int | None:
        """Return the row's number, if its first cell is only a number; otherwise None."""
        first = self.cells[0].rstrip(".)")
        return int(first) if first.isdecimal() and len(first) < 3 else None


Columns = Sequence[tuple[str, str]]
"""Role and heading of each column of a table."""


class TableRowReader:
    """Reads table rows among the lines of an army."""

    def __init__(self, finder: TroopFinder, lines: Sequence[tuple[int, str]]) -> None:
        self._finder = finder
        self._columns: dict[str, Columns] = {}
        rows = [(number, row) for number, line in lines if (row := _split_row(line, ())) is not None]
        indexed = [(number, row.index) for number, row in rows if row.index is not None]
        is_index = len(indexed) > 1 and [index for _, index in indexed] == [*range(1, len(indexed) + 1)]
        self._indexed_lines = frozenset(number for number, _ in indexed) if is_index else frozenset[int]()

    def read(self, number: int, line: str) -> str | None:
        """Return the army line of a table row, and any other line unchanged.

        Return None for headings, and for a line drawn between rows. Raises Refused for an unclear row.
        """
        if DRAWN_LINE.fullmatch(line):
            return None
        row = _split_row(line, self._columns)
        if row is None or self._columns.keys() == {COMMA}:
            row = _split_commas(line) if COMMA in self._columns or _read_headings(_split_commas(line).cells) else row
        if row is None:
            return line
        if (columns := _read_headings(row.cells)) is not None:
            self._columns = {row.separator: columns}
            return None
        cells = row.cells[1:] if number in self._indexed_lines else row.cells
        if (columns := self._columns.get(row.separator)) is not None:
            return self._read_row_under_headings(row.cells, columns, is_indexed=number in self._indexed_lines)
        army_line = self._read_row_without_headings([cell for cell in cells if not EMPTY_CELL.fullmatch(cell)])
        if army_line is None and row.separator in TABLE_ONLY_SEPARATORS:
            raise Refused(UNCLEAR)
        return line if army_line is None else army_line

    def _read_row_under_headings(self, cells: Sequence[str], columns: Columns, *, is_indexed: bool) -> str:
        """Return the army line of a row under headings. Raises Refused if the row has more cells than headings."""
        if len(cells) > len(columns):
            raise Refused(f"This row has {len(cells)} columns, and there are {len(columns)} headings.")
        cell_by_role: dict[str, str] = {}
        noun = ""
        for at, ((role, heading), cell) in enumerate(zip(columns, cells, strict=False)):
            if EMPTY_CELL.fullmatch(cell) or role == UNUSED or (is_indexed and at == 0):
                continue
            if role in cell_by_role and role != MORE:
                raise Refused(f"Two columns give the {role}. Leave one out.")
            cell_by_role[role] = f"{cell_by_role[MORE]}, {cell}" if role in cell_by_role else cell
            if role == STRENGTH and re.fullmatch(army_counts.count_patterns().noun, heading, re.IGNORECASE):
                noun = heading
        if len(cell_by_role) == 1:
            return next(iter(cell_by_role.values()))
        return _write_line(self._add_troops_cell(cell_by_role), noun)

    def _add_troops_cell(self, cell_by_role: Mapping[str, str]) -> Mapping[str, str]:
        """Return the cells with a cell for the troops. If it is missing, the name's cell gives the troops."""
        if TROOPS in cell_by_role:
            return cell_by_role
        other_cells = {role: cell for role, cell in cell_by_role.items() if role != NAME}
        match = NAME_AND_TROOPS.fullmatch(cell_by_role.get(NAME, ""))
        if match and self._rank_as_troops(match[2]):
            return {NAME: match[1], TROOPS: match[2], **other_cells}
        return {TROOPS: cell_by_role.get(NAME, ""), **other_cells}

    def _read_row_without_headings(self, cells: Sequence[str]) -> str | None:
        """Return the army line of a row without headings, or None if the row is unclear.

        A clear row has the troops, at most one number and at most one name.
        """
        numbers = [cell for cell in cells if cell.isdecimal() or army_counts.read_strength(normalize_words(cell))]
        words = [cell for cell in cells if cell not in numbers]
        if not 1 <= len(words) <= 2 or len(numbers) > 1:
            return None
        cell_by_role = {STRENGTH: numbers[0]} if numbers else {}
        if len(words) == 1:
            cell_by_role |= self._add_troops_cell({NAME: words[0]})
        else:
            first, second = map(self._rank_as_troops, words)
            if first == second and words[0] != words[1]:
                return None
            cell_by_role |= dict(zip((NAME, TROOPS) if second >= first else (TROOPS, NAME), words, strict=True))
        return _write_line(cell_by_role, "") if self._rank_as_troops(cell_by_role[TROOPS]) else None

    def _rank_as_troops(self, cell: str) -> int:
        """Return 2 if the cell is the exact name of troops, 1 for other words for troops, and 0 for anything else."""
        try:
            words = army_counts.read_counts(normalize_words(BRACKET.sub("", cell))).words
        except Refused:
            return 0
        return 2 if self._finder.is_exact_name(words) else int(self._finder.fits_any_troops(words))


def _split_row(line: str, columns: Mapping[str, object] | Sequence[str]) -> _Row | None:
    """Return the cells of a row, or None if the line is no row. Separators in quotes and brackets are ignored."""
    line = line.strip("| ")
    masked = BRACKET.sub(_mask_text, QUOTED.sub(_mask_text, line))
    for separator, sign in SEPARATORS.items():
        gaps = [gap.span() for gap in sign.finditer(masked)]
        is_table = separator in columns or (separator == "tab" or ":" not in masked)
        fewest = 2 if separator in TABLE_ONLY_SEPARATORS or separator in columns else FEWEST_CELLS
        if is_table and fewest <= len(gaps) + 1 <= MOST_PARTS:
            ends = [*(start for start, _ in gaps), len(line)]
            starts = [0, *(end for _, end in gaps)]
            return _Row(separator, [_clean_cell(line[at:end]) for at, end in zip(starts, ends, strict=True)])
    return None


def _split_commas(line: str) -> _Row:
    return _Row(COMMA, [*map(_clean_cell, next(csv.reader([line], skipinitialspace=True), []))])


def _mask_text(match: re.Match[str]) -> str:
    return "\x00" * len(match[0])


def _clean_cell(cell: str) -> str:
    """Return a cell without outer spaces, and without Markdown's signs for bold and italics."""
    return cell.strip().strip("*_").strip()


@cache
def _role_by_heading() -> Mapping[tuple[str, ...], str]:
    """Return the role of a column, such as troops or strength, by the words of its heading."""
    return {words_of(word) or (word,): role for role, words in load_count_words().headings.items() for word in words}


def _read_headings(cells: Sequence[str]) -> Columns | None:
    """Return the role (such as troops) and the heading of each column; None unless all cells are headings."""
    headings = [cell.casefold().rstrip(".:") for cell in cells]
    roles = [_role_by_heading().get(words_of(heading) or (heading,)) if heading else UNUSED for heading in headings]
    columns = [(role, heading) for role, heading in zip(roles, headings, strict=True) if role is not None]
    is_whole = len(columns) == len(cells) and len({role for role in roles if role != UNUSED}) > 1
    return columns if is_whole else None


def _write_line(cell_by_role: Mapping[str, str], noun: str) -> str:
    """Return the army line with the contents of a row. `noun` is the noun after the strength, or `""`."""
    troops = ", ".join(filter(None, (cell_by_role.get(TROOPS), cell_by_role.get(MORE))))
    strength, number, units = (cell_by_role.get(role, "") for role in (STRENGTH, NUMBER, UNITS))
    if strength and number:
        units, number = units or number, ""
    if strength.isdecimal() and not noun and not units:
        number, strength = strength, ""
    strength_words = f"{strength} {noun}".strip() if strength.isdecimal() else strength
    if units:
        head = f"{units} units of {troops}{f', {strength_words} each' if strength_words else ''}"
    else:
        head = f"{number} {troops}{f', {strength_words}' if strength_words else ''}".strip()
    name = cell_by_role.get(NAME, "")
    if name and not QUOTED.fullmatch(name):
        name = '"{}"'.format(name.replace('"', '""'))
    leader = f", with {cell_by_role[LEADER]}" if LEADER in cell_by_role else ""
    place = f", at {cell_by_role[PLACE]}" if PLACE in cell_by_role else ""
    return f"{head}: {name}{leader}{place}" if name else f"{head}{leader}{place}"
