"""The bot is killed at every moment of a turn that it plays for somebody whose time was up.

All that is stored is told once, and so is the reminder that says that the bot stands in. Whoever is back takes over.
"""

import asyncio
import random
import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from bot.games.missed_turns import MISSED
from bot.store import Store
from bot.store.tables import ENTRIES
from tests.daily import one_a_day
from tests.fuzz import get_daily_seed

from .asked import words
from .killed_at import POINTS, REMINDER_POINTS
from .loopback import Loopback
from .process import Process, tracebacks
from .test_bot_turn_killed import JOURNAL, TABLE, Table, address
from .waiting import quiet, until
from .world import GORDON, KITCHENER, ONLOOKER

__all__ = ["address"]

HOURS = 10
STANDS_IN = re.compile("The bot (plays this|was to play that) turn for the Germans.")
"""What a reminder says; afterwards, if the process that was to send it died and the bot has played meanwhile."""
EVERY_POINT = (*REMINDER_POINTS, *POINTS)
A_STAND_IN = 5.0
"""Seconds, about, from the end of the time until the bot has played."""


class LateTable(Table):
    """A game of The Great War in which the Germans' player never plays in time, and the bot stands in."""

    def process(self, point: str | None = None) -> Process:
        """Return a process of the bot that looks for reminders all the time, not started; one that dies at a point."""
        dies = {} if point is None else {"KILL_AT": point}
        settings = {"UMPIRE_WORKERS": "0", "UMPIRE_DATABASE_URL": self.url, "REMINDS": "often"}
        return Process(self.discord, self.home, ("-m", "tests.wire.killed_at"), **settings, **dies)

    async def begin(self) -> None:
        """Start the game anew."""
        await self.discord.ask("game end", GORDON, TABLE, confirm=True).done()
        await self.discord.ask("game new", GORDON, TABLE, rules="great_war", scenario="trench").done()
        await self.discord.ask("game join", KITCHENER, TABLE, side="british").done()
        await self.discord.ask("game join", ONLOOKER, TABLE, side="germans").done()
        await self.discord.ask("game clock", GORDON, TABLE, hours=HOURS, missed="1 bot").done()
        self.discord.world.messages.clear()
        self.discord.posted.clear()

    async def let_time_be_up(self) -> None:
        """End the British turn, and have the Germans' time pass."""
        self.pass_on()
        await self._passing
        while "germans" not in (await self.asked(JOURNAL))[-1].waits:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await self.discord.ask("roll", ONLOOKER, TABLE, dice="1d6").done()
        await self._shift(timedelta(hours=HOURS))
        self.discord.ask("roll", GORDON, TABLE, dice="1d6")  # a new entry: deadlines are reckoned anew

    async def _shift(self, time: timedelta) -> None:
        store = Store(self.url)
        await store.open()
        try:
            async with store.write() as session:
                for row in (await session.execute(select(ENTRIES.c.game, ENTRIES.c.seq, ENTRIES.c.at))).all():
                    here = ENTRIES.c.game == row.game, ENTRIES.c.seq == row.seq
                    await session.execute(update(ENTRIES).where(*here).values(at=row.at - time))
        finally:
            await store.close()

    @property
    def reminders(self) -> list[str]:
        """The reminders that say that the bot stands in."""
        return [said for one in self.messages if STANDS_IN.search(said := "\n".join(words(one)))]

    async def require_reminded_once(self) -> None:
        """Fail unless each turn that was missed is told by one reminder."""
        journal = await self.asked(JOURNAL)
        missed = [row for row in journal if row.kind == MISSED]
        assert missed
        await until(lambda: len(self.reminders) >= len(missed), "the reminder")
        await quiet()
        assert len(self.reminders) == len(missed), self.story(journal)


@pytest.mark.parametrize("points", one_a_day([EVERY_POINT[at::5] for at in range(5)]))
async def test_killed_at_any_point_of_a_turn_it_stands_in_for_it_tells_all_of_it_once(
    discord: Loopback, tmp_path: Path, address: str, points: Sequence[str]
) -> None:
    await play_killed_at(LateTable(discord, tmp_path, address), points)


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("processes", [1, 2])
async def test_it_is_so_at_every_point(discord: Loopback, tmp_path: Path, address: str, processes: int) -> None:
    """With two processes, the one that goes on was there all the time."""
    await play_killed_at(LateTable(discord, tmp_path, address), EVERY_POINT, beside=processes == 2)


async def play_killed_at(table: LateTable, points: Sequence[str], *, beside: bool = False) -> None:
    """Have a process die at each point, and another go on: one that is started then, or with `beside` at once."""
    (whole,) = table.processes
    for point in points:
        dies = await table.process(point).start()
        await table.begin()
        if beside:
            await whole.start()
        await table.let_time_be_up()
        if not beside:
            assert await asyncio.to_thread(dies._process.wait, 20) == -9, f"{point}: {dies.log}"  # type: ignore[union-attr]
            await whole.start()
        await table.told_all()
        await table.require_told_once()
        await table.require_reminded_once()
        await dies.kill()
        await whole.kill()
    assert tracebacks(whole.log) == []


async def test_whoever_is_back_after_the_crash_takes_over_at_once(
    discord: Loopback, tmp_path: Path, address: str
) -> None:
    table = LateTable(discord, tmp_path, address)
    (whole,) = table.processes
    dies = await table.process("decided").start()
    await table.begin()
    await table.let_time_be_up()
    await asyncio.to_thread(dies._process.wait, 20)  # type: ignore[union-attr]
    await whole.start()
    off = await discord.ask("opponent side", ONLOOKER, TABLE, side="germans", level="off").done()
    passed = await discord.ask("turn next", ONLOOKER, TABLE).done()
    journal = await table.asked(JOURNAL)
    taken_off = next((at for at, row in enumerate(journal) if row.kind == "opponent off"), None)
    if taken_off is None:
        assert "plays no side here" in off.text, "its turn was over already"
    else:
        assert all(row.actor > 0 for row in journal[taken_off:]), "the bot did nothing more"
        assert passed.text
    await table.require_reminded_once()
    await whole.kill()
    assert tracebacks(whole.log) == []


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("processes", [1, 2])
async def test_it_is_so_at_any_of_many_moments(discord: Loopback, tmp_path: Path, address: str, processes: int) -> None:
    """Twelve kills each: of one process, of one of two, of both at once."""
    dice = random.Random(get_daily_seed() + processes)
    table = LateTable(discord, tmp_path, address, processes)
    for process in table.processes:
        await process.start()
    for kill in range(12):
        await table.begin()
        await table.let_time_be_up()
        await asyncio.sleep(dice.uniform(0, A_STAND_IN))
        dying = table.processes if kill % 2 == 0 else [dice.choice(table.processes)]
        await asyncio.gather(*(process.kill() for process in dying))
        for process in dying:
            await process.start()
        await table.told_all()
        await table.require_told_once()
        await table.require_reminded_once()
    for process in table.processes:
        await process.kill()
        assert tracebacks(process.log) == []
