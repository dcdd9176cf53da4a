"""How much memory the bot takes with 1,000 live games, idle and through twenty replays asked at once.

    python -m benchmarks.memory [sqlite|postgresql] [GAMES]

Proportional set size (pages shared between processes are counted once), in megabytes: of the bot alone, and with its
worker processes. Linux only.
"""

import asyncio
import sys
import tempfile
from collections import deque
from pathlib import Path

from tests.wire.loopback import Loopback
from tests.wire.process import Process
from tests.wire.world import CHANNELS, GORDON, ONLOOKER

from .databases import SQLITE, database
from .played import copy, play

GAMES = 1000
ENTRIES = 80
"""Of each game."""
REPLAYS = 20
AT_ONCE = 20
"""Games that are asked about at once, to make all of them live."""
PLAYED = (("magdala", "suakin-1885"), ("empire", "maiwand-1880"), ("tanga", "campaign"))
FIRST = CHANNELS[-1] + 1000
"""The first channel with a copy of a game."""
EVERY = 0.25
"""Seconds between two looks at the memory."""
PATIENCE = 900.0
"""Seconds until Discord takes an answer no longer."""


def children(pid: int) -> set[int]:
    """The processes below one, at any depth."""
    below: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        below.setdefault(parent, []).append(int(stat.parent.name))
    found, new = set[int](), deque([pid])
    while new:
        for child in below.get(new.popleft(), ()):
            found.add(child)
            new.append(child)
    return found


def pss(pid: int) -> float:
    """Megabytes of a process; 0 of one that has gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


class Watch:
    """Looks at the bot's memory again and again."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self.alone = self.together = 0.0

    def look(self) -> tuple[float, float]:
        """Megabytes of the bot alone, and with its workers; the largest are kept."""
        alone = pss(self._pid)
        together = alone + sum(map(pss, children(self._pid)))
        self.alone, self.together = max(self.alone, alone), max(self.together, together)
        return alone, together

    async def go_on(self) -> None:
        """Looks until it is cancelled."""
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(EVERY)


def line(what: str, memory: tuple[float, float], seconds: float | None = None) -> None:
    """Prints a row."""
    took = "" if seconds is None else f"{seconds:9.1f} s"
    print(f"{what:36}{memory[0]:8.0f}{memory[1]:14.0f}{took}", flush=True)


async def touch(discord: Loopback, channels: range) -> None:
    """Has somebody ask how each game stands."""
    for start in range(0, len(channels), AT_ONCE):
        asked = [discord.ask("game status", GORDON, channel) for channel in channels[start : start + AT_ONCE]]
        await asyncio.gather(*(one.wait(PATIENCE) for one in asked))


async def measure(kind: str, count: int) -> None:
    """Plays the games, copies them, starts the bot, asks, prints."""
    discord = Loopback(check_bodies=False)
    await discord.start()
    channels = range(FIRST, FIRST + count)
    with database(kind) as url, tempfile.TemporaryDirectory() as home:
        for number, (system, scenario) in enumerate(PLAYED):
            game = await play(url, FIRST - 1 - number, system, scenario, ENTRIES)
            await copy(url, game, channels[number :: len(PLAYED)])
        umpire = await Process(discord, Path(home), anew=True, UMPIRE_DATABASE_URL=url).start()
        assert umpire._process is not None
        watch = Watch(umpire._process.pid)
        print(f"{kind}: {count} games of {ENTRIES} entries, megabytes (PSS)")
        print(f"{'':36}{'the bot':>8}{'with workers':>14}")
        await asyncio.sleep(5)
        line("started", watch.look())
        await touch(discord, channels)
        await asyncio.sleep(2)
        line(f"{count} games live", watch.look())
        watching = asyncio.create_task(watch.go_on())
        started = asyncio.get_running_loop().time()
        asked = [discord.ask("game replay", ONLOOKER, channel) for channel in channels[:REPLAYS]]
        await asyncio.gather(*(one.wait(PATIENCE) for one in asked), return_exceptions=True)
        seconds = asyncio.get_running_loop().time() - started
        watching.cancel()
        served = sum(any("replay" in str(part) for part in one.messages) for one in asked)
        line(f"peak through {REPLAYS} replays ({served} shown)", (watch.alone, watch.together), seconds)
        await asyncio.sleep(2)
        line("idle again", watch.look())
        await umpire.stop()
    await discord.close()


def main() -> None:
    """Measures with what the command line says."""
    kind = sys.argv[1] if len(sys.argv) > 1 else SQLITE
    asyncio.run(measure(kind, int(sys.argv[2]) if len(sys.argv) > 2 else GAMES))


if __name__ == "__main__":
    main()
