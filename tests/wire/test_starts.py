"""The bot is stopped, killed and restarted: it exits cleanly and keeps every answered action."""

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.program import LOCAL_TABLE_MODULES

from .conftest import run_process
from .loopback import Loopback
from .process import Process, find_tracebacks
from .test_wire import TABLE, add_unit, list_british_units, roll, start_game
from .world import GORDON, KITCHENER, ONLOOKER

COMMANDS = 120
"""Commands sent before the kill: more than the bot answers at once."""


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path) -> AsyncIterator[Process]:
    """A bot without worker processes; test_workers_wire.py tests those."""
    async for process in run_process(Process(discord, tmp_path, UMPIRE_WORKERS="0")):
        yield process


async def test_bot_syncs_its_commands_once_and_starts_without_the_local_table(
    discord: Loopback, tmp_path: Path
) -> None:
    hide = f"import sys; sys.modules.update(dict.fromkeys({LOCAL_TABLE_MODULES}))"
    command = ("-c", f"{hide}; from bot.__main__ import main; sys.exit(main())")
    bot = await Process(discord, tmp_path, command, fresh=True, UMPIRE_WORKERS="0").start()
    opening = await start_game(discord)
    assert opening.pictures
    report = await discord.ask("game report", GORDON, TABLE).wait()
    assert report.is_private
    assert "Suakin" in report.text
    assert discord.sync_count == 1
    assert await bot.stop(signal.SIGTERM) == 0
    assert find_tracebacks(bot.log) == []

    restarted = await Process(discord, tmp_path, UMPIRE_WORKERS="0").start()
    await roll(discord).wait()
    assert discord.sync_count == 1
    assert await restarted.stop(signal.SIGINT) == 0
    assert find_tracebacks(restarted.log) == []


async def test_game_continues_after_a_kill(discord: Loopback, bot: Process) -> None:
    opening = await start_game(discord)
    interactions = [add_unit(discord, number) for number in range(10)]
    await asyncio.gather(*(interaction.wait() for interaction in interactions))
    interactions += [add_unit(discord, number) for number in range(10, COMMANDS)]
    async with asyncio.timeout(20):
        while sum(interaction.is_acknowledged for interaction in interactions) < 13:  # noqa: ASYNC110
            await asyncio.sleep(0)
    await bot.kill()
    numbers = [number for number, interaction in enumerate(interactions) if interaction.is_acknowledged]
    assert 13 <= len(numbers) < COMMANDS

    await bot.start()
    roster = await list_british_units(discord)
    assert [number for number in numbers if roster.count(f"Reserve {number:02}") != 1] == []

    label, button = next((label, ident) for label, ident in opening.buttons.items() if "British" in label)
    joined = await discord.press(opening.messages[0], button, KITCHENER).wait()
    assert "Kitchener" in joined.text, (label, joined.text)
    status = await discord.ask("game status", ONLOOKER, TABLE).wait()
    assert "Kitchener" in status.text


async def test_stop_signals_let_the_bot_finish_its_answers(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    last = await add_unit(discord, 1).wait_for_answer()
    assert await bot.stop(signal.SIGTERM) == 0
    assert last.is_acknowledged
    await bot.start()
    assert "Reserve 01" in await list_british_units(discord)
    assert await bot.stop(signal.SIGINT) == 0
