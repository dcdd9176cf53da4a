"""The bot is killed in the middle of its own turn: two new processes continue, and report the turn once."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from .interaction import list_words
from .loopback import Loopback
from .process import Process, find_tracebacks
from .waiting import wait_until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
BOT_ENTRIES = "SELECT seq, kind, turn_end, thought IS NOT NULL FROM entries WHERE actor < 0 ORDER BY seq"


def load_bot_entries(home: Path) -> list[tuple[int, str, bool, bool]]:
    """Return the entries of the bot's own side."""
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        return list(database.execute(BOT_ENTRIES))


def wait_for_decision(home: Path) -> None:
    """Wait until the bot has made a decision."""
    while not load_bot_entries(home):
        time.sleep(0.002)


def list_turn_messages(discord: Loopback) -> list[str]:
    """Return the texts of the channel's messages about the bot's turns."""
    messages = (message for message in discord.world.messages.values() if message["channel_id"] == str(TABLE))
    return [text for message in messages if "# Germans (the bot): " in (text := "\n".join(list_words(message)))]


async def test_bot_turn_continues_after_a_kill_and_is_reported_once(discord: Loopback, tmp_path: Path) -> None:
    bot = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    await discord.ask("game new", GORDON, TABLE, rules="great_war", scenario="trench").wait()
    await discord.ask("game join", KITCHENER, TABLE, side="british").wait()
    await discord.ask("opponent side", KITCHENER, TABLE, side="germans", level="easy").wait()
    await discord.ask("order", KITCHENER, TABLE, unit="Daphne", action="order").wait()
    for _ in ("moves", "the other side"):
        await discord.ask("turn next", KITCHENER, TABLE).wait()
    await asyncio.to_thread(wait_for_decision, tmp_path)
    await bot.kill()
    before = load_bot_entries(tmp_path)
    assert not before[-1][2], "the bot's turn was not over"
    assert list_turn_messages(discord) == []
    both = bot, Process(discord, tmp_path, UMPIRE_WORKERS="0")
    await asyncio.gather(*(process.start() for process in both))
    await wait_until(lambda: list_turn_messages(discord), "the turn")
    after = load_bot_entries(tmp_path)
    assert after[: len(before)] == before
    assert [entry[2] for entry in after] == [False] * (len(after) - 1) + [True]
    assert all(entry[3] for entry in after)
    (text,) = list_turn_messages(discord)
    assert len(after) > len(before)
    assert "### The Germans " in text
    assert "Turn 3 of 30, British" in text
    assert [await process.stop() for process in both] == [0, 0]
    assert find_tracebacks(bot.log + both[1].log) == []
    assert len(list_turn_messages(discord)) == 1
