"""The bot is killed while a day of a campaign ends: no order is lost, each day ends once and is reported once."""

import asyncio
import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from time import monotonic

import pytest

from tests.daily_choice import one_a_day
from tests.fuzz import get_daily_seed

from .interaction import list_words
from .kill_points import DAY_POINTS, POINTS, REMINDER_POINTS
from .loopback import Loopback
from .process import Process, find_tracebacks
from .test_bot_turn_killed import COUNT_ANNOUNCEMENTS, TABLE, address, forget_nonces
from .test_stand_in_killed import HOURS, StandInGame
from .waiting import PATIENCE, pause
from .world import GORDON, KITCHENER, ONLOOKER

__all__ = ["address"]

GRAHAM, OSMAN = "British under Graham", "Mahdists under Osman Digna"
CLOCK_POINTS = ("reminder claimed", *DAY_POINTS, "reminder noted", "claimed", "sent", "roomed", "noted")
assert {*CLOCK_POINTS} <= {*POINTS, *REMINDER_POINTS, *DAY_POINTS}
DAY_ENDS = """
    SELECT kind, turn FROM entries JOIN games ON game = games.id WHERE ended IS NULL AND turn_end AND kind = 'turn_next'
"""
MOVES = "SELECT action FROM entries JOIN games ON game = games.id WHERE kind = 'move' AND ended IS NULL"
STORE_DURATION, REPORT_DURATION = 0.03, 0.6
"""Typical seconds from a player's command until the end of the day is stored, and until it is reported."""


class CampaignGame(StandInGame):
    """A campaign of two commands, on processes that are killed while a day ends."""

    async def start_game(self) -> None:
        """Start a new campaign, with one order of each command."""
        await self.discord.ask("game end", GORDON, TABLE, confirm=True).wait()
        await self.discord.ask("game new", GORDON, TABLE, rules="campaign", scenario="suakin-1884").wait()
        await self.discord.ask("game join", KITCHENER, TABLE, side=GRAHAM).wait()
        await self.discord.ask("game join", ONLOOKER, TABLE, side=OSMAN).wait()
        await self.discord.ask("game clock", GORDON, TABLE, hours=HOURS).wait()
        await self.discord.ask("move", KITCHENER, TABLE, unit="Graham's column", to="El Teb").wait()
        await self.discord.ask("move", ONLOOKER, TABLE, unit="Camelmen", to="Otao").wait()
        self.discord.world.messages.clear()
        self.discord.posts.clear()

    async def pass_deadline(self) -> None:
        """Let the deadline of the day pass."""
        await self._move_entries_back(timedelta(hours=HOURS))
        self.discord.ask("roll", GORDON, TABLE, dice="1d6")  # a new entry: the bot computes deadlines again

    async def load_day_ends(self) -> Sequence[int]:
        """Return the new day's number for each end of a day in the journal."""
        return [row.turn for row in await self.query(DAY_ENDS)]

    async def require_day_ended(self, day: int) -> None:
        """Wait until `day` has begun and is reported. Fail unless each day ended once and is reported once."""
        give_up_at = monotonic() + PATIENCE * 2
        while monotonic() < give_up_at:
            ((pending,),) = await self.query(COUNT_ANNOUNCEMENTS)
            if not pending and (await self.load_day_ends())[-1:] == [day] and self.count_reports(day):
                break
            await asyncio.sleep(0.05)
        await pause()
        assert await self.load_day_ends() == [*range(2, day + 1)], self.log
        assert self.count_reports(day) == 1, self.log
        assert len(await self.query(MOVES)) == 2, "no order is lost or stored twice"

    def count_reports(self, day: int) -> int:
        """Return the number of messages that announce the day."""
        return sum(f"### Day {day} of" in "\n".join(list_words(message)) for message in self.messages)

    @property
    def log(self) -> str:
        """The last parts of the processes' logs."""
        return "\n====\n".join(process.log[-3000:] for process in self.processes)


async def kill_during_day_end(war: CampaignGame, survivor: Process, point: str) -> None:
    """Let a deadline end the day in a process that dies at `point`; then let another process continue."""
    dying = await war.make_process(point).start()
    await war.start_game()
    await war.pass_deadline()
    assert await asyncio.to_thread(dying._process.wait, 20) == -9, f"{point}: {dying.log}"  # type: ignore[union-attr]
    await survivor.start()
    await war.require_day_ended(2)
    await survivor.kill()


@pytest.mark.parametrize("point", one_a_day(CLOCK_POINTS))
async def test_deadline_ends_a_day_once_after_a_kill_at_each_point(
    discord: Loopback, tmp_path: Path, address: str, point: str
) -> None:
    war = CampaignGame(discord, tmp_path, address)
    (survivor,) = war.processes
    await kill_during_day_end(war, survivor, point)
    assert find_tracebacks(survivor.log) == []


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
async def test_players_end_a_day_once_when_the_bot_is_killed(discord: Loopback, tmp_path: Path, address: str) -> None:
    """Kill the bot 20 times after the command that ends the day; repeat the command if the day did not end."""
    war, dice = CampaignGame(discord, tmp_path, address), random.Random(get_daily_seed())
    (process,) = war.processes
    await process.start()
    count = 0
    for _ in range(20):
        await war.start_game()
        await war.discord.ask("turn next", ONLOOKER, TABLE).wait()
        interaction = war.discord.ask("turn next", KITCHENER, TABLE)
        await asyncio.sleep(dice.uniform(0, dice.choice((STORE_DURATION, REPORT_DURATION))))
        acknowledged = interaction.is_acknowledged
        await process.kill()
        forget_nonces(discord)
        day_ends = await war.load_day_ends()
        assert day_ends in ([], [2])
        assert day_ends or not acknowledged, "an answered command is lost"
        assert war.count_reports(2) <= 1
        count += len(day_ends)
        await process.start()
        if not day_ends:
            await war.discord.ask("turn next", KITCHENER, TABLE).wait()
            await war.require_day_ended(2)
        assert await war.load_day_ends() == [2]
        assert len(await war.query(MOVES)) == 2
    await process.kill()
    assert find_tracebacks(process.log) == []
    print(f"20 kills, {count} days had ended before the kill")


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
async def test_deadlines_end_each_day_once_with_two_processes(discord: Loopback, tmp_path: Path, address: str) -> None:
    war = CampaignGame(discord, tmp_path, address, processes=2)
    for process in war.processes:
        await process.start()
    await war.start_game()
    for day in range(2, 6):
        await war.pass_deadline()
        await war.require_day_ended(day)
    for process in war.processes:
        await process.kill()
        assert find_tracebacks(process.log) == []
