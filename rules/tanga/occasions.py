"""The one kind of prompt that the Germans may answer beforehand: opportunity fire of units that ask (TA-H.6)."""

from collections.abc import Mapping

from rules.core.standing_answers import Occasion, make_action_sorter

from .combat.fire import HOLD, WATCH
from .model import TangaState
from .questions import OPPORTUNITY, Answer

OCCASIONS: Mapping[str, Occasion[TangaState]] = {
    OPPORTUNITY: Occasion(
        title="Opportunity fire of units that ask",
        yes="fire",
        no="hold fire",
        cite=WATCH,
        sort=make_action_sorter(lambda action: action == Answer(word=HOLD)),
    ),
}
