"""The armies of a system: the printed lists of its battles, and what plain lines come to, in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import army_lines
from .army_lines import ArmyUnit, Doubt
from .battle_files import BattleFile


@dataclass(frozen=True)
class Understood:
    """What the lines of an army come to: a line a unit, what is doubtful, and the total."""

    units: Sequence[str]
    doubts: Sequence[Doubt]
    total: str


class ArmyBook:
    """The armies of one system."""

    def __init__(self, file_type: type[BattleFile[Any, Any]], battles: Mapping[str, Any]) -> None:
        self._file_type, self._battles = file_type, battles

    @property
    def lists(self) -> Mapping[str, str]:
        """The printed lists by their keys: `Suakin 1885: British`, of each side of each battle."""
        every = ((battle, side) for battle in self._battles.values() for side in battle.sides)
        return {f"{battle.id} {side.id}": f"{battle.title}: {side.name}" for battle, side in every}

    @property
    def example(self) -> str:
        """Two lines of an army of the system."""
        one, other = list(self._file_type.troops.all.values())[:2]
        (counted,) = self._file_type.counted
        usual = getattr(one.unit("unit", one.name, "none"), counted)
        return army_lines.written((ArmyUnit(one, "Number One", usual), ArmyUnit(other, "Number Two")))

    def of_list(self, key: str) -> Understood:
        """The units of a printed list, as its usual choices make it. Raises KeyError."""
        battle_id, _, side = key.partition(" ")
        battle = self._battles[battle_id]
        choices = battle.choose({})
        lines = [line for line in battle.units if line.side == side and line.chosen(choices)]
        return self._told([battle.made(line) for line in lines], [line.troops for line in lines], ())

    def of_lines(self, text: str) -> Understood:
        """What the lines mean. Raises Refused where there are too many, or none."""
        units, doubts = army_lines.read(text, self._file_type.troops)
        made = [one.troop.unit("unit", one.name, "none", **self._strength(one)) for one in units]
        told = self._told(made, [one.troop.id for one in units], doubts)
        led = [f", led by {one.leader}" if one.leader else "" for one in units]
        lines = [f"{line}{by}" for line, by in zip(told.units, led, strict=True)]
        leaders = sum(bool(by) for by in led)
        also = f", and {leaders} leader{'s' if leaders > 1 else ''}" if leaders else ""
        return replace(told, units=lines, total=f"{told.total}{also}")

    def _strength(self, one: ArmyUnit) -> Mapping[str, int]:
        return {} if one.figures is None else dict.fromkeys(self._file_type.counted, one.figures)

    def _told(self, made: Sequence[Any], troops: Sequence[str], doubts: Sequence[Doubt]) -> Understood:
        (counted,) = self._file_type.counted
        names = self._file_type.troops.all
        lines = [
            f"{unit.name}: {getattr(unit, counted)} {names[of].name}" for unit, of in zip(made, troops, strict=True)
        ]
        kinds = Counter(names[of].name for of in troops)
        strength = sum(getattr(unit, counted) for unit in made)
        total = f"{len(made)} units of {len(kinds)} kinds of troops, {strength} {counted}"
        return Understood(lines, doubts, total)
