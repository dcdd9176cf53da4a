"""Circumstances of conduct that only the umpire may speak of, because the state knows better (BE-6)."""

from collections.abc import Iterable

from rules.empire.fighting.contacts import in_contact
from rules.empire.model import Defence, EmpireState, EmpireUnit

from .instant import IN_MELEE, MASSED_OPPONENT, MOUNTED_OPPONENT, is_massed_foot, is_mounted
from .modifiers import (
    COMMANDER_ATTACHED,
    COMMANDER_NEAR,
    DISORDERED,
    ELITE,
    FIELD_WORKS,
    FRAGILE,
    FRIENDS_CHARGING,
    IMPERIAL_COLUMN,
    IN_SQUARE,
    KILLS,
    LEADER_ATTACHED,
    OPPONENT_GAVE_WAY,
    charging,
    commanders,
    has_commander,
    has_leader,
    imperial_column,
    opponent_counts,
    standing,
)


def not_so(state: EmpireState, unit: EmpireUnit) -> Iterable[str]:
    """Words that a player may not claim of the unit: what is not so, as far as the state knows."""
    foes = state.opponents(unit.id)
    false = {
        COMMANDER_NEAR: _measured(unit, [standing(state, each) for each in commanders(state, unit.side)]),
        COMMANDER_ATTACHED: not has_commander(state, unit),
        LEADER_ATTACHED: not has_leader(state, unit),
        FIELD_WORKS: unit.defending is not Defence.WORKS,
        IN_SQUARE: not unit.in_square,
        FRIENDS_CHARGING: _measured(unit, charging(state, unit)),
        ELITE: not unit.elite,
        IMPERIAL_COLUMN: not imperial_column(unit),
        OPPONENT_GAVE_WAY: not opponent_counts(state, unit),
        DISORDERED: not unit.disordered,
        **{word: unit.kills < number for word, number in KILLS.items()},
        FRAGILE: not unit.fragile,
        IN_MELEE: not in_contact(state, unit),
        MOUNTED_OPPONENT: not any(is_mounted(foe) for foe in foes),
        MASSED_OPPONENT: not any(is_massed_foot(foe) for foe in foes),
    }
    return tuple(word for word, untrue in false.items() if untrue)


def _measured(unit: EmpireUnit, others: Iterable[EmpireUnit]) -> bool:
    """Whether the table knows how far off all of them are; where there are none it knows that."""
    known = [other.place is not None for other in others]
    return not known or (unit.place is not None and all(known))
