"""Commanders, leaders, mules and wagons join a unit, or leave it (BE-M.6)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.report import Step
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


@dataclass(frozen=True)
class AttachPlan:
    """The piece, the unit that it joins or leaves, the inches it rides there, and those it has left before."""

    piece: str
    unit: str
    joins: bool
    ridden: float = 0.0
    left: float = 0.0


class AttachType(ActionType[EmpireState, Attach, AttachPlan]):
    """A piece comes up to a unit and goes where it goes, or leaves it; no dice (BE-M.6)."""

    action = Attach

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[Attach]:
        """Every friend that a piece could come up to, and leaving the one it is with."""
        if state.now is not Phase.COMMANDERS or viewer not in (state.active, UMPIRE):
            return
        for piece in state.of_side(state.active):
            if piece.is_piece and unit in (None, piece.id):
                for target in (*(friend.id for friend in state.fighters(piece.side)), None):
                    yield Attach(unit=piece.id, target=target)

    def plan(self, state: EmpireState, action: Attach, *, supposing: bool = False) -> AttachPlan:  # noqa: ARG002
        """Whom it joins, or leaves. Raises Refused."""
        piece = find(state, action.unit, "piece")
        if not piece.is_piece:
            raise Refused(f"{piece.name} joins nobody: commanders, leaders, mules and wagons do.", PIECES)
        ready(state, piece)
        if action.target is None:
            if piece.attached_to is None or piece.attached_to not in state.units:
                raise Refused(f"{piece.name} is with no unit. To join one, name it as the target.", PIECES)
            return AttachPlan(piece.id, piece.attached_to, joins=False)
        unit = _may_join(state, piece, action.target)
        away, left = gap(piece, unit), allowance.left(state, piece)
        if away is not None and away > left + table.CLOSE:
            raise Refused(f"{unit.name} is {inches(away)} from {piece.name}, which has {inches(left)} left.", PIECES)
        return AttachPlan(piece.id, unit.id, joins=True, ridden=away or 0.0, left=left)

    def label(self, state: EmpireState, plan: AttachPlan) -> str:
        """`Lord Chelmsford joins 24th`."""
        return f"{state.unit(plan.piece).name} {'joins' if plan.joins else 'leaves'} {state.unit(plan.unit).name}"

    def resolve(self, play: Play[EmpireState], plan: AttachPlan) -> None:
        """Joins, or leaves."""
        piece, unit = play.state.unit(plan.piece), play.state.unit(plan.unit)
        if plan.joins:
            verdict = f"{inches(plan.ridden)} of {inches(plan.left)}" if plan.ridden else ""
            step = Step(text=f"{piece.name} comes up to {unit.name}", cite=PIECES, verdict=verdict)
            outcome = f"From now on {piece.name} goes where {unit.name} goes."
            after = _joined(piece, unit, plan.ridden)
        else:
            step = Step(text=f"{piece.name} stays where it is", cite=PIECES)
            outcome = "It may move while it has inches left."
            after = piece.model_copy(update={"attached_to": None})
        headline = f"{self.label(play.state, plan)}."
        play.state = play.state.with_unit(after)
        play.say(step)
        play.tell(headline=headline, side=piece.side, outcome=outcome, units=(piece.id, unit.id))


def _joined(piece: EmpireUnit, unit: EmpireUnit, ridden: float) -> EmpireUnit:
    memory = piece.this_turn
    there = piece.model_copy(update={"attached_to": unit.id, "place": unit.place})
    return remembering(there, spent=round(memory.spent + ridden, 3), moved=round(memory.moved + ridden, 3))


def _may_join(state: EmpireState, piece: EmpireUnit, target: str) -> EmpireUnit:
    """A fighting unit of its own side, and not the one it is with. Raises Refused."""
    unit = find_fighter(state, target)
    if unit.side != piece.side:
        raise Refused(f"{unit.name} is the enemy. {piece.name} joins a unit of its own side.", PIECES)
    if piece.attached_to == unit.id:
        raise Refused(f"{piece.name} is with {unit.name} already. To leave it, name no target.", PIECES)
    return unit


ATTACH = AttachType()
