"""Show a channel's game again when the local table opens: a local table keeps no messages after the program ends."""

from discord.ext import commands

from bot.errors import NoGame, UserError
from bot.runtime.client import UmpireBot
from cogs.kit.cards import pictures
from cogs.kit.cards.card import WARNING, Card, safe
from rules.core.ruleset import describe_tally

from .opening_message import opening_card
from .start import game_choice_card


class LocalTableListener(commands.Cog):
    """The listener that shows the game of a local table when the table opens."""

    def __init__(self, bot: UmpireBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_table_open(self, channel: int) -> None:
        """Post the channel's game: map, turn and open prompts. Without a game, post buttons that start one."""
        card = await self._opening_card(channel)
        await self.bot.get_partial_messageable(channel).send(view=card.view(), files=card.files())

    async def _opening_card(self, channel: int) -> Card:
        try:
            game = await self.bot.games.running_game(channel)
        except NoGame:
            return game_choice_card()
        except UserError as error:
            return Card(WARNING).text(safe(str(error)))
        picture = await pictures.draw_if_possible(pictures.draw_table(self.bot.workers, game), game)
        return opening_card(game, safe(describe_tally(game.ruleset, game.state)), picture)
