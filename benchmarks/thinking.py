"""Five opponents decide in five channels during `/roll` commands in a sixth.

    python -m benchmarks.thinking [ROLLS]

Prints times of `/roll` until its result, idle and while the bot plays a battle of each system at level hard, on every
side without a card; and the ratio of the 99th percentiles. Fails if the ratio exceeds 3, if one of the battles did not
advance meanwhile, or on an error of the bot.
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
SEAT_LABEL, CARD_LABEL = "Play the ", " turn"
"""Label parts of seat buttons, and of buttons for turns played by the card."""
THINKING = tuple(GUILD + 10 + number for number in range(len(BATTLES)))
ROLLS = 400
PAUSE = 0.05
"""Seconds between an answer to `/roll` and the next one."""
MAX_RATIO = 3.0
"""Maximum ratio of the 99th percentile to that without thinking bots."""
SETTLE_SECONDS = 5.0
PATIENCE = 180.0


async def time_rolls(discord: Loopback, count: int) -> list[float]:
    """Return the milliseconds of successive `/roll` commands."""
    milliseconds = []
    for _ in range(count):
        request = await discord.ask("roll", GORDON, OTHER, dice="2d6").wait(PATIENCE)
        assert request.finished_at is not None
        milliseconds.append((request.finished_at - request.at) * 1000)
        await asyncio.sleep(PAUSE)
    return milliseconds


async def start_battles(discord: Loopback) -> None:
    """Start the five battles with the bot on every side."""
    for (rules, scenario), channel in zip(BATTLES, THINKING, strict=True):
        new = await discord.ask("game new", GORDON, channel, rules=rules, scenario=scenario).wait(PATIENCE)
        seats = (label for label in new.buttons if label.startswith(SEAT_LABEL) and not label.endswith(CARD_LABEL))
        sides = [label.removeprefix(SEAT_LABEL) for label in seats]
        assert sides, new.text
        await discord.ask("game leave", GORDON, channel).wait(PATIENCE)  # the starter got a seat
        for side in sides:
            seated = await discord.ask("opponent side", GORDON, channel, side=side, level="hard").wait(PATIENCE)
            assert "the bot (hard)" in seated.text, seated.text


def count_messages(discord: Loopback) -> Counter[int]:
    """Count the messages in the channels of the battles."""
    channels = (int(message["channel_id"]) for message in discord.world.messages.values())
    return Counter(channel for channel in channels if channel in THINKING)


async def wait_for_messages(discord: Loopback, before: Counter[int]) -> None:
    """Wait until each battle has posted another message. Raises TimeoutError."""
    for _ in range(int(PATIENCE / PAUSE)):
        if all(count_messages(discord)[channel] > before[channel] for channel in THINKING):
            return
        await asyncio.sleep(PAUSE)
    raise TimeoutError(f"nothing more was told of some of {BATTLES}")


def print_times(name: str, milliseconds: Sequence[float]) -> float:
    """Print the line. Return the 99th percentile."""
    slowest = statistics.quantiles(milliseconds, n=100)[98]
    print(
        f"{name:16}{len(milliseconds):6}{statistics.median(milliseconds):9.1f}{slowest:8.1f}{max(milliseconds):8.1f}",
        flush=True,
    )
    return slowest


async def measure(count: int) -> list[str]:
    """Start the bot, measure and print. Return the failed checks."""
    discord, failures = Loopback(check_bodies=False), list[str]()
    await discord.start()
    with tempfile.TemporaryDirectory() as home:
        umpire = await Process(discord, Path(home), fresh=True).start()
        await discord.ask("game new", GORDON, OTHER, rules="magdala", scenario="suakin-1885").wait(PATIENCE)
        await time_rolls(discord, 20)
        await asyncio.sleep(SETTLE_SECONDS)
        print(f"{'/roll, ms':16}{'rolls':>6}{'median':>9}{'p99':>8}{'worst':>8}")
        idle = print_times("nobody thinks", await time_rolls(discord, count))
        await start_battles(discord)
        await wait_for_messages(discord, count_messages(discord))
        before = count_messages(discord)
        busy = print_times("five think", await time_rolls(discord, count))
        counts = count_messages(discord) - before
        meanwhile = ", ".join(str(counts[channel]) for channel in THINKING)
        print(f"ratio of p99: {busy / idle:.1f}; messages meanwhile: {meanwhile}")
        if busy > MAX_RATIO * idle:
            failures.append(f"/roll takes more than {MAX_RATIO:g} times as long")
        failures += (
            f"nothing more of {battle}"
            for battle, channel in zip(BATTLES, THINKING, strict=True)
            if not counts[channel]
        )
        await umpire.stop()
        if "Traceback" in umpire.log:
            failures.append(umpire.log[-3000:])
    await discord.close()
    return failures


def main() -> None:
    """Parse the command line, measure, and exit with the failed checks."""
    failures = asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else ROLLS))
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
