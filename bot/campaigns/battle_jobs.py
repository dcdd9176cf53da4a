"""Jobs for workers: lay out a campaign's battle, or have the bot fight the battle on both sides."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.errors import UserError
from bot.journal.codec import pack_state, read_state
from rules.campaign.battles import BattleOutcome, battle_system
from rules.campaign.model import Battle, CampaignState
from rules.campaign.results import NOBODY, find_open_battle, losses_in_words
from rules.campaign.seals import battle_seed
from rules.campaign.tables import tables_for_battle
from rules.core.automaton.levels import Level
from rules.core.automaton.own_dice import SeededDice
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

from .order_of_battle import orders_of_battle
from .self_play import fight_on_both_sides
from .table import lay_out_on_table

NO_TABLE = "There are {count} tables for that ground. Give the number of one of them."
UNFIT = (
    "The {power} have no unit there that is fit for the table (CA-6.3), so they have lost the field. "
    "/campaign fight by:the bot settles it."
)


@dataclass(frozen=True)
class BattleLayout:
    """A battle on its table, as plain data: rule system, packed first state, and roster."""

    system: str
    packed: bytes
    roster: Mapping[str, Any]


def lay_out_battle(packed: bytes, place: str, table: int | None) -> BattleLayout:
    """Lay out a battle of a packed campaign on table number `table`, by default one chosen by a die.

    Raises Refused for an unknown battle, UserError for an unknown table, or if a power has no unit fit for battle.
    """
    state, battle, seed = _read_battle(packed, place)
    tables, dice = tables_for_battle(state, battle), SeededDice(seed)
    number = dice.throw(1, len(tables), "table").total if table is None else table
    if not 1 <= number <= len(tables):
        raise UserError(NO_TABLE.format(count=len(tables)))
    orders = orders_of_battle(state, battle)
    for power in state.powers:
        if not orders[power.id].standing:
            raise UserError(UNFIT.format(power=power.name))
    turns = battle_system(state.battle_system).turns
    laid = lay_out_on_table(state, battle, tables[number - 1], turns, dice, begin=False)
    return BattleLayout(laid.system.id, pack_state(laid.system, laid.state), laid.roster.model_dump(mode="json"))


def fight_battle(packed: bytes, place: str, level: Level) -> Mapping[str, Any]:
    """Have the bot fight a battle of a packed campaign. Return the arguments of the action that ends the battle.

    The seals of the battle's first day determine the table and all dice, so anybody can repeat the battle.
    """
    state, battle, seed = _read_battle(packed, place)
    tables, dice = tables_for_battle(state, battle), SeededDice(seed)
    table = tables[dice.throw(1, len(tables), "table").total - 1]
    return battle_end_arguments(state, battle, fight_on_both_sides(state, battle, table, level, dice, seed))


def _read_battle(packed: bytes, place: str) -> tuple[CampaignState, Battle, str]:
    """Return the packed campaign, the battle at `place`, and the seed of the battle's dice. Raises Refused."""
    campaign: Ruleset[Any] = rulesets()[CampaignState.model_fields["ruleset"].default]
    state = read_state(campaign, packed)
    assert isinstance(state, CampaignState)
    battle = find_open_battle(state, place)
    return state, battle, battle_seed(state, battle)


def battle_end_arguments(state: CampaignState, battle: Battle, result: BattleOutcome) -> Mapping[str, Any]:
    """Return the arguments of the action that ends a battle. The umpire can also enter them by hand."""
    field = next((power.name for power in state.powers if power.id == result.field), NOBODY)
    return {"battle": battle.at.label, "field": field, "lost": losses_in_words(state, result)}
