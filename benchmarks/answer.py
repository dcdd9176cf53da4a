"""How soon the bot answers: `/morale` in a running game against a bare discord.py command, over the same loopback.

    python -m benchmarks.answer [COUNT]

One question at a time, from the moment the event is sent until the result is there (not only "thinking").
"""

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.wire.asked import Asked
from tests.wire.loopback import Loopback
from tests.wire.process import Process
from tests.wire.world import CHANNELS, GORDON

COUNT = 300
WARM_UP = 20
BARE = Path(__file__).with_name("bare.py")
UNIT = "1st Berkshires"

Ask = Callable[[Loopback], Asked]


def bare(discord: Loopback) -> Asked:
    """The command that only answers a line."""
    return discord.ask("morale", GORDON, CHANNELS[0])


def in_game(discord: Loopback) -> Asked:
    """The umpire tests an unharmed unit in the channel's game: rights, rules, dice, journal, answer."""
    return discord.ask("morale", GORDON, CHANNELS[0], unit=UNIT, with_="umpire's call")


def roll(discord: Loopback) -> Asked:
    """The umpire throws dice, with no game."""
    return discord.ask("roll", GORDON, CHANNELS[1], dice="2d6")


async def timed(discord: Loopback, ask: Ask, count: int) -> list[float]:
    """Milliseconds of each answer."""
    times = []
    for number in range(WARM_UP + count):
        asked = await ask(discord).done()
        assert asked.finished_at is not None
        assert not asked.private, asked.text
        if number >= WARM_UP:
            times.append((asked.finished_at - asked.at) * 1000)
    return times


async def measure(count: int) -> dict[str, list[float]]:
    """Milliseconds by what was asked."""
    times = {}
    discord = Loopback(check_bodies=False)
    await discord.start()
    with tempfile.TemporaryDirectory() as home:
        least = await Process(discord, Path(home), command=(str(BARE),)).start()
        times["bare command"] = await timed(discord, bare, count)
        await least.kill()
        umpire = await Process(discord, Path(home)).start()
        times["/roll"] = await timed(discord, roll, count)
        await discord.ask("game new", GORDON, CHANNELS[0], rules="magdala", scenario="suakin-1885").done()
        times["/morale in a game"] = await timed(discord, in_game, count)
        await umpire.stop()
    await discord.close()
    return times


def main() -> None:
    """Prints the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    times = asyncio.run(measure(count))
    least = statistics.median(times["bare command"])
    print(f"{count} answers each, milliseconds")
    print(f"{'':20}{'median':>8}{'p99':>8}{'ratio':>8}")
    for name, taken in times.items():
        median, p99 = statistics.median(taken), statistics.quantiles(taken, n=100)[98]
        print(f"{name:20}{median:8.1f}{p99:8.1f}{median / least:8.1f}")


if __name__ == "__main__":
    main()
