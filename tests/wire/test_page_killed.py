"""The bot is killed while a page sends *Do all and end my turn*: answered orders are stored, none runs twice."""

import asyncio
import random
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.fuzz import get_daily_seed

from .interaction import list_words
from .loopback import Loopback
from .page import Page, ask_for_key, find_free_port, make_map_settings
from .process import Process, find_tracebacks
from .waiting import wait_until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
UNITS = "Amarar", "Arteiga", "Ashraf", "Baggara horse", "Jaalin horse", "Beni Amer camelmen"
WORK_DURATION = 0.5
"""Typical seconds until the orders are executed. The bot is killed at a random moment before."""
REPORT = f"moved {len(UNITS)} units"
STORED_KINDS = (
    "SELECT kind FROM entries JOIN games ON game = games.id WHERE ended IS NULL AND kind IN ('move', 'turn_next')"
)
ALL_ENTRIES = {"move": len(UNITS), "turn_next": 1}


def is_done(home: Path) -> bool:
    """Whether the orders and the end of the turn are stored. Fails if a part is missing or stored twice."""
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        kinds = Counter(kind for (kind,) in database.execute(STORED_KINDS))
    assert kinds in ({}, ALL_ENTRIES), kinds
    return bool(kinds)


class KillableBot:
    """A bot that serves the map, and Kitchener's page with a full order sheet of the Mahdists."""

    def __init__(self, discord: Loopback, home: Path) -> None:
        self.discord, port = discord, find_free_port()
        self.bot, self.page = Process(discord, home, UMPIRE_WORKERS="0", **make_map_settings(port)), Page(port)

    async def start_game(self) -> dict[str, Any]:
        """Start a game and fill the sheet; return the body of the request that executes the sheet."""
        discord = self.discord
        await discord.ask("game end", GORDON, TABLE, confirm=True).wait()
        await discord.ask("game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885").wait()
        await discord.ask("game join", KITCHENER, TABLE, side="mahdists").wait()
        await self.page.open(await ask_for_key(discord, KITCHENER, TABLE))
        discord.posts.clear()
        view = await self.page.write_orders(*(f"{unit}: forward 3" for unit in UNITS))
        return {"revision": view["sheet"]["revision"], "end": True, "anyway": True}

    async def press(self, press: dict[str, Any]) -> int:
        """Send the request; return the status of the answer, or 0 if the connection ended without an answer."""
        try:
            return (await self.page.post("/api/do", press))[0]
        except aiohttp.ClientError:
            return 0

    async def kill_and_repeat(self, after: float | None) -> None:
        """Kill the bot `after` seconds from the press (None: after its answer), restart it, repeat the press."""
        press = await self.start_game()
        request = asyncio.create_task(self.press(press))
        await (asyncio.wait({request}) if after is None else asyncio.sleep(after))
        is_answered = request.done() and request.result() == 200
        await self.bot.kill()
        is_answered = is_answered or await request == 200
        executed = is_done(self.bot.home)
        assert executed or not is_answered, "an answered press is lost"
        assert after is not None or is_answered
        await self.bot.start()
        assert await self.press(press) == (409 if executed else 200), "a page repeats a request without an answer"
        assert is_done(self.bot.home)
        await wait_until(self.count_reports, "the message to the channel")
        await asyncio.sleep(0.3)
        assert self.count_reports() == 1, "reported once"
        view = await self.page.read_view()
        assert (view["acting"], view["sheet"]["orders"]) == (["british"], [])

    def count_reports(self) -> int:
        """Return the number of messages in the channel that report the moves."""
        return sum(REPORT in "\n".join(list_words(message)) for message in self.discord.posts)


@pytest.fixture
async def table(discord: Loopback, tmp_path: Path) -> AsyncIterator[KillableBot]:
    table = KillableBot(discord, tmp_path)
    await table.bot.start()
    yield table
    await table.page.__aexit__(None, None, None)
    await table.bot.kill()
    assert find_tracebacks(table.bot.log) == []


async def test_press_is_executed_once_when_the_bot_is_killed(table: KillableBot) -> None:
    dice = random.Random(get_daily_seed())
    await table.kill_and_repeat(None)
    await table.kill_and_repeat(dice.uniform(0, WORK_DURATION))


@pytest.mark.soak
async def test_press_is_executed_once_at_many_moments_of_a_kill(table: KillableBot) -> None:
    dice = random.Random(get_daily_seed())
    for _ in range(20):
        await table.kill_and_repeat(dice.uniform(0, WORK_DURATION))
