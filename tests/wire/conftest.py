"""A loopback Discord and the bot as a process of its own, for every test that asks for them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from .loopback import Loopback
from .process import Process


@pytest.fixture
async def discord() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()
    assert loopback.wrong == []


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path) -> AsyncIterator[Process]:
    process = await Process(discord, tmp_path).start()
    yield process
    await process.kill()
    assert "Traceback" not in process.said, process.said
