"""Five opponents think in five channels, while `/roll` is asked in a sixth.

    python -m benchmarks.thinking [ROLLS]

Prints how long `/roll` took until its result was there, while nothing else goes on and while the bot plays a battle of
each system at the hard level, every side that no card plays; and the ratio of the two for the slowest of a hundred.
Fails where that is more than 3, where one of the battles did not go on meanwhile, or on a fault of the bot.
"""

import asyncio
import statistics
import sys
import tempfile
from collections import Counter
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
    ("tanga", "campaign"),
)
SEAT, BY_CARD = "Play the ", " turn"
"""Of a button by which one sits down, and of one by which a side's turn is played by its card."""
THINKING = tuple(GUILD + 10 + number for number in range(len(BATTLES)))
ROLLS = 400
PAUSE = 0.05
"""Seconds between an answer to `/roll` and the next one."""
MOST = 3.0
"""Times as long as when nobody thinks, of the slowest of a hundred."""
SETTLE_SECONDS = 5.0
PATIENCE = 180.0


async def rolls(discord: Loopback, count: int) -> list[float]:
    """Milliseconds that each `/roll` takes, one after the other."""
    took = []
    for _ in range(count):
        asked = await discord.ask("roll", GORDON, OTHER, dice="2d6").wait(PATIENCE)
        assert asked.finished_at is not None
        took.append((asked.finished_at - asked.at) * 1000)
        await asyncio.sleep(PAUSE)
    return took


async def begun(discord: Loopback) -> None:
    """The five battles, the bot on every side."""
    for (rules, scenario), channel in zip(BATTLES, THINKING, strict=True):
        new = await discord.ask("game new", GORDON, channel, rules=rules, scenario=scenario).wait(PATIENCE)
        seats = (label for label in new.buttons if label.startswith(SEAT) and not label.endswith(BY_CARD))
        sides = [label.removeprefix(SEAT) for label in seats]
        assert sides, new.text
        await discord.ask("game leave", GORDON, channel).wait(PATIENCE)  # who starts a game against a card has its seat
        for side in sides:
            seated = await discord.ask("opponent side", GORDON, channel, side=side, level="hard").wait(PATIENCE)
            assert "the bot (hard)" in seated.text, seated.text


def messages(discord: Loopback) -> Counter[int]:
    """How many there are in the channels of the battles."""
    channels = (int(message["channel_id"]) for message in discord.world.messages.values())
    return Counter(channel for channel in channels if channel in THINKING)


async def all_told(discord: Loopback, before: Counter[int]) -> None:
    """Waits until each of the battles has had a message more. Raises TimeoutError."""
    for _ in range(int(PATIENCE / PAUSE)):
        if all(messages(discord)[channel] > before[channel] for channel in THINKING):
            return
        await asyncio.sleep(PAUSE)
    raise TimeoutError(f"nothing more was told of some of {BATTLES}")


def shown(name: str, took: Sequence[float]) -> float:
    """Prints the line; the slowest of a hundred."""
    slowest = statistics.quantiles(took, n=100)[98]
    print(f"{name:16}{len(took):6}{statistics.median(took):9.1f}{slowest:8.1f}{max(took):8.1f}", flush=True)
    return slowest


async def measure(count: int) -> list[str]:
    """Starts the bot, asks, prints; what is not as it is to be."""
    discord, wrong = Loopback(check_bodies=False), list[str]()
    await discord.start()
    with tempfile.TemporaryDirectory() as home:
        umpire = await Process(discord, Path(home), anew=True).start()
        await discord.ask("game new", GORDON, OTHER, rules="magdala", scenario="suakin-1885").wait(PATIENCE)
        await rolls(discord, 20)
        await asyncio.sleep(SETTLE_SECONDS)
        print(f"{'/roll, ms':16}{'rolls':>6}{'median':>9}{'p99':>8}{'worst':>8}")
        idle = shown("nobody thinks", await rolls(discord, count))
        await begun(discord)
        await all_told(discord, messages(discord))
        before = messages(discord)
        busy = shown("five think", await rolls(discord, count))
        told = messages(discord) - before
        print(f"ratio of p99: {busy / idle:.1f}; messages meanwhile: {', '.join(str(told[one]) for one in THINKING)}")
        if busy > MOST * idle:
            wrong.append(f"/roll takes more than {MOST:g} times as long")
        wrong += (f"nothing more of {battle}" for battle, one in zip(BATTLES, THINKING, strict=True) if not told[one])
        await umpire.stop()
        if "Traceback" in umpire.log:
            wrong.append(umpire.log[-3000:])
    await discord.close()
    return wrong


def main() -> None:
    """Measures with what the command line says; exits with what is wrong."""
    wrong = asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else ROLLS))
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
