"""The pretended Discord of the local table keeps real time: threads, later posts, time-outs; and ids never repeat."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.ext import commands

from bot import local
from bot.local import CHANNELS, SEATS, Parsers, Table


class Slow(commands.Bot):
    """Thinks in a thread, posts again later, and tires of waiting for a button."""

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True))
        self.tree.add_command(ponder)

    async def setup_hook(self) -> None:
        await asyncio.sleep(0.05)
        await self.tree.sync()


class Waiting(discord.ui.View):
    def __init__(self, interaction: discord.Interaction) -> None:
        super().__init__(timeout=1.0)
        self.interaction = interaction

    @discord.ui.button(label="Quick", custom_id="quick")
    async def quick(self, interaction: discord.Interaction, _: discord.ui.Button[Any]) -> None:
        await interaction.response.send_message("In time")

    async def on_timeout(self) -> None:
        await self.interaction.followup.send("Too late")


@app_commands.command()
async def ponder(interaction: discord.Interaction) -> None:
    """Ponders."""
    await interaction.response.defer(thinking=True)
    await asyncio.to_thread(time.sleep, 0.4)
    await interaction.followup.send("Done", view=Waiting(interaction))
    await asyncio.sleep(0.2)
    await interaction.followup.send("One more thing")


async def opened() -> Table:
    table = Table(Slow())
    await table.open(0)
    return table


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    table = await opened()
    yield table
    await table.close()


def said(table: Table) -> list[str]:
    return [message.content for message in table.env.backend.messages[table.channels[0].id].values()][1:]


async def ask(table: Table) -> Any:
    """Asks as the first seat does; returns when the page would call it done."""
    return await table.seats[0].slash(table.channels[0], "ponder")


async def test_thinking_ends_posts_come_later_and_a_view_times_out(table: Table) -> None:
    answered = await ask(table)
    assert answered.deferred
    assert said(table) == [""]
    async with asyncio.timeout(10):
        while len(said(table)) < 3:  # noqa: ASYNC110 - the messages have no event to wait for
            await asyncio.sleep(0.05)
    assert said(table) == ["Done", "One more thing", "Too late"]


async def test_a_restart_keeps_channels_and_seats_and_never_repeats_an_interaction(table: Table) -> None:
    first = (await ask(table))._interaction.id
    places = [thing.id for thing in [*table.channels, *table.seats]]
    assert len(places) == len(CHANNELS) + len(SEATS)
    await table.close()
    again = await opened()
    assert [thing.id for thing in [*again.channels, *again.seats]] == places
    assert (await ask(again))._interaction.id > first
    await again.close()


async def test_the_pages_are_written_by_parsers_that_are_kept(table: Table) -> None:
    assert isinstance(local._markdown._markdown_parser, Parsers)
    assert await ask(table)


def test_a_parser_is_kept_for_its_kind_of_text_and_the_names_it_knows() -> None:
    built: list[Any] = []

    def build(policy: Any, context: Any) -> object:
        built.append((policy, context))
        return object()

    parsers, body, title = Parsers(build), {"links": True}, {"links": False}
    names = {"users": {"1": "Ann"}}
    first = parsers(body, names)
    assert parsers(body, {"users": {"1": "Ann"}}) is first
    assert parsers(title, names) is not first
    names["users"]["1"] = "Bob"
    assert parsers(body, names) is not first
    assert built[0] == (body, {"users": {"1": "Ann"}}), "a kept parser knows the names it was built with"
    assert len(built) == 3
