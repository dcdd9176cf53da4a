"""Actions that run the British turn: play, pause, answer a question, overrule a decision (TA-H.0, TA-9.7)."""

from collections.abc import Iterable
from typing import Literal

from typing_extensions import override

from rules.core.action_type import ActionType, Caption, SimpleType
from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.typed_text import normalize_text

from .automaton import attacking
from .automaton.explanations import decision_in_words
from .automaton.sequence import acting_formation, play_step, play_steps
from .combat.reveal import is_gun_marker_unknown
from .field import board_of
from .german.orders import TURN, GermanActionType, require_no_open_question
from .model import BRITISH, GERMAN, Phase, TangaState
from .progress import change_progress
from .questions import Answer, question_prompts

ORDER = Cite(rule="TA-2")
WORD = Cite(rule="TA-9.7", mark=Mark.RULING)
MOST_OFFERED = 3
"""Maximum number of other candidates that are offered in place of the chosen hex."""
ACTED = "The British have acted this turn. Go on with /turn next."


class BritishStep(Action):
    """Play the British: one formation's activation, one decision, or the whole turn."""

    kind = "british"
    is_unit_action = False

    much: Literal["formation", "decision", "turn"] = "formation"
    formation: str | None = None


class BritishStepType(SimpleType[TangaState, BritishStep], GermanActionType[BritishStep, BritishStep]):
    """Action type of `BritishStep`. Playing the whole turn starts automatic play; playing a part ends it."""

    action = BritishStep

    @override
    def suggest_actions(self, state: TangaState) -> Iterable[BritishStep]:
        """Yield the activation of the next formation, without and with the formation's name."""
        if state.phase == Phase.BRITISH:
            yield BritishStep()
            if (formation := acting_formation(state)) is not None:
                yield BritishStep(formation=formation.name)

    @override
    def check(self, state: TangaState, action: BritishStep) -> None:
        """Raise Refused while a question is open, outside the British phase, or for another formation."""
        refuse(TURN, (state.phase != Phase.BRITISH, ACTED))
        require_no_open_question(state)
        formation, name = acting_formation(state), normalize_text(action.formation or "")
        if formation and name not in ("", normalize_text(formation.id), normalize_text(formation.name)):
            raise Refused(f"It is the turn of {formation.name}: formations act in their order.", ORDER)

    @override
    def caption(self, state: TangaState, plan: BritishStep) -> Caption:
        """Return the button text, such as `Next: 13th Rajputs`, `Play the British turn` or `End the British turn`."""
        formation = acting_formation(state)
        if plan.much == "turn":
            begun = state.british.done or state.british.formation
            return Caption("Play on the British turn" if begun else "Play the British turn")
        return Caption(f"Next: {formation.name}" if formation else "End the British turn")

    @override
    def resolve(self, play: Play[TangaState], plan: BritishStep) -> None:
        """Play until the formation has acted, or a question opens."""
        play.set(decisions=(), retreats=(), before_last=None, trails=())
        change_progress(play, running=plan.much == "turn")
        _report_activation(play, play_steps(play, one_decision=plan.much == "decision"))


class Pause(Action):
    """Stop the automatic British turn."""

    is_unit_action = False


class Resume(Action):
    """Start the automatic British turn."""

    is_unit_action = False


class PauseType(SimpleType[TangaState, Pause], GermanActionType[Pause, Pause]):
    """Action type that stops the automatic turn after the present formation."""

    action = Pause
    says = "Stop after this formation"

    @override
    def check(self, state: TangaState, action: Pause) -> None:
        """Raise Refused unless the turn runs automatically."""
        refuse(TURN, (not state.british.running, "The British turn is not running by itself."))

    @override
    def resolve(self, play: Play[TangaState], plan: Pause) -> None:
        """Stop the automatic turn."""
        change_progress(play, running=False)
        play.tell(headline="The British turn waits.")


class ResumeType(SimpleType[TangaState, Resume], GermanActionType[Resume, Resume]):
    """Action type that continues the turn automatically."""

    action = Resume
    says = "Play on by itself"

    @override
    def check(self, state: TangaState, action: Resume) -> None:
        """Raise Refused if the turn already runs automatically, or outside the British phase."""
        running = (state.british.running, "The British turn already runs by itself.")
        refuse(TURN, (state.phase != Phase.BRITISH, ACTED), running)

    @override
    def resolve(self, play: Play[TangaState], plan: Resume) -> None:
        """Continue the turn automatically, after any open question."""
        change_progress(play, running=True)
        headline = "The British turn goes on" + (", once this is answered." if play.state.british.asked else ".")
        play.tell(headline=headline, prompts=question_prompts(play.state))


class AnswerType(GermanActionType[Answer, tuple[str, str]]):
    """Action type of answers to the open question; the plan is the answer's word and label."""

    action = Answer

    @override
    def suggest_actions(self, state: TangaState) -> Iterable[Answer]:
        """Yield every answer to the open question."""
        question = state.british.asked
        return (Answer(word=word) for word, _ in question.answers) if question is not None else ()

    @override
    def plan(self, state: TangaState, action: Answer) -> tuple[str, str]:
        """Return the answer's word and label. Raises Refused for an unknown word, or without an open question."""
        question, answer = state.british.asked, normalize_text(action.word)
        if question is None:
            raise Refused("Nothing is asked now. Play the British on with /british turn.", TURN)
        for word, label in question.answers:
            if answer in (word, normalize_text(label)):
                return word, label
        words = ", ".join(word for word, _ in question.answers)
        why = f"“{action.word[:40]}” is no answer to this. The answers: {words}."
        raise Refused(why, question.cite, keys=(question.key,))

    @override
    def caption(self, state: TangaState, plan: tuple[str, str]) -> Caption:
        """Return the answer's label, such as `Hold fire`."""
        return Caption(plan[1])

    @override
    def resolve(self, play: Play[TangaState], plan: tuple[str, str]) -> None:
        """Apply the answer. In the British phase, continue the activation."""
        (word, label), question = plan, play.state.british.asked
        assert question is not None
        play.set(trails=(), before_last=None)
        headline = play_steps(play, lambda play: attacking.apply_answer(play, word))
        if play.before.phase == Phase.BRITISH:
            _report_activation(play, headline)
        else:
            play.tell(headline=f"{question.text} {label}.", units=(question.unit,))


