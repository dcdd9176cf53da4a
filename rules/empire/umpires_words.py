"""Circumstances that only the umpire may speak of, because the state of the game knows better."""

from rules.core.state import Action

from .fighting.melee import umpires_words as of_melee
from .firing.words import umpires_words as of_fire
from .model import EmpireState
from .moving.movement import umpires_words as of_moving

KNOWING = (of_melee, of_fire, of_moving)


def says_what_is_the_umpires(state: EmpireState, action: Action) -> bool:
    """Whether any circumstance of `action` is one that a player may not claim."""
    if not action.circumstances:
        return False
    claimed = {word for known in KNOWING for word in known(state, action)}
    return any(word in claimed for word in action.circumstances)
