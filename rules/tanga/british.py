"""The British turn for the table: playing it on, answering what it asks, stopping it and letting it go on (TA-H.0)."""

from collections.abc import Iterable
from dataclasses import dataclass

from typing_extensions import override

from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.ruleset import Refused
from rules.core.state import Action

from .automaton import answering, sequence
from .british_actions import BritishStep, Overrule, Pause, Resume
from .british_offers import offers, words_of_next
from .german.orders import GermanType, phase_of
from .model import GERMAN, Phase, TangaState
from .playing import Activation, forget
from .progress import mark
from .questions import Answer, prompts, words_of

OF_THE_BRITISH = (BritishStep, Answer, Overrule, Pause, Resume)
"""Actions after which the last decision can still be overruled."""

TURN = Cite(rule="TA-H.0", mark=Mark.HOUSE)
ORDER = Cite(rule="TA-2")


@dataclass(frozen=True)
class StepPlan:
    """Id of the formation that acts, empty for none, and how much is played."""

    formation: str
    much: str


class StepType(GermanType[BritishStep, StepPlan]):
    """Plays on: by itself from now on where the whole turn is meant, and no longer where a part of it is."""

    action = BritishStep

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[BritishStep]:
        """With the formation whose turn it is, and without."""
        if viewer in (GERMAN, UMPIRE) and phase_of(state) is Phase.BRITISH:
            yield BritishStep()
            if (formation := sequence.acting(state)) is not None:
                yield BritishStep(formation=formation.name)

    @override
    def plan(self, state: TangaState, action: BritishStep, *, supposing: bool = False) -> StepPlan:
        """Raises Refused while a question is open, outside the British phase, or for another formation."""
        if phase_of(state) is not Phase.BRITISH:
            raise Refused("The British have acted this turn. Go on with /turn next.", TURN)
        if (asked := state.british.asked) is not None:
            raise Refused(f"First the answer to this: {asked.text}", asked.cite, prompts(state))
        formation, wanted = sequence.acting(state), action.formation
        if formation is None:
            return StepPlan("", action.much)
        if wanted is not None and wanted.casefold() not in (formation.id.casefold(), formation.name.casefold()):
            raise Refused(f"It is the turn of {formation.name}: formations act in their order.", ORDER)
        return StepPlan(formation.id, action.much)

    @override
    def label(self, state: TangaState, plan: StepPlan) -> str:
        """`Next: 13th Rajputs`, `End the British turn`; of the whole turn, `Play on the British turn`."""
        return words_of(state) if plan.much == "turn" else words_of_next(state)

    @override
    def resolve(self, play: Play[TangaState], plan: StepPlan) -> None:
        """Plays to the formation's end, or a question."""
        forget(play)
        mark(play, running=plan.much == "turn")
        Activation(play, plan.formation).run(one_decision=plan.much == "decision")
        play.tell(prompts=prompts(play.state), offers=offers(play.state))


@dataclass(frozen=True)
class AnswerPlan:
    """The question's text, whom it is about, and the answer with its label."""

    asked: str
    unit: str
    word: str
    label: str


class AnswerType(GermanType[Answer, AnswerPlan]):
    """Answers, and plays on to the formation's end or the next question."""

    action = Answer

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[Answer]:
        """Every answer to the open question."""
        if (asked := state.british.asked) is not None and viewer in (asked.side, UMPIRE):
            yield from (Answer(word=word) for word, _ in asked.answers)

    @override
    def plan(self, state: TangaState, action: Answer, *, supposing: bool = False) -> AnswerPlan:
        """Raises Refused on another word, or where nothing is asked."""
        asked = state.british.asked
        if asked is None:
            raise Refused("Nothing is asked now. Play the British on with /british turn.", TURN)
        word = action.word.strip().casefold()
        known = {key: key for key, _ in asked.answers} | {label.casefold(): key for key, label in asked.answers}
        if word not in known:
            words = ", ".join(key for key, _ in asked.answers)
            why = f"“{action.word[:40]}” is no answer to this. The answers: {words}."
            raise Refused(why, asked.cite, prompts(state))
        return AnswerPlan(asked.text, asked.unit, known[word], dict(asked.answers)[known[word]])

    @override
    def label(self, state: TangaState, plan: AnswerPlan) -> str:
        """As the question has it: `Hold fire`."""
        return plan.label

    @override
    def resolve(self, play: Play[TangaState], plan: AnswerPlan) -> None:
        """The answer's effect; in the British phase they go on then."""
        play.set(trails=(), before_last=None)
        before, activation = play.state, Activation(play, play.state.british.formation or "")
        activation.keep(before, answering.answer(play, plan.word))
        if phase_of(play.state) is Phase.BRITISH:
            activation.run()
            play.tell(prompts=prompts(play.state), offers=offers(play.state))
        else:
            play.tell(headline=f"{plan.asked} {plan.label}.", units=(plan.unit,))


class PauseType(GermanType[Pause, None]):
    """Stops after this formation."""

    action = Pause

    @override
    def plan(self, state: TangaState, action: Pause, *, supposing: bool = False) -> None:
        """Raises Refused when nothing runs."""
        if not state.british.running:
            raise Refused("The British turn is not playing itself on.", TURN)

    @override
    def label(self, state: TangaState, plan: None) -> str:
        """What its button says."""
        return "Stop after this formation"

    @override
    def resolve(self, play: Play[TangaState], plan: None) -> None:
        """It waits."""
        mark(play, running=False)
        play.tell(headline="The British turn waits.")


class ResumeType(GermanType[Resume, None]):
    """Plays itself on from here."""

    action = Resume

    @override
    def plan(self, state: TangaState, action: Resume, *, supposing: bool = False) -> None:
        """Raises Refused outside the British phase, or when it runs already."""
        if phase_of(state) is not Phase.BRITISH:
            raise Refused("The British have acted this turn. Go on with /turn next.", TURN)
        if state.british.running:
            raise Refused("The British turn plays itself on already.", TURN)

    @override
    def label(self, state: TangaState, plan: None) -> str:
        """What its button says."""
        return "Play on by itself"

    @override
    def resolve(self, play: Play[TangaState], plan: None) -> None:
        """It goes on, once what is asked is answered."""
        mark(play, running=True)
        said = "The British turn goes on" + (", once this is answered." if play.state.british.asked else ".")
        play.tell(headline=said, prompts=prompts(play.state))


def due(state: TangaState) -> Action | None:
    """The next formation's activation, while the turn plays itself on and nothing is asked."""
    if state.over is not None or not state.british.running or state.british.asked is not None:
        return None
    return BritishStep(much="turn") if phase_of(state) is Phase.BRITISH else None


BRITISH_STEP, ANSWER, PAUSE, RESUME = StepType(), AnswerType(), PauseType(), ResumeType()
