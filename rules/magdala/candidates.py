"""Candidate actions for the bot opponent: useful actions of the bot's units, and attacks expected from the enemy."""

from collections.abc import Iterable

from rules.core.state import Action

from .arms import is_riding_infantry
from .estimates import cached_volley_loss, charge_gain
from .firing.fire import FIRE, Fire
from .model import MagdalaState, MagdalaUnit, UnitTurn
from .moving.marching import Move
from .orders.detachments import DETACH, REJOIN
from .orders.movement import MOVE

MAX_TARGETS = 4
"""Maximum targets considered per unit."""
UNUSED_CHANGES = frozenset(("form square", "leave square", "stand up", "lie down", "leave cover"))
"""Changes that the bot never chooses; moving units stand up and leave cover automatically."""


def suggest_useful_actions(state: MagdalaState, unit: MagdalaUnit, kind: str) -> Iterable[Action] | None:
    """Return the unit's useful actions of `kind`, the most useful first; None to try every legal action."""
    if kind == FIRE.action.kind:
        may_fire = unit.on_table and unit.side == state.active and not unit.this_turn.has_fired
        foes = state.enemies(unit.side) if may_fire else ()
        hopes = [(cached_volley_loss(unit, foe, state.options, state.terrain), foe.id) for foe in foes]
        best = sorted((hope for hope in hopes if hope[0] > 0), key=lambda hope: -hope[0])
        return (Fire(unit=unit.id, target=foe) for _, foe in best[:MAX_TARGETS])
    if kind == MOVE.action.kind:
        return (move for move in MOVE.suggest_for_unit(state, unit.id) if UNUSED_CHANGES.isdisjoint(move.circumstances))
    return () if kind in (DETACH.action.kind, REJOIN.action.kind) else None


def expected_attacks(state: MagdalaState, side: str, target: str) -> Iterable[tuple[MagdalaState, Action]]:
    """Yield likely attacks by `side` on the unit `target`, most dangerous first, each with a state that allows it."""
    foe = state.unit(target)
    rest = foe, state.options, state.terrain
    attackers = [(cached_volley_loss(unit, *rest), charge_gain(unit, *rest), unit) for unit in state.units_of(side)]
    for fire, charge, unit in sorted(attackers, key=lambda attack: -max(attack[:2])):
        fresh = unit.model_copy(update={"this_turn": UnitTurn(figures_at_start=unit.strength)})
        supposed = state.with_unit(fresh).model_copy(update={"active": side})
        if fire > 0 and fire >= charge:
            yield supposed, Fire(unit=unit.id, target=target)
        elif charge > 0 and not is_riding_infantry(unit):
            yield supposed, Move(unit=unit.id, to=f"towards {target}")
