"""Attacks that a side can make on an enemy unit: answering fire, fire next turn, and charges."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from rules.core.action_type import ActionType
from rules.core.model import Viewer
from rules.core.state import Action
from rules.core.tabletop import table

from .aim import maximum_range
from .estimates import estimate_charge_gain, estimate_fire_losses, make_table_without_units
from .figures import PLACEMENT
from .fire import FIRING, Fire
from .model import ChargeState, ChargeUnit, UnitTurn
from .moving import MOVE, Move, full_move_inches
from .shared import ANSWER, FIRE, MOVES


def attacks_on_unit(state: ChargeState, side: Viewer, target: str) -> Iterable[tuple[ChargeState, Action]]:
    """Yield the attacks that `side` can make on the unit `target`, each with the state in which it happens.

    In the enemy's fire phase these are answering fire; otherwise fire and charges of the side's own turn, the most
    dangerous units first.
    """
    unit, foes = state.units[target], state.units_of(side)
    if state.phase == FIRE and state.mover != side:
        answers = state.model_copy(update={"phase": ANSWER, "active": side})
        yield from _allowed_attacks(answers, FIRING, (Fire(unit=foe.id, target=target) for foe in foes))
        return
    fresh_foes = (foe.model_copy(update={"this_turn": UnitTurn()}) for foe in foes)
    now = {"active": side, "mover": side, "began": state.began + (state.mover != side)}
    turn = state.with_unit(*fresh_foes).model_copy(update=now)
    fires, moves = (turn.model_copy(update={"phase": phase}) for phase in (FIRE, MOVES))
    fire_losses = partial(estimate_fire_losses, table=make_table_without_units(turn.terrain, turn.options))
    shots = _most_dangerous_foes(foes, unit, fire_losses, maximum_range)
    yield from _allowed_attacks(fires, FIRING, (Fire(unit=foe.id, target=target) for foe in shots))
    charges = _most_dangerous_foes(foes, unit, estimate_charge_gain, lambda foe: full_move_inches(turn, foe))
    yield from _allowed_attacks(moves, MOVE, (Move(unit=foe.id, to=f"towards {target}") for foe in charges))


def _most_dangerous_foes(
    foes: Iterable[ChargeUnit],
    unit: ChargeUnit,
    estimate: Callable[[ChargeUnit, ChargeUnit], float],
    reach_of: Callable[[ChargeUnit], float],
) -> Iterable[ChargeUnit]:
    """Return the units in `foes` that can reach `unit` and cause it losses, most dangerous first.

    `estimate` returns the losses that an enemy may cause the unit, `reach_of` the enemy's reach in inches.
    """
    foes_in_reach = (foe for foe in foes if (PLACEMENT.gap(foe, unit) or 0.0) <= reach_of(foe) + table.CLOSE)
    hopes = [(worth, foe) for foe in foes_in_reach if (worth := estimate(foe, unit)) > 0]
    return (foe for _, foe in sorted(hopes, key=lambda pair: -pair[0]))


def _allowed_attacks(
    state: ChargeState, kind: ActionType[ChargeState, Any, Any], actions: Iterable[Action]
) -> Iterable[tuple[ChargeState, Action]]:
    return ((state, action) for action in actions if kind.plan_if_allowed(state, action) is not None)
