"""Tests of conduct owed and open, the moves they gave, and critical hits, with their buttons (BE-6, BE-7)."""

import math
from collections.abc import Iterable
from typing import Any

from rules.core.model import UMPIRE
from rules.core.report import Offer, Prompt
from rules.core.ruleset import Refused
from rules.core.wording import tenths
from rules.empire.fighting.contacts import in_contact
from rules.empire.firing.after_moving import a_move_costs_its_fire
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.moving.marching import Move, plan
from rules.empire.phases import Phase
from rules.empire.placement import nearest

from .critical import CRITICAL, Critical, legal
from .testing import CONDUCT, RULED, ConductTest, Rally, testable


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """Everything of conduct and critical hits now owed or open."""
    yield from tests(state)
    yield from moves(state)


def tests(state: EmpireState) -> Iterable[Prompt]:
    """Tests of conduct, of the shaken first, and critical hits."""
    if state.over is not None:
        return
    able = [unit for unit in state.fighters() if testable(state, unit)]
    yield from (_test(state, unit) for unit in sorted(able, key=lambda unit: not unit.shaken))
    yield from (_critical(state, state.unit(action.unit or "")) for action in legal(state, UMPIRE))


def moves(state: EmpireState) -> Iterable[Prompt]:
    """Moves that tests have given, with the likeliest ways to make them; nothing waits for these."""
    if state.over is None:
        yield from (_move(state, unit) for side in state.sides for unit in unmoved(state, side.id))


def unmoved(state: EmpireState, side: str) -> Iterable[EmpireUnit]:
    """Units of a side that have a move by their test and have not begun it."""
    return (unit for unit in state.fighters(side) if has_a_move(state, unit))


def conduct_key(state: EmpireState, unit: EmpireUnit) -> str:
    """The key of its test in this phase."""
    return f"conduct:{unit.id}:{state.turn}:{state.phase}"


def move_key(state: EmpireState, unit: EmpireUnit) -> str:
    """The key of the move its test gave it."""
    return f"move:{unit.id}:{state.turn}:{state.phase}"


def critical_key(state: EmpireState, piece: EmpireUnit) -> str:
    """The key of its critical hit."""
    return f"critical:{piece.id}:{state.turn}"


def _offer(key: str, unit: EmpireUnit, label: str, kind: str, **args: Any) -> Offer:
    return Offer(label=label, kind=kind, args={"unit": unit.id, **args}, side=unit.side, key=key)


def _test(state: EmpireState, unit: EmpireUnit) -> Prompt:
    """The shaken must test in 4B; others may, and in 4a those whose opponent gave way."""
    key, again = conduct_key(state, unit), state.now is Phase.EXPLOITATION
    if again:
        text = f"{unit.name} may test once more: its opponent gave way"
    else:
        text = f"{unit.name} is shaken and must test" if unit.shaken else f"{unit.name} may test its conduct, to move"
    kind, word = (Rally.kind, "Rally") if unit.shaken else (ConductTest.kind, "Conduct")
    return Prompt(
        key=key,
        unit=unit.id,
        side=unit.side,
        text=text,
        cite=RULED if again else CONDUCT,
        offers=(_offer(key, unit, f"{word}: {unit.name}", kind),),
        required=unit.shaken and not again,
    )


def has_a_move(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether its test of this phase gave it a move that it has not begun."""
    mine = unit.this_turn
    if unit.side not in state.acting or in_contact(state, unit) or (mine.allowed or 0) <= mine.spent:
        return False
    if state.now is Phase.EXPLOITATION:
        return mine.exploited and not mine.spent
    return state.now is Phase.UNITS and mine.tested and not mine.moved


def inches_left(unit: EmpireUnit) -> float:
    """What it has left of the move its test gave it, to the tenth below."""
    return math.floor(((unit.this_turn.allowed or 0) - unit.this_turn.spent) * 10) / 10


def _move(state: EmpireState, unit: EmpireUnit) -> Prompt:
    key = move_key(state, unit)
    silent = ", no fire then" if a_move_costs_its_fire(state, unit) else ""
    return Prompt(
        key=key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} may move {tenths(inches_left(unit))} inches",
        cite=CONDUCT,
        offers=tuple(
            _offer(key, unit, f"{label}{silent}: {unit.name}", Move.kind, to=to) for label, to in _ways(state, unit)
        ),
        required=False,
    )


def _ways(state: EmpireState, unit: EmpireUnit) -> Iterable[tuple[str, str]]:
    """Those of the likeliest ways that it can go, each called a charge if it ends on an enemy."""
    for label, to in _likely_ways(state, unit):
        try:
            march = plan(state, Move(unit=unit.id, to=to))
        except Refused:
            continue
        met = march.halt.met if march.halt else None
        yield (f"Charge {state.unit(met).name}" if met else label), to


def _likely_ways(state: EmpireState, unit: EmpireUnit) -> Iterable[tuple[str, str]]:
    """Towards the nearest enemy, and straight ahead by the whole move."""
    left = inches_left(unit)
    foe = nearest(unit, (each for each in state.enemies(unit.side) if not each.is_piece))
    if foe is not None:
        yield f"Towards {foe.name}", f"towards {foe.id}"
    yield f"Forward {tenths(left)} inches", f"forward {tenths(left)}"


def _critical(state: EmpireState, piece: EmpireUnit) -> Prompt:
    key = critical_key(state, piece)
    return Prompt(
        key=key,
        unit=piece.id,
        side=piece.side,
        text=f"{piece.name} is exposed to a critical hit",
        cite=CRITICAL,
        offers=(_offer(key, piece, f"Critical hit: {piece.name}", Critical.kind),),
    )
