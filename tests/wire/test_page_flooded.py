"""Thousands of connections to the live map that never read: the chat answers as before."""

import asyncio
import resource
import statistics
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from .loopback import Loopback
from .page import Page, ask_for_key, find_free_port, make_map_settings
from .process import Process, find_tracebacks
from .world import CHANNELS, GORDON, KITCHENER

TABLE, SECOND_TABLE = CHANNELS[:2]
CONNECTIONS = 10_000
ROLLS = 40
MAX_SLOWDOWN = 2.0
"""Allowed factor of the median answer time."""
USUAL_FILES = 1024
"""Usual limit of a process's open files."""
MAX_MEMORY = 50_000
"""Allowed growth of resident memory in KB."""
PAYLOADS = (
    b"",
    b"GET / HTTP/1.1\r\nHost: map\r\n",
    b"GET /assets/map.js HTTP/1.1\r\nHost: map\r\n\r\n" * 50,
    b"POST /api/session HTTP/1.1\r\nHost: map\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{",
)
"""Bytes that connections send: nothing, half a head, many requests whose answers nobody reads, half a body."""


async def measure_rolls(discord: Loopback) -> float:
    """Return the median seconds until an answer to `/roll`."""
    seconds = []
    for _ in range(ROLLS):
        interaction = await discord.ask("roll", GORDON, SECOND_TABLE, dice="2d6").wait()
        assert interaction.finished_at is not None
        seconds.append(interaction.finished_at - interaction.at)
    return statistics.median(seconds)


async def flood(port: int, count: int) -> Sequence[asyncio.StreamWriter]:
    """Open `count` connections that never read. Some may be refused."""
    writers: list[asyncio.StreamWriter] = []
    for number in range(count):
        with suppress(OSError):
            _, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port, limit=1), 5)
            writer.transport.pause_reading()
            writer.write(PAYLOADS[number % len(PAYLOADS)])
            writers.append(writer)
    return writers


@pytest.fixture
def port() -> int:
    return find_free_port()


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path, port: int) -> AsyncIterator[Process]:
    process = await Process(discord, tmp_path, UMPIRE_WORKERS="0", **make_map_settings(port)).start()
    yield process
    await process.kill()
    assert find_tracebacks(process.log) == []


@pytest.mark.soak
async def test_connections_that_never_read_do_not_stop_the_bot(discord: Loopback, bot: Process, port: int) -> None:
    resource.prlimit(bot.pid, resource.RLIMIT_NOFILE, (USUAL_FILES, USUAL_FILES))
    for channel in (TABLE, SECOND_TABLE):
        await discord.ask("game new", GORDON, channel, rules="magdala", scenario="suakin-1885").wait()
    await discord.ask("game join", KITCHENER, TABLE, side="mahdists").wait()
    calm, memory = await measure_rolls(discord), read_resident_memory(bot.pid)
    writers = await flood(port, min(CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2))
    try:
        flooded = await measure_rolls(discord)
        growth = read_resident_memory(bot.pid) - memory
        print(f"{len(writers)} connections: /roll {calm * 1000:.1f} ms, then {flooded * 1000:.1f} ms; {growth} KB more")
        assert flooded < MAX_SLOWDOWN * calm
        assert growth < MAX_MEMORY
    finally:
        for writer in writers:
            writer.transport.abort()
    async with Page(port) as page:
        await page.open(await ask_for_key(discord, KITCHENER, TABLE))
        await page.read_view()


def read_resident_memory(pid: int) -> int:
    """Return the resident memory of a process in KB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))
