"""The button that shows a player privately what happened to the player's units in a turn."""

import asyncio
from dataclasses import replace

from cogs.kit import reply
from cogs.kit.cards import pictures
from cogs.kit.cards.card import Card
from cogs.kit.cards.turn_account import ACCOUNT, account_card
from cogs.kit.controls.control import PersistentButton
from cogs.kit.request import Interaction, actor_of, channel_of


class AccountButton(PersistentButton, action=ACCOUNT, fields=("game", "entry")):
    """The button that shows the presser's account of a turn."""

    async def handle(self, interaction: Interaction) -> None:
        """Send the account, with the map after the turn, to the user alone. Raises Stale; UserError without units."""
        await reply.send_privately_when_ready(interaction, self._account_card(interaction))

    async def _account_card(self, interaction: Interaction) -> Card:
        bot, actor = interaction.client, actor_of(interaction)
        game, entry, channel = self.fields["game"], self.fields["entry"], channel_of(interaction)
        past_turn = await bot.games.past_turns.load_account(game, entry, actor, channel=channel)
        past_game = replace(past_turn.game, state=past_turn.after)
        picture = await pictures.draw_side_map(bot.workers, past_game, past_turn.side, past_turn.before)
        return await asyncio.to_thread(
            account_card, past_turn.game, past_turn.side, past_turn.entry, past_turn.account, picture
        )
