"""Overruling the last decision of the British: the umpire's word stands above the card's (TA-9.7)."""

from collections.abc import Iterable

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action

from .automaton import sequence
from .automaton.stepped import british as turned
from .british_actions import Overrule
from .british_reports import may_overrule, name_of, report
from .field import board_of
from .model import TangaState
from .playing import Played, play, take

WORD = Cite(rule="TA-9.7", mark=Mark.RULING)


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
    told = report(played)
    where = board_of(state).title(hex_)
    headline = f"The umpire overrules the {last.question.value}: {where} instead of {was}. {told.headline}"
    return played.state, told.model_copy(update={"headline": headline, "side": UMPIRE})


def _overruled(state: TangaState, action: Overrule) -> tuple[TangaState, Hex]:
    """The state before the last decision, and the candidate to be taken. Raises Refused."""
    if not may_overrule(state) or state.before_last is None:
        raise Refused("There is no decision of the British to overrule now.", WORD)
    last = state.decisions[-1]
    if action.decision not in (None, name_of(state)):
        raise Refused("The British have decided something else since. Overrule that, or undo first.", WORD)
    others = last.others
    found = next((hex_ for hex_ in others if hex_.label == action.to.strip()), None)
    if found is None:
        listed = ", ".join(hex_.label for hex_ in others) or "none"
        why = f"“{action.to[:20]}” is no other candidate of the last decision ({last.question.value})."
        raise Refused(f"{why} The others: {listed}.", WORD)
    return state.before_last, found


def legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Every other candidate of the last decision, for the umpire."""
    if side == UMPIRE and may_overrule(state):
        yield from (Overrule(to=hex_.label) for hex_ in state.decisions[-1].others)


DEED: Deed[TangaState] = Deed(Overrule, overrule, legal=legal)
