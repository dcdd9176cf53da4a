"""Describe the armies of a system in words: the army lists of its battles, and the army lines that players write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.core.catalog import ScenarioChoice
from rules.core.wording import count_of

from .army_entries import ArmyUnit, describe_leaders_and_place, write_lines, write_unit_groups
from .army_lines import ArmyLineReader
from .army_reader import ArmyReader
from .army_words import quote_name, write_bracketed_fields
from .army_writer import ArmyWriter
from .battle import TableState
from .battle_files import BattleFile
from .doubts import Doubt

Choices = Mapping[str, str]
"""The chosen option by the choice's name."""


@dataclass(frozen=True)
class ArmySummary:
    """An army described in words: a line for each unit, the lines that could not be read, and the totals."""

    units: Sequence[str]
    doubts: Sequence[Doubt]
    total: str
    lines: str = ""
    """The army in stored lines, if it was typed and every line could be read."""
    titles: Sequence[str] = ()
    """The typed lines that name no units: titles over units, and totals."""


class ArmyBook:
    """The army lists of one system, and its reader and writer of army lines."""

    def __init__(self, file_type: type[BattleFile[Any, Any]], battles: Mapping[str, Any]) -> None:
        self._battles, self._lines = battles, ArmyLineReader(file_type)
        self._reader, self._writer = ArmyReader(self._lines), ArmyWriter(self._lines)

    @property
    def army_list_titles(self) -> Mapping[str, str]:
        """Return the title of each side's army list, by key: `Suakin 1885: British` for `suakin-1885 british`."""
        pairs = ((battle, side) for battle in self._battles.values() for side in battle.sides)
        return {f"{battle.id} {side.id}": f"{battle.title}: {side.name}" for battle, side in pairs}

    @property
    def example(self) -> str:
        """Return two example army lines of the system."""
        _, second_troop = list(self._lines.troops.all.values())[:2]
        return f"{self._lines.example}\n{write_lines([ArmyUnit(second_troop, 'Number Two')])}"

    def choices_of_list(self, key: str) -> Sequence[ScenarioChoice]:
        """Return the choices that decide the units of an army list. Raises KeyError if no list has the key."""
        battle, side = self._find_list(key)
        names = {name for line in battle.units if line.side == side for name in line.only}
        return [choice for choice in battle.choices if choice.name in names]

    def units_by_option(self, key: str, choice: ScenarioChoice) -> Mapping[str, Sequence[str]]:
        """Return the names of the units that each option of a choice adds. Raises KeyError if no list has the key."""
        battle, side = self._find_list(key)
        lines = [line for line in battle.units if line.side == side and choice.name in line.only]
        return {option: [line.name for line in lines if option in line.only[choice.name]] for option in choice.options}

    def summarize_list(self, key: str, choices: Choices | None = None) -> ArmySummary:
        """Describe the units of an army list. Each choice missing from `choices` takes its default.

        Raises KeyError if no list has the key, and Refused on an unknown choice or option.
        """
        battle, side = self._find_list(key)
        settled = battle.choices_with_defaults(choices or {})
        lines = [line for line in battle.units if line.side == side and line.is_chosen_by(settled)]
        return self._summarize_units([battle.make_unit(line) for line in lines], [line.troops for line in lines], ())

    def summarize_lines(self, text: str) -> ArmySummary:
        """Describe the units of army lines. Raises Refused if there are no lines or too many."""
        return self._summarize_entries(*self._lines.read(text))

    def summarize_typed_lines(self, text: str, side: str = "") -> ArmySummary:
        """Describe the units in lines typed for the side named `side`. Raises Refused for no lines or too many."""
        groups, doubts, titles = self._reader.read(text, side)
        summary = self._summarize_entries([unit for group in groups for unit in group], doubts)
        return replace(summary, lines="" if doubts else write_unit_groups(groups), titles=titles)

    def _summarize_entries(self, entries: Sequence[ArmyUnit], doubts: Sequence[Doubt]) -> ArmySummary:
        """Describe the units of army lines, each with its leaders and bracketed fields."""
        units = [self._lines.make_unit(entry, "unit", "none") for entry in entries]
        summary = self._summarize_units(units, [entry.troop.id for entry in entries], doubts)
        lines = [
            f"{line}{write_bracketed_fields(entry.field_values)}{describe_leaders_and_place(entry)}"
            for line, entry in zip(summary.units, entries, strict=True)
        ]
        leaders = sum(len(entry.leaders) for entry in entries)
        leader_words = f", and {count_of(leaders, 'leader')}" if leaders else ""
        return replace(summary, units=lines, total=f"{summary.total}{leader_words}")

    def write_army(self, state: TableState[Any], side: str) -> str:
        """Return the army lines of a side's units in the state; `""` if the side has no units."""
        return write_lines(self._writer.army_units_of_side(state, side))

    def _find_list(self, key: str) -> tuple[Any, str]:
        """Return the battle and the side id of an army list. Raises KeyError if the battle is unknown."""
        battle, _, side = key.partition(" ")
        return self._battles[battle], side

    def _summarize_units(self, units: Sequence[Any], troops: Sequence[str], doubts: Sequence[Doubt]) -> ArmySummary:
        """Describe the units. `troops` lists the id of each unit's troops."""
        figures, by_id = self._lines.strength_field, self._lines.troops.all
        figure = figures.removesuffix("s")
        has_strength = self._lines.file_type.has_strength
        strengths = [getattr(unit, figures) if has_strength(unit) else 0 for unit in units]
        names = [by_id[troop].name for troop in troops]
        lines = [
            f"{quote_name(unit.name)}: {name}{f', {count_of(strength, figure)}' if strength else ''}"
            for unit, name, strength in zip(units, names, strengths, strict=True)
        ]
        number, kinds = count_of(len(units), "unit"), count_of(len({*names}), "kind")
        return ArmySummary(lines, doubts, f"{number} of {kinds} of troops, {count_of(sum(strengths), figure)}")