class Overrule(Action):
    """Replace the last decision's choice by another candidate, and play on from there.

    `decision` is the key of the decision to overrule, so that an old button never overrules a newer decision.
    """

    is_unit_action = False

    to: str
    decision: str | None = None


class OverruleType(ActionType[TangaState, Overrule, Hex]):
    """Action type that replaces the hex of the last decision. The plan is the umpire's hex (TA-9.7)."""

    action = Overrule

    @override
    def side(self, state: TangaState, action: Overrule) -> Viewer:
        """Return the umpire, who alone may overrule."""
        return UMPIRE

    @override
    def suggest_actions(self, state: TangaState) -> Iterable[Overrule]:
        """Yield every other candidate of the last decision."""
        if can_overrule(state):
            yield from (Overrule(to=hex_.label) for hex_ in state.decisions[-1].other_candidates)

    @override
    def plan(self, state: TangaState, action: Overrule) -> Hex:
        """Return the umpire's hex. Raises Refused if it was no candidate, or if the decision cannot be overruled."""
        if _was_unknown_marker_revealed(state):
            why = "A marker was turned up since, and what lay there drawn then: it would be drawn again"
            raise Refused(f"{why}. Let the decision stand.", WORD)
        if not can_overrule(state):
            raise Refused("There is no decision of the British to overrule now.", WORD)
        if action.decision not in (None, last_decision_key(state)):
            raise Refused("The British have decided something else since. Overrule that, or undo first.", WORD)
        last = state.decisions[-1]
        candidates = {hex_.label: hex_ for hex_ in last.other_candidates}
        if action.to.strip() not in candidates:
            why = f"“{action.to[:20]}” is no other candidate of the last decision ({last.question.value})."
            raise Refused(f"{why} The others: {', '.join(candidates) or 'none'}.", WORD)
        return candidates[action.to.strip()]

    @override
    def caption(self, state: TangaState, plan: Hex) -> Caption:
        """Return a button text such as `Overrule target of A and B: 2712`."""
        return Caption(f"Overrule {decision_in_words(state, state.decisions[-1])}: {plan.label}")

    @override
    def resolve(self, play: Play[TangaState], plan: Hex) -> None:
        """Restore the state before the decision, and play on with the umpire's hex."""
        state, before, last = play.state, play.state.before_last, play.state.decisions[-1]
        assert before is not None
        play.state = before
        play.set(decisions=state.decisions[:-1])
        change_progress(play, running=state.british.running)
        result = play_steps(play, lambda play: play_step(play, plan))
        title = board_of(state).title
        old, new = title(last.chosen) if last.chosen else "no hex", title(plan)
        what = f"{decision_in_words(state, last)}: {new} instead of {old}"
        _report_activation(play, f"The umpire overrules the {what}. {result}", UMPIRE)


def _was_unknown_marker_revealed(state: TangaState) -> bool:
    """Whether a marker with contents unknown to everybody was revealed after the last decision (TA-1)."""
    before = state.before_last
    return before is not None and is_gun_marker_unknown(before) and not before.markers.keys() <= state.markers.keys()


def can_overrule(state: TangaState) -> bool:
    """Whether the last decision was made this turn, and no German has moved since."""
    if state.before_last is None or not state.decisions or state.turn != state.before_last.turn:
        return False
    if _was_unknown_marker_revealed(state):
        return False
    moved = any(unit.side == GERMAN and unit.moved for unit in state.units.values())
    return Phase(state.phase) in (Phase.BRITISH, Phase.MOVE) and not moved


def last_decision_key(state: TangaState) -> str:
    """Return a key that identifies the last decision."""
    last = state.decisions[-1]
    return f"{state.turn}: {last.question.value} of {last.units[0]}: {last.chosen} of {len(last.candidates)}"


def _report_activation(play: Play[TangaState], headline: str, side: Viewer = BRITISH) -> None:
    """Report `headline` and the open question; offer the next formation and other candidates as buttons."""
    state = play.state
    steps = () if state.british.running else (BritishStep(),)
    candidates = state.decisions[-1].other_candidates[:MOST_OFFERED] if can_overrule(state) else ()
    words = (Overrule(to=hex_.label, decision=last_decision_key(state)) for hex_ in candidates)
    offers = (*STEP.offers(state, steps, f"{state.turn}-{state.phase}"), *OVERRULE.offers(state, words, ""))
    play.tell(headline=headline, side=side, prompts=question_prompts(state), offers=offers)


def next_automatic_action(state: TangaState) -> Action | None:
    """Return the activation that follows automatically; None if the turn waits for a question or a player."""
    waits = state.over is not None or not state.british.running or state.british.asked is not None
    return None if waits or state.phase != Phase.BRITISH else BritishStep(much="turn")


STEP, OVERRULE = BritishStepType(), OverruleType()
ACTION_TYPES = (STEP, AnswerType(), OVERRULE, PauseType(), ResumeType())
"""Action types that keep the last British decision open to overruling."""
