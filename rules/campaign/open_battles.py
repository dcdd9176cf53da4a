"""Open battles: their titles, how many there may be, and how long they may take (CA-5.7, CA-6.5)."""

from collections.abc import Container, Sequence

from .ground import board_of
from .model import Battle, CampaignState

LAST_DAY, PLAYS_FOR_LATE, PLAYS_ALL = 1, 2, 3
"""Stages of an open battle: on its last day; then the bot plays for late players; then for all sides (CA-6.5)."""


def battle_title(state: CampaignState, battle: Battle) -> str:
    """Return a battle's title: `Battle of El Teb`, or `Battle in 1304` in a hex without a name."""
    name = board_of(state).spec.names.get(battle.at)
    return f"Battle of {name}" if name else f"Battle in {battle.at.label}"


def find_surplus_battles(
    state: CampaignState, running: Container[str] = (), taken_back: Container[str] = ()
) -> Sequence[Battle]:
    """Return the battles beyond the maximum number of open battles (CA-5.7), the newest and then the smallest first.

    Battles in `running` are being played: they count, but are never returned. Battles in `taken_back`, whose result was
    undone, do not count.
    """
    battles = [battle for battle in state.battles.values() if battle.id not in taken_back]
    free = [battle for battle in battles if battle.id not in running]
    free.sort(key=lambda battle: (-battle.day, figures_in_battle(state, battle), battle.id))
    return free[: max(len(battles) - state.options.open_battles, 0)]


def figures_in_battle(state: CampaignState, battle: Battle) -> int:
    """Return the figures of all columns in a battle."""
    return sum(state.units[column_id].figures for column_id in battle.columns if column_id in state.units)


def find_battle_stage(state: CampaignState, battle: Battle, days_more: int = 0) -> int:
    """Return an open battle's stage, from 0 to `PLAYS_ALL`, at which the bot plays every side (CA-6.5).

    While the campaign waits for its last battles, `days_more` is the number of days since its last day.
    """
    ended = state.turn + days_more if state.waits_for_battles else state.turn - 1
    return min(max(ended - battle.day - state.options.battle_days + LAST_DAY + 1, 0), PLAYS_ALL)
