"""Find the games of battles for users who may know of them."""

from bot.errors import NotAllowed
from bot.journal.game import Game
from bot.journal.ledger import Ledger
from rules.core.refusal import Refused

from .fights import campaign_of
from .links import BattleLinks, tag_of
from .openings import may_open

ONLY_THOSE = "Only the umpire and the players whose columns are in a battle may look at it."
IN_NO_GAME = "This battle has no game yet. Its message in the chat has buttons to fight it."


class BattleGames:
    """Finds the games in which a campaign's open battles are fought."""

    def __init__(self, ledger: Ledger, links: BattleLinks) -> None:
        self._ledger, self._links = ledger, links

    async def find(self, campaign: Game, user: int, battle: str) -> Game:
        """Return the game of a battle (by id). Raises NotAllowed, Refused if the battle is fought in no game."""
        state = campaign_of(campaign)
        known = state.battles.get(battle)
        if known is None or not may_open(campaign, known, user):
            raise NotAllowed(ONLY_THOSE)
        link = (await self._links.of_campaign(campaign.id)).get(battle)
        if link is None or link.game is None or link.tag != tag_of(state, known):
            raise Refused(IN_NO_GAME)
        return await self._ledger.by_id(link.game)
