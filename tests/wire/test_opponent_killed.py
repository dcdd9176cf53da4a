"""The bot is killed in the middle of a turn that it plays: two are started, go on, and tell of all of it once."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from .asked import words
from .loopback import Loopback
from .process import Process, tracebacks
from .waiting import until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
DECIDED = "SELECT seq, kind, turn_end, thought IS NOT NULL FROM entries WHERE actor < 0 ORDER BY seq"


def decided(home: Path) -> list[tuple[int, str, bool, bool]]:
    """What the bot has done of its own."""
    with closing(sqlite3.connect(home / "umpire.db")) as database:
        return list(database.execute(DECIDED))


def until_decided(home: Path) -> None:
    """Returns as soon as it has done something."""
    while not decided(home):
        time.sleep(0.002)


def messages_about_turns(discord: Loopback) -> list[str]:
    """What stands in the channel of the bot's turns."""
    here = (one for one in discord.world.messages.values() if one["channel_id"] == str(TABLE))
    return [said for one in here if "# Germans (the bot): " in (said := "\n".join(words(one)))]


async def test_a_turn_of_the_bots_goes_on_after_kill_9_and_is_told_once(discord: Loopback, tmp_path: Path) -> None:
    bot = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    await discord.ask("game new", GORDON, TABLE, rules="great_war", scenario="trench").done()
    await discord.ask("game join", KITCHENER, TABLE, side="british").done()
    await discord.ask("opponent side", KITCHENER, TABLE, side="germans", level="easy").done()
    await discord.ask("order", KITCHENER, TABLE, unit="Daphne", action="order").done()
    for _ in ("moves", "the other side"):
        await discord.ask("turn next", KITCHENER, TABLE).done()
    await asyncio.to_thread(until_decided, tmp_path)
    await bot.kill()
    before = decided(tmp_path)
    assert not before[-1][2], "its turn was not over"
    assert messages_about_turns(discord) == []
    both = bot, Process(discord, tmp_path, UMPIRE_WORKERS="0")
    await asyncio.gather(*(one.start() for one in both))
    await until(lambda: messages_about_turns(discord), "the turn")
    after = decided(tmp_path)
    assert after[: len(before)] == before
    assert [one[2] for one in after] == [False] * (len(after) - 1) + [True]
    assert all(one[3] for one in after)
    (said,) = messages_about_turns(discord)
    assert len(after) > len(before)
    assert "### The Germans " in said
    assert "Turn 3 of 30, British" in said
    assert [await one.stop() for one in both] == [0, 0]
    assert tracebacks(bot.log + both[1].log) == []
    assert len(messages_about_turns(discord)) == 1
