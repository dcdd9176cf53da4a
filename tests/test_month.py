"""A month of play by post between London and Auckland: every reminder at its instant, none doubled, none lost."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.channel.reminders import LEASE, DueReminder, ReminderKind, Reminders
from bot.games.clock_change import parse_clock_change
from bot.games.missed_turns import MISSED
from bot.games.pauses import PauseRequest
from bot.services import Games
from bot.store import Store

from .conftest import ANNA, BEN, CARL, CHANNEL
from .fuzz import seed_of_the_day
from .passing_time import ELLA, Moment, moment
from .toy import Toy

__all__ = ["moment"]

FIRST, LAST = datetime(2027, 3, 20, 9, tzinfo=UTC), datetime(2027, 4, 20, 9, tzinfo=UTC)
"""London's clocks go forward on 28 March, Auckland's back on 4 April."""
LONDON, AUCKLAND = ZoneInfo("Europe/London"), ZoneInfo("Pacific/Auckland")
STEP = timedelta(minutes=15)
DIES = 0.15
"""How often a process dies with its claim."""


class Month:
    """The month: two processes look for reminders at every step, and one of them may die before it sends."""

    def __init__(self, moment: Moment, games: Games, processes: list[Reminders]) -> None:
        self.moment, self.games, self.processes = moment, games, processes
        self.chance = random.Random(seed_of_the_day())
        self.sent = list[tuple[datetime, DueReminder]]()

    async def step(self) -> None:
        """Let a quarter of an hour pass."""
        self.moment.now += STEP
        for process in self.chance.sample(self.processes, len(self.processes)):
            for due in await process.find_due():
                if not await process.claim(due) or self.chance.random() < DIES:
                    continue
                self.sent.append((self.moment.now, due))
                if due.kind is ReminderKind.OVER:
                    await self.games.missed_turns.record(await self.games.running(CHANNEL), due.deadline)
                await process.mark_sent(due)

    async def until(self, then: datetime) -> None:
        while self.moment.now < then:
            await self.step()


@pytest.mark.soak
async def test_a_month_over_both_changes_of_daylight_saving(
    moment: Moment, field: Games, store: Store, database_url: str
) -> None:
    moment.now = FIRST
    other_store = Store(database_url)
    processes = [Reminders(store, field), Reminders(other_store, Games(other_store, {"toy": Toy()}))]
    month = Month(moment, field, processes)
    turn = 0

    async def play() -> None:
        """Whoever is waited for passes the turn on."""
        nonlocal turn
        turn += 1
        await field.actions.command(CHANNEL, ANNA, "pass", {}, interaction=1000 + turn)

    async def end() -> datetime:
        (deadline,) = await field.clocks.deadlines(await field.running(CHANNEL))
        return deadline.ends

    try:
        change = parse_clock_change(hours=12, at="20:00", zone="London", quiet="22-7 Pacific/Auckland")
        await field.clocks.set_clock(CHANNEL, ANNA, change)
        for day in range(1, 8):
            ends = await end()
            assert ends.astimezone(LONDON).hour == 20
            await month.until(FIRST + timedelta(days=day))
            await play()
        assert moment.now.astimezone(LONDON).date().isoformat() == "2027-03-27"
        await month.until(datetime(2027, 3, 28, 12, tzinfo=UTC))
        await play()
        ends = await end()
        assert (ends.astimezone(LONDON).hour, ends.hour) == (20, 19), "British Summer Time"
        await field.pauses.decide(CHANNEL, ANNA, PauseRequest(ends + timedelta(days=2)), interaction=2001)
        paused = await end()
        assert paused.astimezone(LONDON).hour == 20
        assert paused > ends + timedelta(days=2) - timedelta(hours=1)
        before = len(month.sent)
        await month.until(ends + timedelta(days=1))
        assert len(month.sent) == before, "nobody is reminded in a pause"
        await month.until(datetime(2027, 4, 3, 20, tzinfo=UTC))
        await play()
        assert (await end()).astimezone(LONDON).hour == 20
        late = CARL if "blue" in (await field.running(CHANNEL)).waits_for else BEN
        await field.pauses.set_absence(CHANNEL, late, "3 days", interaction=2002)
        away = await end()
        assert away >= moment.now + timedelta(days=3)
        await month.until(away + timedelta(days=1))
        game = await field.running(CHANNEL)
        entries = await field.readings.log(game, "umpire", 0)
        missed = [one for one in entries if one.kind == MISSED]
        assert missed, "nobody came back in time"
        offered = await field.substitutes.offer(CHANNEL, late, interaction=2003)
        taken = await field.substitutes.take(CHANNEL, ELLA, game.id, offered.entry.number, interaction=2004)
        assert ELLA.id in {seat.user for seat in taken.game.seats}
        assert ELLA.id not in await field.missed_turns.counts(taken.game)
        await month.until(LAST)
    finally:
        await other_store.close()

    keys = [(one.deadline.side, one.deadline.since, one.kind) for _, one in month.sent]
    assert len(keys) == len({*keys}), "none is doubled"
    for at, one in month.sent:
        share = {ReminderKind.HALF: 0.5, ReminderKind.NEARLY: 0.9, ReminderKind.OVER: 1.0}[one.kind]
        due = one.deadline.after(share)
        here = at.astimezone(AUCKLAND)
        assert 7 <= here.hour < 22, "not in the quiet hours of Auckland"
        assert due <= at, "none too early"
        night = due.astimezone(AUCKLAND).hour >= 22 or due.astimezone(AUCKLAND).hour < 7
        latest = timedelta(hours=9) if night else timedelta()
        assert at - due <= latest + 4 * LEASE + 4 * STEP, "none too late, though processes die"
    over = {(one.deadline.side, one.deadline.since) for _, one in month.sent if one.kind is ReminderKind.OVER}
    assert len(over) == len(
        [one for one in await field.readings.log(await field.running(CHANNEL), "umpire", 0) if one.kind == MISSED]
    )
