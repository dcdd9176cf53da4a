"""An army in plain lines: `24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill`.

A line has how strong a unit is, the troops, its name behind a colon, and who leads it; `3 Zulu impis of 36` are three
units of so many. In brackets stands what a unit has otherwise than its troops, and of which troops a leader is. Lines
that are empty or begin with # say nothing. Names are matched loosely; what may be several troops, or none, is doubtful.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from rules.core import fields
from rules.core.parsing import what_is_invalid
from rules.core.refusal import Refused
from rules.core.typed_text import is_shown, lines_of
from rules.core.unit_lookup import LONGEST_NAME
from rules.core.wording import as_words

from .army_words import Given, Quotes, in_brackets, quoted, split_fields, words_of
from .troops import NamedTroop

if TYPE_CHECKING:
    from .battle_files import BattleFile

MOST_LINES = 60
MOST_OF_A_LINE = 30
"""Units that a line may stand for."""
COUNT = re.compile(r"(\d+)(?:\s*[x×](?=\s)|\s*×)?(?:\s+|(?<=×))", re.IGNORECASE)
EACH = re.compile(r"\s+of\s+(\d+)$", re.IGNORECASE)
WITH = re.compile(r"(?:^|\s*,\s*|\s+)with\s+", re.IGNORECASE)
LEADER = re.compile(r"(?P<name>[^()]*)(?P<bracket>\([^()]*\))?")


@dataclass(frozen=True)
class Leader:
    """A unit's leader or attached piece, with troops and fields different from the usual ones."""

    name: str
    troop: NamedTroop[Any] | None = None
    given: Given = ()


@dataclass(frozen=True)
class ArmyUnit:
    """A unit of an army: troops, name, strength and further fields."""

    troop: NamedTroop[Any]
    name: str
    figures: int | None = None
    leaders: tuple[Leader, ...] = ()
    given: Given = ()


@dataclass(frozen=True)
class Doubt:
    """An incomprehensible line: number, text, and reason with similar troops."""

    number: int
    text: str
    why: str


@dataclass(frozen=True)
class _Head:
    """Text before the colon: number of units, troops, strength, and bracketed fields."""

    troop: NamedTroop[Any]
    count: int | None
    each: int | None
    given: Given


