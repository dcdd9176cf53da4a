"""The bot is killed while a battle of a campaign ends: its result is in the campaign once, whenever that was."""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.fuzz import get_daily_seed

from .loopback import Loopback
from .process import Process, tracebacks
from .waiting import until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
RESULTS = "SELECT undone FROM entries WHERE kind = 'battle_result'"
ENDED = "SELECT count(*) FROM games WHERE ended IS NOT NULL"
ALL_DONE_IN = 0.4
"""Seconds, about: at some moment of it the bot is killed."""


def results(home: Path) -> list[int]:
    """Return for each result in the journal whether it was undone."""
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        return [undone for (undone,) in database.execute(RESULTS)]


def ended_games(home: Path) -> int:
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        return int(database.execute(ENDED).fetchone()[0])


async def meet(discord: Loopback) -> None:
    """Begin a campaign, and bring two columns together."""
    await discord.ask("game new", GORDON, TABLE, rules="campaign", scenario="suakin-1884").done()
    await discord.ask("game join", KITCHENER, TABLE, side="British under Graham").done()
    orders = {"unit": "Graham's column", "to": "El Teb", "with": "attack"}
    await discord.ask("move", KITCHENER, TABLE, **orders).done()
    await discord.ask("turn next", GORDON, TABLE).done()


async def killed_while_a_battle_ends(discord: Loopback, bot: Process, after: float) -> None:
    """Open the battle, kill the bot so many seconds after its game is ended, and take the result back at last."""
    before, ended = len(results(bot.home)), ended_games(bot.home)
    await discord.ask("campaign fight", KITCHENER, TABLE).done()
    thread = max(discord.world.threads)
    await discord.ask("turn next", GORDON, thread).done()
    discord.ask("game end", GORDON, thread, confirm=True)
    await asyncio.sleep(after)
    await bot.kill()
    await bot.start()
    if ended_games(bot.home) == ended:
        await discord.ask("game end", GORDON, thread, confirm=True).done()
    await until(lambda: len(results(bot.home)) > before, "the result")
    await asyncio.sleep(0.2)
    assert results(bot.home) == [1] * before + [0]
    undo = await discord.ask("game undo", GORDON, TABLE).done()
    await discord.press(undo.messages[0], undo.buttons["Take it back"], GORDON).done()
    await until(lambda: 0 not in results(bot.home), "the undo")
    await asyncio.sleep(0.3)
    assert results(bot.home) == [1] * (before + 1), "what was taken back does not come again by itself"


@pytest.mark.soak
async def test_a_result_comes_back_once_whenever_the_bot_is_killed(discord: Loopback, tmp_path: Path) -> None:
    bot = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    dice = random.Random(get_daily_seed())
    await meet(discord)
    for _ in range(10):
        await killed_while_a_battle_ends(discord, bot, dice.uniform(0, ALL_DONE_IN))
    await bot.kill()
    assert tracebacks(bot.log) == []
