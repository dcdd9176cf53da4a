"""Fight a battle of a campaign to its end, with the bot on both sides (CA-5.7)."""

from typing import Any

from rules.campaign.battles import BattleOutcome, battle_system
from rules.campaign.model import Battle, CampaignState
from rules.campaign.tables import BattleTable
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.dice import Dice

from .breaking_off import result_of_breaking_off, should_break_off
from .order_of_battle import orders_of_battle
from .table import TableBattle, battle_result, lay_out_on_table

MOST_ACTIONS = 4000
"""Actions after which a battle ends undecided."""


def fight_on_both_sides(
    campaign: CampaignState, battle: Battle, table: BattleTable, level: Level, dice: Dice, seed: str
) -> BattleOutcome:
    """Return the result of a battle that the bot fights on both sides. `seed` determines its decisions.

    A power without a unit fit for the table loses the field (CA-6.3, CA-6.4).
    """
    standing_powers = [power for power, order in orders_of_battle(campaign, battle).items() if order.standing]
    if len(standing_powers) < len(campaign.powers):
        columns = [column for column in battle.columns if column in campaign.units]
        lost = {column: (0,) * len(campaign.unit(column).troops) for column in columns}
        return BattleOutcome(field=standing_powers[0] if standing_powers else battle.defender, lost=lost)
    table_battle = lay_out_on_table(campaign, battle, table, battle_system(campaign.battle_system).turns, dice)
    after, gave_up = play_to_end(campaign, table_battle, level, dice, seed)
    if gave_up:
        return result_of_breaking_off(campaign, battle, table_battle.roster, after, gave_up)
    return battle_result(campaign, battle, table_battle.roster, after)


def play_to_end(
    campaign: CampaignState, table_battle: TableBattle, level: Level, dice: Dice, seed: str
) -> tuple[Any, str]:
    """Play a battle with the bot on both sides. Return the last state, and the power that broke off, if any."""
    system, state = table_battle.system, table_battle.state
    choosers = {side.id: DecisionMaker(system, side.id, level, "") for side in state.sides}
    powers = {side: power for power, side in table_battle.roster.sides.items()}
    for number in range(MOST_ACTIONS):
        if state.over is not None:
            break
        action = system.next_automatic_action(state)
        if action is None:
            owing_sides = [prompt.side for prompt in system.required_prompts(state)]
            side = (owing_sides or sorted(system.awaited_viewers(state)))[0]
            if not owing_sides and should_break_off(campaign, table_battle.roster, state, powers[side]):
                return state, powers[side]
            chooser = choosers[side]
            chooser.seed = f"{seed}:{number}"
            thought = chooser.decide(state)
            if thought is None:
                break
            action = thought.action
        state, _ = system.act(state, action, dice)
    return state, ""
