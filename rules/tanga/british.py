"""The British turn for the table: playing it on, answering what it asks, overruling its last decision (TA-H.0)."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from rules.core.deed import Deed
from rules.core.dice import Dice
from rules.core.hexes import Hex
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Offer, Owed, Report
from rules.core.ruleset import Refused
from rules.core.state import Action

from .automaton import answering, sequence
from .automaton.stepped import british as turned
from .decisions import Decision
from .field import board_of
from .german.orders import phase_of
from .model import BRITISH, GERMAN, Phase, TangaState
from .playing import Played, play, take

TURN = Cite(rule="TA-H.0", mark=Mark.HOUSE)
ORDER = Cite(rule="TA-2")
WORD = Cite(rule="TA-9.7", mark=Mark.RULING)
"""The umpire's word stands above the card's."""
MOST_OFFERED = 3
"""Other candidates offered for overruling."""


class BritishStep(Action):
    """Plays the British on: a formation's activation, one decision, or the whole turn."""

    kind: ClassVar[str] = "british"

    much: Literal["formation", "decision", "turn"] = "formation"
    formation: str | None = None


class Answer(Action):
    """Answers what holds the British turn up, with one of the words offered."""

    kind: ClassVar[str] = "answer"

    word: str


class Overrule(Action):
    """Takes another candidate of the last decision instead, and plays on from there.

    `decision` names the decision that was meant, so that an old button overrules no newer one.
    """

    kind: ClassVar[str] = "overrule"

    to: str
    decision: str | None = None


class Pause(Action):
    """The British turn plays itself on no longer."""

    kind: ClassVar[str] = "pause"


class Resume(Action):
    """The British turn plays itself on."""

    kind: ClassVar[str] = "resume"


def act(state: TangaState, action: BritishStep, dice: Dice) -> tuple[TangaState, Report]:
    """Plays on. Raises Refused while a question is open, outside the British phase, or for another formation."""
    formation = _require(state, action.formation)
    state = turned(_fresh(state), running=state.british.running or action.much == "turn")
    played = play(state, dice, formation, one_decision=action.much == "decision")
    return played.state, _report(played)


def _require(state: TangaState, wanted: str | None) -> str:
    """Id of the formation that acts now. Raises Refused."""
    if phase_of(state) is not Phase.BRITISH:
        raise Refused("The British have acted this turn. Go on with /turn next.", TURN)
    if (asked := state.british.asked) is not None:
        raise Refused(f"First the answer to this: {asked.text}", asked.cite, owed(state))
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
        raise Refused(f"“{action.word[:40]}” is no answer to this. The answers: {words}.", asked.cite, owed(state))
    formation = state.british.formation or ""
    first = take(Played(_fresh(state), formation), answering.answer(_fresh(state), known[word], dice))
    played = play(first.state, dice, formation, so_far=first)
    return played.state, _report(played)


def overrule(state: TangaState, action: Overrule, dice: Dice) -> tuple[TangaState, Report]:
    """Goes back to before the last decision and takes the other hex. Raises Refused on one that was no candidate."""
    before, hex_ = _overruled(state, action)
    formation = before.british.formation or ""
    before = turned(before, running=state.british.running)
    before = before.model_copy(update={"decisions": state.decisions[:-1]})
    first = take(Played(before, formation), sequence.step(before, dice, hex_))
    played = play(first.state, dice, formation, so_far=first)
    last = state.decisions[-1]
    was = last.chosen.label if last.chosen else "no hex"
    report = _report(played)
    where = board_of(state).title(hex_)
    headline = f"The umpire overrules the {last.question.value}: {where} instead of {was}. {report.headline}"
    return played.state, report.model_copy(update={"headline": headline, "side": UMPIRE})


