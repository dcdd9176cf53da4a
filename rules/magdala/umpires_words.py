"""Circumstances that only the umpire may speak of, because he rules them or the table itself knows better."""

from collections.abc import Callable, Iterable, Mapping

from rules.core.state import Action

from .action_types import UMPIRES_WORDS
from .model import MagdalaState, MagdalaUnit
from .moving.marching import ATTACKS, GOOD, NOT_ADVANCING, Move

Words = Iterable[str]


def says_what_is_the_umpires(state: MagdalaState, action: Action) -> bool:
    """Whether any circumstance of `action` is one that a player may not claim."""
    unit = state.units.get(action.unit or "")
    known = _KNOWN_BETTER.get(action.kind) if unit is not None else None
    claimed = {*UMPIRES_WORDS, *(known(state, unit, action) if known and unit else ())}
    return any(word in claimed for word in action.circumstances)


def _of_a_move(_state: MagdalaState, unit: MagdalaUnit, _action: Action) -> Words:
    """Where the table knows the place it knows the going, the enemy's flank, and what is an advance."""
    return (GOOD, NOT_ADVANCING, *ATTACKS) if unit.place is not None else ()


_KNOWN_BETTER: Mapping[str, Callable[[MagdalaState, MagdalaUnit, Action], Words]] = {
    Move.kind: _of_a_move,
}
