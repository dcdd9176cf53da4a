"""Files made to stop the bot: their senders are refused, and everybody else is answered as if nothing were."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from . import hostile
from .asked import Asked
from .loopback import Loopback
from .process import Process, tracebacks
from .waiting import until
from .world import CHANNELS, GORDON, Person

TABLE, ELSEWHERE = CHANNELS[0], CHANNELS[1]
SIX = tuple(Person(9100 + number, f"Stranger {number}") for number in range(6))
ANSWERED_WITHIN = 3.0
"""Seconds: Discord waits no longer for a first word."""
REFUSALS = ("too many parts", "nested too deeply", "could not be read within", "entries with a state")


def upload(discord: Loopback, who: Person, file: bytes) -> Asked:
    return discord.ask("scenario upload", who, TABLE, rules=hostile.SYSTEM, file=file)


def is_refused(given: Asked) -> bool:
    return any(why in given.text for why in REFUSALS)


async def roll_until_told(discord: Loopback, waiting: Sequence[Asked]) -> None:
    """Roll in a game of another channel until those have an answer. Raises TimeoutError if a roll has none."""
    while not all(one.acknowledged for one in waiting):
        await discord.ask("roll", GORDON, ELSEWHERE, dice="2d6").done(ANSWERED_WITHIN)
        await asyncio.sleep(0.05)


async def test_six_at_once_are_refused_while_others_are_answered(discord: Loopback, tmp_path: Path) -> None:
    """Also where the settings want no worker processes. A member has one file read at a time."""
    bot = await Process(discord, tmp_path, ("-m", "tests.wire.impatient"), UMPIRE_WORKERS="0").start()
    await discord.ask("game new", GORDON, ELSEWHERE, rules="magdala", scenario="suakin-1885").done()
    await discord.ask("game export", GORDON, ELSEWHERE).done()
    states = hostile.with_states(next(data for name, data in discord.files.items() if name.endswith(".json")))
    scenarios = (hostile.dotted(), hostile.dotted(5000), hostile.bracketed(), hostile.faulty())
    discord.sends_files.clear()
    first = discord.ask("game import", SIX[4], TABLE, file=states)
    await until(lambda: states in discord.fetched, "the fetch of the first file")
    given = [upload(discord, who, file) for who, file in zip(SIX, scenarios, strict=False)]
    given += [first, discord.ask("game import", SIX[5], TABLE, file=states)]
    second = discord.ask("game import", SIX[4], TABLE, file=b"{}")
    await roll_until_told(discord, [second])
    assert "still being read" in second.text
    discord.sends_files.set()
    await roll_until_told(discord, given)
    for one in given:
        await until(partial(is_refused, one))
        assert "Nothing was changed" in one.text
    assert "could not be read within" in given[3].text, "it is within all limits but that of time"
    again = upload(discord, SIX[3], b"id = 'x'")
    await until(lambda: "title" in again.text or is_refused(again), "a word on the next file of the same member")
    await bot.kill()
    assert tracebacks(bot.log) == []
