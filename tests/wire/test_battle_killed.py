"""The bot is killed while a battle of a campaign ends: the campaign receives the result exactly once."""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.fuzz import get_daily_seed

from .loopback import Loopback
from .process import Process, find_tracebacks
from .waiting import wait_until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
RESULTS = "SELECT undone FROM entries WHERE kind = 'battle_result'"
ENDED = "SELECT count(*) FROM games WHERE ended IS NOT NULL"
WORK_DURATION = 0.4
"""Typical seconds until the end of a battle is stored. The bot is killed at a random moment before."""


def load_results(home: Path) -> list[int]:
    """Return for each battle's result in the journal whether the result was undone: 0 or 1."""
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        return [undone for (undone,) in database.execute(RESULTS)]


def count_ended_games(home: Path) -> int:
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        return int(database.execute(ENDED).fetchone()[0])


async def start_battle(discord: Loopback) -> None:
    """Begin a campaign and march one column against another."""
    await discord.ask("game new", GORDON, TABLE, rules="campaign", scenario="suakin-1884").wait()
    await discord.ask("game join", KITCHENER, TABLE, side="British under Graham").wait()
    orders = {"unit": "Graham's column", "to": "El Teb", "with": "attack"}
    await discord.ask("move", KITCHENER, TABLE, **orders).wait()
    await discord.ask("turn next", GORDON, TABLE).wait()


async def kill_during_battle_end(discord: Loopback, bot: Process, after: float) -> None:
    """Fight the battle and kill the bot `after` seconds from its end. Require one result, then undo the result."""
    before, ended = len(load_results(bot.home)), count_ended_games(bot.home)
    await discord.ask("campaign fight", KITCHENER, TABLE).wait()
    thread = max(discord.world.threads)
    await discord.ask("turn next", GORDON, thread).wait()
    discord.ask("game end", GORDON, thread, confirm=True)
    await asyncio.sleep(after)
    await bot.kill()
    await bot.start()
    if count_ended_games(bot.home) == ended:
        await discord.ask("game end", GORDON, thread, confirm=True).wait()
    await wait_until(lambda: len(load_results(bot.home)) > before, "the result")
    await asyncio.sleep(0.2)
    assert load_results(bot.home) == [1] * before + [0]
    undo = await discord.ask("game undo", GORDON, TABLE).wait()
    await discord.press(undo.messages[0], undo.buttons["Take it back"], GORDON).wait()
    await wait_until(lambda: 0 not in load_results(bot.home), "the undo")
    await asyncio.sleep(0.3)
    assert load_results(bot.home) == [1] * (before + 1), "an undone result does not return by itself"


@pytest.mark.soak
async def test_campaign_receives_one_result_whenever_the_bot_is_killed(discord: Loopback, tmp_path: Path) -> None:
    bot = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    dice = random.Random(get_daily_seed())
    await start_battle(discord)
    for _ in range(10):
        await kill_during_battle_end(discord, bot, dice.uniform(0, WORK_DURATION))
    await bot.kill()
    assert find_tracebacks(bot.log) == []
