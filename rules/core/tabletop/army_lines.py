"""Read and write army lines: `24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill`.

A line states strength, troops, the unit's name and its leader. `3 Zulu impis of 36` are three units of 36. Brackets
hold the fields in which the unit differs from its troops, and the troops of a leader. Words that fit several troops, or
none, are a doubt.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from rules.core import fields
from rules.core.parsing import invalid_field_in_words
from rules.core.refusal import Refused
from rules.core.typed_text import numbered_lines
from rules.core.wording import as_words

from .army_entries import ArmyUnit, Leader, check_name, numbered_name, write_lines
from .army_places import assign_place, split_off_place
from .army_words import FieldValues, QuotedLine, read_fields
from .doubts import Doubt
from .troops import NamedTroop

if TYPE_CHECKING:
    from .battle_files import BattleFile

MOST_LINES = 60
"""Maximum number of lines in an army."""
MOST_UNITS_OF_LINE = 30
"""Maximum number of units that one line may describe."""
COUNT = re.compile(r"(\d+)(?:\s*[x×](?=\s)|\s*×)?(?:\s+|(?<=×))", re.IGNORECASE)
"""Matches the number at the start of a line: `24 `, `24x ` or `24×`."""
STRENGTH = re.compile(r"\s+of\s+(\d+)$", re.IGNORECASE)
"""Matches the strength of each unit, if a line has several: ` of 36`."""
LAST_STRENGTH = re.compile(r"\s*,\s*(\d+)\s+(\w+)$")
"""Matches the strength behind the troops: `, 3 figures`."""
WITH = re.compile(r"(?:^|\s*,\s*|\s+)with\s+", re.IGNORECASE)
"""Matches the word before a leader: `, with `."""
LEADER = re.compile(r"(?P<name>[^()]*)(?P<bracket>\([^()]*\))?")
"""Matches a leader's name, perhaps with brackets behind it."""


@dataclass(frozen=True)
class _LineHead:
    """The text before the colon of an army line, parsed.

    `count` is the strength, or the number of units if the line states a strength for `each` unit.
    """

    troop: NamedTroop[Any]
    count: int | None
    each: int | None
    field_values: FieldValues


