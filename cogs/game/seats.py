"""Taking a seat: by command, or by the buttons under a new game."""

from bot.errors import OVER, Stale
from bot.games import Game
from cogs.kit import answer, naming
from cogs.kit.card import Card, safe
from cogs.kit.interaction import Interaction, actor_of, channel_of
from cogs.kit.presenter import side_colour
from cogs.kit.press import Press


class JoinButton(Press, action="join", fields=("game", "side")):
    """Takes a seat on a side."""

    async def pressed(self, interaction: Interaction) -> None:
        """Joins."""
        game = await interaction.client.games.running(channel_of(interaction))
        if game.id != self.fields["game"]:
            raise Stale(OVER)
        await join(interaction, self.fields["side"])


def join_buttons(game: Game) -> list[JoinButton]:
    """A button for each side."""
    return [JoinButton(f"Play the {side.name}", game=game.id, side=side.id) for side in game.open_sides]


async def join(interaction: Interaction, side: str) -> None:
    """Takes a seat and says so to everyone."""
    games, channel = interaction.client.games, channel_of(interaction)
    wanted = naming.side_id((await games.running(channel)).state, side)
    actor = actor_of(interaction)
    game = await answer.do(interaction, games.join(channel, actor, wanted, interaction=interaction.id))
    card = Card(side_colour(game.state, wanted))
    card.text(f"**{safe(actor.name)}** plays the **{safe(game.name_of(wanted))}**.")
    card.text(f"-# {safe(game.state.turn_title)}. `/help topic:player` shows the first steps.")
    await answer.send(interaction, card)
