"""The armies of a system: the printed lists of its battles, and what plain lines come to, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.core.catalog import Choice

from .army_lines import ArmyLines, ArmyUnit, Doubt, Leader, write_lines
from .army_words import in_brackets, words_of
from .army_writer import ArmyWriter
from .battle import TableState
from .battle_files import BattleFile

Choices = Mapping[str, str]
"""Chosen values by choice name."""


@dataclass(frozen=True)
class Understood:
    """Meaning of army lines: one line per unit, doubtful lines, and totals."""

    units: Sequence[str]
    doubts: Sequence[Doubt]
    total: str


class ArmyBook:
    """The armies of one system."""

    def __init__(self, file_type: type[BattleFile[Any, Any]], battles: Mapping[str, Any]) -> None:
        self._battles, self._lines = battles, ArmyLines(file_type)
        self._writer = ArmyWriter(self._lines)

    @property
    def lists(self) -> Mapping[str, str]:
        """The printed lists by their keys: `Suakin 1885: British`, of each side of each battle."""
        every = ((battle, side) for battle in self._battles.values() for side in battle.sides)
        return {f"{battle.id} {side.id}": f"{battle.title}: {side.name}" for battle, side in every}

    @property
    def example(self) -> str:
        """Two lines of an army of the system."""
        _, other = list(self._lines.troops.all.values())[:2]
        return f"{self._lines.example}\n{write_lines([ArmyUnit(other, 'Number Two')])}"

    def choices(self, key: str) -> Sequence[Choice]:
        """Return what a printed list leaves to choose. Raises KeyError."""
        battle, side = self._found(key)
        named = {name for line in battle.units if line.side == side for name in line.only}
        return [choice for choice in battle.choices if choice.name in named]

    def brought_by(self, key: str, choice: Choice) -> Mapping[str, Sequence[str]]:
        """Return the units that each option of a choice of a printed list brings. Raises KeyError."""
        battle, side = self._found(key)
        lines = [line for line in battle.units if line.side == side and choice.name in line.only]
        return {one: [line.name for line in lines if one in line.only[choice.name]] for one in choice.options}

    def of_list(self, key: str, choices: Choices | None = None) -> Understood:
        """Return the units of a printed list, by those choices or the usual ones. Raises KeyError, Refused."""
        battle, side = self._found(key)
        chosen = battle.choose(choices or {})
        lines = [line for line in battle.units if line.side == side and line.chosen(chosen)]
        return self._told([battle.made(line) for line in lines], [line.troops for line in lines], ())

    def of_lines(self, text: str) -> Understood:
        """Interpret army lines. Raises Refused for too many or no lines."""
        units, doubts = self._lines.read(text)
        made = [self._lines.made(one, "unit", "none") for one in units]
        told = self._told(made, [one.troop.id for one in units], doubts)
        lines = [f"{line}{_more(one)}" for line, one in zip(told.units, units, strict=True)]
        leaders = sum(len(one.leaders) for one in units)
        also = f", and {_counted(leaders, 'leaders')}" if leaders else ""
        return replace(told, units=lines, total=f"{told.total}{also}")

    def of_side(self, state: TableState[Any], side: str) -> str:
        """Return a side's units on a table as plain lines, as far as the state shows them; `""` without units."""
        return write_lines(self._writer.of_side(state, side))

    def _found(self, key: str) -> tuple[Any, str]:
        """Return the battle of a printed list, and the side."""
        battle, _, side = key.partition(" ")
        return self._battles[battle], side

    def _told(self, made: Sequence[Any], troops: Sequence[str], doubts: Sequence[Doubt]) -> Understood:
        counted, names = self._lines.counted, self._lines.troops.all
        strong = self._lines.file_type.has_strength
        strengths = [getattr(unit, counted) if strong(unit) else 0 for unit in made]
        lines = [
            f"{unit.name}: {names[of].name}{f', {_counted(strength, counted)}' if strength else ''}"
            for unit, of, strength in zip(made, troops, strengths, strict=True)
        ]
        units, kinds = _counted(len(made), "units"), _counted(len({names[of].name for of in troops}), "kinds")
        return Understood(lines, doubts, f"{units} of {kinds} of troops, {_counted(sum(strengths), counted)}")


def _counted(number: int, nouns: str) -> str:
    return f"{number} {nouns.removesuffix('s') if number == 1 else nouns}"


def _more(one: ArmyUnit) -> str:
    """Return a unit's further description: ` (lancer), with Sir John McNeill`."""
    led = [f", with {leader.name}{in_brackets([*_kind(leader), *words_of(leader.given)])}" for leader in one.leaders]
    return "".join((in_brackets([*words_of(one.given)]), *led))


def _kind(leader: Leader) -> Sequence[str]:
    return [] if leader.troop is None else [leader.troop.name]
