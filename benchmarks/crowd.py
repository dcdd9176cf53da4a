"""Ten onlookers read a game of 2,000 entries simultaneously during `/roll` commands in another channel's game.

    python -m benchmarks.crowd [sqlite|postgresql] [ENTRIES]

Prints for each kind of reading: times of the other channel's `/roll` until its result, lost rolls, whose reply came too
late for Discord, the number of onlookers who got their result (others were told that it was on its way, or nothing),
and the seconds until the last result. Readings block nobody if `/roll` is as fast as without them.
"""

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from tests.wire.interaction import Interaction
from tests.wire.loopback import Loopback
from tests.wire.process import Process
from tests.wire.world import CHANNELS, GORDON, Person

from .databases import SQLITE, open_database
from .played import play_game

READ, OTHER = CHANNELS[0], CHANNELS[1]
ONLOOKERS = tuple(Person(9000 + number, f"Onlooker {number}") for number in range(10))
QUESTIONS = {
    "nobody reads": (),
    "/game log": ("game log", {"last": 100}),
    "/game report": ("game report", {}),
    "/game export": ("game export", {}),
    "/game replay": ("game replay", {}),
    "/dice verify": ("dice verify", {}),
    "/dice luck": ("dice luck", {}),
}
PAUSE = 0.05
"""Seconds between an answer to `/roll` and the next one."""
QUIET_SECONDS = 3.0
QUICK_REPLIES, QUICK_SECONDS = 5, 0.2
"""Number of successive replies, and maximum seconds of each, that show an idle bot."""
REPLY_LIMIT = 4.0
"""Seconds after which Discord, whose limit is three, has certainly given up."""
PATIENCE = 180.0
"""Maximum seconds of a "thinking…" message."""
ENTRIES = 2000


async def roll_repeatedly(discord: Loopback, until: asyncio.Event) -> list[float | None]:
    """Return the milliseconds of successive `/roll` commands in the other channel, None for unanswered ones."""
    milliseconds: list[float | None] = []
    while not until.is_set():
        request = discord.ask("roll", GORDON, OTHER, dice="2d6")
        end = await wait_for_result(request)
        milliseconds.append(None if end is None else (end - request.at) * 1000)
        await asyncio.sleep(PAUSE)
    return milliseconds


async def wait_for_result(request: Interaction) -> float | None:
    """Return the time of the result, or None if Discord would have given up on the first reply."""
    try:
        await request.wait_for_answer(REPLY_LIMIT)
        await request.wait(PATIENCE)
    except TimeoutError:
        return None
    return request.finished_at


async def wait_until_idle(discord: Loopback) -> None:
    """Wait until the bot has finished all earlier work."""
    quick = 0
    while quick < QUICK_REPLIES:
        request = discord.ask("roll", GORDON, OTHER, dice="2d6")
        end = await wait_for_result(request)
        quick = quick + 1 if end is not None and end - request.at < QUICK_SECONDS else 0


async def measure_reading(discord: Loopback, question: Sequence[object]) -> tuple[list[float | None], int, float]:
    """Return times of `/roll` meanwhile, the number of served onlookers, and seconds until the last result."""
    until = asyncio.Event()
    rolling = asyncio.create_task(roll_repeatedly(discord, until))
    await asyncio.sleep(0.2)
    start, served = monotonic(), 0
    ends: Sequence[float | None] = ()
    if question:
        command, options = question
        requests = [discord.ask(str(command), onlooker, READ, **dict(options)) for onlooker in ONLOOKERS]  # type: ignore[call-overload]
        ends = await asyncio.gather(*map(wait_for_result, requests))
        served = sum(
            end is not None and "on its way" not in request.text for request, end in zip(requests, ends, strict=True)
        )
    else:
        await asyncio.sleep(QUIET_SECONDS)
    until.set()
    last = max((end - start for end in ends if end is not None), default=0.0)
    return await rolling, served, last


async def measure(kind: str, entries: int) -> None:
    """Play the games, measure and print."""
    discord = Loopback(check_bodies=False)
    await discord.start()
    with open_database(kind) as url, tempfile.TemporaryDirectory() as home:
        await play_game(url, READ, "magdala", "suakin-1885", entries)
        await play_game(url, OTHER, "magdala", "suakin-1885", 2)
        umpire = await Process(discord, Path(home), fresh=True, UMPIRE_DATABASE_URL=url).start()
        await discord.ask("game status", GORDON, OTHER).wait(PATIENCE)
        await asyncio.sleep(5)
        print(f"{kind}: {len(ONLOOKERS)} read a game of {entries} entries; another channel's /roll, milliseconds")
        print(f"{'':14}{'rolls':>7}{'lost':>6}{'median':>8}{'worst':>8}{'served':>8}{'seconds':>9}")
        for name, question in QUESTIONS.items():
            await wait_until_idle(discord)
            measured, served, seconds = await measure_reading(discord, question)
            values = [milliseconds for milliseconds in measured if milliseconds is not None] or [float("nan")]
            worst, middle, unanswered = max(values), statistics.median(values), measured.count(None)
            print(
                f"{name:14}{len(measured):7}{unanswered:6}{middle:8.1f}{worst:8.1f}{served:8}{seconds:9.1f}", flush=True
            )
        await umpire.stop()
    await discord.close()


def main() -> None:
    """Parse the command line and measure."""
    kind = sys.argv[1] if len(sys.argv) > 1 else SQLITE
    asyncio.run(measure(kind, int(sys.argv[2]) if len(sys.argv) > 2 else ENTRIES))


if __name__ == "__main__":
    main()
