"""Where an attack meets its enemy, and how many figures touch there (MM-4.2)."""

from collections.abc import Iterable, Mapping

from rules.core.tabletop.table import Base, extent
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit
from rules.magdala.placement import WAYS, base, size

FLANK, REAR = "flank", "rear"
SAID: Mapping[str, Attack] = {FLANK: Attack.FLANK, REAR: Attack.REAR}


def said_to_be(words: Iterable[str], by_word: Mapping[str, Attack] = SAID) -> Attack | None:
    """Where the words have an attack meet its enemy, if they say so."""
    return next((by_word[word] for word in words if word in by_word), None)


def meets(state: MagdalaState, defender: MagdalaUnit, came_from: Base, stands: Base) -> Attack:
    """Where an attacker who set out there, and now stands here, meets a unit. A square has no flank."""
    there = base(defender)
    if there is None or defender.in_square or not WAYS.in_flank(defender, came_from, state.options.flank_beyond):
        return Attack.FRONT
    width, depth = _against(stands, there)
    return Attack.REAR if width >= depth else Attack.FLANK


def figures_touching(state: MagdalaState, attacker: MagdalaUnit, defender: MagdalaUnit, attack: Attack) -> int:
    """Figures in contact: of the two sides' who touch, the fewer (ruling); in flank or rear all defenders who do.

    Where places are unknown the whole of that side touches: in front the smaller strength, in the rear the defenders
    along their width, in the flank those along their depth, as far as the attackers' own front reaches (ruling).
    """
    inches = _inches_touching(attacker, defender, attack)
    if inches is None:
        return max(min(attacker.strength, defender.strength), 1)
    theirs = _along(defender, inches)
    return max(theirs if _all_count(state, attack) else min(_along(attacker, inches), theirs), 1)


def most_touching(state: MagdalaState, attacker: MagdalaUnit, defender: MagdalaUnit, attack: Attack) -> int:
    """The most figures that can be in contact."""
    return defender.strength if _all_count(state, attack) else min(attacker.strength, defender.strength)


def _all_count(state: MagdalaState, attack: Attack) -> bool:
    """Whether every defender who is touched counts, however few the attackers (option flank_counts_defenders)."""
    return attack is not Attack.FRONT and state.options.flank_counts_defenders


def placed(attacker: MagdalaUnit, defender: MagdalaUnit) -> bool:
    """Whether the table knows how the two stand."""
    return attacker.place is not None and defender.place is not None


def _inches_touching(attacker: MagdalaUnit, defender: MagdalaUnit, attack: Attack) -> float | None:
    """Inches along which the two lie against each other; None in front where places are unknown."""
    ours, theirs = base(attacker), base(defender)
    if ours is not None and theirs is not None:
        return max(_against(ours, theirs))
    if attack is Attack.FRONT:
        return None
    width, depth = size(defender)
    return min(size(attacker)[0], width if attack is Attack.REAR else depth)


def _against(ours: Base, theirs: Base) -> tuple[float, float]:
    """Inches that a base lies beside another's width, and beside its depth; it touches where they are more."""
    return _beside(ours, theirs, theirs.facing + 90), _beside(ours, theirs, theirs.facing)


def _beside(ours: Base, theirs: Base, bearing: float) -> float:
    low, high = extent(theirs, bearing)
    from_, to = extent(ours, bearing)
    return max(min(high, to) - max(low, from_), 0.0)


def _along(unit: MagdalaUnit, inches: float) -> int:
    """Figures that stand along so much of its front, and as close together along its side."""
    return min(round(unit.strength * inches / size(unit)[0]), unit.strength)
