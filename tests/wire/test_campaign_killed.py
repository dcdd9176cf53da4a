"""The bot is killed in the middle of a campaign's day's end: no order is lost, no day ends twice, all is told once."""

import asyncio
import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from time import monotonic

import pytest

from tests.daily import one_a_day
from tests.fuzz import get_daily_seed

from .asked import words
from .killed_at import DAY_POINTS, POINTS, REMINDER_POINTS
from .loopback import Loopback
from .process import Process, tracebacks
from .test_bot_turn_killed import LEFT, TABLE, address, forget_nonces
from .test_stand_in_killed import HOURS, LateTable
from .waiting import PATIENCE, quiet
from .world import GORDON, KITCHENER, ONLOOKER

__all__ = ["address"]

GRAHAM, OSMAN = "British under Graham", "Mahdists under Osman Digna"
CLOCK_POINTS = ("reminder claimed", *DAY_POINTS, "reminder noted", "claimed", "sent", "roomed", "noted")
assert {*CLOCK_POINTS} <= {*POINTS, *REMINDER_POINTS, *DAY_POINTS}
DAYS = """
    SELECT kind, turn FROM entries JOIN games ON game = games.id WHERE ended IS NULL AND turn_end AND kind = 'turn_next'
"""
MOVES = "SELECT action FROM entries JOIN games ON game = games.id WHERE kind = 'move' AND ended IS NULL"
STORED_IN, ALL_DONE_IN = 0.03, 0.6
"""Seconds, about, in which a day's end that a player has pressed is stored, and is told."""


class War(LateTable):
    """A campaign of two commands, on processes that are killed at the ends of its days."""

    async def begin(self) -> None:
        """Start the campaign anew, with an order of each command."""
        await self.discord.ask("game end", GORDON, TABLE, confirm=True).done()
        await self.discord.ask("game new", GORDON, TABLE, rules="campaign", scenario="suakin-1884").done()
        await self.discord.ask("game join", KITCHENER, TABLE, side=GRAHAM).done()
        await self.discord.ask("game join", ONLOOKER, TABLE, side=OSMAN).done()
        await self.discord.ask("game clock", GORDON, TABLE, hours=HOURS).done()
        await self.discord.ask("move", KITCHENER, TABLE, unit="Graham's column", to="El Teb").done()
        await self.discord.ask("move", ONLOOKER, TABLE, unit="Camelmen", to="Otao").done()
        self.discord.world.messages.clear()
        self.discord.posted.clear()

    async def let_time_be_up(self) -> None:
        """Have the day's time pass."""
        await self._shift(timedelta(hours=HOURS))
        self.discord.ask("roll", GORDON, TABLE, dice="1d6")  # a new entry: deadlines are reckoned anew

    async def ends(self) -> Sequence[int]:
        """Return the day that began with each day's end in the journal."""
        return [row.turn for row in await self.asked(DAYS)]

    async def require_ended(self, day: int) -> None:
        """Wait until that day has begun and is told; fail unless each day ended once, and is told once."""
        until = monotonic() + PATIENCE * 2
        while monotonic() < until:
            ((left,),) = await self.asked(LEFT)
            if not left and (await self.ends())[-1:] == [day] and self.told(day):
                break
            await asyncio.sleep(0.05)
        await quiet()
        assert await self.ends() == [*range(2, day + 1)], self.log
        assert self.told(day) == 1, self.log
        assert len(await self.asked(MOVES)) == 2, "no order is lost, or written twice"

    def told(self, day: int) -> int:
        """Return how many messages tell that a day begins."""
        return sum(f"### Day {day} of" in "\n".join(words(one)) for one in self.messages)

    @property
    def log(self) -> str:
        """Return the ends of the processes' logs."""
        return "\n====\n".join(process.log[-3000:] for process in self.processes)


async def end_day_killed(war: War, whole: Process, point: str) -> None:
    """Have the clock end a day while a process dies at the point, and another then goes on."""
    dies = await war.process(point).start()
    await war.begin()
    await war.let_time_be_up()
    assert await asyncio.to_thread(dies._process.wait, 20) == -9, f"{point}: {dies.log}"  # type: ignore[union-attr]
    await whole.start()
    await war.require_ended(2)
    await whole.kill()


@pytest.mark.parametrize("point", one_a_day(CLOCK_POINTS))
async def test_the_clock_ends_a_day_once_wherever_it_is_killed(
    discord: Loopback, tmp_path: Path, address: str, point: str
) -> None:
    war = War(discord, tmp_path, address)
    (whole,) = war.processes
    await end_day_killed(war, whole, point)
    assert tracebacks(whole.log) == []


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
async def test_a_day_that_players_end_ends_once_at_any_of_many_moments(
    discord: Loopback, tmp_path: Path, address: str
) -> None:
    """Twenty kills after a press by which the last command is ready; then the press comes again."""
    war, dice = War(discord, tmp_path, address), random.Random(get_daily_seed())
    (process,) = war.processes
    await process.start()
    stored = 0
    for _ in range(20):
        await war.begin()
        await war.discord.ask("turn next", ONLOOKER, TABLE).done()
        pressed = war.discord.ask("turn next", KITCHENER, TABLE)
        await asyncio.sleep(dice.uniform(0, dice.choice((STORED_IN, ALL_DONE_IN))))
        acknowledged = pressed.acknowledged
        await process.kill()
        forget_nonces(discord)
        ended = await war.ends()
        assert ended in ([], [2])
        assert ended or not acknowledged, "it was answered, and is lost"
        assert war.told(2) <= 1
        stored += len(ended)
        await process.start()
        if not ended:
            await war.discord.ask("turn next", KITCHENER, TABLE).done()
            await war.require_ended(2)
        assert await war.ends() == [2]
        assert len(await war.asked(MOVES)) == 2
    await process.kill()
    assert tracebacks(process.log) == []
    print(f"20 kills, {stored} days had ended before")


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
async def test_the_clocks_of_two_processes_end_each_day_once(discord: Loopback, tmp_path: Path, address: str) -> None:
    war = War(discord, tmp_path, address, processes=2)
    for process in war.processes:
        await process.start()
    await war.begin()
    for day in range(2, 6):
        await war.let_time_be_up()
        await war.require_ended(day)
    for process in war.processes:
        await process.kill()
        assert tracebacks(process.log) == []
