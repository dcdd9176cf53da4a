"""A loopback Discord and the bot as a process of its own, for every test that asks for them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from .loopback import Loopback
from .process import Process, tracebacks


@pytest.fixture
async def discord() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()
    assert loopback.wrong == []


async def watched(process: Process) -> AsyncIterator[Process]:
    """Starts it, and ends it after the test. Fails where it stumbled meanwhile."""
    yield await process.start()
    await process.kill()
    assert not (said := tracebacks(process.log)), "\n\n".join(said)


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path) -> AsyncIterator[Process]:
    async for process in watched(Process(discord, tmp_path)):
        yield process


@pytest.fixture
async def bot_anew(discord: Loopback, tmp_path: Path) -> AsyncIterator[Process]:
    """One that was not forked: where a test is about starting, or about all its processes."""
    async for process in watched(Process(discord, tmp_path, anew=True)):
        yield process
