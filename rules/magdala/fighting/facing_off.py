"""How two units stand against each other in melee: figures touching, flanks overlapped (MM-4.2, MM-4.4)."""

from collections.abc import Iterable

from rules.core.table import Base, shifted, within
from rules.magdala.arms import is_fighter
from rules.magdala.bases import size
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.placement import base

from .engagement import melee_of

NOT_FORMED = (Morale.RETREATING, Morale.ROUTED, Morale.PURSUING)


def figures_touching(state: MagdalaState, attacker: MagdalaUnit, defender: MagdalaUnit, flank: bool) -> int:
    """Figures in contact: the smaller of the two sides' along the front they share (ruling).

    In a flank attack the defenders along the side that is touched. Without positions: the smaller strength.
    """
    most = min(attacker.strength, defender.strength)
    shared = _shared(attacker, defender, flank)
    if shared is None:
        return max(most, 1)
    theirs = _along(defender, shared)
    if flank and state.options.flank_counts_defenders:
        return max(theirs, 1)
    return max(min(_along(attacker, shared), theirs), 1)


def most_touching(state: MagdalaState, attacker: MagdalaUnit, defender: MagdalaUnit, flank: bool) -> int:
    """The most figures that can be in contact."""
    if flank and state.options.flank_counts_defenders:
        return defender.strength
    return min(attacker.strength, defender.strength)


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
    left, right = _span(here, here, 90.0)
    low, high = _span(there, here, 90.0)
    covered = [_span(friend, here, 90.0) for friend in _beside(state, few, here)]
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


def _shared(attacker: MagdalaUnit, defender: MagdalaUnit, flank: bool) -> float | None:
    """Inches along which the two lie against each other: of the defender's front, or in a flank attack its side."""
    ours, theirs = base(attacker), base(defender)
    if ours is None or theirs is None:
        return None
    across = 0.0 if flank else 90.0
    low, high = _span(theirs, theirs, across)
    from_, to = _span(ours, theirs, across)
    return max(min(high, to) - max(low, from_), 0.0)


def _along(unit: MagdalaUnit, inches: float) -> int:
    """Figures that stand along so much of its front."""
    return min(round(unit.strength * inches / size(unit)[0]), unit.strength)


def _span(outline: Base, by: Base, turn: float) -> tuple[float, float]:
    """From where to where a base reaches along the way `by` faces, turned by so many degrees."""
    ahead = shifted((0.0, 0.0), by.facing + turn, 1.0)
    along = [x * ahead[0] + y * ahead[1] for x, y in outline.outline.exterior.coords]
    return min(along), max(along)
