"""The layout of a campaign's battle, made in a worker without Discord and database."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.errors import UserError
from bot.journal.codec import pack_state, read_state
from rules.campaign.battles import battle_system
from rules.campaign.model import CampaignState
from rules.campaign.results import find_battle
from rules.campaign.seals import battle_seed
from rules.campaign.tables import tables_for
from rules.core.automaton.own_dice import OwnDice
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

from .order_of_battle import orders_of_battle
from .table import lay_out

NO_TABLE = "There are {count} tables for that ground. Give the number of one of them."
UNFIT = (
    "The {power} have no unit there that is fit for the table (CA-6.3), so they have lost the field. "
    "/campaign fight by:the bot settles it."
)


@dataclass(frozen=True)
class BattleLayout:
    """A battle on its table as plain data: its system, its packed first state, and who is who in it."""

    system: str
    packed: bytes
    roster: Mapping[str, Any]


def lay_out_battle(packed: bytes, place: str, table: int | None) -> BattleLayout:
    """Lay a battle of a packed campaign out. The table is that of the die, or number `table`.

    Raises Refused for an unknown battle, UserError for an unknown table or a power without fit units.
    """
    campaign: Ruleset[Any] = rulesets()[CampaignState.model_fields["ruleset"].default]
    state = read_state(campaign, packed)
    assert isinstance(state, CampaignState)
    battle = find_battle(state, place)
    tables, dice = tables_for(state, battle), OwnDice(battle_seed(state, battle))
    number = dice.throw(1, len(tables), "table").total if table is None else table
    if not 1 <= number <= len(tables):
        raise UserError(NO_TABLE.format(count=len(tables)))
    orders = orders_of_battle(state, battle)
    for power in state.powers:
        if not orders[power.id].standing:
            raise UserError(UNFIT.format(power=power.name))
    turns = battle_system(state.battle_system).turns
    laid = lay_out(state, battle, tables[number - 1], turns, dice, begin=False)
    return BattleLayout(laid.system.id, pack_state(laid.system, laid.state), laid.roster.model_dump(mode="json"))
