"""The bot is killed at many points of a turn that it plays for a player who missed the deadline.

Every stored entry is reported once, and so is the reminder that the bot stands in. The player can take over again.
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
from tests.daily_choice import one_a_day
from tests.fuzz import get_daily_seed

from .interaction import list_words
from .kill_points import POINTS, REMINDER_POINTS
from .loopback import Loopback
from .process import Process, find_tracebacks
from .test_bot_turn_killed import JOURNAL, TABLE, BotGame, address
from .waiting import pause, wait_until
from .world import GORDON, KITCHENER, ONLOOKER

__all__ = ["address"]

HOURS = 10
STAND_IN_TEXT = re.compile("The bot (plays this|was to play that) turn for the Germans.")
"""Text of a reminder. The second form is used if the bot has already played, as after a kill."""
EVERY_POINT = (*REMINDER_POINTS, *POINTS)
STAND_IN_DURATION = 5.0
"""Typical seconds from the deadline until the bot has played."""


class StandInGame(BotGame):
    """A game of The Great War in which the Germans' player always misses the deadline, and the bot stands in."""

    def make_process(self, point: str | None = None) -> Process:
        """Return a process with frequent reminders, not started; with `point`, it dies at that point."""
        dying = {} if point is None else {"KILL_AT": point}
        settings = {"UMPIRE_WORKERS": "0", "UMPIRE_DATABASE_URL": self.url, "REMINDS": "often"}
        return Process(self.discord, self.home, ("-m", "tests.wire.kill_points"), **settings, **dying)

    async def start_game(self) -> None:
        """End the old game and start a new one."""
        await self.discord.ask("game end", GORDON, TABLE, confirm=True).wait()
        await self.discord.ask("game new", GORDON, TABLE, rules="great_war", scenario="trench").wait()
        await self.discord.ask("game join", KITCHENER, TABLE, side="british").wait()
        await self.discord.ask("game join", ONLOOKER, TABLE, side="germans").wait()
        await self.discord.ask("game clock", GORDON, TABLE, hours=HOURS, missed="1 bot").wait()
        self.discord.world.messages.clear()
        self.discord.posts.clear()

    async def pass_deadline(self) -> None:
        """End the British turn and let the Germans' deadline pass."""
        self.end_player_turn()
        await self._ending
        while "germans" not in (await self.query(JOURNAL))[-1].waits:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await self.discord.ask("roll", ONLOOKER, TABLE, dice="1d6").wait()
        await self._move_entries_back(timedelta(hours=HOURS))
        self.discord.ask("roll", GORDON, TABLE, dice="1d6")  # a new entry: the bot computes deadlines again

    async def _move_entries_back(self, time: timedelta) -> None:
        store = Store(self.url)
        await store.open()
        try:
            async with store.write() as session:
                for row in (await session.execute(select(ENTRIES.c.game, ENTRIES.c.seq, ENTRIES.c.at))).all():
                    entry = ENTRIES.c.game == row.game, ENTRIES.c.seq == row.seq
                    await session.execute(update(ENTRIES).where(*entry).values(at=row.at - time))
        finally:
            await store.close()

    @property
    def reminders(self) -> list[str]:
        """Texts of the reminders that the bot stands in."""
        return [text for message in self.messages if STAND_IN_TEXT.search(text := "\n".join(list_words(message)))]

    async def require_reminded_once(self) -> None:
        """Fail unless each missed turn has exactly one reminder."""
        journal = await self.query(JOURNAL)
        missed = [row for row in journal if row.kind == MISSED]
        assert missed
        await wait_until(lambda: len(self.reminders) >= len(missed), "the reminder")
        await pause()
        assert len(self.reminders) == len(missed), self.describe_failure(journal)


@pytest.mark.parametrize("points", one_a_day([EVERY_POINT[at::10] for at in range(10)]))
async def test_stand_in_turn_is_reported_once_after_a_kill(
    discord: Loopback, tmp_path: Path, address: str, points: Sequence[str]
) -> None:
    await kill_at_points(StandInGame(discord, tmp_path, address), points)


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("processes", [1, 2])
async def test_stand_in_turn_is_reported_once_after_a_kill_at_every_point(
    discord: Loopback, tmp_path: Path, address: str, processes: int
) -> None:
    """With two processes, the survivor runs from the beginning."""
    await kill_at_points(StandInGame(discord, tmp_path, address), EVERY_POINT, in_parallel=processes == 2)


async def kill_at_points(table: StandInGame, points: Sequence[str], *, in_parallel: bool = False) -> None:
    """Kill a process at each point. A second process continues; with `in_parallel`, it runs from the beginning."""
    (survivor,) = table.processes
    for point in points:
        dying = await table.make_process(point).start()
        await table.start_game()
        if in_parallel:
            await survivor.start()
        await table.pass_deadline()
        if not in_parallel:
            assert await asyncio.to_thread(dying._process.wait, 20) == -9, f"{point}: {dying.log}"  # type: ignore[union-attr]
            await survivor.start()
        await table.wait_until_reported()
        await table.require_reported_once()
        await table.require_reminded_once()
        await dying.kill()
        await survivor.kill()
    assert find_tracebacks(survivor.log) == []


async def test_player_takes_over_at_once_after_the_crash(discord: Loopback, tmp_path: Path, address: str) -> None:
    table = StandInGame(discord, tmp_path, address)
    (survivor,) = table.processes
    dying = await table.make_process("decided").start()
    await table.start_game()
    await table.pass_deadline()
    await asyncio.to_thread(dying._process.wait, 20)  # type: ignore[union-attr]
    await survivor.start()
    off = await discord.ask("opponent side", ONLOOKER, TABLE, side="germans", level="off").wait()
    passed = await discord.ask("turn next", ONLOOKER, TABLE).wait()
    journal = await table.query(JOURNAL)
    taken_off = next((at for at, row in enumerate(journal) if row.kind == "opponent off"), None)
    if taken_off is None:
        assert "plays no side here" in off.text, "the bot's turn was already over"
    else:
        assert all(row.actor > 0 for row in journal[taken_off:]), "the bot makes no further decision"
        assert passed.text
    await table.require_reminded_once()
    await survivor.kill()
    assert find_tracebacks(survivor.log) == []


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("processes", [1, 2])
async def test_stand_in_turn_is_reported_once_after_kills_at_random_moments(
    discord: Loopback, tmp_path: Path, address: str, processes: int
) -> None:
    """Kill all processes, or a random one, twelve times."""
    dice = random.Random(get_daily_seed() + processes)
    table = StandInGame(discord, tmp_path, address, processes)
    for process in table.processes:
        await process.start()
    for kill in range(12):
        await table.start_game()
        await table.pass_deadline()
        await asyncio.sleep(dice.uniform(0, STAND_IN_DURATION))
        victims = table.processes if kill % 2 == 0 else [dice.choice(table.processes)]
        await asyncio.gather(*(process.kill() for process in victims))
        for process in victims:
            await process.start()
        await table.wait_until_reported()
        await table.require_reported_once()
        await table.require_reminded_once()
    for process in table.processes:
        await process.kill()
        assert find_tracebacks(process.log) == []
