"""Enemy answers to a unit: answering fire, fire next turn, and charges."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from rules.core.action_type import ActionType
from rules.core.model import Viewer
from rules.core.state import Action
from rules.core.tabletop import table

from .aim import reach
from .estimates import bare_table, charge, fire
from .figures import PLACEMENT
from .fire import FIRING, Fire
from .model import ChargeState, ChargeUnit, ThisTurn
from .moving import MOVE, Move, rate
from .shared import ANSWER, FIRE, MOVES


def attacks_on(state: ChargeState, side: Viewer, target: str) -> Iterable[tuple[ChargeState, Action]]:
    """Yield possible attacks on the unit with their states, most dangerous first."""
    unit, theirs = state.units[target], state.of_side(side)
    if state.phase == FIRE and state.mover != side:
        answers = state.model_copy(update={"phase": ANSWER, "active": side})
        yield from _planned(answers, FIRING, (Fire(unit=foe.id, target=target) for foe in theirs))
        return
    fresh = (foe.model_copy(update={"this_turn": ThisTurn()}) for foe in theirs)
    now = {"active": side, "mover": side, "began": state.began + (state.mover != side)}
    turn = state.with_unit(*fresh).model_copy(update=now)
    fires, moves = (turn.model_copy(update={"phase": phase}) for phase in (FIRE, MOVES))
    shots = _most_dangerous(theirs, unit, partial(fire, table=bare_table(turn.terrain, turn.options)), reach)
    yield from _planned(fires, FIRING, (Fire(unit=foe.id, target=target) for foe in shots))
    charges = _most_dangerous(theirs, unit, charge, lambda foe: rate(turn, foe))
    yield from _planned(moves, MOVE, (Move(unit=foe.id, to=f"towards {target}") for foe in charges))


def _most_dangerous(
    theirs: Iterable[ChargeUnit],
    unit: ChargeUnit,
    hope: Callable[[ChargeUnit, ChargeUnit], float],
    within: Callable[[ChargeUnit], float],
) -> Iterable[ChargeUnit]:
    """Return foes within reach able to cause losses, most dangerous first."""
    able = (foe for foe in theirs if (PLACEMENT.gap(foe, unit) or 0.0) <= within(foe) + table.CLOSE)
    hopes = [(worth, foe) for foe in able if (worth := hope(foe, unit)) > 0]
    return (foe for _, foe in sorted(hopes, key=lambda pair: -pair[0]))


def _planned(
    state: ChargeState, kind: ActionType[ChargeState, Any, Any], actions: Iterable[Action]
) -> Iterable[tuple[ChargeState, Action]]:
    return ((state, action) for action in actions if kind.planned(state, action) is not None)
