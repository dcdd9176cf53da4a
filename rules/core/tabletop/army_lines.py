"""An army in plain lines: `24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill`.

A line has how strong a unit is, the troops, its name behind a colon, and who leads it; `3 Zulu impis of 36` are three
units of so many. Lines that are empty or begin with # say nothing. Names are matched loosely; what may be several
troops, or none, is doubtful.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rules.core.known import LONGEST_NAME
from rules.core.refused import Refused

from .troops import NamedTroop, Troops

MOST_LINES = 60
MOST_OF_A_LINE = 30
"""Units that a line may stand for."""
MOST_FIGURES = 500
LINE = re.compile(
    r"(?:(?P<count>\d{1,4})(?:\s*x)?\s+)?(?P<troops>[^:]+?)(?:\s+of\s+(?P<each>\d{1,4}))?"
    r"(?:\s*:\s*(?P<name>[^:]*?))?(?:,?\s+with\s+(?P<leader>[^:]+?))?\s*"
)


@dataclass(frozen=True)
class ArmyUnit:
    """A unit of an army: its troops, its name, how many of what the troops are counted in, and who leads it."""

    troop: NamedTroop[Any]
    name: str
    figures: int | None = None
    leader: str = ""


@dataclass(frozen=True)
class Doubt:
    """A line that is not understood: its number, its text, and why with the nearest troops."""

    number: int
    text: str
    why: str


def read(text: str, troops: Troops[Any]) -> tuple[Sequence[ArmyUnit], Sequence[Doubt]]:
    """The units of the lines, and the lines that are doubtful. Raises Refused where there are too many, or none."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    said = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not said:
        raise Refused("There is no unit in it. Write a unit a line, as “24 British regulars: 1st Berkshires”.")
    if len(said) > MOST_LINES:
        raise Refused(f"That is {len(said)} lines, and {MOST_LINES} is the most at once. Put it on in parts.")
    units: list[ArmyUnit] = []
    doubts: list[Doubt] = []
    for number, line in said:
        try:
            units += _units_of(line, troops)
        except Refused as refused:
            doubts.append(Doubt(number, line, refused.why))
    return units, doubts


def _units_of(line: str, troops: Troops[Any]) -> Iterable[ArmyUnit]:
    """Raises Refused on a line that is not understood."""
    found = LINE.fullmatch(line)
    if found is None:
        raise Refused("It has more than one colon, or no troops. Write “24 British regulars: 1st Berkshires”.")
    troop = troops.named(found["troops"].strip(" ,"))
    count, each = (None if found[name] is None else int(found[name]) for name in ("count", "each"))
    name, leader = (_name(found[part] or "") for part in ("name", "leader"))
    if not all(1 <= number <= MOST_FIGURES for number in (count, each) if number is not None):
        raise Refused(f"A unit has from 1 to {MOST_FIGURES} figures.")
    if each is None:
        return [ArmyUnit(troop, name or troop.name, count, leader)]
    several = count or 1
    if several > MOST_OF_A_LINE:
        raise Refused(f"A line stands for {MOST_OF_A_LINE} units at most.")
    if leader and several > 1:
        raise Refused("One leader leads one unit. Give his unit a line of its own.")
    names = [name or troop.name] if several == 1 else [f"{name or troop.name} {at}" for at in range(1, several + 1)]
    return [ArmyUnit(troop, one, each, leader) for one in names]


def _name(text: str) -> str:
    stripped = text.strip(" ,")
    if len(stripped) > LONGEST_NAME or not (stripped.isprintable() or not stripped):
        raise Refused(f"A name has 1 to {LONGEST_NAME} characters.")
    return stripped


def written(units: Iterable[ArmyUnit]) -> str:
    """The same as lines, which are read as these units."""
    return "\n".join(map(_written, units))


def _written(unit: ArmyUnit) -> str:
    of = "" if unit.figures is None else f"{unit.figures} "
    leader = f", with {unit.leader}" if unit.leader else ""
    return f"{of}{unit.troop.name}: {unit.name}{leader}"
