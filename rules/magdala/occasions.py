"""Prompts that a side may answer beforehand: the defender's fire and re-rolls (MM-4.1, MM-6)."""

from collections.abc import Mapping

from rules.core.model import Cite
from rules.core.standing_answers import Occasion, declined_if

from .model import MagdalaState, StoredPrompt, Test
from .morale.generals import Decline

BEFORE_MELEE, REROLL = "fire before melee", "re-roll"
OCCASIONS: Mapping[str, Occasion[MagdalaState]] = {
    BEFORE_MELEE: Occasion(
        title="Fire at chargers before a melee",
        yes="fire",
        no="hold fire",
        cite=Cite(rule="MM-4.1"),
        sort=declined_if(lambda action: isinstance(action, Decline)),
        has_chance=True,
    ),
    REROLL: Occasion(
        title="Re-roll of a failed test by a general",
        yes="re-roll",
        no="accept the result",
        cite=Cite(rule="MM-6"),
        sort=declined_if(lambda action: isinstance(action, Decline)),
        has_chance=True,
    ),
}


def find_occasion(prompt: StoredPrompt) -> str:
    """Return the occasion of a stored prompt, or an empty string for a prompt without a choice."""
    if prompt.failed:
        return REROLL
    return BEFORE_MELEE if prompt.test is Test.DEFENSIVE_FIRE else ""
