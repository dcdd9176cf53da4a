"""The answer that a side may give in advance: whether its units answer fire (CH-2.7)."""

from collections.abc import Mapping

from rules.core.standing_answers import Occasion, StandingAnswer, StandingReply

from .exchange import EXCHANGE
from .model import ChargeState

ANSWERING_FIRE = "answering fire"
AT_ONCE = (
    "In this game a unit with one possible target answers its fire at once, so that answer could not be kept. The "
    "umpire may change that: /umpire option answers_at_once no."
)


def _explain_unstorable_answer(state: ChargeState, answer: StandingAnswer) -> str:
    """Return why the standing answer cannot be stored, or `""`: `answers_at_once` allows only an unlimited yes."""
    is_limited = answer.within is not None or answer.least is not None
    can_be_kept = answer.reply is StandingReply.YES and not is_limited
    return AT_ONCE if state.options.answers_at_once and not can_be_kept else ""


OCCASIONS: Mapping[str, Occasion[ChargeState]] = {
    ANSWERING_FIRE: Occasion(
        title="Answering fire",
        yes="answer",
        no="hold fire",
        cite=EXCHANGE,
        measure='"',
        has_chance=True,
        obstacle=_explain_unstorable_answer,
    ),
}
