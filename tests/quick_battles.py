"""Battles of a campaign settled by a formula fitted to battles of the bot, for quick self-play of whole campaigns.

The chances follow from the fighting worth of both powers. `python -m tests.campaigns zululand-1879 --compare` fights
every battle both ways, and prints how often they agree.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from rules.campaign.battles import BattleOutcome
from rules.campaign.columns import Column
from rules.campaign.day import is_entrenched
from rules.campaign.model import Battle, CampaignState
from rules.campaign.results import find_open_battle, losses_in_words
from rules.campaign.seals import battle_seed


class Fit(NamedTuple):
    """How battles of a system fall out: how steeply the worth decides, and shares of figures lost by both powers."""

    steepness: float
    loser: tuple[float, float]
    winner: tuple[float, float]


FITS = {
    "magdala": Fit(1.5, (0.15, 0.7), (0.0, 0.3)),
    "empire": Fit(4.0, (0.3, 0.9), (0.0, 0.3)),
    "charge": Fit(5.0, (0.5, 0.75), (0.0, 0.4)),
}
"""By system, from about 60 battles each with columns of the scenarios chosen at random."""
DEFENDS, IN_WORKS = 1.2, 2.0
"""Factors of the worth of a power that defends, and of its entrenched columns."""


def settle(state: CampaignState, place: str) -> Mapping[str, Any]:
    """Return the arguments of the action that ends a battle, as `fight_battle` does, without fighting it."""
    battle = find_open_battle(state, place)
    chance, fit = Random(battle_seed(state, battle)), FITS[state.battle_system]
    first, second = (_worth(state, battle, power.id) ** fit.steepness for power in state.powers)
    wins = chance.random() * (first + second) < first
    winner, loser = state.powers if wins else state.powers[::-1]
    shares = {winner.id: chance.uniform(*fit.winner), loser.id: chance.uniform(*fit.loser)}
    lost = {
        column.id: tuple(round(unit.figures * shares[state.power_of(column.side).id]) for unit in column.troops)
        for column in _columns(state, battle)
    }
    result = BattleOutcome(field=winner.id, lost=lost)
    return {"battle": battle.at.label, "field": winner.name, "lost": losses_in_words(state, result)}


def _worth(state: CampaignState, battle: Battle, power_id: str) -> float:
    power = next(power for power in state.powers if power.id == power_id)
    total = 0.0
    for column in _columns(state, battle):
        if column.side in power.commands:
            worth = sum(unit.figures * power.worths.get(unit.troop, power.worth) for unit in column.troops)
            total += worth * (IN_WORKS if battle.defender == power_id and is_entrenched(state, column) else 1)
    return max(total * (DEFENDS if battle.defender == power_id else 1), 1.0)


def _columns(state: CampaignState, battle: Battle) -> list[Column]:
    return [state.units[column] for column in battle.columns if column in state.units]
