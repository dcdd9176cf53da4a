"""Fixtures: a loopback Discord, and the bot as a separate process."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from .loopback import Loopback
from .process import Process, find_tracebacks


@pytest.fixture
async def discord() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()
    assert loopback.errors == []


async def run_process(process: Process) -> AsyncIterator[Process]:
    """Start the process, yield it, and kill it after the test. Fail if it logged a traceback."""
    yield await process.start()
    await process.kill()
    assert not (tracebacks := find_tracebacks(process.log)), "\n\n".join(tracebacks)


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path) -> AsyncIterator[Process]:
    async for process in run_process(Process(discord, tmp_path)):
        yield process


@pytest.fixture
async def fresh_bot(discord: Loopback, tmp_path: Path) -> AsyncIterator[Process]:
    """A bot in a new Python interpreter, not forked: for tests of the start, or of worker processes."""
    async for process in run_process(Process(discord, tmp_path, fresh=True)):
        yield process
