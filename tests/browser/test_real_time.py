"""The simulated Discord of the local table runs in real time: threads, later messages, time-outs. Ids never repeat."""

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

from bot.local.page_cache import ParserCache
from bot.local.server import patch_file, read_still_png_size
from bot.local.table import CHANNELS, SEATS, LocalTable


class SlowBot(commands.Bot):
    """A bot that thinks in a thread, posts a second message later, and whose buttons time out."""

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True))
        for command in (ponder, whisper):
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        await asyncio.sleep(0.05)
        await self.tree.sync()


class TimedView(discord.ui.View):
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
    """Think for a while."""
    await interaction.response.defer(thinking=True)
    await asyncio.to_thread(time.sleep, 0.4)
    await interaction.followup.send("Done", view=TimedView(interaction))
    await asyncio.sleep(0.2)
    await interaction.followup.send("One more thing")


@app_commands.command()
async def whisper(interaction: discord.Interaction) -> None:
    """Answer privately."""
    await interaction.response.send_message("Between us", ephemeral=True)


async def open_table() -> LocalTable:
    table = LocalTable(SlowBot())
    await table.open(0)
    return table


@pytest.fixture
async def table() -> AsyncIterator[LocalTable]:
    table = await open_table()
    yield table
    await table.close()


def list_texts(table: LocalTable) -> list[str]:
    return [message.content for message in table.env.backend.messages[table.channels[0].id].values()][1:]


async def ponder_as_first_seat(table: LocalTable) -> Any:
    """Give the command as the first seat; return the answer when the page considers it finished."""
    return await table.seats[0].slash(table.channels[0], "ponder")


async def test_answer_later_post_and_time_out_arrive_in_order(table: LocalTable) -> None:
    reply = await ponder_as_first_seat(table)
    assert reply.deferred
    assert list_texts(table) == [""]
    async with asyncio.timeout(10):
        while len(list_texts(table)) < 3:  # noqa: ASYNC110 - the messages have no event to wait for
            await asyncio.sleep(0.05)
    assert list_texts(table) == ["Done", "One more thing", "Too late"]


async def test_restart_keeps_channels_and_seats_but_not_interaction_ids(table: LocalTable) -> None:
    first = (await ponder_as_first_seat(table))._interaction.id
    places = [thing.id for thing in [*table.channels, *table.seats]]
    assert len(places) == len(CHANNELS) + len(SEATS)
    await table.close()
    restarted = await open_table()
    assert [thing.id for thing in [*restarted.channels, *restarted.seats]] == places
    assert (await ponder_as_first_seat(restarted))._interaction.id > first
    await restarted.close()


def list_visible_texts(tab: Any) -> list[str]:
    return [message["content"] for message in tab.snapshot["messages"].values()][1:]


async def test_tab_shows_changes_and_keeps_unchanged_messages(table: LocalTable) -> None:
    page, channel = table.pages[0], table.channels[0]
    first, second = (page._open_page(seat.id) for seat in table.seats[:2])
    message = await table.bot.get_partial_messageable(channel.id).send("Said")
    page.show_changes()
    assert list_visible_texts(first) == list_visible_texts(second) == ["Said"]
    messages, revision = dict(first.snapshot["messages"]), first.revision

    page.show_changes()
    assert first.revision == revision, "nothing has changed"
    await message.edit(content="Said otherwise")
    page.show_changes()
    assert list_visible_texts(first) == ["Said otherwise"]
    welcome = next(iter(messages))
    assert first.snapshot["messages"][welcome] is messages[welcome]

    await table.seats[1].slash(channel, "whisper")
    page.show_changes()
    assert list_visible_texts(first) == ["Said otherwise"], "only its own seat sees a private answer"
    assert list_visible_texts(second) == ["Said otherwise", "Between us"]
    await message.delete()
    page.show_changes()
    assert (list_visible_texts(first), list_visible_texts(second)) == ([], ["Between us"])


async def test_state_of_a_tab_is_written_again_only_after_a_change(table: LocalTable) -> None:
    tab = table.pages[0]._open_page()
    headers = {"X-Simcord-Capability": table.pages[0].capability, "X-Simcord-Context": tab.id}
    url = table.pages[0].url.partition("#")[0] + "api/state"
    async with aiohttp.ClientSession(headers=headers) as session:

        async def state() -> str:
            async with session.get(url) as response:
                return await response.text()

        with patch.object(PreviewServer, "_state", autospec=True, side_effect=PreviewServer._state) as write_state:
            before = await state()
            assert await state() == before
            assert write_state.call_count == 1
            await ponder_as_first_seat(table)
            table.pages[0].show_changes()
            assert await state() != before
            assert write_state.call_count == 2
        async with session.get(url, headers={"X-Simcord-Capability": "another"}) as refused:
            assert refused.status == 401


def test_png_size_accepts_only_still_upright_pngs() -> None:
    def draw(form: str, **options: Any) -> bytes:
        picture = io.BytesIO()
        Image.new("RGB", (30, 20), "red").save(picture, form, **options)
        return picture.getvalue()

    assert read_still_png_size(draw("PNG")) == (30, 20)
    moving = draw("PNG", save_all=True, append_images=[Image.new("RGB", (30, 20), "blue")])
    turned = Image.Exif()
    turned[0x0112] = 6
    for picture in (moving, draw("PNG", exif=turned), draw("JPEG"), draw("PNG")[:20], b""):
        assert read_still_png_size(picture) is None


def test_patch_file_fails_if_the_text_to_replace_is_missing() -> None:
    with pytest.raises(LookupError, match=r"/session\.js"):
        patch_file("/session.js", "interval = 400")
    assert patch_file("/app.js", "as it is") == "as it is"


def test_parser_is_reused_for_the_same_policy_and_names() -> None:
    built: list[Any] = []

    def build(policy: Any, context: Any) -> object:
        built.append((policy, context))
        return object()

    parsers, body, title = ParserCache(build), {"links": True}, {"links": False}
    names = {"users": {"1": "Ann"}}
    first = parsers(body, names)
    assert parsers(body, {"users": {"1": "Ann"}}) is first
    assert parsers(title, names) is not first
    names["users"]["1"] = "Bob"
    assert parsers(body, names) is not first
    assert built[0] == (body, {"users": {"1": "Ann"}}), "a parser keeps the names with which it was built"
    assert len(built) == 3
