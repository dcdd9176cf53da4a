"""The bot that is stopped, killed and started again: it ends in order, and nothing that was answered is lost."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.program import LOCAL_TABLE_MODULES

from .conftest import watched
from .loopback import Loopback
from .process import Process, tracebacks
from .test_wire import TABLE, bring_on, names_on_table, roll, start_game
from .world import GORDON, KITCHENER, ONLOOKER

MOST = 120
"""Commands sent before it is killed: more than are answered at once."""


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path) -> AsyncIterator[Process]:
    """One that draws by itself: what its workers do at its end is in test_workers_wire.py."""
    async for process in watched(Process(discord, tmp_path, UMPIRE_WORKERS="0")):
        yield process


async def test_with_a_token_it_logs_in_and_syncs_its_commands_once_and_needs_nothing_of_the_local_table(
    discord: Loopback, tmp_path: Path
) -> None:
    hide = f"import sys; sys.modules.update(dict.fromkeys({LOCAL_TABLE_MODULES}))"
    command = ("-c", f"{hide}; from bot.__main__ import main; sys.exit(main())")
    bot = await Process(discord, tmp_path, command, anew=True, UMPIRE_WORKERS="0").start()
    opening = await start_game(discord)
    assert opening.pictures
    report = await discord.ask("game report", GORDON, TABLE).done()
    assert report.private
    assert "Suakin" in report.text
    assert discord.syncs == 1
    assert await bot.stop(signal.SIGTERM) == 0
    assert tracebacks(bot.log) == []

    again = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    await roll(discord).done()
    assert discord.syncs == 1
    assert await again.stop(signal.SIGINT) == 0
    assert tracebacks(again.log) == []


async def test_a_game_of_before_a_sudden_death_goes_on_after_it(discord: Loopback, bot: Process) -> None:
    opening = await start_game(discord)
    asked = [bring_on(discord, number) for number in range(10)]
    await asyncio.gather(*(one.done() for one in asked))
    asked += [bring_on(discord, number) for number in range(10, MOST)]
    async with asyncio.timeout(20):
        while sum(one.acknowledged for one in asked) < 13:  # noqa: ASYNC110
            await asyncio.sleep(0)
    await bot.kill()
    kept = [number for number, one in enumerate(asked) if one.acknowledged]
    assert 13 <= len(kept) < MOST

    await bot.start()
    there = await names_on_table(discord)
    assert [number for number in kept if there.count(f"Reserve {number:02}") != 1] == []

    label, button = next((label, ident) for label, ident in opening.buttons.items() if "British" in label)
    joined = await discord.press(opening.messages[0], button, KITCHENER).done()
    assert "Kitchener" in joined.text, (label, joined.text)
    status = await discord.ask("game status", ONLOOKER, TABLE).done()
    assert "Kitchener" in status.text


async def test_both_signals_end_it_with_nothing_left_undone(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    last = await bring_on(discord, 1).answered()
    assert await bot.stop(signal.SIGTERM) == 0
    assert last.acknowledged
    await bot.start()
    assert "Reserve 01" in await names_on_table(discord)
    assert await bot.stop(signal.SIGINT) == 0
