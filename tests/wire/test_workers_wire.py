"""The bot with its worker processes over the wire: told to stop, it goes at once, and leaves no process behind."""

import asyncio
import os
import signal

import pytest

from .loopback import Loopback
from .process import Process, descendants, running
from .test_wire import TABLE, start_game
from .world import ONLOOKER

GONE_WITHIN = 10.0  # seconds until the fork server has seen that the bot is gone


LONG_PART_SIGTERM, LONG_PART_SIGINT = (
    pytest.param(number, marks=pytest.mark.soak) for number in (signal.SIGTERM, signal.SIGINT)
)


async def gone(pids: set[int]) -> bool:
    """Whether all of them go in time."""
    for _ in range(int(GONE_WITHIN / 0.1)):
        if not any(map(running, pids)):
            return True
        await asyncio.sleep(0.1)
    return False


async def at_work(discord: Loopback, bot: Process) -> set[int]:
    """Has the bot draw more than it can at once; its processes."""
    await start_game(discord)
    for number in range(40):
        discord.ask("map", ONLOOKER, TABLE, area=f"A1-{'ABCDEF'[number % 6]}{number // 20 + 2}")
    await asyncio.sleep(0.2)
    below = descendants(bot.pid)
    assert len(below) >= 3, "a resource tracker, a fork server and a worker"
    return below


@pytest.mark.parametrize("number", [signal.SIGTERM, LONG_PART_SIGINT])
async def test_stopped_at_work_it_exits_with_0_and_leaves_no_process(
    discord: Loopback, bot_anew: Process, number: signal.Signals
) -> None:
    below = await at_work(discord, bot_anew)
    assert await bot_anew.stop(number) == 0
    assert await gone(below)


@pytest.mark.soak
@pytest.mark.parametrize("number", [LONG_PART_SIGTERM, signal.SIGINT])
async def test_a_signal_to_the_whole_group_ends_it_as_well(
    discord: Loopback, bot: Process, number: signal.Signals
) -> None:
    """Ctrl-C in a terminal reaches every process of the bot, and so does what a service manager sends."""
    below = await at_work(discord, bot)
    for pid in below:
        os.kill(pid, number)
    assert await bot.stop(number) == 0
    assert await gone(below)


async def test_a_bot_that_is_killed_leaves_no_process_either(discord: Loopback, bot: Process) -> None:
    below = await at_work(discord, bot)
    await bot.kill()
    assert await gone(below)
