"""Friends in the line of fire: whose bases lie across the straight line from a unit to its target.

No source speaks of them; what becomes of such fire is an option of each game (house).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from rules.core.model import Cite
from rules.core.refused import Refused
from rules.core.scene import Point

from . import table
from .battle import TableState, U
from .placement import Placement
from .ways import stand


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
        return tuple(friend for friend in self._others(state, unit) if self._across(friend, here.at, there.at))

    def warning(self, state: TableState[U], unit: U, target: U, ruled: FriendsInLine) -> str:
        """What to say of friends in the line, if anything. Raises Refused where that bars the fire."""
        friends = () if ruled is FriendsInLine.IGNORE else self.friends(state, unit, target)
        if not friends:
            return ""
        what = f"{stand(friends)} in the line of fire from {unit.name} to {target.name}"
        if ruled is FriendsInLine.REFUSE:
            raise Refused(f"{what}. Choose another target, or move clear of them first.", self.rule)
        return f"{what} ({self.rule})."

    def is_in_the_way(self, unit: U, ruled: FriendsInLine) -> bool:
        """Whether the unit can be in the way of its friends' fire at all."""
        return ruled is not FriendsInLine.IGNORE and self.takes_ground(unit)

    def _others(self, state: TableState[U], unit: U) -> Iterable[U]:
        return (other for other in state.of_side(unit.side) if other.id != unit.id and self.takes_ground(other))

    def _across(self, friend: U, start: Point, end: Point) -> bool:
        base = self.placement.base(friend)
        return base is not None and table.across(base, start, end)
