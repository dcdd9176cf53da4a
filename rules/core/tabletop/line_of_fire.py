"""How far it is to a target, and friends in the line of fire: whose bases lie across the straight line to it.

No source speaks of them; what becomes of such fire is an option of each game (house).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from rules.core.model import Cite
from rules.core.refusal import NotSaid, Refused
from rules.core.wording import inches

from . import table
from .battle import TableState, U
from .placement import Placement
from .ways import stand_in_words

ROUNDED = 0.05
"""Inches by which a stated range may differ from the measured range: both are rounded to tenths."""


def range_known(unit: U, target: U, measured: float | None, given: float | None, rule: str) -> float:
    """Return the inches to the target, measured or as stated.

    Raises NotSaid if neither is known, and Refused if they differ: a stated range is never overruled.
    """
    cite = Cite(rule=rule)
    if measured is None:
        if given is not None:
            return given
        why = f"How far is {target.name} from {unit.name}? Give the range in inches: their places are unknown here."
        raise NotSaid(why, cite, "range")
    if given is not None and abs(given - measured) > ROUNDED + table.CLOSE:
        raise Refused(
            f"{target:are} {inches(measured)} from {unit.name} by the places kept here, and the range given is "
            f"{inches(given)}. Leave “range” out to use the measured range, or have the umpire place the units where "
            "they stand (/umpire set, field place).",
            cite,
        )
    return measured


class FriendsInLine(StrEnum):
    """What becomes of fire past friends."""

    REFUSE = "refuse"
    WARN = "warn"
    IGNORE = "ignore"


@dataclass(frozen=True)
class LineOfFire(Generic[U]):
    """The lines of fire of a system's units, refused by its `rule`. Who does not `take_ground` is in nobody's way."""

    placement: Placement[U]
    takes_ground: Callable[[U], bool]
    rule: Cite

    def friends(self, state: TableState[U], unit: U, target: U) -> tuple[U, ...]:
        """Friends who stand across the line from the middle of the unit's base to the middle of the target's.

        None where places are unknown, or where the two touch.
        """
        here, there = self.placement.base(unit), self.placement.base(target)
        if here is None or there is None or table.touching(here, there):
            return ()
        near = self.placement.index_units(state.of_side(unit.side)).near(here.at, there.at, 0.0)
        others = ((other, base) for other, base in near if other.id != unit.id and self.takes_ground(other))
        return tuple(friend for friend, base in others if table.is_across(base, here.at, there.at))

    def warning(self, state: TableState[U], unit: U, target: U, ruled: FriendsInLine) -> str:
        """Return what to say of friends in the line, if anything. Raises Refused where that bars the fire."""
        friends = () if ruled is FriendsInLine.IGNORE else self.friends(state, unit, target)
        if not friends:
            return ""
        what = f"{stand_in_words(friends)} in the line of fire from {unit.name} to {target.name}"
        if ruled is FriendsInLine.REFUSE:
            raise Refused(f"{what}. Choose another target, or move clear of them first.", self.rule)
        return f"{what} ({self.rule})."

    def is_in_the_way(self, unit: U, ruled: FriendsInLine) -> bool:
        """Whether the unit can block its friends' fire."""
        return ruled is not FriendsInLine.IGNORE and self.takes_ground(unit)
