"""Have the bot fight a campaign's battle in a worker, for the umpire to enter the result."""

from collections.abc import Mapping
from typing import Any

from bot.errors import UserError
from bot.games.rights import require_umpire
from bot.journal.codec import pack_state
from bot.journal.game import Actor, Game
from bot.workers import Workers
from rules.campaign.model import CampaignState
from rules.campaign.results import find_open_battle
from rules.core.automaton.levels import Level

from .battle_jobs import fight_battle

NO_CAMPAIGN = "This game is no campaign. /game new starts one, with a campaign's scenario."


def require_campaign(game: Game) -> CampaignState:
    """Return the campaign state of a game. Raises UserError for a game that is no campaign."""
    if not isinstance(game.state, CampaignState):
        raise UserError(NO_CAMPAIGN)
    return game.state


class BotBattles:
    """Service by which the umpire has the bot fight a campaign's battle on both sides."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def fight(self, game: Game, actor: Actor, place: str, level: Level) -> Mapping[str, Any]:
        """Have the bot fight a battle on both sides. Return the arguments of the action that ends the battle.

        Raises NotAllowed unless the actor is the umpire, UserError for a game that is no campaign, Refused for an
        unknown battle.
        """
        state = require_campaign(game)
        require_umpire(game, actor, "have battles fought")
        find_open_battle(state, place)
        async with self._workers.long_job_slot():
            return await self._workers.run(fight_battle, pack_state(game.ruleset, state), place, level)
