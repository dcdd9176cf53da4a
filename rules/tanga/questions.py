"""The question that holds the British turn up, as a prompt with a button for each answer (TA-H.0)."""

from rules.core.report import Offer, Prompt

from .british_actions import Answer
from .model import TangaState


def prompts(state: TangaState) -> tuple[Prompt, ...]:
    """The question that holds the British turn up, with an offer for each answer."""
    asked = state.british.asked
    if asked is None or state.over is not None:
        return ()
    offers = tuple(
        Offer(label=label, kind=Answer.kind, args={"word": word}, side=asked.side, key=asked.key)
        for word, label in asked.answers
    )
    return (Prompt(key=asked.key, unit=asked.unit, side=asked.side, text=asked.text, cite=asked.cite, offers=offers),)


def words_of(state: TangaState) -> str:
    """`Play the British turn`; once it has begun, `Play on the British turn`."""
    begun = state.british.done or state.british.formation
    return "Play on the British turn" if begun else "Play the British turn"
