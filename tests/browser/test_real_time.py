"""The pretended Discord of the local table keeps real time: threads, later posts, time-outs; and ids never repeat."""

import asyncio
import io
import time
from collections.abc import AsyncIterator
from typing import Any
from unittest.mock import patch

import aiohttp
import discord
import pytest
from discord import app_commands
from discord.ext import commands
from PIL import Image
from simcord.preview._server import PreviewServer

from bot.local.page_cache import Parsers
from bot.local.server import patch_file, png_size
from bot.local.table import CHANNELS, SEATS, Table


class Slow(commands.Bot):
    """Thinks in a thread, posts again later, and tires of waiting for a button."""

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True))
        for command in (ponder, whisper):
            self.tree.add_command(command)

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


@app_commands.command()
async def whisper(interaction: discord.Interaction) -> None:
    """Answers privately."""
    await interaction.response.send_message("Between us", ephemeral=True)


async def opened() -> Table:
    table = Table(Slow())
    await table.open(0)
    return table


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    table = await opened()
    yield table
    await table.close()


def text_of(table: Table) -> list[str]:
    return [message.content for message in table.env.backend.messages[table.channels[0].id].values()][1:]


async def ask(table: Table) -> Any:
    """Asks as the first seat does; returns when the page would call it done."""
    return await table.seats[0].slash(table.channels[0], "ponder")


async def test_thinking_ends_posts_come_later_and_a_view_times_out(table: Table) -> None:
    answered = await ask(table)
    assert answered.deferred
    assert text_of(table) == [""]
    async with asyncio.timeout(10):
        while len(text_of(table)) < 3:  # noqa: ASYNC110 - the messages have no event to wait for
            await asyncio.sleep(0.05)
    assert text_of(table) == ["Done", "One more thing", "Too late"]


async def test_a_restart_keeps_channels_and_seats_and_never_repeats_an_interaction(table: Table) -> None:
    first = (await ask(table))._interaction.id
    places = [thing.id for thing in [*table.channels, *table.seats]]
    assert len(places) == len(CHANNELS) + len(SEATS)
    await table.close()
    again = await opened()
    assert [thing.id for thing in [*again.channels, *again.seats]] == places
    assert (await ask(again))._interaction.id > first
    await again.close()


def seen(tab: Any) -> list[str]:
    return [message["content"] for message in tab.snapshot["messages"].values()][1:]


async def test_a_tab_is_shown_what_changed_and_nothing_is_made_anew_for_what_did_not(table: Table) -> None:
    page, channel = table.pages[0], table.channels[0]
    first, second = (page._open_page(seat.id) for seat in table.seats[:2])
    sent = await table.bot.get_partial_messageable(channel.id).send("Said")
    page.show_changes()
    assert seen(first) == seen(second) == ["Said"]
    made, revision = dict(first.snapshot["messages"]), first.revision

    page.show_changes()
    assert first.revision == revision, "nothing happened"
    await sent.edit(content="Said otherwise")
    page.show_changes()
    assert seen(first) == ["Said otherwise"]
    welcome = next(iter(made))
    assert first.snapshot["messages"][welcome] is made[welcome]

    await table.seats[1].slash(channel, "whisper")
    page.show_changes()
    assert seen(first) == ["Said otherwise"], "a private answer is seen in its seat alone"
    assert seen(second) == ["Said otherwise", "Between us"]
    await sent.delete()
    page.show_changes()
    assert (seen(first), seen(second)) == ([], ["Between us"])


async def test_a_tab_that_asks_again_is_given_what_it_was_given_until_something_changes(table: Table) -> None:
    tab = table.pages[0]._open_page()
    headers = {"X-Simcord-Capability": table.pages[0].capability, "X-Simcord-Context": tab.id}
    url = table.pages[0].url.partition("#")[0] + "api/state"
    async with aiohttp.ClientSession(headers=headers) as session:

        async def state() -> str:
            async with session.get(url) as response:
                return await response.text()

        with patch.object(PreviewServer, "_state", autospec=True, side_effect=PreviewServer._state) as written:
            before = await state()
            assert await state() == before
            assert written.call_count == 1
            await ask(table)
            table.pages[0].show_changes()
            assert await state() != before
            assert written.call_count == 2
        async with session.get(url, headers={"X-Simcord-Capability": "another"}) as refused:
            assert refused.status == 401


def test_only_a_still_upright_png_is_given_as_it_is() -> None:
    def drawn(form: str, **how: Any) -> bytes:
        made = io.BytesIO()
        Image.new("RGB", (30, 20), "red").save(made, form, **how)
        return made.getvalue()

    assert png_size(drawn("PNG")) == (30, 20)
    moving = drawn("PNG", save_all=True, append_images=[Image.new("RGB", (30, 20), "blue")])
    turned = Image.Exif()
    turned[0x0112] = 6
    for other in (moving, drawn("PNG", exif=turned), drawn("JPEG"), drawn("PNG")[:20], b""):
        assert png_size(other) is None


def test_what_is_written_otherwise_in_the_page_is_found_or_missed() -> None:
    with pytest.raises(LookupError, match=r"/session\.js"):
        patch_file("/session.js", "interval = 400")
    assert patch_file("/app.js", "as it is") == "as it is"


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
