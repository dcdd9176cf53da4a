"""Memory of the bot with 1,000 live games, idle and during twenty simultaneous replays.

    python -m benchmarks.memory [sqlite|postgresql] [GAMES]

Prints the proportional set size (shared pages count once) in megabytes: of the bot alone, and with its worker
processes. Linux only.
"""

import asyncio
import sys
import tempfile
from collections import deque
from pathlib import Path

from tests.wire.loopback import Loopback
from tests.wire.process import Process
from tests.wire.world import CHANNELS, GORDON, ONLOOKER

from .databases import SQLITE, open_database
from .played import copy_game, play_game

GAMES = 1000
ENTRIES = 80
"""Number of entries of each game."""
REPLAYS = 20
SIMULTANEOUS = 20
"""Number of games queried simultaneously, to load all of them."""
PLAYED = (("magdala", "suakin-1885"), ("empire", "maiwand-1880"), ("tanga", "campaign"))
FIRST_COPY_CHANNEL = CHANNELS[-1] + 1000
"""The first channel with a copy of a game."""
SAMPLE_INTERVAL = 0.25
"""Seconds between two memory samples."""
PATIENCE = 900.0
"""Seconds after which Discord rejects a reply."""


def list_descendants(pid: int) -> set[int]:
    """Return all descendants of a process."""
    below: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        below.setdefault(parent, []).append(int(stat.parent.name))
    descendants, new = set[int](), deque([pid])
    while new:
        for child in below.get(new.popleft(), ()):
            descendants.add(child)
            new.append(child)
    return descendants


def measure_process(pid: int) -> float:
    """Return the proportional set size of a process in megabytes, 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


class MemorySampler:
    """Sampler of the bot's memory."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.alone = self.together = 0.0

    def look(self) -> tuple[float, float]:
        """Return the megabytes of the bot alone and with its workers. Keeps the maxima."""
        alone = measure_process(self._pid)
        together = alone + sum(map(measure_process, list_descendants(self._pid)))
        self.alone, self.together = max(self.alone, alone), max(self.together, together)
        return alone, together

    async def go_on(self) -> None:
        """Sample until cancelled."""
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(SAMPLE_INTERVAL)


def print_row(title: str, memory: tuple[float, float], seconds: float | None = None) -> None:
    """Print a row."""
    duration = "" if seconds is None else f"{seconds:9.1f} s"
    print(f"{title:36}{memory[0]:8.0f}{memory[1]:14.0f}{duration}", flush=True)


async def ask_status(discord: Loopback, channels: range) -> None:
    """Ask for the status of each game."""
    for start in range(0, len(channels), SIMULTANEOUS):
        requests = [discord.ask("game status", GORDON, channel) for channel in channels[start : start + SIMULTANEOUS]]
        await asyncio.gather(*(request.wait(PATIENCE) for request in requests))


async def measure(kind: str, count: int) -> None:
    """Play and copy the games, start the bot, measure and print."""
    discord = Loopback(check_bodies=False)
    await discord.start()
    channels = range(FIRST_COPY_CHANNEL, FIRST_COPY_CHANNEL + count)
    with open_database(kind) as url, tempfile.TemporaryDirectory() as home:
        for number, (system, scenario) in enumerate(PLAYED):
            game = await play_game(url, FIRST_COPY_CHANNEL - 1 - number, system, scenario, ENTRIES)
            await copy_game(url, game, channels[number :: len(PLAYED)])
        umpire = await Process(discord, Path(home), fresh=True, UMPIRE_DATABASE_URL=url).start()
        assert umpire._process is not None
        watch = MemorySampler(umpire._process.pid)
        print(f"{kind}: {count} games of {ENTRIES} entries, megabytes (PSS)")
        print(f"{'':36}{'the bot':>8}{'with workers':>14}")
        await asyncio.sleep(5)
        print_row("started", watch.look())
        await ask_status(discord, channels)
        await asyncio.sleep(2)
        print_row(f"{count} games live", watch.look())
        watching = asyncio.create_task(watch.go_on())
        start = asyncio.get_running_loop().time()
        requests = [discord.ask("game replay", ONLOOKER, channel) for channel in channels[:REPLAYS]]
        await asyncio.gather(*(request.wait(PATIENCE) for request in requests), return_exceptions=True)
        seconds = asyncio.get_running_loop().time() - start
        watching.cancel()
        served = sum(any("replay" in str(part) for part in request.messages) for request in requests)
        print_row(f"peak through {REPLAYS} replays ({served} shown)", (watch.alone, watch.together), seconds)
        await asyncio.sleep(2)
        print_row("idle again", watch.look())
        await umpire.stop()
    await discord.close()


def main() -> None:
    """Parse the command line and measure."""
    kind = sys.argv[1] if len(sys.argv) > 1 else SQLITE
    asyncio.run(measure(kind, int(sys.argv[2]) if len(sys.argv) > 2 else GAMES))


if __name__ == "__main__":
    main()
