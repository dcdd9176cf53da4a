"""Small steps of the British put together to one action, and told in one line (TA-2)."""

from collections import Counter
from dataclasses import dataclass, replace

from rules.core.dice import Dice
from rules.core.report import Step

from .automaton import sequence
from .automaton.stepped import Stepped
from .model import TangaState

MOST_STEPS = 20_000
"""Far more small steps than the largest formation's activation can have."""
MOST_TOLD = 5
"""Clauses of a headline; of more, their number is said."""


@dataclass(frozen=True)
class Played:
    """What an action has done so far with the formation of that id."""

    state: TangaState
    formation: str
    steps: tuple[Step, ...] = ()
    told: tuple[tuple[str, str], ...] = ()
    """Clauses of the headline, each with how it goes when several stacks share it, if they may."""
    units: tuple[str, ...] = ()
    showed: bool = False
    """An MG marker has been turned up."""

    @property
    def headline(self) -> str:
        """As `13th Rajputs: A and B advance to 2914 towards entry hex 2516 (TA-9.A); C fires at 2712 (TA-4).`."""
        clauses = self._clauses()
        said = "; ".join(clauses[:MOST_TOLD])
        if (more := len(clauses) - MOST_TOLD) > 0:
            said += f"; and {more} more"
        if not self.formation:
            return "The British turn ends."
        if not said:
            said = self.state.decisions[-1].why if self.state.decisions else "nothing to do"
        return f"{self.state.formation(self.formation).name}: {said}."

    def _clauses(self) -> list[str]:
        """Each clause once: what several stacks did alike is said of all of them, where the first did it."""
        alike = Counter(joined for _, joined in self.told if joined)
        said = (f"{alike[joined]} stacks {joined}" if alike[joined] > 1 else clause for clause, joined in self.told)
        return list(dict.fromkeys(said))


def fresh(state: TangaState) -> TangaState:
    """The state without what the last action did, which was for its own report and picture."""
    return state.model_copy(update={"decisions": (), "before_last": None, "trails": ()})


def take(so_far: Played, stepped: Stepped) -> Played:
    """What has been done with that step too; its decision is kept, with the state before it, for overruling."""
    state = stepped.state
    units = so_far.units
    if stepped.decision is not None:
        before = so_far.state.model_copy(update={"before_last": None, "decisions": ()})
        decisions = (*so_far.state.decisions, stepped.decision)
        state = state.model_copy(update={"decisions": decisions, "before_last": before})
        units = tuple(dict.fromkeys((*units, *stepped.decision.units)))
    return replace(
        so_far,
        state=state,
        steps=(*so_far.steps, *stepped.steps),
        told=(*so_far.told, (stepped.told, stepped.joined)) if stepped.told else so_far.told,
        units=units,
        showed=so_far.showed or not so_far.state.markers.keys() <= state.markers.keys(),
    )


def play(
    state: TangaState, dice: Dice, formation: str, *, one_decision: bool = False, so_far: Played | None = None
) -> Played:
    """Plays until the formation has acted, something is asked or, with `one_decision`, the first decision.

    Raises AssertionError rather than playing for ever.
    """
    played = so_far or Played(state, formation)
    decided = len(played.state.decisions)
    for _ in range(MOST_STEPS):
        if played.state.british.asked is not None:
            return played
        played = take(played, sequence.step(played.state, dice))
        if played.state.british.formation is None:
            return played
        if one_decision and len(played.state.decisions) > decided:
            return played
    raise AssertionError(f"{formation}: the British turn does not come to its end")
