"""Commanders, leaders, mules and wagons join a unit, or leave it (BE-M.6)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice, NoDice
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.wording import inches
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import find, find_fighter, remembering
from rules.empire.phases import Phase
from rules.empire.placement import gap

from . import allowance
from .readiness import PIECES, ready


class Attach(Action):
    """A piece (`unit`) joins a friend (`target`) within reach of its move; without `target` it leaves its unit."""

    kind: ClassVar[str] = "attach"

    target: str | None = None


def attach(state: EmpireState, action: Attach, _dice: Dice) -> tuple[EmpireState, Report]:
    """Joins, or leaves. Raises Refused."""
    piece = find(state, action.unit, "piece")
    if not piece.is_piece:
        raise Refused(f"{piece.name} joins nobody: commanders, leaders, mules and wagons do.", PIECES)
    ready(state, piece)
    if action.target is None:
        return _left(state, piece)
    unit = _may_join(state, piece, action.target)
    away = gap(piece, unit)
    left = allowance.left(state, piece)
    if away is not None and away > left + table.CLOSE:
        raise Refused(f"{unit.name} is {inches(away)} from {piece.name}, which has {inches(left)} left.", PIECES)
    ridden = away or 0.0
    memory = piece.this_turn
    joined = remembering(
        piece.model_copy(update={"attached_to": unit.id, "place": unit.place}),
        spent=round(memory.spent + ridden, 3),
        moved=round(memory.moved + ridden, 3),
    )
    verdict = f"{inches(ridden)} of {inches(left)}" if ridden else ""
    report = Report(
        headline=f"{piece.name} joins {unit.name}.",
        side=piece.side,
        steps=(Step(text=f"{piece.name} comes up to {unit.name}", cite=PIECES, verdict=verdict),),
        outcome=f"From now on {piece.name} goes where {unit.name} goes.",
        units=(piece.id, unit.id),
    )
    return state.with_unit(joined), report


def _left(state: EmpireState, piece: EmpireUnit) -> tuple[EmpireState, Report]:
    unit = state.units.get(piece.attached_to or "")
    if unit is None:
        raise Refused(f"{piece.name} is with no unit. To join one, name it as the target.", PIECES)
    report = Report(
        headline=f"{piece.name} leaves {unit.name}.",
        side=piece.side,
        steps=(Step(text=f"{piece.name} stays where it is", cite=PIECES),),
        outcome="It may move while it has inches left.",
        units=(piece.id, unit.id),
    )
    return state.with_unit(piece.model_copy(update={"attached_to": None})), report


def _may_join(state: EmpireState, piece: EmpireUnit, target: str) -> EmpireUnit:
    """A fighting unit of its own side, and not the one it is with. Raises Refused."""
    unit = find_fighter(state, target)
    if unit.side != piece.side:
        raise Refused(f"{unit.name} is the enemy. {piece.name} joins a unit of its own side.", PIECES)
    if piece.attached_to == unit.id:
        raise Refused(f"{piece.name} is with {unit.name} already. To leave it, name no target.", PIECES)
    return unit


def legal(state: EmpireState, side: Viewer) -> Iterable[Attach]:
    """Every unit that a piece can come up to, and leaving the one it is with."""
    if state.now is not Phase.COMMANDERS or side not in (state.active, UMPIRE):
        return
    for piece in (each for each in state.of_side(state.active) if each.is_piece):
        for target in (*(unit.id for unit in state.fighters(piece.side)), None):
            order = Attach(unit=piece.id, target=target)
            try:
                attach(state, order, NoDice())
            except Refused:
                continue
            yield order


DEED: Deed[EmpireState] = Deed(Attach, attach, legal=legal)
