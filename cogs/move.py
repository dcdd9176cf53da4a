"""`/move`: a unit goes somewhere, measured where positions are kept."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from .kit import answer, pictures
from .kit.interaction import Interaction, at_table
from .kit.options import Name, Words
from .takes import takes

if TYPE_CHECKING:
    from bot.client import UmpireBot


class Move(commands.Cog):
    """Movement."""

    @at_table
    @app_commands.command()
    @takes("unit", "to", "with", kind="move")
    async def move(
        self, interaction: Interaction, unit: Name, to: Name | None = None, with_: Words | None = None
    ) -> None:
        """Moves a unit; without “to” it throws or tells how far it may go."""
        await answer.perform(interaction, "move", {"unit": unit, "to": to, "with": with_}, picture=pictures.after)


async def setup(bot: "UmpireBot") -> None:
    """Loads the cog."""
    await bot.add_cog(Move())
