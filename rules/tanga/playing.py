"""Small steps of the British as one action, told in one line; what may be done next, and why it was done (TA-2)."""

from rules.core.automaton.decisions import Stepped, headline
from rules.core.automaton.why import explained
from rules.core.hexboard.hexes import Hex
from rules.core.listed import Explained
from rules.core.model import PUBLIC, UMPIRE, Cite, Mark
from rules.core.play import Play
from rules.core.report import Offer

from .automaton import sequence
from .automaton.stacks import names
from .field import board_of
from .model import BRITISH, GERMAN, Phase, TangaState
from .progress import Decision
from .questions import prompts
from .scene import scene

TRACE = Cite(rule="TA-0.3", mark=Mark.RULING)
MOST_STEPS = 20_000
"""Far more small steps than the largest formation's activation can have."""
MOST_OFFERED = 3
"""Other candidates offered for overruling."""


class Activation:
    """The play of a formation's activation, or a part of it, and what there is to tell of it in a line."""

    def __init__(self, play: Play[TangaState]) -> None:
        self.play = play
        self.formation = sequence.acting(play.state)
        """The one that acts; None where the British are done."""
        self.steps: list[Stepped] = []

    @property
    def headline(self) -> str:
        """What each stack did; where nobody did anything, why."""
        if self.formation is None:
            return "The British turn ends."
        decisions = self.play.state.decisions
        return headline(self.formation.name, self.steps, decisions[-1].why if decisions else "nothing to do")

    def keep(self, before: TangaState, stepped: Stepped) -> None:
        """Keeps what a step has done since `before`; its decision with that state, for overruling."""
        play = self.play
        self.steps.append(stepped)
        if not before.markers.keys() <= play.state.markers.keys():
            play.tell(showed_hidden=True)
        if stepped.decision is not None:
            last = before.model_copy(update={"before_last": None, "decisions": ()})
            play.set(decisions=(*before.decisions, stepped.decision), before_last=last)
            play.tell(units=tuple(dict.fromkeys((*play.report.units, *stepped.decision.units))))

    def run(self, forced: Hex | None = None, *, one_decision: bool = False) -> None:
        """Plays until the formation has acted, something is asked or, with `one_decision`, the first decision.

        Of the first step the umpire's word is taken in place of what it decides. Raises AssertionError rather than
        playing for ever.
        """
        play, decided = self.play, len(self.play.state.decisions)
        for number in range(MOST_STEPS):
            before = play.state
            if before.british.asked is not None or (number and before.british.formation is None):
                break
            if one_decision and len(before.decisions) > decided:
                break
            self.keep(before, sequence.step(play, None if number else forced))
        else:
            raise AssertionError(f"{self.formation}: the British turn does not come to its end")
        play.tell(headline=self.headline, side=BRITISH, prompts=prompts(play.state), offers=offers(play.state))


def offers(state: TangaState) -> tuple[Offer, ...]:
    """Next steps: the next formation, and other candidates of the last decision."""
    found: list[Offer] = []
    if state.phase == Phase.BRITISH and state.british.asked is None and not state.british.running:
        key = f"{state.turn}-{state.phase}"
        found.append(Offer(label=words_of_next(state), kind="british", side=GERMAN, key=key))
    if may_overrule(state):
        name, question = name_of(state), state.decisions[-1].question.value
        for other in state.decisions[-1].others[:MOST_OFFERED]:
            label, args = f"Overrule {question}: {other.label}", {"to": other.label, "decision": name}
            found.append(Offer(label=label, kind="overrule", args=args, side=UMPIRE, key=""))
    return tuple(found)


def words_of_next(state: TangaState) -> str:
    """`Next: 13th Rajputs`, `End the British turn`."""
    formation = sequence.acting(state)
    return f"Next: {formation.name}" if formation else "End the British turn"


def may_overrule(state: TangaState) -> bool:
    """Whether the last decision is of this turn, and no German has moved after it."""
    if state.before_last is None or not state.decisions or state.turn != state.before_last.turn:
        return False
    moved = any(unit.side == GERMAN and unit.moved for unit in state.units.values())
    return Phase(state.phase) in (Phase.BRITISH, Phase.MOVE) and not moved


def name_of(state: TangaState) -> str:
    """The last decision in so few words that no other has the same."""
    last = state.decisions[-1]
    return f"{state.turn}: {last.question.value} of {last.units[0]}: {last.chosen} of {len(last.candidates)}"


def explain(state: TangaState, number: int | None) -> Explained | None:
    """Decision `number` of those of the last activation, or its newest real choice; None where nothing was decided.

    Raises Refused on a number that none of them has.
    """
    kept = state.decisions
    acted = (unit for one in kept for unit in one.units if unit in state.units)
    whose = next((state.formation(state.units[unit].formation).name for unit in acted), "")

    def about(decision: Decision) -> str:
        """`target of A and B`, of those who are still counters of the game."""
        units = (state.units[unit] for unit in decision.units if unit in state.units)
        return f"{decision.question.value} of {names(state, units)}"

    picture, title = scene(state, PUBLIC, None), board_of(state).title
    return explained(kept, number, about, title, whose=whose, scene=picture, side=BRITISH, cite=TRACE)
