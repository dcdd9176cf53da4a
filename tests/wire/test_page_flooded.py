"""Thousands of connections to the live map that open and never read: the chat answers as before."""

import asyncio
import resource
import statistics
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from .loopback import Loopback
from .page import Page, ask_for_key, free_port, map_settings
from .process import Process, tracebacks
from .world import CHANNELS, GORDON, KITCHENER

TABLE, BESIDE = CHANNELS[:2]
MOST = 10_000
ROLLS = 40
SLOWER = 2.0
"""Times as long as before, of the median."""
USUAL_FILES = 1024
"""Files that a process may usually open."""
MOST_MEMORY = 50_000
"""KB."""
SAID = (
    b"",
    b"GET / HTTP/1.1\r\nHost: map\r\n",
    b"GET /assets/map.js HTTP/1.1\r\nHost: map\r\n\r\n" * 50,
    b"POST /api/session HTTP/1.1\r\nHost: map\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{",
)
"""What the connections send: nothing, half a head, more questions than anybody reads answers to, half a body."""


async def rolls(discord: Loopback) -> float:
    """Return the median time of an answer to `/roll`, in seconds."""
    took = []
    for _ in range(ROLLS):
        asked = await discord.ask("roll", GORDON, BESIDE, dice="2d6").done()
        assert asked.finished_at is not None
        took.append(asked.finished_at - asked.at)
    return statistics.median(took)


async def flood(port: int, count: int) -> Sequence[asyncio.StreamWriter]:
    """Open connections which never read. Some may be refused."""
    opened: list[asyncio.StreamWriter] = []
    for number in range(count):
        with suppress(OSError):
            _, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port, limit=1), 5)
            writer.transport.pause_reading()
            writer.write(SAID[number % len(SAID)])
            opened.append(writer)
    return opened


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path, port: int) -> AsyncIterator[Process]:
    process = await Process(discord, tmp_path, UMPIRE_WORKERS="0", **map_settings(port)).start()
    yield process
    await process.kill()
    assert tracebacks(process.log) == []


@pytest.mark.soak
async def test_connections_that_never_read_do_not_stop_the_bot(discord: Loopback, bot: Process, port: int) -> None:
    resource.prlimit(bot.pid, resource.RLIMIT_NOFILE, (USUAL_FILES, USUAL_FILES))
    for channel in (TABLE, BESIDE):
        await discord.ask("game new", GORDON, channel, rules="magdala", scenario="suakin-1885").done()
    await discord.ask("game join", KITCHENER, TABLE, side="mahdists").done()
    calm, memory = await rolls(discord), resident_memory(bot.pid)
    opened = await flood(port, min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2))
    try:
        flooded = await rolls(discord)
        more = resident_memory(bot.pid) - memory
        print(f"{len(opened)} connections: /roll {calm * 1000:.1f} ms, then {flooded * 1000:.1f} ms; {more} KB more")
        assert flooded < SLOWER * calm
        assert more < MOST_MEMORY
    finally:
        for writer in opened:
            writer.transport.abort()
    async with Page(port) as page:
        await page.open(await ask_for_key(discord, KITCHENER, TABLE))
        await page.view()


def resident_memory(pid: int) -> int:
    """Return the resident memory of a process in KB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))
