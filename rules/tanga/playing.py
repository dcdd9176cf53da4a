"""Small steps of the British put together to one action, and told in one line (TA-2)."""

from collections import Counter

from rules.core.hexboard.hexes import Hex
from rules.core.play import Play

from .automaton import sequence
from .automaton.stacks import Stepped
from .model import BRITISH, TangaState

MOST_STEPS = 20_000
"""Far more small steps than the largest formation's activation can have."""
MOST_TOLD = 5
"""Clauses of a headline; of more, their number is said."""


class Activation:
    """The play of a formation's activation, or a part of it, and what there is to tell of it in a line."""

    def __init__(self, play: Play[TangaState], formation: str) -> None:
        """`formation` is the id of the one that acts; empty where the British are done."""
        self.play = play
        self.formation = formation
        self.told: list[tuple[str, str]] = []
        """Clauses of the headline, each with how it goes when several stacks share it, if they may."""

    @property
    def headline(self) -> str:
        """As `13th Rajputs: A and B advance to 2914 towards entry hex 2516 (TA-9.A); C fires at 2712 (TA-4).`."""
        clauses, state = self._clauses(), self.play.state
        said = "; ".join(clauses[:MOST_TOLD])
        if (more := len(clauses) - MOST_TOLD) > 0:
            said += f"; and {more} more"
        if not self.formation:
            return "The British turn ends."
        if not said:
            said = state.decisions[-1].why if state.decisions else "nothing to do"
        return f"{state.formation(self.formation).name}: {said}."

    def _clauses(self) -> list[str]:
        """Each clause once: what several stacks did alike is said of all of them, where the first did it."""
        alike = Counter(joined for _, joined in self.told if joined)
        said = (f"{alike[joined]} stacks {joined}" if alike[joined] > 1 else clause for clause, joined in self.told)
        return list(dict.fromkeys(said))

    def step(self, forced: Hex | None = None) -> None:
        """One small step, the umpire's word in place of what it decides."""
        before = self.play.state
        self.keep(before, sequence.step(self.play, forced))

    def keep(self, before: TangaState, stepped: Stepped) -> None:
        """Keeps what a step has done since `before`; its decision with that state, for overruling."""
        play = self.play
        if stepped.told:
            self.told.append((stepped.told, stepped.joined))
        if not before.markers.keys() <= play.state.markers.keys():
            play.tell(showed_hidden=True)
        if stepped.decision is not None:
            last = before.model_copy(update={"before_last": None, "decisions": ()})
            play.set(decisions=(*before.decisions, stepped.decision), before_last=last)
            play.tell(units=tuple(dict.fromkeys((*play.report.units, *stepped.decision.units))))

    def run(self, *, one_decision: bool = False) -> None:
        """Plays until the formation has acted, something is asked or, with `one_decision`, the first decision.

        Raises AssertionError rather than playing for ever.
        """
        decided = len(self.play.state.decisions)
        for _ in range(MOST_STEPS):
            if self.play.state.british.asked is not None:
                break
            self.step()
            if self.play.state.british.formation is None:
                break
            if one_decision and len(self.play.state.decisions) > decided:
                break
        else:
            raise AssertionError(f"{self.formation}: the British turn does not come to its end")
        self.play.tell(headline=self.headline, side=BRITISH)


def forget(play: Play[TangaState]) -> None:
    """Forgets what the last action did, which was for its own report and picture."""
    play.set(decisions=(), before_last=None, trails=())
