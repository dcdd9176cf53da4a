"""Circumstances that only the umpire may speak of, because he rules them or the table itself knows better."""

from collections.abc import Callable, Iterable, Mapping

from rules.core.state import Action

from .debts import debts_of
from .fighting.bouts import FLANK as MELEE_FLANK
from .fighting.bouts import OVERLAPPED
from .fighting.melee import Melee
from .firing.fire import DEFENSIVE, Fire
from .firing.targeting import IN_THE_OPEN
from .model import MagdalaState, MagdalaUnit, Test, Works
from .moving.marching import FLANK, GOOD, NOT_ADVANCING, Move
from .moving.works import ROCKY_GROUND, Build

ALWAYS = ("umpire +1", "umpire -1", "target +1", "target -1", "umpire's call")
"""The umpire's own (MM-4.3, MM-5.4)."""

Words = Iterable[str]


def says_what_is_the_umpires(state: MagdalaState, action: Action) -> bool:
    """Whether any circumstance of `action` is one that a player may not claim."""
    unit = state.units.get(action.unit or "")
    known = _KNOWN_BETTER.get(action.kind) if unit is not None else None
    claimed = {*ALWAYS, *(known(state, unit, action) if known and unit else ())}
    return any(word in claimed for word in action.circumstances)


def _of_a_move(_state: MagdalaState, unit: MagdalaUnit, _action: Action) -> Words:
    """Where the table knows the place it knows the going, the enemy's flank, and what is an advance."""
    return (GOOD, NOT_ADVANCING, FLANK) if unit.place is not None else ()


def _of_fire(state: MagdalaState, unit: MagdalaUnit, action: Action) -> Words:
    """What covers a target is known with its place or its works; fire out of turn answers a charge (MM-4.1)."""
    assert isinstance(action, Fire)
    target = state.units.get(action.target)
    charged = any(debt.by == action.target for debt in debts_of(state, unit.id, Test.DEFENSIVE_FIRE))
    covered = target is not None and (target.place is not None or target.works is not Works.NONE)
    return (*(() if charged else (DEFENSIVE,)), *((IN_THE_OPEN,) if covered else ()))


def _of_building(_state: MagdalaState, unit: MagdalaUnit, _action: Action) -> Words:
    return (ROCKY_GROUND,) if unit.place is not None else ()


def _of_melee(state: MagdalaState, unit: MagdalaUnit, action: Action) -> Words:
    """Bases that are known show which flank is turned or overlapped (MM-4.2, MM-4.4)."""
    assert isinstance(action, Melee)
    target = state.units.get(action.target or unit.melee_with or "")
    placed = unit.place is not None and target is not None and target.place is not None
    return (MELEE_FLANK, *OVERLAPPED) if placed else ()


_KNOWN_BETTER: Mapping[str, Callable[[MagdalaState, MagdalaUnit, Action], Words]] = {
    Move.kind: _of_a_move,
    Fire.kind: _of_fire,
    Build.kind: _of_building,
    Melee.kind: _of_melee,
}
