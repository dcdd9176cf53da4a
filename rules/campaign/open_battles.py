"""How many battles may be open, and how long they may take (CA-5.7, CA-6.5)."""

from collections.abc import Container, Sequence

from .model import Battle, CampaignState

PLAYS_FOR_LATE, PLAYS_ALL = 1, 2
"""How late a battle is when the bot plays for whoever is waited for, and when it plays for everybody (CA-6.5)."""


def find_surplus(state: CampaignState, kept: Container[str] = (), taken_back: Container[str] = ()) -> Sequence[Battle]:
    """Return the battles beyond the number that may be open: of the newest the smallest first (CA-5.7).

    `kept` are the ids of battles that people fight already. Those `taken_back`, whose result an undo took back, do not
    count.
    """
    counted = [battle for battle in state.battles.values() if battle.id not in taken_back]
    free = [battle for battle in counted if battle.id not in kept]
    free.sort(key=lambda battle: (-battle.day, figures_in(state, battle), battle.id))
    return free[: max(len(counted) - state.options.open_battles, 0)]


def figures_in(state: CampaignState, battle: Battle) -> int:
    """Return the figures of all columns in a battle."""
    return sum(state.units[one].figures for one in battle.columns if one in state.units)


def days_late(state: CampaignState, battle: Battle, days_more: int = 0) -> int:
    """Return how late a battle is: 1 from the end of the second day after it began, then a day more each day (CA-6.5).

    While the campaign waits for its last battles, `days_more` counts the days that have passed since.
    """
    ended = state.turn + days_more if state.waits_for_battles else state.turn - 1
    return max(ended - battle.day - state.options.battle_days + 1, 0)
