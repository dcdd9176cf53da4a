"""A bot with worker processes: after a stop or a kill it ends at once and leaves no process behind."""

import asyncio
import os
import signal

import pytest

from .loopback import Loopback
from .process import Process, is_running, list_descendants
from .test_wire import TABLE, start_game
from .world import ONLOOKER

GONE_WITHIN = 10.0
"""Seconds until the fork server has noticed that the bot is gone."""

SOAK_SIGTERM, SOAK_SIGINT = (pytest.param(number, marks=pytest.mark.soak) for number in (signal.SIGTERM, signal.SIGINT))


async def wait_until_gone(pids: set[int]) -> bool:
    """Wait for the processes to end; return whether all ended within GONE_WITHIN."""
    for _ in range(int(GONE_WITHIN / 0.1)):
        if not any(map(is_running, pids)):
            return True
        await asyncio.sleep(0.1)
    return False


async def start_drawing(discord: Loopback, bot: Process) -> set[int]:
    """Ask for more maps than the bot can draw at once; return the ids of its child processes."""
    await start_game(discord)
    for number in range(40):
        discord.ask("map", ONLOOKER, TABLE, area=f"A1-{'ABCDEF'[number % 6]}{number // 20 + 2}")
    await asyncio.sleep(0.2)
    children = list_descendants(bot.pid)
    assert len(children) >= 3, "a resource tracker, a fork server and a worker"
    return children


@pytest.mark.parametrize("number", [signal.SIGTERM, SOAK_SIGINT])
async def test_busy_bot_exits_with_0_and_leaves_no_process(
    discord: Loopback, fresh_bot: Process, number: signal.Signals
) -> None:
    children = await start_drawing(discord, fresh_bot)
    assert await fresh_bot.stop(number) == 0
    assert await wait_until_gone(children)


@pytest.mark.soak
@pytest.mark.parametrize("number", [SOAK_SIGTERM, signal.SIGINT])
async def test_signal_to_the_whole_process_group_ends_the_bot(
    discord: Loopback, bot: Process, number: signal.Signals
) -> None:
    """Ctrl-C in a terminal signals every process of the bot, and so may a service manager."""
    children = await start_drawing(discord, bot)
    for pid in children:
        os.kill(pid, number)
    assert await bot.stop(number) == 0
    assert await wait_until_gone(children)


@pytest.mark.soak
async def test_killed_bot_leaves_no_process(discord: Loopback, bot: Process) -> None:
    children = await start_drawing(discord, bot)
    await bot.kill()
    assert await wait_until_gone(children)
