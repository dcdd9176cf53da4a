"""`/opponent`: the bot in a seat. It is put there, told how hard to think, to play, to wait, and taken off."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.games import Played
from rules.core.automaton.chooser import Level

from .game import pages
from .kit import acting, answer, completion, going_on, opponents, turn_message
from .kit.card import Card, safe
from .kit.interaction import Interaction, actor_of, at_table, channel_of
from .kit.options import Name
from .kit.presenter import side_colour

if TYPE_CHECKING:
    from bot.client import UmpireBot

LEVELS = [
    app_commands.Choice(name="easy: takes what is best at once", value=Level.EASY.value),
    app_commands.Choice(name="hard: looks at what comes next, and at your answer", value=Level.HARD.value),
]


async def tell(interaction: Interaction, played: Played) -> None:
    """Says to everyone what was settled about the bot's seats; then it goes on, where it is waited for."""
    game, report = played.game, played.entry.report
    card = Card(side_colour(game.state, report.side)).text(f"**{safe(report.headline)}.**")
    card.text(pages.seats(game))
    await turn_message.with_step(interaction, card, game)
    going_on.go_on(interaction, game)


@at_table
class Opponent(commands.GroupCog, group_name="opponent", group_description="The bot plays a side of the game"):
    """The bot in a seat."""

    @app_commands.command()
    @app_commands.describe(side="The side it plays", level="How hard it thinks; hard if you leave it out")
    @app_commands.choices(level=LEVELS)
    @app_commands.autocomplete(side=completion.sides)
    async def side(self, interaction: Interaction, side: Name, level: str = Level.HARD.value) -> None:
        """For the umpire: has the bot play a side that is free; it goes on by itself when it is waited for."""
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        work = games.seat_bot(channel, actor, side, Level(level), interaction=interaction.id)
        await tell(interaction, await answer.do(interaction, work))

    @app_commands.command()
    async def turn(self, interaction: Interaction) -> None:
        """Has the bot play its turn now, told in one message."""
        played = await answer.do(interaction, opponents.asked(interaction))
        await acting.show(interaction, *played)
        await opponents.note_told(interaction, played)


async def setup(bot: "UmpireBot") -> None:
    """Adds the commands."""
    await bot.add_cog(Opponent())
