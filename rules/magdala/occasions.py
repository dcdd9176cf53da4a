"""Prompts that a side may answer beforehand: the defender's fire and re-rolls (MM-4.1, MM-6)."""

from collections.abc import Mapping

from rules.core.model import Cite
from rules.core.standing_answers import Occasion, make_action_sorter

from .model import MagdalaState
from .morale.generals import DeclineOffer

BEFORE_MELEE, REROLL_BY_GENERAL = "fire before melee", "re-roll"
OCCASIONS: Mapping[str, Occasion[MagdalaState]] = {
    BEFORE_MELEE: Occasion(
        title="Fire at chargers before a melee",
        yes="fire",
        no="hold fire",
        cite=Cite(rule="MM-4.1"),
        sort=make_action_sorter(lambda action: isinstance(action, DeclineOffer)),
        has_chance=True,
    ),
    REROLL_BY_GENERAL: Occasion(
        title="Re-roll of a failed test by a general",
        yes="re-roll",
        no="accept the result",
        cite=Cite(rule="MM-6"),
        sort=make_action_sorter(lambda action: isinstance(action, DeclineOffer)),
        has_chance=True,
    ),
}
