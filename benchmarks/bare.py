"""The least a discord.py bot can be that keeps something: a command that writes one line down for good, and answers.

The umpire's answers are measured against it.
"""

import os

import aiosqlite
import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

LINE = "2D6 [4][3] = 7 against 5 casualties: holds"


class Bare(discord.Client):
    """Has `/morale` and nothing else."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.none())
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(morale)

    async def setup_hook(self) -> None:
        """Opens the file, and makes the command known."""
        self.kept = await aiosqlite.connect("bare.db", isolation_level=None)
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE lines (id, line)"):
            await self.kept.execute(statement)
        await self.tree.sync()


@app_commands.command()
async def morale(interaction: discord.Interaction[Bare]) -> None:
    """Writes a line down and answers it."""
    await interaction.client.kept.execute("INSERT INTO lines VALUES (?, ?)", (interaction.id, LINE))
    await interaction.response.send_message(LINE)


if __name__ == "__main__":
    Route.BASE = os.environ["DISCORD_API_BASE"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY"])
    Bare().run(os.environ["DISCORD_TOKEN"], log_handler=None)
