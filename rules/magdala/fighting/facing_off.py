"""How two units stand against each other in melee: figures touching, flanks overlapped (MM-4.2, MM-4.4)."""

from rules.core.table import Base, shifted
from rules.magdala.bases import size
from rules.magdala.model import MagdalaState, MagdalaUnit
from rules.magdala.placement import base

from .engagement import in_contact


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


def outnumbered(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> MagdalaUnit | None:
    """Which of two has fewer figures than all the enemies it is in contact with, if either."""
    if _against(state, one, other) > one.strength and one.strength < other.strength:
        return one
    if _against(state, other, one) > other.strength and other.strength < one.strength:
        return other
    return None


def flanks_overlapped(state: MagdalaState, few: MagdalaUnit, many: MagdalaUnit) -> int | None:
    """How many flanks of `few` the enemy's front reaches beyond; None without positions."""
    here, there = base(few), base(many)
    if here is None or there is None:
        return None
    left, right = _span(here, here, 90.0)
    beyond_left, beyond_right = _span(there, here, 90.0)
    reach = state.options.overlap_by
    return sum((left - beyond_left >= reach, beyond_right - right >= reach))


def _against(state: MagdalaState, unit: MagdalaUnit, enemy: MagdalaUnit) -> int:
    others = {each.id: each.strength for each in in_contact(state, unit.id)}
    return sum({**others, enemy.id: enemy.strength}.values())


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
