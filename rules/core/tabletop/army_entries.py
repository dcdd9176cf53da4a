"""Units as army lines describe them, and the writing of army lines.

The number in `24 Zulu impi: Left, with Cetshwayo` counts figures. `Gatling gun, 3 figures: Brigade` has a crew of 3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.core.refusal import Refused
from rules.core.typed_text import has_only_visible_signs
from rules.core.unit_lookup import LONGEST_NAME

from . import army_strengths
from .army_words import FieldValues, quote_name, write_bracketed_fields
from .doubts import Doubt
from .troops import NamedTroop


@dataclass(frozen=True)
class Leader:
    """A unit's leader or attached piece. `troop` is None for the usual leader troops of the system.

    `field_values` are the fields in which the leader differs from the troops.
    """

    name: str
    troop: NamedTroop[Any] | None = None
    field_values: FieldValues = ()


@dataclass(frozen=True)
class ArmyUnit:
    """A unit of an army.

    `figures` is None for the usual strength of its troops. `field_values` are the fields in which the unit differs
    from its troops. `at` is the text for its place, or empty.
    """

    troop: NamedTroop[Any]
    name: str
    figures: int | None = None
    leaders: tuple[Leader, ...] = ()
    field_values: FieldValues = ()
    at: str = ""


class TypedArmy(NamedTuple):
    """An army as it was typed: the units of each line, the unreadable lines, and the titles."""

    groups: Sequence[Sequence[ArmyUnit]]
    doubts: Sequence[Doubt]
    titles: Sequence[str]


def numbered_name(name: str, number: int) -> str:
    """Return the name with the number: `Zulu impi 3`. Shorten the name to keep within LONGEST_NAME characters."""
    return f"{name[: LONGEST_NAME - len(str(number)) - 1].rstrip()} {number}"


def check_name(text: str) -> str:
    """Return a unit's name unchanged. Raises Refused if it is too long or has unprintable characters."""
    if len(text) > LONGEST_NAME or not has_only_visible_signs(text):
        raise Refused(f"A name has 1 to {LONGEST_NAME} characters that can be shown.")
    return text


def write_lines(units: Iterable[ArmyUnit]) -> str:
    """Return the army lines of the units. Reading these lines gives equal units."""
    return "\n".join(
        f"{_write_troops(unit)}: {quote_name(unit.name)}{describe_leaders_and_place(unit)}" for unit in units
    )


def write_unit_groups(groups: Iterable[Sequence[ArmyUnit]]) -> str:
    """Return the army lines of the groups. Equal units with numbered names share a line: `2 Zulu impi of 36: Left`."""
    lines: list[str] = []
    for group in groups:
        if _has_numbered_names(group):
            first = group[0]
            strength = army_strengths.usual_strength(first.troop) if first.figures is None else first.figures
            fields, name = write_bracketed_fields(first.field_values), first.name.removesuffix(" 1")
            lines.append(f"{len(group)} {first.troop.name} of {strength}{fields}: {quote_name(name)}")
        else:
            lines.append(write_lines(group))
    return "\n".join(lines)


def _has_numbered_names(group: Sequence[ArmyUnit]) -> bool:
    """Whether the group has several units that share a name, numbered from 1."""
    name = group[0].name.removesuffix(" 1")
    numbered_names = [numbered_name(name, at) for at in range(1, len(group) + 1)]
    return len(group) > 1 and [unit.name for unit in group] == numbered_names


def describe_leaders_and_place(unit: ArmyUnit) -> str:
    """Return a unit's leaders and place as the end of its line: `, with McNeill, at C3`."""
    words = ""
    for leader in unit.leaders:
        troop = () if leader.troop is None else (leader.troop.name,)
        words += f", with {quote_name(leader.name)}{write_bracketed_fields(leader.field_values, *troop)}"
    return f"{words}, at {unit.at}" if unit.at else words


def _write_troops(unit: ArmyUnit) -> str:
    """Return troops, strength and fields: `24 Zulu impi`. A gun's strength comes last: `Gatling gun, 3 figures`."""
    name, number = unit.troop.name, unit.figures
    fields = write_bracketed_fields(unit.field_values)
    if number is None:
        return f"{name}{fields}"
    if army_strengths.number_means_strength(unit.troop, name, number):
        return f"{number} {name}{fields}"
    return f"{name}, {army_strengths.describe_strength(unit.troop, number)}{fields}"
