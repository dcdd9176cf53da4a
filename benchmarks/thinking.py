"""Five opponents think in five channels, while `/roll` is asked in a sixth.

    python -m benchmarks.thinking [ROLLS]

Prints how long `/roll` took until its result was there, while nothing else goes on and while the bot plays both sides
of five battles at the hard level; and the ratio of the two, which is to be 3 at most for the slowest of a hundred.
"""

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.wire.loopback import Loopback
from tests.wire.process import Process
from tests.wire.world import CHANNELS, GORDON, GUILD

OTHER = CHANNELS[0]
BATTLES = (
    ("magdala", "suakin-1885"),
    ("empire", "el-teb-1884"),
    ("charge", "bridge"),
    ("great_war", "trench"),
    ("great_war", "village"),
)
THINKING = tuple(GUILD + 10 + number for number in range(len(BATTLES)))
ROLLS = 400
PAUSE = 0.05
"""Seconds between an answer to `/roll` and the next one."""
SETTLE_SECONDS = 5.0
PATIENCE = 180.0


async def rolls(discord: Loopback, count: int) -> list[float]:
    """Milliseconds that each `/roll` takes, one after the other."""
    took = []
    for _ in range(count):
        asked = await discord.ask("roll", GORDON, OTHER, dice="2d6").done(PATIENCE)
        assert asked.finished_at is not None
        took.append((asked.finished_at - asked.at) * 1000)
        await asyncio.sleep(PAUSE)
    return took


async def begun(discord: Loopback) -> None:
    """The five battles, the bot on every side."""
    for (rules, scenario), channel in zip(BATTLES, THINKING, strict=True):
        new = await discord.ask("game new", GORDON, channel, rules=rules, scenario=scenario).done(PATIENCE)
        sides = [label.removeprefix("Play the ") for label in new.buttons if label.startswith("Play the ")]
        assert len(sides) > 1, new.text
        for side in sides:
            seated = await discord.ask("opponent side", GORDON, channel, side=side, level="hard").done(PATIENCE)
            assert "the bot (hard)" in seated.text, seated.text


def shown(name: str, took: Sequence[float]) -> float:
    """Prints the line; the slowest of a hundred."""
    slowest = statistics.quantiles(took, n=100)[98]
    print(f"{name:16}{len(took):6}{statistics.median(took):9.1f}{slowest:8.1f}{max(took):8.1f}", flush=True)
    return slowest


async def measure(count: int) -> None:
    """Starts the bot, asks, prints."""
    discord = Loopback(check_bodies=False)
    await discord.start()
    with tempfile.TemporaryDirectory() as home:
        umpire = await Process(discord, Path(home), anew=True).start()
        await discord.ask("game new", GORDON, OTHER, rules="magdala", scenario="suakin-1885").done(PATIENCE)
        await rolls(discord, 20)
        await asyncio.sleep(SETTLE_SECONDS)
        print(f"{'/roll, ms':16}{'rolls':>6}{'median':>9}{'p99':>8}{'worst':>8}")
        idle = shown("nobody thinks", await rolls(discord, count))
        await begun(discord)
        before = len(discord.world.messages)
        busy = shown("five think", await rolls(discord, count))
        print(f"ratio of p99: {busy / idle:.1f}; messages meanwhile: {len(discord.world.messages) - before}")
        await umpire.stop()
        print(
            "faults" if "Traceback" in umpire.said else "no fault",
            umpire.said[-3000:] if "Traceback" in umpire.said else "",
        )
    await discord.close()


def main() -> None:
    """Measures with what the command line says."""
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else ROLLS))


if __name__ == "__main__":
    main()
