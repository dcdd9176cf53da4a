"""The prompt that the Germans may answer beforehand: opportunity fire of units that ask (TA-H.6)."""

from collections.abc import Mapping, Sequence

from rules.core.standing_answers import Occasion, Offered
from rules.core.state import Action

from .combat.fire import HOLD, WATCH
from .model import TangaState
from .questions import OPPORTUNITY, Answer


def _sort(state: TangaState, offered: Sequence[Action]) -> Offered:  # noqa: ARG001
    """Split the offered answers: every answer but `HOLD` means yes."""
    answers = [one for one in offered if isinstance(one, Answer)]
    return Offered([one for one in answers if one.word != HOLD], [one for one in answers if one.word == HOLD])


OCCASIONS: Mapping[str, Occasion[TangaState]] = {
    OPPORTUNITY: Occasion(
        title="Opportunity fire of units that ask",
        yes="fire",
        no="hold fire",
        cite=WATCH,
        sort=_sort,
    ),
}
