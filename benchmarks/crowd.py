"""Ten onlookers read a game of 2,000 entries at once, while `/roll` is asked in another channel's game.

    python -m benchmarks.crowd [sqlite|postgresql] [ENTRIES]

Prints for each reading how long the other channel's `/roll` took meanwhile, until its result was there, and how many
were lost, as their answer came too late for Discord; how many of the ten were answered with what they asked for (the
others were told that it was on its way, or nothing), and after how long the last of them was. Nobody waits for anybody
where `/roll` takes as long as when nobody reads.
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

from .databases import SQLITE, database
from .played import play

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
SETTLED, QUICK_SECONDS = 5, 0.2
"""So many answers in a row, each within so many seconds, show that the bot is at rest."""
GIVEN_UP = 4.0
"""Seconds after which Discord, which takes a first word for three, has surely given up."""
PATIENCE = 180.0
"""Seconds that a "thinking…" may stand."""
ENTRIES = 2000


async def rolls(discord: Loopback, until: asyncio.Event) -> list[float | None]:
    """Milliseconds that each `/roll` in the other channel takes, one after the other; None of one never answered."""
    took: list[float | None] = []
    while not until.is_set():
        asked = discord.ask("roll", GORDON, OTHER, dice="2d6")
        end = await answered(asked)
        took.append(None if end is None else (end - asked.at) * 1000)
        await asyncio.sleep(PAUSE)
    return took


async def answered(asked: Interaction) -> float | None:
    """The moment of its result; None where Discord would have given up waiting for a first word."""
    try:
        await asked.wait_for_answer(GIVEN_UP)
        await asked.wait(PATIENCE)
    except TimeoutError:
        return None
    return asked.finished_at


async def settled(discord: Loopback) -> None:
    """Waits until the bot has done with whatever was asked before."""
    quick = 0
    while quick < SETTLED:
        asked = discord.ask("roll", GORDON, OTHER, dice="2d6")
        end = await answered(asked)
        quick = quick + 1 if end is not None and end - asked.at < QUICK_SECONDS else 0


async def reading(discord: Loopback, question: Sequence[object]) -> tuple[list[float | None], int, float]:
    """How long `/roll` took meanwhile, how many of the ten were served, and after how many seconds the last was."""
    until = asyncio.Event()
    rolling = asyncio.create_task(rolls(discord, until))
    await asyncio.sleep(0.2)
    started, served = monotonic(), 0
    ends: Sequence[float | None] = ()
    if question:
        command, options = question
        asked = [discord.ask(str(command), one, READ, **dict(options)) for one in ONLOOKERS]  # type: ignore[call-overload]
        ends = await asyncio.gather(*map(answered, asked))
        served = sum(end is not None and "on its way" not in one.text for one, end in zip(asked, ends, strict=True))
    else:
        await asyncio.sleep(QUIET_SECONDS)
    until.set()
    last = max((end - started for end in ends if end is not None), default=0.0)
    return await rolling, served, last


async def measure(kind: str, entries: int) -> None:
    """Plays the games, asks, prints."""
    discord = Loopback(check_bodies=False)
    await discord.start()
    with database(kind) as url, tempfile.TemporaryDirectory() as home:
        await play(url, READ, "magdala", "suakin-1885", entries)
        await play(url, OTHER, "magdala", "suakin-1885", 2)
        umpire = await Process(discord, Path(home), anew=True, UMPIRE_DATABASE_URL=url).start()
        await discord.ask("game status", GORDON, OTHER).wait(PATIENCE)
        await asyncio.sleep(5)
        print(f"{kind}: {len(ONLOOKERS)} read a game of {entries} entries; another channel's /roll, milliseconds")
        print(f"{'':14}{'rolls':>7}{'lost':>6}{'median':>8}{'worst':>8}{'served':>8}{'seconds':>9}")
        for name, question in QUESTIONS.items():
            await settled(discord)
            took, served, seconds = await reading(discord, question)
            told = [one for one in took if one is not None] or [float("nan")]
            worst, middle, lost = max(told), statistics.median(told), took.count(None)
            print(f"{name:14}{len(took):7}{lost:6}{middle:8.1f}{worst:8.1f}{served:8}{seconds:9.1f}", flush=True)
        await umpire.stop()
    await discord.close()


def main() -> None:
    """Measures with what the command line says."""
    kind = sys.argv[1] if len(sys.argv) > 1 else SQLITE
    asyncio.run(measure(kind, int(sys.argv[2]) if len(sys.argv) > 2 else ENTRIES))


if __name__ == "__main__":
    main()
