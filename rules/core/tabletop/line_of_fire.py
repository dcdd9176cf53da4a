"""The range to a target, and friends whose bases stand in the straight line of fire.

The printed rules do not mention such friends: an option decides whether they bar the fire (house).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic

from rules.core.memo import cache_by_identity
from rules.core.model import Cite
from rules.core.options import house
from rules.core.refusal import MissingField, Refused
from rules.core.wording import inches

from . import table
from .battle import TableState, U
from .placement import Placement
from .ways import say_who_stands

RANGE_TOLERANCE = 0.05
"""Inches by which a stated range may differ from the measured range, since both are rounded to tenths."""


def determine_range(unit: U, target: U, measured: float | None, given: float | None, rule: str) -> float:
    """Return the range in inches, as `measured` on the table or `given` by a player.

    Raises MissingField if both are None. Raises Refused if the two ranges differ.
    """
    cite = Cite(rule=rule)
    if measured is None:
        if given is not None:
            return given
        why = f"How far is {target.name} from {unit.name}? Give the range in inches: their places are unknown here."
        raise MissingField(why, cite, "range")
    if given is not None and abs(given - measured) > RANGE_TOLERANCE + table.CLOSE:
        raise Refused(
            f"{target:are} {inches(measured)} from {unit.name} by the places kept here, and the range given is "
            f"{inches(given)}. Leave “range” out to use the measured range, or have the umpire place the units where "
            "they stand (/umpire set, field place).",
            cite,
        )
    return measured


class FriendsInLine(StrEnum):
    """Treatment of fire through friends: refused, allowed with a warning, or allowed without a warning."""

    REFUSE = "refuse"
    WARN = "warn"
    IGNORE = "ignore"


def friends_in_line_option(rule: str) -> Any:
    """Return the field for the option about friends in the line of fire. The option cites `rule`."""
    text = "Fire past friends who stand across the line to the target: refuse, warn or ignore."
    return house(FriendsInLine.WARN, rule, text)


@dataclass(frozen=True)
class LineOfFire(Generic[U]):
    """Lines of fire of a system's units. Units that take no ground never block. Refusals and warnings cite `rule`."""

    placement: Placement[U]
    takes_ground: Callable[[U], bool]
    rule: Cite

    def friends_in_line(self, state: TableState[U], unit: U, target: U) -> tuple[U, ...]:
        """Return the friends whose bases cross the straight line from the unit's centre to the target's.

        Return none if a place is unknown, or if the unit and the target touch.
        """
        start, end = self.placement.base(unit), self.placement.base(target)
        if start is None or end is None or table.are_touching(start, end):
            return ()
        neighbours = self.placement.index_units(state.units_of(unit.side)).units_near(start.at, end.at, 0.0)
        return tuple(friend for friend, _ in neighbours if self._is_friend_across(friend, unit, target))

    @cached_property
    def is_friend_across(self) -> Callable[[U, U, U], bool]:
        """Return the cached function that tells whether a friend stands between a unit and its target."""
        return cache_by_identity(self._is_friend_across)

    def _is_friend_across(self, friend: U, unit: U, target: U) -> bool:
        start, end, base = (self.placement.base(party) for party in (unit, target, friend))
        if start is None or end is None or base is None or friend.id == unit.id or table.are_touching(start, end):
            return False
        return self.takes_ground(friend) and table.is_across_line(base, start.at, end.at)

    def friends_in_line_warning(self, state: TableState[U], unit: U, target: U, option: FriendsInLine) -> str:
        """Return a warning that names the friends in the line of fire, or `""` without friends.

        Raises Refused if the game's `option` forbids fire through friends.
        """
        friends = () if option is FriendsInLine.IGNORE else self.friends_in_line(state, unit, target)
        if not friends:
            return ""
        warning = f"{say_who_stands(friends)} in the line of fire from {unit.name} to {target.name}"
        if option is FriendsInLine.REFUSE:
            raise Refused(f"{warning}. Choose another target, or move clear of them first.", self.rule)
        return f"{warning} ({self.rule})."

    def can_block_fire(self, unit: U, option: FriendsInLine) -> bool:
        """Whether the unit can block its friends' fire under the game's `option`."""
        return option is not FriendsInLine.IGNORE and self.takes_ground(unit)