class ArmyLines:
    """Reader of army lines for one system."""

    def __init__(self, file_type: "type[BattleFile[Any, Any]]") -> None:
        self.file_type = file_type
        self.troops, (self.counted,), self.leading = file_type.troops, file_type.counted, file_type.leading

    @cached_property
    def known(self) -> Mapping[str, FieldInfo]:
        """Return the unit fields allowed in lines: fields distinguishing troops, and extra fields of the system."""
        named = {name for troop in self.troops.all.values() for name in troop.fields} - {self.counted}
        wanted = {*named, *self.file_type.of_its_own}
        every = fields.editable(self.file_type.unit_type())
        return {name: field for name, field in every.items() if name in wanted}

    @cached_property
    def most(self) -> int:
        """Return the maximum strength of a unit."""
        bounds = self.file_type.unit_type().model_fields[self.counted].metadata
        return next(int(bound.le) for bound in bounds if hasattr(bound, "le"))

    @cached_property
    def example(self) -> str:
        """Return an example line for the system."""
        troop = next(iter(self.troops.all.values()))
        usual = getattr(troop.unit("unit", troop.name, "none"), self.counted)
        return write_lines([ArmyUnit(troop, "Number One", usual)])

    def read(self, text: str) -> tuple[Sequence[ArmyUnit], Sequence[Doubt]]:
        """Read units and doubtful lines. Raises Refused for too many or no lines."""
        said = [(number, line) for number, line in lines_of(text) if not line.startswith("#")]
        if not said:
            raise Refused(f"There is no unit in it. Write a unit a line, as “{self.example}”.")
        if len(said) > MOST_LINES:
            raise Refused(f"That is {len(said)} lines, and {MOST_LINES} is the most at once. Put it on in parts.")
        units: list[ArmyUnit] = []
        doubts: list[Doubt] = []
        for number, line in said:
            try:
                units += self._units_of(Quotes(line))
            except Refused as refused:
                doubts.append(Doubt(number, line, refused.why))
        return units, doubts

    def made(self, one: ArmyUnit, unit_id: str, side: str) -> Any:
        """Return the unit of those words. Raises Refused on what it cannot be."""
        counted = {} if one.figures is None else {self.counted: one.figures}
        try:
            return self.file_type.as_listed(one.troop.unit(unit_id, one.name, side, **counted, **dict(one.given)))
        except ValidationError as error:
            raise Refused(f"{one.name}: {what_is_invalid(error)}") from None

    def leader(self, of: Leader) -> ArmyUnit:
        """Him as a unit of his own. Raises Refused where nobody leads in these rules."""
        if self.leading is None:
            raise Refused(f"Nobody leads a unit in these rules. Leave “with {of.name}” out.")
        return ArmyUnit(of.troop or self.troops.all[self.leading.troop], of.name, given=of.given)

    def _units_of(self, quotes: Quotes) -> Iterable[ArmyUnit]:
        """Raises Refused on a line that is not understood."""
        before, colon, after = quotes.line.partition(":")
        if ":" in after:
            raise Refused("It has more than one colon. Leave one out, or put a name that has one in quotes.")
        if not colon:
            return self._of_parts(quotes, *self._nameless(quotes, before))
        name, *led = WITH.split(after.strip())
        return self._of_parts(quotes, self._head(quotes, before), name, led)

    def _nameless(self, quotes: Quotes, line: str) -> tuple[_Head, str, Sequence[str]]:
        """Split a line without colon. Troop names may contain “with”, so the longest known name counts."""
        withs = [*WITH.finditer(line)]
        refused: Refused | None = None
        for at in (1, 0):
            upto = withs[at].start() if at < len(withs) else len(line)
            try:
                return self._head(quotes, line[:upto]), "", WITH.split(line[upto:])[1:]
            except Refused as why:
                refused = why
        assert refused is not None, "each way was refused"
        raise refused

    def _head(self, quotes: Quotes, text: str) -> _Head:
        """Return what stands before the colon. Raises Refused."""
        words, given = split_fields(quotes, text, self.known)
        first, last = COUNT.match(words), EACH.search(words)
        count, each = (None if found is None else int(found[1][:9]) for found in (first, last))
        strength = count if each is None else each
        if strength is not None and not 1 <= strength <= self.most:
            raise Refused(f"A unit has from 1 to {self.most} {self.counted}.")
        of = words[first.end() if first else 0 : last.start() if last else None].strip(" ,")
        if not of or of.isdigit():
            raise Refused(f"It names no troops. Write “{self.example}”.")
        return _Head(self._troop(quotes.written(of), text), count, each, given)

    def _troop(self, words: str, text: str) -> NamedTroop[Any]:
        """Return the troops that the words name. Raises Refused, with what their brackets may hold."""
        try:
            return self.troops.named(words)
        except Refused as refused:
            if "(" not in text:
                raise
            may = ", ".join(map(as_words, self.known))
            raise Refused(f"{refused.why} In brackets a line may say: {may}.") from None

    def _of_parts(self, quotes: Quotes, head: _Head, name: str, led: Sequence[str]) -> Iterable[ArmyUnit]:
        named = _name(quotes.said(name.strip(" ,"))) or head.troop.name
        leaders = tuple(self._leader(quotes, part.strip(" ,"), head.troop) for part in led)
        several = head.count if head.each is not None else None
        if several is not None and not 1 <= several <= MOST_OF_A_LINE:
            raise Refused(f"A line stands for 1 to {MOST_OF_A_LINE} units.")
        if leaders and (several or 1) > 1:
            raise Refused("One leader leads one unit. Give his unit a line of its own.")
        if len(leaders) > 1 and self.leading is not None and not self.leading.of_leader:
            raise Refused("A unit has one leader at most. Give the others units of their own.")
        names = [numbered_name(named, at) for at in range(1, several + 1)] if several and several > 1 else [named]
        figures = head.count if head.each is None else head.each
        first = ArmyUnit(head.troop, names[0], figures, given=head.given)
        given = _as_it_has(self.made(first, "unit", "none"), head.given)
        return [ArmyUnit(head.troop, one, figures, leaders, given) for one in names]

    def _leader(self, quotes: Quotes, text: str, led: NamedTroop[Any]) -> Leader:
        found = LEADER.fullmatch(text)
        name = "" if found is None else _name(quotes.said(found["name"]))
        if not name or found is None:
            raise Refused("Write behind “with” the leader's name, and in brackets what troops he is.")
        words, given = split_fields(quotes, found["bracket"] or "", self.known)
        leader = Leader(name, self._troop(quotes.written(words), text) if words else None, given)
        unit = self.made(one := self.leader(leader), "leader", "none")
        if not self.file_type.may_be_with(unit, led.unit("unit", led.name, "none")):
            raise Refused(f"{name} cannot be with {led.name}. Write a line of its own for each.")
        return replace(leader, given=_as_it_has(unit, one.given))


def _as_it_has(unit: Any, given: Given) -> Given:
    """Return the described fields with the unit's values."""
    return tuple((name, getattr(unit, name)) for name, _ in given)


def numbered_name(name: str, number: int) -> str:
    """Return the numbered name `Zulu impi 3`, shortened to the limit."""
    return f"{name[: LONGEST_NAME - len(str(number)) - 1].rstrip()} {number}"


def _name(text: str) -> str:
    """Raises Refused on what is no name; nothing is none."""
    if len(text) > LONGEST_NAME or not is_shown(text):
        raise Refused(f"A name has 1 to {LONGEST_NAME} characters that can be shown.")
    return text


def write_lines(units: Iterable[ArmyUnit]) -> str:
    """Write units as army lines, readable as the same units."""
    return "\n".join("".join(_written(unit)) for unit in units)


def _written(unit: ArmyUnit) -> Iterator[str]:
    yield "" if unit.figures is None else f"{unit.figures} "
    yield f"{unit.troop.name}{in_brackets([*words_of(unit.given)])}: {quoted(unit.name)}"
    for leader in unit.leaders:
        of = [leader.troop.name] if leader.troop is not None else []
        yield f", with {quoted(leader.name)}{in_brackets([*of, *words_of(leader.given)])}"
