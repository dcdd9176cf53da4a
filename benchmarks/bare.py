"""Minimal discord.py bot with durable writes: each command stores one line and replies.

The umpire's replies are compared with its replies. `/morale` replies with a line of text. `/roll` is the minimum for
the umpire's `/roll`: the same options, a throw, one stored line, and a card of the same parts.
"""

import os
import random

import aiosqlite
import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

LINE = "2D6 [4][3] = 7 against 5 casualties: holds"


class Bare(discord.Client):
    """Has `/morale`, `/roll` and nothing else."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.none())
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(morale)
        self.tree.add_command(roll)

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


@app_commands.command()
async def roll(
    interaction: discord.Interaction[Bare],
    dice: str,
    label: app_commands.Range[str, 1, 80] | None = None,
    secret: bool = False,
    repeat: app_commands.Range[int, 1, 25] = 1,
) -> None:
    """Throws two dice, writes them down and answers with a card."""
    faces = [random.randint(1, 6) for _ in range(2)]
    line = f"▸ {dice} [{faces[0]}][{faces[1]}] = **{sum(faces)}**"
    await interaction.client.kept.execute("INSERT INTO lines VALUES (?, ?)", (interaction.id, line))
    view = ui.LayoutView(timeout=None)
    heading = f"### {interaction.user.display_name} rolls {label or dice}"
    texts = [ui.TextDisplay(words) for words in (heading, line, f"-# Thrown {repeat} times")]
    view.add_item(ui.Container(*texts, accent_colour=0x6B7280))
    view.stop()
    await interaction.response.send_message(
        view=view, ephemeral=secret, allowed_mentions=discord.AllowedMentions.none()
    )


if __name__ == "__main__":
    Route.BASE = os.environ["DISCORD_API_BASE"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY"])
    Bare().run(os.environ["DISCORD_TOKEN"], log_handler=None)
