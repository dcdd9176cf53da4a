"""The bot is killed while a page sends *Do all and end my turn*: what was answered is kept, nothing is done twice."""

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

from .asked import words
from .loopback import Loopback
from .page import Page, ask_for_key, free_port, map_settings
from .process import Process, tracebacks
from .waiting import until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
UNITS = "Amarar", "Arteiga", "Ashraf", "Baggara horse", "Jaalin horse", "Beni Amer camelmen"
ALL_DONE_IN = 0.5
"""Seconds, about: at some moment of it the bot is killed."""
TOLD = f"moved {len(UNITS)} units"
KINDS = "SELECT kind FROM entries JOIN games ON game = games.id WHERE ended IS NULL AND kind IN ('move', 'turn_next')"
WHOLE = {"move": len(UNITS), "turn_next": 1}


def is_done(home: Path) -> bool:
    """Whether the orders and the end of the turn are stored. Fails if only some are, or any is there twice."""
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        stored = Counter(kind for (kind,) in database.execute(KINDS))
    assert stored in ({}, WHOLE), stored
    return bool(stored)


class Killed:
    """A bot that serves the map, and Kitchener's page of a game whose Mahdists have a sheet."""

    def __init__(self, discord: Loopback, home: Path) -> None:
        self.discord, port = discord, free_port()
        self.bot, self.page = Process(discord, home, UMPIRE_WORKERS="0", **map_settings(port)), Page(port)

    async def play(self) -> dict[str, Any]:
        """Begin a game with a full sheet; return what the press sends."""
        discord = self.discord
        await discord.ask("game end", GORDON, TABLE, confirm=True).done()
        await discord.ask("game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885").done()
        await discord.ask("game join", KITCHENER, TABLE, side="mahdists").done()
        await self.page.open(await ask_for_key(discord, KITCHENER, TABLE))
        discord.posted.clear()
        view = await self.page.write(*(f"{unit}: forward 3" for unit in UNITS))
        return {"revision": view["sheet"]["revision"], "end": True, "anyway": True}

    async def press(self, press: dict[str, Any]) -> int:
        """Return the status of the answer; 0 if the connection ended before it."""
        try:
            return (await self.page.post("/api/do", press))[0]
        except aiohttp.ClientError:
            return 0

    async def killed(self, after: float | None) -> None:
        """Kill it so many seconds after the press, or once it is answered. Start it again and send the same press."""
        press = await self.play()
        sent = asyncio.create_task(self.press(press))
        await (asyncio.wait({sent}) if after is None else asyncio.sleep(after))
        answered = sent.done() and sent.result() == 200
        await self.bot.kill()
        answered = answered or await sent == 200
        done = is_done(self.bot.home)
        assert done or not answered, "it was answered, and is lost"
        assert after is not None or answered
        await self.bot.start()
        assert await self.press(press) == (409 if done else 200), "a page sends again what it has no answer to"
        assert is_done(self.bot.home)
        await until(self.told, "the message to the channel")
        await asyncio.sleep(0.3)
        assert self.told() == 1, "told once"
        view = await self.page.view()
        assert (view["acting"], view["sheet"]["orders"]) == (["british"], [])

    def told(self) -> int:
        """Return how many messages of the channel tell of the moves."""
        return sum(TOLD in "\n".join(words(message)) for message in self.discord.posted)


@pytest.fixture
async def killed(discord: Loopback, tmp_path: Path) -> AsyncIterator[Killed]:
    table = Killed(discord, tmp_path)
    await table.bot.start()
    yield table
    await table.page.__aexit__(None, None, None)
    await table.bot.kill()
    assert tracebacks(table.bot.log) == []


async def test_an_answered_press_outlives_a_kill_and_is_done_once(killed: Killed) -> None:
    dice = random.Random(get_daily_seed())
    await killed.killed(None)
    await killed.killed(dice.uniform(0, ALL_DONE_IN))


@pytest.mark.soak
async def test_it_is_so_at_any_of_many_moments(killed: Killed) -> None:
    dice = random.Random(get_daily_seed())
    for _ in range(20):
        await killed.killed(dice.uniform(0, ALL_DONE_IN))
