"""How many battles may be open, and how long they may take (CA-5.7, CA-6.5)."""

from collections.abc import Container

from .model import Battle, CampaignState

PLAYS_FOR_LATE, PLAYS_ALL = 1, 2
"""How late a battle is when the bot plays for whoever is waited for, and when it plays for everybody (CA-6.5)."""


def find_surplus(state: CampaignState, kept: Container[str] = ()) -> Battle | None:
    """Return the smallest of the newest battles if more are open than allowed; else None (CA-5.7).

    `kept` are the ids of battles that people fight already.
    """
    if len(state.battles) <= state.options.open_battles:
        return None
    free = [battle for battle in state.battles.values() if battle.id not in kept]
    newest = [battle for battle in free if battle.day == max(one.day for one in free)]
    return min(newest, key=lambda battle: (figures_in(state, battle), battle.id), default=None)


def figures_in(state: CampaignState, battle: Battle) -> int:
    """Return the figures of all columns in a battle."""
    return sum(state.units[one].figures for one in battle.columns if one in state.units)


def days_late(state: CampaignState, battle: Battle, days_more: int = 0) -> int:
    """Return how late a battle is: 1 from the end of the second day after it began, then a day more each day (CA-6.5).

    While the campaign waits for its last battles, `days_more` counts the days that have passed since.
    """
    ended = state.turn + days_more if state.waits_for_battles else state.turn - 1
    return max(ended - battle.day - state.options.battle_days + 1, 0)
