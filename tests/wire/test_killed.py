"""The bot is killed while it does an order sheet: what was done is whole, the sheet has the rest, nothing is twice."""

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

from .asked import Asked
from .loopback import Loopback
from .process import Process, tracebacks
from .waiting import until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
UNITS = ("Amarar", "Arteiga", "Ashraf", "Baggara horse", "Jaalin horse", "Beni Amer camelmen")
ORDERS = "; ".join([*(f"{unit}: forward 3" for unit in UNITS), "Ashraf: forward 3", "Riflemen of Tokar: forward 3"])
ALL_DONE_IN = 0.5
"""Seconds, about: at some moment of it the bot is killed."""


def kept(home: Path) -> tuple[Counter[str], list[str]]:
    """What the database has: how often each unit has moved, and whose orders are left on the sheet."""
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        moved = [json.loads(action)["unit"] for (action,) in database.execute(MOVES)]
        left = [json.loads(sheet).get("orders", []) for (sheet,) in database.execute("SELECT document FROM sheets")]
    return Counter(moved), [unit for orders in left for order in orders for unit in order["units"]]


MOVES = """SELECT action FROM entries JOIN games ON game = games.id WHERE kind = 'move' AND ended IS NULL"""


def require_whole(home: Path, *, done: bool | None = None) -> bool:
    """Fails where an order is lost, or done twice; whether the sheet was done. `done`: whether it must have been."""
    moved, left = kept(home)
    assert not moved or max(moved.values()) == 1, moved
    assert (len(moved), len(left)) in ((0, len(UNITS) + 2), (len(UNITS) + 1, 1)), (moved, left)
    assert done is None or bool(moved) is done
    return bool(moved)


async def opened(discord: Loopback) -> Asked:
    return await discord.ask("turn orders", KITCHENER, TABLE).done()


async def play(discord: Loopback) -> Asked:
    """A game whose Mahdists have a sheet, of which one order in between cannot be done."""
    await discord.ask("game end", GORDON, TABLE, confirm=True).done()
    await discord.ask("game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885").done()
    await discord.ask("game join", KITCHENER, TABLE, side="mahdists").done()
    return await discord.ask("turn orders", KITCHENER, TABLE, text=ORDERS).done()


async def killed_while_it_does_all(discord: Loopback, bot: Process, after: float) -> None:
    """Kills it so many seconds after the press, starts it again, and has the sheet done then if it was not."""
    sheet = await play(discord)
    first, do_all = copy.deepcopy(sheet.messages[0]), sheet.buttons["Do all"]
    pressed = discord.press(sheet.messages[0], do_all, KITCHENER)
    await asyncio.sleep(after)
    acknowledged = pressed.acknowledged
    await bot.kill()
    done = require_whole(bot.home)
    assert done or not acknowledged, "it was answered, and is lost"
    await bot.start()
    again = await opened(discord)
    assert ("Amarar: forward 3" in again.text) is not done
    await discord.press(first, do_all, KITCHENER).done()
    await until(lambda: kept(bot.home)[0], "the sheet")
    require_whole(bot.home, done=True)
    await discord.ask("dice reveal", GORDON, TABLE).done()
    verified = await discord.ask("dice verify", GORDON, TABLE).done()
    assert "7 throws recomputed: all are as they were shown" in verified.text


async def test_a_sheet_is_done_whole_or_not_at_all_whenever_the_bot_is_killed(
    discord: Loopback, tmp_path: Path
) -> None:
    bot = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    dice = random.Random(get_daily_seed())
    await killed_while_it_does_all(discord, bot, dice.uniform(0, ALL_DONE_IN))
    sheet = await play(discord)
    pressed = discord.press(sheet.messages[0], sheet.buttons["Do all"], KITCHENER)
    await until(lambda: pressed.acknowledged, "the answer")
    await bot.kill()
    require_whole(tmp_path, done=True)
    assert tracebacks(bot.log) == []


@pytest.mark.soak
async def test_it_is_so_at_any_of_many_moments(discord: Loopback, tmp_path: Path) -> None:
    bot = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    dice = random.Random(get_daily_seed())
    for _ in range(20):
        await killed_while_it_does_all(discord, bot, dice.uniform(0, ALL_DONE_IN))
    await bot.kill()
    assert tracebacks(bot.log) == []
