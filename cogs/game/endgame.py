"""Ending a game, after asking once more."""

import discord

from cogs.kit import answer, buttons
from cogs.kit.card import WARNING, Card, safe
from cogs.kit.interaction import Interaction, actor_of, channel_of, manages_channel
from cogs.kit.press import Press
from rules.core.model import PUBLIC

from . import pages


class EndButton(Press, action="end", fields=("game",)):
    """Ends the game it names."""

    async def pressed(self, interaction: Interaction) -> None:
        """Ends it."""
        await buttons.spend(interaction)
        await end(interaction, self.fields["game"])


async def ask(interaction: Interaction) -> None:
    """Asks whether to end the game."""
    game = await interaction.client.games.running(channel_of(interaction), at_all=True)
    card = Card(WARNING).text(
        f"This ends **{safe(game.name)}** at {safe(game.state.turn_title)} and makes the seed of its dice public. "
        "It cannot be taken back. `/game export` keeps a copy."
    )
    card.buttons([EndButton("End the game", discord.ButtonStyle.danger, game=game.id)])
    await answer.send(interaction, card, private=True)


async def end(interaction: Interaction, game_id: str | None = None) -> None:
    """Ends the game (of that id), shows its last state, and reveals the seeds."""
    work = interaction.client.games.end(
        channel_of(interaction),
        actor_of(interaction),
        manages=manages_channel(interaction),
        game_id=game_id,
        interaction=interaction.id,
    )
    game = await answer.do(interaction, work)
    card = pages.status(game, PUBLIC)
    card.text(f"The game is over. {pages.revealed(game)}")
    await answer.send(interaction, card)
