"""Have a campaign's battle fought by the bot in a worker, and return its result as the umpire would enter it."""

from collections.abc import Mapping
from typing import Any

from bot.errors import UserError
from bot.games.rights import require_umpire
from bot.journal.codec import pack_state, read_state
from bot.journal.game import Actor, Game
from bot.workers import Workers
from rules.campaign.battles import Result
from rules.campaign.model import CampaignState
from rules.campaign.results import NOBODY, find_battle, write_losses
from rules.campaign.seals import battle_seed
from rules.campaign.tables import tables_for
from rules.core.automaton.levels import Level
from rules.core.automaton.own_dice import OwnDice
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

from .self_play import fight

NO_CAMPAIGN = "This game is no campaign. /game new starts one, with a campaign's scenario."


def campaign_of(game: Game) -> CampaignState:
    """Return the state of the campaign that a game is. Raises UserError for any other game."""
    if not isinstance(game.state, CampaignState):
        raise UserError(NO_CAMPAIGN)
    return game.state


class Fights:
    """Battles of campaigns that the bot fights on both sides."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def fight(self, game: Game, actor: Actor, place: str, level: Level) -> Mapping[str, Any]:
        """Return the arguments of the action that ends a battle, which the bot fights on both sides.

        Raises NotAllowed for anybody but the umpire, UserError for another game, Refused for an unknown battle.
        """
        state = campaign_of(game)
        require_umpire(game, actor, "have battles fought")
        find_battle(state, place)
        async with self._workers.long_job_slot():
            return await self._workers.run(fight_battle, pack_state(game.ruleset, state), place, level)


def fight_battle(packed: bytes, place: str, level: Level) -> Mapping[str, Any]:
    """Fight a battle of a packed campaign; return the arguments of the action that ends it.

    The table and all dice follow from the seals of the day on which the battle began: anybody can fight it anew.
    """
    campaign: Ruleset[Any] = rulesets()[CampaignState.model_fields["ruleset"].default]
    state = read_state(campaign, packed)
    assert isinstance(state, CampaignState)
    battle = find_battle(state, place)
    seed = battle_seed(state, battle)
    dice = OwnDice(seed)
    tables = tables_for(state, battle)
    table = tables[dice.throw(1, len(tables), "table").total - 1]
    result = fight(state, battle, table, level, dice, seed)
    return {"battle": battle.at.label, "field": field_words(state, result), "lost": write_losses(state, result)}


def field_words(state: CampaignState, result: Result) -> str:
    """Return who held the field as the umpire would write it: the power's name, or nobody."""
    return next((power.name for power in state.powers if power.id == result.field), NOBODY)
