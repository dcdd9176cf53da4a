"""Measure one channel's game while six members keep sending hostile files to the bot.

python -m benchmarks.hostile [QUESTIONS]

Prints how long `/roll` and `/turn status` of the other channel take with no senders and with six, and the ratio of the
medians. Fails if the ratio exceeds 1.5, a file was not refused, or the bot logged a fault.
"""

import asyncio
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.wire.hostile_files import SYSTEM, make_dotted_key, make_faulty_scenario, make_large_export, make_nested_lists
from tests.wire.loopback import Loopback
from tests.wire.process import Process
from tests.wire.world import CHANNELS, GORDON, Person

TABLE, OTHER = CHANNELS[0], CHANNELS[1]
SIX = tuple(Person(9100 + number, f"Stranger {number}") for number in range(6))
QUESTIONS: tuple[tuple[str, dict[str, str]], ...] = (("roll", {"dice": "2d6"}), ("turn status", {}))
COUNT, ROUNDS = 400, 4
PAUSE = 0.05
"""Seconds between an answer and the next question."""
MAX_RATIO = 1.5
"""Highest allowed ratio to the time without senders."""
SETTLE_SECONDS = 5.0
PATIENCE = 180.0


async def measure_commands(discord: Loopback, count: int) -> list[float]:
    """Return the milliseconds of successive commands."""
    milliseconds = []
    for number in range(count):
        command, options = QUESTIONS[number % len(QUESTIONS)]
        request = await discord.ask(command, GORDON, OTHER, **options).wait(PATIENCE)
        assert request.finished_at is not None
        milliseconds.append((request.finished_at - request.at) * 1000)
        await asyncio.sleep(PAUSE)
    return milliseconds


async def send_files(
    discord: Loopback, person: Person, files: Sequence[tuple[str, bytes]], answers: Counter[str]
) -> None:
    """Send the files in turn until the task is cancelled; `answers` counts them."""
    number = int(person.name.split()[1])
    while True:
        command, file = files[number % len(files)]
        options = {"rules": SYSTEM} if command.startswith("scenario") else {}
        request = await discord.ask(command, person, TABLE, file=file, **options).wait(PATIENCE)
        await asyncio.sleep(PAUSE)  # until "…" has been replaced by the reply
        answers[request.text[:70]] += 1
        number += 1


def print_times(name: str, milliseconds: Sequence[float]) -> float:
    """Print the line; return the median."""
    slowest, median = statistics.quantiles(milliseconds, n=100)[98], statistics.median(milliseconds)
    print(f"{name:14}{len(milliseconds):6}{median:9.1f}{slowest:8.1f}{max(milliseconds):8.1f}", flush=True)
    return median


async def measure(count: int) -> list[str]:
    """Start the bot, measure and print. Return a message for each failed check."""
    discord, failures, answers = Loopback(check_bodies=False), list[str](), Counter[str]()
    await discord.start()
    with tempfile.TemporaryDirectory() as home:
        umpire = await Process(discord, Path(home), fresh=True).start()
        await discord.ask("game new", GORDON, OTHER, rules="magdala", scenario="suakin-1885").wait(PATIENCE)
        await discord.ask("game export", GORDON, OTHER).wait(PATIENCE)
        exported = next(data for name, data in discord.sent_files.items() if name.endswith(".json"))
        files = [
            ("scenario upload", file)
            for file in (
                make_dotted_key(),
                make_nested_lists(),
                make_faulty_scenario(),
            )
        ]
        files += [("game import", make_large_export(exported, entries)) for entries in (6000, 990)]
        await measure_commands(discord, 40)
        await asyncio.sleep(SETTLE_SECONDS)
        print(f"{'ms':14}{'asked':>6}{'median':>9}{'p99':>8}{'worst':>8}")
        quiet, busy = list[float](), list[float]()
        for _ in range(ROUNDS):
            quiet += await measure_commands(discord, count // ROUNDS)
            senders = [asyncio.create_task(send_files(discord, person, files, answers)) for person in SIX]
            busy += await measure_commands(discord, count // ROUNDS)
            for sender in senders:
                sender.cancel()
            await asyncio.sleep(SETTLE_SECONDS)
        ratio = print_times("six send", busy) / print_times("nobody sends", quiet)
        print(f"ratio of medians: {ratio:.2f}")
        for text, times in answers.most_common():
            print(f"  {times} × {text}")
        if ratio > MAX_RATIO:
            failures.append(f"other channels' answers take more than {MAX_RATIO:g} times as long")
        if not answers or any("imports this" in text or "A game runs" in text for text in answers):
            failures.append("a file was not refused")
        await umpire.stop()
        if "Traceback" in umpire.log:
            failures.append(umpire.log[-3000:])
    await discord.close()
    return failures


def main() -> None:
    """Parse the command line, measure, and exit with the failed checks."""
    failures = asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT))
    sys.exit("\n".join(failures) or None)


if __name__ == "__main__":
    main()
