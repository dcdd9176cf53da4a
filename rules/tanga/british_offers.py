"""What the table may do next of the British: the next formation, other candidates of the last decision (TA-H.0)."""

from rules.core.model import UMPIRE
from rules.core.report import Offer

from .automaton import sequence
from .british_actions import BritishStep, Overrule
from .german.orders import phase_of
from .model import GERMAN, Phase, TangaState

MOST_OFFERED = 3
"""Other candidates offered for overruling."""


def offers(state: TangaState) -> tuple[Offer, ...]:
    """Next steps: the next formation, and other candidates of the last decision."""
    found: tuple[Offer, ...] = ()
    if phase_of(state) is Phase.BRITISH and state.british.asked is None and not state.british.running:
        found = (
            Offer(label=words_of_next(state), kind=BritishStep.kind, side=GERMAN, key=f"{state.turn}-{state.phase}"),
        )
    if not may_overrule(state):
        return found
    name, others = name_of(state), state.decisions[-1].others[:MOST_OFFERED]
    args = [{"to": hex_.label, "decision": name} for hex_ in others]
    what = state.decisions[-1].question.value
    return found + tuple(
        Offer(label=f"Overrule {what}: {said['to']}", kind=Overrule.kind, args=said, side=UMPIRE, key="")
        for said in args
    )


def words_of_next(state: TangaState) -> str:
    """`Next: 13th Rajputs`, `End the British turn`."""
    formation = sequence.acting(state)
    return f"Next: {formation.name}" if formation else "End the British turn"


def may_overrule(state: TangaState) -> bool:
    """Whether the last decision is of this turn, and no German has moved after it."""
    if state.before_last is None or not state.decisions or state.turn != state.before_last.turn:
        return False
    germans = [unit for unit in state.units.values() if unit.side == GERMAN]
    return phase_of(state) in (Phase.BRITISH, Phase.MOVE) and not any(unit.moved for unit in germans)


def name_of(state: TangaState) -> str:
    """The last decision in so few words that no other has the same."""
    last = state.decisions[-1]
    return f"{state.turn}: {last.question.value} of {last.units[0]}: {last.chosen} of {len(last.candidates)}"
