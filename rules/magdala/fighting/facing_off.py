"""Who is outnumbered in a melee, and which of its flanks are overlapped (MM-4.4)."""

from collections.abc import Iterable

from rules.core.tabletop.table import Base, extent, within
from rules.magdala.arms import is_fighter
from rules.magdala.engagement import melee_of
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.placement import base

NOT_FORMED = (Morale.RETREATING, Morale.ROUTED, Morale.PURSUING)


def figures_in_melee(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> tuple[int, int]:
    """Figures of either side in the whole melee of two units, all in contact with them and so on (ruling)."""
    all_ = {each.id: each for unit in (one, other) for each in melee_of(state, unit.id)}.values()
    ours = sum(each.strength for each in all_ if each.side == one.side)
    return ours, sum(each.strength for each in all_ if each.side != one.side)


def outnumbered(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> MagdalaUnit | None:
    """Which of two is of the side with fewer figures in their melee, if either."""
    ours, theirs = figures_in_melee(state, one, other)
    if ours == theirs:
        return None
    return one if ours < theirs else other


def flanks_overlapped(state: MagdalaState, few: MagdalaUnit, many: MagdalaUnit) -> int | None:
    """How many flanks of `few` this enemy's front reaches beyond, past any friends beside it; None without positions.

    Of several enemies each overlaps the flank that it reaches beyond itself.
    """
    here, there = base(few), base(many)
    if here is None or there is None:
        return None
    front = here.facing + 90
    left, right = extent(here, front)
    low, high = extent(there, front)
    covered = [extent(friend, front) for friend in _beside(state, few, here)]
    reach = state.options.overlap_by
    return sum(_uncovered(*beyond, covered) >= reach for beyond in ((low, min(high, left)), (max(low, right), high)))


def _beside(state: MagdalaState, unit: MagdalaUnit, here: Base) -> Iterable[Base]:
    """Formed friends near enough to cover a flank (ruling)."""
    for friend in state.of_side(unit.side):
        there = base(friend)
        stands = is_fighter(friend) and friend.morale not in NOT_FORMED and friend.id != unit.id
        if there is not None and stands and within(here, there, state.options.covers_flank):
            yield there


def _uncovered(low: float, high: float, covered: Iterable[tuple[float, float]]) -> float:
    """Inches between two points along a front that no friend stands on."""
    free = max(high - low, 0.0)
    at = low
    for start, end in sorted(covered):
        begins, ends = max(start, at), min(end, high)
        if ends > begins:
            free -= ends - begins
            at = ends
    return free
