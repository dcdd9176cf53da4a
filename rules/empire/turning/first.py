"""Who moves first: said by the winner of the initiative, and the turn goes on to the movement (BE-1, house)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.report import Prompt, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.model import EmpireState
from rules.empire.phases import Phase, title

from . import walk
from .initiative import INITIATIVE, winner


class First(Action):
    """The winner of the initiative says which `side` moves first this turn."""

    kind: ClassVar[str] = "first"

    side: str


@dataclass(frozen=True)
class FirstPlan:
    """The side that says so, and the one that moves first."""

    chooser: str
    first: str


class FirstType(ActionType[EmpireState, First, FirstPlan]):
    """Said by whoever won the initiative (BE-1, house)."""

    action = First

    def side(self, state: EmpireState, action: First) -> Viewer:  # noqa: ARG002
        """The winner's business."""
        return winner(state) or state.active

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[First]:
        """Either side first, for the winner to say."""
        if unit is None and viewer in (winner(state), UMPIRE):
            yield from (First(side=each.id) for each in state.sides)

    def plan(self, state: EmpireState, action: First, *, supposing: bool = False) -> FirstPlan:  # noqa: ARG002
        """Raises Refused where there is nothing to choose."""
        chooser = winner(state)
        if chooser is None:
            when = f"Who moves first is said in {title(Phase.INITIATIVE)}, by whoever has won it"
            raise Refused(f"{when}. Now: {title(state.now)}.", INITIATIVE)
        sides = {side.id: side.name for side in state.sides}
        if action.side not in sides:
            raise Refused(f"There is no side “{action.side[:40]}”. The sides: {', '.join(sides)}.")
        return FirstPlan(chooser, action.side)

    def label(self, state: EmpireState, plan: FirstPlan) -> str:
        """`British first`."""
        return f"{state.side(plan.first).name} first"

    def resolve(self, play: Play[EmpireState], plan: FirstPlan) -> None:
        """Sets who moves first, and begins to move."""
        chooser, first = (play.state.side(side).name for side in (plan.chooser, plan.first))
        play.say(Step(text=f"The {chooser} have the initiative and say so", cite=INITIATIVE))
        play.set(first=plan.first, initiative={}, active=plan.first)
        walk.on(play)
        headline = f"The {first} move first. {play.state.turn_title}."
        play.tell(headline=headline, side=plan.chooser, outcome=walk.asks(play.state))


MOVE_FIRST = FirstType()


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """The winner's choice; the turn waits for it."""
    chooser = winner(state)
    if chooser is None:
        return
    key = f"first:{state.turn}"
    offers = MOVE_FIRST.offers(state, MOVE_FIRST.candidates(state, chooser), key)
    text = f"The {state.side(chooser).name} have the initiative: who moves first?"
    yield Prompt(key=key, unit="", side=chooser, text=text, cite=INITIATIVE, offers=offers)