def _overruled(state: TangaState, action: Overrule) -> tuple[TangaState, Hex]:
    """The state before the last decision, and the candidate to be taken. Raises Refused."""
    if not _may_overrule(state) or state.before_last is None:
        raise Refused("There is no decision of the British to overrule now.", WORD)
    last = state.decisions[-1]
    if action.decision not in (None, _name(last)):
        raise Refused("The British have decided something else since. Overrule that, or undo first.", WORD)
    others = [hex_ for hex_ in last.candidates if hex_ != last.chosen]
    found = next((hex_ for hex_ in others if hex_.label == action.to.strip()), None)
    if found is None:
        listed = ", ".join(hex_.label for hex_ in others) or "none"
        why = f"“{action.to[:20]}” is no other candidate of the last decision ({last.question.value})."
        raise Refused(f"{why} The others: {listed}.", WORD)
    return state.before_last, found


def _may_overrule(state: TangaState) -> bool:
    """Whether the last decision is of this turn, and no German has moved after it."""
    if state.before_last is None or not state.decisions or state.turn != state.before_last.turn:
        return False
    germans = [unit for unit in state.units.values() if unit.side == GERMAN]
    return phase_of(state) in (Phase.BRITISH, Phase.MOVE) and not any(unit.moved for unit in germans)


def _name(decision: Decision) -> str:
    """A decision in so few words that no other of its turn has the same."""
    return f"{decision.question.value} of {decision.units[0]}: {decision.chosen} of {len(decision.candidates)}"


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
    return turned(state, running=True), Report(headline="The British turn goes on.", side=GERMAN)


def due(state: TangaState) -> Action | None:
    """The next formation's activation, while the turn plays itself on and nothing is asked."""
    if state.over is not None or not state.british.running or state.british.asked is not None:
        return None
    return BritishStep() if phase_of(state) is Phase.BRITISH else None


def owed(state: TangaState) -> tuple[Owed, ...]:
    """The question that holds the British turn up, with an offer for each answer."""
    asked = state.british.asked
    if asked is None or state.over is not None:
        return ()
    offers = tuple(
        Offer(label=label, kind=Answer.kind, args={"word": word}, side=asked.side, key=asked.key)
        for word, label in asked.answers
    )
    return (Owed(key=asked.key, unit=asked.unit, side=asked.side, text=asked.text, cite=asked.cite, offers=offers),)


def offers(state: TangaState) -> tuple[Offer, ...]:
    """Next steps: the next formation, and other candidates of the last decision."""
    found: tuple[Offer, ...] = ()
    if phase_of(state) is Phase.BRITISH and state.british.asked is None and not state.british.running:
        formation = sequence.acting(state)
        label = f"Next: {formation.name}" if formation else "End the British turn"
        found = (Offer(label=label, kind=BritishStep.kind, side=GERMAN, key=f"{state.turn}-{state.phase}"),)
    if not _may_overrule(state):
        return found
    last = state.decisions[-1]
    others = [hex_ for hex_ in last.candidates if hex_ != last.chosen][:MOST_OFFERED]
    args = [{"to": hex_.label, "decision": _name(last)} for hex_ in others]
    return found + tuple(
        Offer(label=f"Overrule: {said['to']}", kind=Overrule.kind, args=said, side=UMPIRE, key="") for said in args
    )


def _fresh(state: TangaState) -> TangaState:
    """The state without what the last action did, which was for its own report and picture."""
    return state.model_copy(update={"decisions": (), "before_last": None, "trails": ()})


def _report(played: Played) -> Report:
    return Report(
        headline=played.headline,
        side=BRITISH,
        steps=played.steps,
        owed=owed(played.state),
        offers=offers(played.state),
        units=played.units,
        showed_hidden=played.showed,
    )


def legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Playing the British on, while nothing is asked."""
    if side in (GERMAN, UMPIRE) and phase_of(state) is Phase.BRITISH and state.british.asked is None:
        yield BritishStep()


def answers(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Every answer to the open question."""
    if state.british.asked is not None and side in (state.british.asked.side, UMPIRE):
        for word, _ in state.british.asked.answers:
            yield Answer(word=word)


DEEDS: tuple[Deed[TangaState], ...] = (
    Deed(BritishStep, act, legal=legal),
    Deed(Answer, answer, legal=answers),
    Deed(Overrule, overrule),
    Deed(Pause, pause),
    Deed(Resume, resume),
)
