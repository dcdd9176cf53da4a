"""The bot is killed while it executes an order sheet: the sheet is executed completely or not at all."""

import asyncio
import copy
import json
import random
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.fuzz import get_daily_seed

from .interaction import Interaction
from .loopback import Loopback
from .process import Process, find_tracebacks
from .waiting import wait_until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
UNITS = ("Amarar", "Arteiga", "Ashraf", "Baggara horse", "Jaalin horse", "Beni Amer camelmen")
ORDERS = "; ".join([*(f"{unit}: forward 3" for unit in UNITS), "Ashraf: forward 3", "Riflemen of Tokar: forward 3"])
WORK_DURATION = 0.5
"""Typical seconds until the sheet is executed. The bot is killed at a random moment before."""


def load_orders(home: Path) -> tuple[Counter[str], list[str]]:
    """Return how often each unit has moved, and the units with orders left on the sheet."""
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        moved = [json.loads(action)["unit"] for (action,) in database.execute(MOVES)]
        unexecuted = [
            json.loads(sheet).get("orders", []) for (sheet,) in database.execute("SELECT document FROM sheets")
        ]
    return Counter(moved), [unit for orders in unexecuted for order in orders for unit in order["units"]]


MOVES = """SELECT action FROM entries JOIN games ON game = games.id WHERE kind = 'move' AND ended IS NULL"""


def require_whole(home: Path, *, executed: bool | None = None) -> bool:
    """Return whether the sheet was executed. Fail if an order is lost or executed twice, or unlike `executed`."""
    moved, unexecuted = load_orders(home)
    assert not moved or max(moved.values()) == 1, moved
    assert (len(moved), len(unexecuted)) in ((0, len(UNITS) + 2), (len(UNITS) + 1, 1)), (moved, unexecuted)
    assert executed is None or bool(moved) is executed
    return bool(moved)


async def open_sheet(discord: Loopback) -> Interaction:
    return await discord.ask("turn orders", KITCHENER, TABLE).wait()


async def start_game(discord: Loopback) -> Interaction:
    """Start a game in which the Mahdists have a sheet; one order in the middle is impossible."""
    await discord.ask("game end", GORDON, TABLE, confirm=True).wait()
    await discord.ask("game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885").wait()
    await discord.ask("game join", KITCHENER, TABLE, side="mahdists").wait()
    return await discord.ask("turn orders", KITCHENER, TABLE, text=ORDERS).wait()


async def kill_during_execution(discord: Loopback, bot: Process, after: float) -> None:
    """Kill the bot `after` seconds from the press, restart it, and press again. Require one complete execution."""
    sheet = await start_game(discord)
    first, do_all = copy.deepcopy(sheet.messages[0]), sheet.buttons["Do all"]
    interaction = discord.press(sheet.messages[0], do_all, KITCHENER)
    await asyncio.sleep(after)
    acknowledged = interaction.is_acknowledged
    await bot.kill()
    executed = require_whole(bot.home)
    assert executed or not acknowledged, "an answered press is lost"
    await bot.start()
    sheet_after = await open_sheet(discord)
    assert ("Amarar: forward 3" in sheet_after.text) is not executed
    await discord.press(first, do_all, KITCHENER).wait()
    await wait_until(lambda: load_orders(bot.home)[0], "the sheet")
    require_whole(bot.home, executed=True)
    await discord.ask("dice reveal", GORDON, TABLE).wait()
    verified = await discord.ask("dice verify", GORDON, TABLE).wait()
    assert "7 throws recomputed: all are as they were shown" in verified.text


async def test_sheet_is_executed_completely_or_not_at_all_when_the_bot_is_killed(
    discord: Loopback, tmp_path: Path
) -> None:
    bot = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    dice = random.Random(get_daily_seed())
    await kill_during_execution(discord, bot, dice.uniform(0, WORK_DURATION))
    sheet = await start_game(discord)
    interaction = discord.press(sheet.messages[0], sheet.buttons["Do all"], KITCHENER)
    await wait_until(lambda: interaction.is_acknowledged, "the answer")
    await bot.kill()
    require_whole(tmp_path, executed=True)
    assert find_tracebacks(bot.log) == []


@pytest.mark.soak
async def test_sheet_is_executed_once_at_many_moments_of_a_kill(discord: Loopback, tmp_path: Path) -> None:
    bot = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    dice = random.Random(get_daily_seed())
    for _ in range(20):
        await kill_during_execution(discord, bot, dice.uniform(0, WORK_DURATION))
    await bot.kill()
    assert find_tracebacks(bot.log) == []
