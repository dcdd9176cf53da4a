"""The least a discord.py bot can be: one command that answers a line. The umpire's answers are measured against it."""

import os

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route


class Bare(discord.Client):
    """Has `/morale` and nothing else."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.none())
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(morale)

    async def setup_hook(self) -> None:
        """Makes the command known."""
        await self.tree.sync()


@app_commands.command()
async def morale(interaction: discord.Interaction) -> None:
    """Answers a line."""
    await interaction.response.send_message("2D6 [4][3] = 7 against 5 casualties: holds")


if __name__ == "__main__":
    Route.BASE = os.environ["DISCORD_API_BASE"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY"])
    Bare().run(os.environ["DISCORD_TOKEN"], log_handler=None)
