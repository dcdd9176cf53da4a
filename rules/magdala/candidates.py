"""What an opponent tries of its own units, the useful things alone, and what it expects of the enemy."""

from collections.abc import Iterable

from rules.core.state import Action

from .arms import rides_as_infantry
from .estimates import shoots, threat
from .firing.fire import FIRE, Fire
from .model import MagdalaState, MagdalaUnit, ThisTurn
from .moving.marching import Move
from .orders.detachments import DETACH, REJOIN
from .orders.movement import MOVE

TARGETS = 4
"""That a unit is thought of firing at."""
IDLE = frozenset(("form square", "leave square", "stand up", "lie down", "leave cover"))
"""Changes that are not thought of by themselves; on the move a unit gets up and leaves its cover."""


def worth_trying(state: MagdalaState, unit: MagdalaUnit, kind: str) -> Iterable[Action] | None:
    """What is tried of a kind with a unit, the most useful first; None for all that is legal."""
    free = unit.on_table and unit.side == state.active
    if kind == FIRE.action.kind:
        return _volleys(state, unit) if free and not unit.this_turn.has_fired else ()
    if kind == MOVE.action.kind:
        return (move for move in MOVE.tries(state, unit) if IDLE.isdisjoint(move.circumstances)) if free else ()
    return () if kind in (DETACH.action.kind, REJOIN.action.kind) else None


def _volleys(state: MagdalaState, unit: MagdalaUnit) -> Iterable[Action]:
    about = state.options, state.terrain
    hopes = [(shoots(unit, foe, *about), foe.id) for foe in state.enemies(unit.side)]
    best = sorted((each for each in hopes if each[0] > 0), key=lambda each: -each[0])
    return (Fire(unit=unit.id, target=foe) for _, foe in best[:TARGETS])


def attacks(state: MagdalaState, side: str, target: str) -> Iterable[tuple[MagdalaState, Action]]:
    """What that side could do to a unit of its enemies in a turn of its own: fire and charges, the worst first."""
    foe = state.unit(target)
    about = foe, state.options, state.terrain
    able = [(shoots(unit, *about), threat(unit, *about), unit) for unit in state.of_side(side)]
    for fire, charge, unit in sorted(able, key=lambda each: -max(each[:2])):
        fresh = unit.model_copy(update={"this_turn": ThisTurn(figures_at_start=unit.strength)})
        supposed = state.with_unit(fresh).model_copy(update={"active": side})
        if fire > 0 and fire >= charge:
            yield supposed, Fire(unit=unit.id, target=target)
        elif charge > 0 and not rides_as_infantry(unit):
            yield supposed, Move(unit=unit.id, to=f"towards {target}")