class ArmyLineReader:
    """The reader of army lines for one system."""

    def __init__(self, file_type: "type[BattleFile[Any, Any]]") -> None:
        self.file_type = file_type
        self.troops, self.leading = file_type.troops, file_type.leading
        (self.strength_field,) = file_type.strength_fields

    @cached_property
    def allowed_fields(self) -> Mapping[str, FieldInfo]:
        """Return the unit fields that may stand in brackets: those that troops define, and `extra_line_fields`."""
        of_troops = {name for troop in self.troops.all.values() for name in troop.fields} - {self.strength_field}
        names = {*of_troops, *self.file_type.extra_line_fields}
        editable = fields.editable_fields(self.file_type.unit_type())
        return {name: field for name, field in editable.items() if name in names}

    @cached_property
    def max_strength(self) -> int:
        """Return the greatest strength that a unit may have."""
        bounds = self.file_type.unit_type().model_fields[self.strength_field].metadata
        return next(int(bound.le) for bound in bounds if hasattr(bound, "le"))

    @cached_property
    def example(self) -> str:
        """Return an example army line with troops of the system."""
        troop = next(iter(self.troops.all.values()))
        usual = getattr(troop.make_unit("unit", troop.name, "none"), self.strength_field)
        return write_lines([ArmyUnit(troop, "Number One", usual)])

    def read(self, text: str) -> tuple[Sequence[ArmyUnit], Sequence[Doubt]]:
        """Return the units of army lines, and the unreadable lines as doubts.

        Raises Refused if there are no lines or more than MOST_LINES.
        """
        lines = [(number, line) for number, line in numbered_lines(text) if not line.startswith("#")]
        self.check_line_count(lines)
        units: list[ArmyUnit] = []
        doubts: list[Doubt] = []
        for number, line in lines:
            try:
                words, place = split_off_place(line)
                units += assign_place([*self._read_line(QuotedLine(words))], place)
            except Refused as refused:
                doubts.append(Doubt(number, line, refused.why))
        return units, doubts

    def check_line_count(self, lines: Sequence[object]) -> None:
        """Raise Refused if there are no lines or more than MOST_LINES."""
        if not lines:
            raise Refused(f"There is no unit in it. Write one unit per line, such as “{self.example}”.")
        if len(lines) > MOST_LINES:
            raise Refused(f"That is {len(lines)} lines, and the limit is {MOST_LINES} at once. Put it on in parts.")

    def check_strength(self, strength: int) -> None:
        """Raise Refused unless a unit may have this strength."""
        if not 1 <= strength <= self.max_strength:
            raise Refused(f"A unit has from 1 to {self.max_strength} {self.strength_field}.")

    def make_unit(self, entry: ArmyUnit, unit_id: str, side: str) -> Any:
        """Make the unit that the entry describes. Raises Refused if a field has an invalid value."""
        strength = {} if entry.figures is None else {self.strength_field: entry.figures}
        try:
            unit = entry.troop.make_unit(unit_id, entry.name, side, **strength, **dict(entry.field_values))
            return self.file_type.fill_derived_fields(unit)
        except ValidationError as error:
            raise Refused(f"{entry.name}: {invalid_field_in_words(error)}") from None

    def leader_as_unit(self, leader: Leader) -> ArmyUnit:
        """Return the leader as a unit of the army. Raises Refused if the system has no leaders."""
        if self.leading is None:
            raise Refused(f"Nobody leads a unit in these rules. Leave “with {leader.name}” out.")
        return ArmyUnit(
            leader.troop or self.troops.all[self.leading.troop], leader.name, field_values=leader.field_values
        )

    def _read_line(self, quotes: QuotedLine) -> Iterable[ArmyUnit]:
        """Return the units that a line describes. Raises Refused, with the reason, for an unreadable line."""
        before, colon, after = quotes.line.partition(":")
        if ":" in after:
            raise Refused("It has more than one colon. Leave one out, or put a name that has one in quotes.")
        if not colon:
            return self._read_entries(quotes, *self._split_without_colon(quotes, before))
        name, *leaders = WITH.split(after.strip())
        return self._read_entries(quotes, self._read_head(quotes, before), name, leaders)

    def _split_without_colon(self, quotes: QuotedLine, line: str) -> tuple[_LineHead, str, Sequence[str]]:
        """Split a line without a colon into its troops, an empty name, and the texts about leaders. Raises Refused.

        The first “with” may belong to the name of the troops, so the second is tried first.
        """
        with_matches = [*WITH.finditer(line)]
        refused: Refused | None = None
        for at in (1, 0):
            end = with_matches[at].start() if at < len(with_matches) else len(line)
            try:
                return self._read_head(quotes, line[:end]), "", WITH.split(line[end:])[1:]
            except Refused as why:
                refused = why
        assert refused is not None, "each way was refused"
        raise refused

    def _read_head(self, quotes: QuotedLine, text: str) -> _LineHead:
        """Read the text before the colon. Raises Refused on a wrong strength, field or name of troops."""
        words, field_values = read_fields(quotes, text, self.allowed_fields)
        first, last = COUNT.match(words), STRENGTH.search(words)
        count, each = (None if match is None else int(match[1][:9]) for match in (first, last))
        match = LAST_STRENGTH.search(words) if count is None else None
        if match is not None and match[2].casefold() in (self.strength_field, self.strength_field.removesuffix("s")):
            count, last = int(match[1][:9]), match
        strength = count if each is None else each
        if strength is not None:
            self.check_strength(strength)
        troop = words[first.end() if first else 0 : last.start() if last else None].strip(" ,")
        if not troop or troop.isdigit():
            raise Refused(f"It names no troops. Write “{self.example}”.")
        return _LineHead(self._find_troop(quotes.restore_quotes(troop), text), count, each, field_values)

    def _find_troop(self, words: str, text: str) -> NamedTroop[Any]:
        try:
            return self.troops.find(words)
        except Refused as refused:
            raise self.add_allowed_fields(refused, text) from None

    def add_allowed_fields(self, refused: Refused, text: str) -> Refused:
        """Return the refusal, with a list of the allowed fields if `text` has brackets."""
        if "(" not in text:
            return refused
        allowed = ", ".join(map(as_words, self.allowed_fields))
        return Refused(f"{refused.why} In brackets a line may say: {allowed}.")

    def _read_entries(
        self, quotes: QuotedLine, head: _LineHead, name: str, leader_texts: Sequence[str]
    ) -> Sequence[ArmyUnit]:
        """Return the units of a line, given its troops, its name and the texts about its leaders. Raises Refused."""
        own_name = check_name(quotes.unquote(name.strip(" ,")))
        leaders = [self.read_leader(quotes, part.strip(" ,"), head.troop) for part in leader_texts]
        units, figures = (1, head.count) if head.each is None else (head.count, head.each)
        return self.make_entries(
            head.troop, 1 if units is None else units, figures, head.field_values, own_name, leaders
        )

    def make_entries(
        self,
        troop: NamedTroop[Any],
        units: int,
        figures: int | None,
        field_values: FieldValues,
        name: str,
        leaders: Sequence[Leader],
    ) -> Sequence[ArmyUnit]:
        """Return equal units with validated fields, numbered if there are several. Raises Refused.

        Without `name`, they have the name of their troops; without `figures`, the usual strength.
        """
        full_name = name or troop.name
        if not 1 <= units <= MOST_UNITS_OF_LINE:
            raise Refused(f"A line stands for 1 to {MOST_UNITS_OF_LINE} units.")
        if leaders and units > 1:
            raise Refused("One leader leads one unit. Give his unit a line of its own.")
        if len(leaders) > 1 and self.leading is not None and not self.leading.of_leader:
            raise Refused("A unit has one leader at most. Give the others units of their own.")
        names = [numbered_name(full_name, at) for at in range(1, units + 1)] if units > 1 else [full_name]
        first = ArmyUnit(troop, names[0], figures, field_values=field_values)
        values = _validated_values(self.make_unit(first, "unit", "none"), field_values)
        return [ArmyUnit(troop, unit_name, figures, tuple(leaders), values) for unit_name in names]

    def read_leader(self, quotes: QuotedLine, text: str, led: NamedTroop[Any]) -> Leader:
        """Return the leader in the text after “with”, for a unit of the troops `led`. Raises Refused."""
        match = LEADER.fullmatch(text)
        name = "" if match is None else check_name(quotes.unquote(match["name"]))
        if not name or match is None:
            raise Refused("Write behind “with” the leader's name, and in brackets what troops he is.")
        words, field_values = read_fields(quotes, match["bracket"] or "", self.allowed_fields)
        leader = Leader(name, self._find_troop(quotes.restore_quotes(words), text) if words else None, field_values)
        entry = self.leader_as_unit(leader)
        unit = self.make_unit(entry, "leader", "none")
        if self.leading and not self.leading.can_accompany(unit, led.make_unit("unit", led.name, "none")):
            raise Refused(f"{name} cannot be with {led.name}. Write a line of its own for each.")
        return replace(leader, field_values=_validated_values(unit, entry.field_values))


def _validated_values(unit: Any, field_values: FieldValues) -> FieldValues:
    """Return the same fields with the values that pydantic has validated in the unit."""
    return tuple((name, getattr(unit, name)) for name, _ in field_values)
