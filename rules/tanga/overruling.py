"""Overruling the last decision of the British: the umpire's word stands above the card's (TA-9.7)."""

from collections.abc import Iterable
from dataclasses import dataclass

from typing_extensions import override

from rules.core.action_type import ActionType
from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.ruleset import Refused

from .british_actions import Overrule
from .british_offers import may_overrule, name_of, offers
from .field import board_of
from .model import TangaState
from .playing import Activation
from .progress import mark
from .questions import prompts

WORD = Cite(rule="TA-9.7", mark=Mark.RULING)


@dataclass(frozen=True)
class OverrulePlan:
    """The candidate to be taken."""

    to: Hex


class OverruleType(ActionType[TangaState, Overrule, OverrulePlan]):
    """Goes back to before the last decision and takes the other hex."""

    action = Overrule

    @override
    def side(self, state: TangaState, action: Overrule) -> Viewer:
        """The umpire."""
        return UMPIRE

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[Overrule]:
        """Every other candidate of the last decision."""
        if viewer == UMPIRE and may_overrule(state):
            yield from (Overrule(to=hex_.label) for hex_ in state.decisions[-1].others)

    @override
    def plan(self, state: TangaState, action: Overrule, *, supposing: bool = False) -> OverrulePlan:
        """Raises Refused on a hex that was no other candidate, or where a newer decision was made."""
        if not may_overrule(state):
            raise Refused("There is no decision of the British to overrule now.", WORD)
        last = state.decisions[-1]
        if action.decision not in (None, name_of(state)):
            raise Refused("The British have decided something else since. Overrule that, or undo first.", WORD)
        found = next((hex_ for hex_ in last.others if hex_.label == action.to.strip()), None)
        if found is None:
            listed = ", ".join(hex_.label for hex_ in last.others) or "none"
            why = f"“{action.to[:20]}” is no other candidate of the last decision ({last.question.value})."
            raise Refused(f"{why} The others: {listed}.", WORD)
        return OverrulePlan(found)

    @override
    def label(self, state: TangaState, plan: OverrulePlan) -> str:
        """`Overrule target: 2712`."""
        return f"Overrule {state.decisions[-1].question.value}: {plan.to.label}"

    @override
    def resolve(self, play: Play[TangaState], plan: OverrulePlan) -> None:
        """Plays on from there to the formation's end, or a question."""
        state, before = play.state, play.state.before_last
        assert before is not None
        last = state.decisions[-1]
        play.state = before
        play.set(decisions=state.decisions[:-1])
        mark(play, running=state.british.running)
        activation = Activation(play, before.british.formation or "")
        activation.step(plan.to)
        activation.run()
        was, where = last.chosen.label if last.chosen else "no hex", board_of(state).title(plan.to)
        headline = f"The umpire overrules the {last.question.value}: {where} instead of {was}. {activation.headline}"
        play.tell(headline=headline, side=UMPIRE, prompts=prompts(play.state), offers=offers(play.state))


OVERRULE = OverruleType()
