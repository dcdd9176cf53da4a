"""Read an army as people type it: printed lists, forum posts, the output of `/army show`.

A line with two possible meanings is a doubt, which shows how to write each of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rules.core.refusal import Refused

from . import army_counts, army_sizes
from .army_counts import MOST_PARTS, LineCounts
from .army_entries import ArmyUnit, Leader, TypedArmy, check_name
from .army_lines import WITH, ArmyLineReader
from .army_places import TYPED_SEPARATOR, assign_place, split_off_place
from .army_readings import (
    NAMED_LEADER,
    ONE_QUOTE,
    LineReading,
    split_troops_and_leaders,
    split_troops_and_name,
    split_unit_names,
)
from .army_sizes import AmbiguousWords, UnitSizeReader
from .army_tables import TableRowReader
from .army_text import normalize_words, split_lines
from .army_titles import is_title, remove_bold, remove_prices
from .army_troops import SeveralTroops, TroopFinder, UnknownTroops
from .army_words import BRACKET, FieldValues, QuotedLine, match_field, read_fields, split_off_fields
from .doubts import Doubt
from .troops import NamedTroop

NUMBER_FIRST = re.compile(r"\d+\s*[,;]")
"""Matches a number before a comma, which is more likely a strength than part of a name."""
LONGEST_LINE = 400
"""Maximum number of characters of a line, without its quoted parts."""
DASHED_RANK = -1
"""Rank of a doubt about the number in a line with a name, a dash and troops. It precedes other refusals."""
UNKNOWN_RANK = 2
"""Rank of a refusal that explains little: no troops fit the words, which may not mean troops at all."""


@dataclass(frozen=True)
class _LineContents:
    """The troops, numbers and fields that a line states."""

    troop: NamedTroop[Any]
    units: int
    figures: int | None
    field_values: FieldValues
    is_counted: bool
    """Whether the text has a number of units or a strength."""


class ArmyReader:
    """Reads armies of one system as people type them."""

    def __init__(self, lines: ArmyLineReader) -> None:
        self._lines = lines
        self._finder = TroopFinder(lines.troops)

    def read(self, text: str, side: str = "") -> TypedArmy:
        """Return a typed army: its units, its unreadable lines as doubts, and its titles.

        If words fit troops of several nations, the nation in the side's name decides. Raises Refused if there
        are no lines or more than MOST_LINES.
        """
        lines = [(number, remove_prices(line)) for number, line in split_lines(text)]
        self._lines.check_line_count(lines)
        nations, rows = self._finder.nations_in_name(side), TableRowReader(self._finder, lines)
        groups: list[Sequence[ArmyUnit]] = []
        doubts: list[Doubt] = []
        titles: list[str] = []
        for number, line in lines:
            try:
                words, place = split_off_place(rows.read(number, line) or "", TYPED_SEPARATOR)
                if words and not place and is_title(words, self._finder):
                    titles.append(remove_bold(words))
                elif words:
                    quotes = QuotedLine(remove_bold(words))
                    groups.append(assign_place(_LineReader(self._lines, self._finder, nations, quotes).read(), place))
            except Refused as refused:
                doubts.append(Doubt(number, line, refused.why))
        if not groups and not doubts:
            self._lines.check_line_count(())
        return TypedArmy(groups, doubts, titles)


@dataclass(frozen=True)
class _LineReader:
    """Reads one line of an army. `nations` are the nations of the army's side."""

    lines: ArmyLineReader
    finder: TroopFinder
    nations: frozenset[str]
    quotes: QuotedLine

    def read(self) -> Sequence[ArmyUnit]:
        """Return the units of the line. Raises Refused if the line is unreadable, ambiguous or too long."""
        if len(self.quotes.line) > LONGEST_LINE:
            raise Refused(f"A line may have at most {LONGEST_LINE} characters. Write one unit per line.")
        before, colon, after = (part.strip() for part in self.quotes.line.partition(":"))
        if ":" in after:
            raise Refused("It has more than one colon. Leave one out, or put a name that has one in quotes.")
        refused: list[tuple[int, Refused]] = []
        for readings in self._readings_with_colon(before, after) if colon else self._readings_without_colon(before):
            groups = [units for reading in readings if (units := self._try_reading(reading, refused)) is not None]
            if len(groups) > 1:
                first, second = (units[0] for units in groups[:2])
                raise Refused(
                    f"It may be {first.troop.name} called “{first.name}”, or {second.troop.name} called "
                    f"“{second.name}”. Put the name in quotes. Two units take two lines."
                )
            if groups:
                return groups[0]
        why = min(refused, key=lambda pair: pair[0])[1]
        if isinstance(why, UnknownTroops) and why.words:
            raise self.lines.add_allowed_fields(
                Refused(f"{why.why} {self.finder.suggest_troops(why.words, self.nations)}"), self.quotes.line
            )
        raise why

    def _readings_with_colon(self, before: str, after: str) -> Iterator[Sequence[LineReading]]:
        """Yield the readings of a line with a colon in groups, the most probable group first.

        The name may come last or first: `24 British regulars: 1st Berkshires`, `1st Berkshires: British
        regulars, 24`. Two valid readings in one group make the line doubtful.
        """
        name, *leaders = (part for text in WITH.split(after) for part in NAMED_LEADER.split(text))
        if (army_counts.read_strength(name) and not self._has_count(before)) or not after:
            yield [LineReading(f"{before} ({name})" if name else before, "", leaders)]
        troops_first = LineReading(before, name, leaders)
        splits = split_troops_and_leaders(after)
        names_first = [LineReading(head, before, leaders, names_first=True) for head, leaders in splits]
        is_before_counted, is_after_counted = self._has_count(before), self._has_count(after)
        is_exact = self.finder.is_exact_name(BRACKET.sub("", before))
        if is_after_counted and not is_before_counted:
            yield from ([reading] for reading in names_first)
            yield [troops_first]
        elif not is_after_counted and (is_before_counted or is_exact):
            yield [troops_first]
        else:
            yield [troops_first, *names_first[:1]]
        yield from ([reading] for reading in names_first)

    def _readings_without_colon(self, text: str) -> Iterator[Sequence[LineReading]]:
        """Yield the readings of a line without a colon in groups, the most probable group first."""
        for head, leaders in split_troops_and_leaders(text):
            yield [LineReading(head, "", leaders, is_loose=True)]
        for head, leaders in split_troops_and_leaders(text):
            for ways in split_troops_and_name(head):
                yield [replace(reading, leaders=[*reading.leaders, *leaders]) for reading in ways]

    def _has_count(self, text: str) -> bool:
        """Whether the text has a number of units or a strength."""
        words, bracket_texts = normalize_words(BRACKET.sub(" ", text)), BRACKET.findall(text)
        return army_counts.has_count(words) or any(map(army_counts.read_strength, bracket_texts))

    def _try_reading(self, reading: LineReading, refused: list[tuple[int, Refused]]) -> Sequence[ArmyUnit] | None:
        """Return the units of a reading, or None if the reading is invalid.

        The refusal of an invalid reading is added to `refused` with a rank: the more probable the reading, the
        lower.
        """
        try:
            self._check_name_before_troops(reading)
            head, bracket_name = self._read_head(reading.head, is_named=bool(reading.name))
            return self._make_units(head, self._read_name(reading, head) or bracket_name, reading)
        except UnknownTroops as why:
            refused.append((UNKNOWN_RANK, why))
        except Refused as why:
            is_meant = not reading.names_first or (
                self._has_count(reading.head) and not isinstance(why, _MisplacedName)
            )
            is_plain = is_meant and reading.is_dashed and isinstance(why, AmbiguousWords)
            refused.append((DASHED_RANK if is_plain else int(reading.names_first) if is_meant else UNKNOWN_RANK, why))
        return None

    def _check_name_before_troops(self, reading: LineReading) -> None:
        """Raise Refused if a name before the troops could also be read as troops."""
        text = reading.name.strip(" ,;")
        name = self.quotes.unquote(text)
        if not reading.names_first or re.fullmatch(ONE_QUOTE, text):
            return
        is_counted = self._has_count(reading.head)
        is_units = self._has_count(name) or (reading.is_loose and self.finder.ends_in_troops(name))
        if not name or is_units or (self.finder.is_exact_name(name) and not is_counted):
            raise _MisplacedName(
                f"“{name}” is no name that can stand before the troops. Put it in quotes, or after a colon."
            )

    def _read_name(self, reading: LineReading, head: _LineContents) -> str:
        """Return the unit's name in the reading, or `""` if there is none.

        Raises Refused if the text cannot be a name, or could also mean troops.
        """
        text = reading.name.strip(" ,;")
        name = check_name(self.quotes.unquote(text))
        if re.fullmatch(ONE_QUOTE, text) or not name:
            return name
        may_be_troops = self.finder.is_exact_name(name) and not head.is_counted and name != head.troop.name
        if reading.is_loose and not (reading.is_dashed and self._has_count(reading.head)):
            may_be_troops = (
                self.finder.sounds_like_troops(name) or self._has_count(name) or self.finder.ends_in_troops(name)
            )
        if may_be_troops or self._is_unit_description(name) or NUMBER_FIRST.match(name):
            raise AmbiguousWords(f"“{name}” may be a name or be said of troops. Put a name in quotes behind a colon.")
        return name

    def _is_unit_description(self, text: str) -> bool:
        """Whether the text could describe units by a number and troops: `12 British lancers`."""
        try:
            return self._has_count(text) and self._read_head(text, is_named=True) is not None
        except Refused:
            return False

    def _read_head(self, text: str, *, is_named: bool) -> tuple[_LineContents, str]:
        """Read the text about the troops, and the unit's name if brackets hold it. Raises Refused.

        If `is_named` is true, the name stands elsewhere in the line. Without a name in brackets, return `""` for it.
        """
        outside, field_values = split_off_fields(self.quotes, text, self.lines.allowed_fields)
        strength: LineCounts | None = None
        bracket_texts: list[str] = []
        for bracket in (part.strip() for part in BRACKET.findall(outside)):
            counts = army_counts.read_strength(normalize_words(bracket))
            if counts is not None and strength is None:
                strength = counts
            elif bracket:
                bracket_texts.append(bracket)
        words = BRACKET.sub(" ", outside)
        try:
            return self._read_troops_and_size(words, strength, field_values, bracket_texts), ""
        except Refused as refused:
            if len(bracket_texts) != 1 or is_named:
                raise
            name = check_name(self.quotes.unquote(bracket_texts[0]))
            if self._has_count(name):
                raise
            try:
                head = self._read_troops_and_size(words, strength, field_values)
            except SeveralTroops:
                raise
            except Refused:
                raise refused from None
            if self.finder.sounds_like_troops(name):
                raise refused
            return head, name

    def _read_troops_and_size(
        self, text: str, strength: LineCounts | None, field_values: FieldValues, bracket_texts: Sequence[str] = ()
    ) -> _LineContents:
        """Return the troops, number of units and strength in the text and its brackets. Raises Refused."""
        counts = army_counts.read_counts(normalize_words(self.quotes.restore_quotes(text)))
        counts = replace(counts, words=", ".join((counts.words, *map(normalize_words, bracket_texts))))
        if strength is not None:
            counts = army_counts.add_bracket_counts(counts, strength)
        if not any(map(str.isalpha, counts.words)):
            raise UnknownTroops(f"It names no troops. Write “{self.lines.example}”.")
        name, _, last = (part.strip() for part in counts.words.rpartition(","))
        if self.finder.is_exact_name(name) and self.finder.is_players_word(last):
            raise AmbiguousWords(f"“{last}” may be a name or be said of troops. Put a name behind a colon.")
        troop, more_values = self._find_troop(counts.words)
        units, figures = UnitSizeReader(self.lines, troop, counts).decide_sizes()
        return _LineContents(troop, units, figures, (*field_values, *more_values), counts.has_count)

    def _find_troop(self, words: str) -> tuple[NamedTroop[Any], FieldValues]:
        """Return the troops that the words name, and any fields after a comma: `Indian cavalry, elite`."""
        try:
            return self.finder.find(words, self.nations), ()
        except (SeveralTroops, UnknownTroops):
            parts = [part.strip() for part in words.split(",")]
            matches = {part: match_field(part, self.lines.allowed_fields) for part in parts[1:MOST_PARTS]}
            plain = [part for part in parts if matches.get(part) is None or " " in part]
            if len(plain) == len(parts):
                raise
            troop = self.finder.find(", ".join(plain), self.nations)
        field_words = ", ".join(part for part in parts if part not in plain)
        return troop, read_fields(self.quotes, f"({field_words})", self.lines.allowed_fields)[1]

    def _make_units(self, head: _LineContents, name: str, reading: LineReading) -> Sequence[ArmyUnit]:
        """Return the units with their names and leaders. Raises Refused."""
        leaders = [self._read_leader(text, head, is_loose=reading.is_loose) for text in reading.leaders]
        is_quoted = re.fullmatch(ONE_QUOTE, reading.name.strip(" ,;"))
        raw_names = split_unit_names(reading.name.strip(" ,;") or name, head.units) if not is_quoted else ()
        if not name or self.finder.is_exact_name(name):
            army_sizes.check_not_regiment_name(reading.head, head.troop, head.figures)
        if raw_names and not leaders:
            names = [check_name(self.quotes.unquote(raw_name)) for raw_name in raw_names]
            make_entries = partial(self.lines.make_entries, head.troop, 1, head.figures, head.field_values)
            return [unit for unit_name in names for unit in make_entries(unit_name, ())]
        return self.lines.make_entries(head.troop, head.units, head.figures, head.field_values, name, leaders)

    def _read_leader(self, text: str, head: _LineContents, *, is_loose: bool) -> Leader:
        leader = self.lines.read_leader(self.quotes, text.strip(" ,"), head.troop)
        if is_loose and (army_counts.read_counts(leader.name).has_count or self.finder.sounds_like_troops(leader.name)):
            raise AmbiguousWords(
                f"“{leader.name}” behind “with” may be a leader or be said of the troops. Write a leader behind a "
                "colon, such as “: 1st Foot, with McNeill”."
            )
        return leader


class _MisplacedName(Refused):
    """Refusal of words that cannot be a name before the troops."""
