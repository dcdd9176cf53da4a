"""The British turn for the table: playing it on, answering what it asks, overruling its last decision (TA-H.0)."""

from collections.abc import Iterable

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action

from . import overruling
from .automaton import answering, sequence
from .automaton.stepped import british as turned
from .british_actions import Answer, BritishStep, Overrule, Pause, Resume
from .british_reports import report
from .german.orders import phase_of
from .model import GERMAN, Phase, TangaState
from .playing import Played, fresh, play, take
from .questions import prompts

__all__ = ["DEEDS", "OF_THE_BRITISH", "Answer", "BritishStep", "Overrule", "Pause", "Resume", "due", "prompts"]

OF_THE_BRITISH = (BritishStep, Answer, Overrule, Pause, Resume)
"""Actions after which the last decision can still be overruled."""

TURN = Cite(rule="TA-H.0", mark=Mark.HOUSE)
ORDER = Cite(rule="TA-2")


def act(state: TangaState, action: BritishStep, dice: Dice) -> tuple[TangaState, Report]:
    """Plays on: by itself from now on where the whole turn is meant, and no longer where a part of it is.

    Raises Refused while a question is open, outside the British phase, or for another formation.
    """
    formation = _require(state, action.formation)
    state = turned(fresh(state), running=action.much == "turn")
    played = play(state, dice, formation, one_decision=action.much == "decision")
    return played.state, report(played)


def _require(state: TangaState, wanted: str | None) -> str:
    """Id of the formation that acts now. Raises Refused."""
    if phase_of(state) is not Phase.BRITISH:
        raise Refused("The British have acted this turn. Go on with /turn next.", TURN)
    if (asked := state.british.asked) is not None:
        raise Refused(f"First the answer to this: {asked.text}", asked.cite, prompts(state))
    formation = sequence.acting(state)
    if formation is None:
        return ""
    if wanted is not None and wanted.casefold() not in (formation.id.casefold(), formation.name.casefold()):
        raise Refused(f"It is the turn of {formation.name}: formations act in their order.", ORDER)
    return formation.id


def answer(state: TangaState, action: Answer, dice: Dice) -> tuple[TangaState, Report]:
    """Answers, and plays on to the formation's end or the next question. Raises Refused on another word."""
    asked = state.british.asked
    if asked is None:
        raise Refused("Nothing is asked now. Play the British on with /british turn.", TURN)
    word = action.word.strip().casefold()
    known = {key: key for key, _ in asked.answers} | {label.casefold(): key for key, label in asked.answers}
    if word not in known:
        words = ", ".join(key for key, _ in asked.answers)
        raise Refused(f"“{action.word[:40]}” is no answer to this. The answers: {words}.", asked.cite, prompts(state))
    formation = state.british.formation or ""
    state = state.model_copy(update={"trails": (), "before_last": None})
    first = take(Played(state, formation), answering.answer(state, known[word], dice))
    if phase_of(state) is not Phase.BRITISH:
        said = f"{asked.text} {dict(asked.answers)[known[word]]}."
        return first.state, Report(
            headline=said, side=GERMAN, steps=first.steps, units=(asked.unit,), showed_hidden=first.showed
        )
    played = play(first.state, dice, formation, so_far=first)
    return played.state, report(played)


def pause(state: TangaState, _action: Pause, _dice: Dice) -> tuple[TangaState, Report]:
    """Stops after this formation. Raises Refused when nothing runs."""
    if not state.british.running:
        raise Refused("The British turn is not playing itself on.", TURN)
    return turned(state, running=False), Report(headline="The British turn waits.", side=GERMAN)


def resume(state: TangaState, _action: Resume, _dice: Dice) -> tuple[TangaState, Report]:
    """Plays itself on from here. Raises Refused outside the British phase, or when it runs already."""
    if phase_of(state) is not Phase.BRITISH:
        raise Refused("The British have acted this turn. Go on with /turn next.", TURN)
    if state.british.running:
        raise Refused("The British turn plays itself on already.", TURN)
    said = "The British turn goes on" + (", once this is answered." if state.british.asked else ".")
    return turned(state, running=True), Report(headline=said, side=GERMAN, prompts=prompts(state))


def due(state: TangaState) -> Action | None:
    """The next formation's activation, while the turn plays itself on and nothing is asked."""
    if state.over is not None or not state.british.running or state.british.asked is not None:
        return None
    return BritishStep(much="turn") if phase_of(state) is Phase.BRITISH else None


def legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Playing the British on, while nothing is asked; with the formation whose turn it is, and without."""
    if side in (GERMAN, UMPIRE) and phase_of(state) is Phase.BRITISH and state.british.asked is None:
        yield BritishStep()
        if (formation := sequence.acting(state)) is not None:
            yield BritishStep(formation=formation.name)


def answers(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Every answer to the open question."""
    if state.british.asked is not None and side in (state.british.asked.side, UMPIRE):
        for word, _ in state.british.asked.answers:
            yield Answer(word=word)


DEEDS: tuple[Deed[TangaState], ...] = (
    Deed(BritishStep, act, legal=legal),
    Deed(Answer, answer, legal=answers),
    overruling.DEED,
    Deed(Pause, pause),
    Deed(Resume, resume),
)
