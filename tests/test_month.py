"""A month of play by post between London and Auckland: every reminder at its instant, none doubled, none lost.

Turns end at 20:00 in London, at least 12 hours after they began; nobody is reminded from 22 to 7 in Auckland. London's
clocks go forward on 28 March: turns end at 20:00 UTC before it, and at 19:00 after it. Auckland's go back on 4 April:
the quiet hours end at 18:00 UTC before it, and at 19:00 after it. All times of the diary are UTC.
"""

import secrets
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count, cycle

import pytest

from bot.channel.reminders import LEASE, DueReminder, ReminderKind, Reminders
from bot.games.clock_change import parse_clock_change
from bot.games.missed_turns import MISSED
from bot.games.missed_turns_setting import MissedTurnsRemedy
from bot.games.pauses import PauseRequest
from bot.journal.game import Actor
from bot.journal.thinking_record import TurnMemory
from bot.services import Games
from bot.store import Store
from rules.great_war.ruleset import GreatWar

from .conftest import ANNA, BEN, CARL, CHANNEL
from .fake_time import ELLA, Moment, moment

__all__ = ["moment"]

HALF, NEARLY, OVER = ReminderKind.HALF, ReminderKind.NEARLY, ReminderKind.OVER
BRITISH, GERMANS = "british", "germans"
MINUTE = timedelta(minutes=1)
KILL_STEPS = (None, "claimed", None, "recorded", "sent", "claimed", None, "sent")
"""The step after which the first process with a reminder is killed; None if it survives."""


def parse_moment(words: str) -> datetime:
    """Return a moment of the month, such as `21 Mar 02:30`."""
    return datetime.strptime(f"{words} 2027", "%d %b %H:%M %Y").replace(tzinfo=UTC)


class Month:
    """Simulated month: two processes look for reminders, one may be killed; Discord accepts each nonce once."""

    def __init__(self, moment: Moment, games: Games, stores: tuple[Store, Store]) -> None:
        self.moment, self.games = moment, games
        self.stores = stores
        self.processes = [self.process(store) for store in stores]
        self.deaths: Iterator[str | None] = cycle(KILL_STEPS)
        self.death: str | None = None
        self.taken: dict[str, DueReminder] = {}
        self.turns = count(1000)

    def process(self, store: Store) -> Reminders:
        """Start a process on this store."""
        return Reminders(store, Games(store, self.games.rulesets))

    async def look(self) -> None:
        """Let both processes look for reminders now. A killed process is restarted."""
        self.processes.reverse()
        for number, process in enumerate(self.processes):
            for due in await process.find_due_reminders():
                if await process.claim(due) and await self.is_killed(process, due):
                    self.death = None
                    self.processes[number] = self.process(self.stores[number])
                    break

    async def is_killed(self, process: Reminders, due: DueReminder) -> bool:
        """Send a claimed reminder. Return whether the process is killed in between."""
        if self.death == "claimed":
            return True
        if due.kind is OVER:
            await self.games.missed_turns.record_missed_turn(await self.games.running_game(CHANNEL), due.deadline)
        if self.death == "recorded" and due.kind is OVER:
            return True
        self.taken.setdefault(due.nonce, due)
        if self.death == "sent":
            return True
        await process.mark_sent(due)
        return False

    async def expect(self, moment: str, side: str, kind: ReminderKind) -> None:
        """Assert that the next reminder comes at this minute, or, after a kill, when its lease expires."""
        before = {*self.taken}
        self.death = next(self.deaths)
        self.moment.now = parse_moment(moment) - MINUTE
        await self.look()
        assert {*self.taken} == before, f"too early for {moment}"
        self.moment.now = parse_moment(moment)
        await self.look()
        self.moment.now += LEASE
        await self.look()
        new = [due for nonce, due in self.taken.items() if nonce not in before]
        assert [(due.deadline.side, due.kind) for due in new] == [(side, kind)], moment

    async def play(self, moment: str, player: Actor) -> None:
        """Let a player end a turn at this moment. Fails if a reminder came before."""
        await self.wait(moment)
        await self.games.actions.act_by_kind(CHANNEL, player, "turn_next", {}, interaction=next(self.turns))

    async def wait(self, moment: str) -> None:
        """Assert that no reminder comes before this moment."""
        before = {*self.taken}
        self.moment.now = parse_moment(moment)
        await self.look()
        assert {*self.taken} == before, f"nobody is reminded before {moment}"

    async def bot_plays(self, side: str) -> None:
        """Assert that the bot plays the side's present turn as a stand-in, and ends it."""
        game = await self.games.running_game(CHANNEL)
        assert {*game.bot_seats} == {side}
        assert game.bot_seats[side].until == game.state.turn
        remembered: dict[str, TurnMemory] = {}
        while await self.games.bot_decisions.decide_next(await self.games.running_game(CHANNEL), remembered):
            pass
        game = await self.games.running_game(CHANNEL)
        assert side not in game.all_awaited_sides, "its turn is over"

    async def time_ends(self, moment: str) -> None:
        """Assert that the waiting side's deadline is this moment."""
        (deadline,) = await self.games.clocks.load_deadlines(await self.games.running_game(CHANNEL))
        assert deadline.ends == parse_moment(moment)


@pytest.fixture
async def month(
    moment: Moment, store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Month]:
    """A game with Ben as British in London, Carl as Germans in Auckland, and fixed dice."""
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    games, second = Games(store, {"great_war": GreatWar()}), Store(database_url)
    moment.now = parse_moment("20 Mar 09:00")
    await games.starter.start(CHANNEL, None, ANNA, "great_war", "trench")
    await games.seats.join(CHANNEL, BEN, BRITISH)
    await games.seats.join(CHANNEL, CARL, GERMANS)
    change = parse_clock_change(
        hours=12, at="20:00", zone="London", quiet="22-7 Pacific/Auckland", days_away=3, missed="2 bot"
    )
    await games.clocks.set_clock(CHANNEL, ANNA, change)
    yield Month(moment, games, (store, second))
    await second.close()


async def test_a_month_over_both_changes_of_daylight_saving(month: Month) -> None:
    games = month.games
    await month.time_ends("21 Mar 20:00")
    await month.expect("21 Mar 02:30", BRITISH, HALF)
    await month.expect("21 Mar 18:00", BRITISH, NEARLY)  # due at 16:30, 5:30 in Auckland
    await month.play("21 Mar 19:00", BEN)
    await month.expect("22 Mar 07:30", GERMANS, HALF)
    await month.expect("22 Mar 18:00", GERMANS, NEARLY)
    await month.expect("22 Mar 20:00", GERMANS, OVER)  # Carl's first missed turn
    await month.play("23 Mar 06:00", CARL)
    await month.expect("23 Mar 18:00", BRITISH, HALF)  # due at 13:00
    await month.expect("23 Mar 18:36", BRITISH, NEARLY)
    await month.play("23 Mar 19:00", BEN)
    await month.play("24 Mar 05:00", CARL)
    await month.wait("24 Mar 06:00")
    await games.pauses.set_absence(CHANNEL, BEN, "3 days", interaction=1)
    await month.time_ends("27 Mar 20:00")
    await month.expect("27 Mar 18:00", BRITISH, HALF)  # due at 12:30, after 7.5 hours without the absence
    await month.expect("27 Mar 18:30", BRITISH, NEARLY)
    await month.play("27 Mar 19:00", BEN)

    await month.time_ends("28 Mar 19:00")  # British Summer Time
    await month.expect("28 Mar 07:00", GERMANS, HALF)
    await month.expect("28 Mar 18:00", GERMANS, NEARLY)
    await month.expect("28 Mar 19:00", GERMANS, OVER)  # Carl's second
    await month.bot_plays(GERMANS)
    await month.play("29 Mar 06:00", BEN)
    await month.expect("29 Mar 18:00", GERMANS, NEARLY)  # half of the time was gone in the night
    await month.play("29 Mar 18:30", CARL)
    await month.wait("30 Mar 00:00")
    await games.pauses.pause_or_resume(CHANNEL, BEN, PauseRequest(parse_moment("1 Apr 00:00")), interaction=2)
    await games.pauses.pause_or_resume(CHANNEL, CARL, PauseRequest(parse_moment("1 Apr 00:00")), interaction=3)
    await month.time_ends("1 Apr 19:00")
    await month.expect("1 Apr 06:45", BRITISH, HALF)
    await month.expect("1 Apr 18:00", BRITISH, NEARLY)
    await month.play("1 Apr 18:30", BEN)
    offer = await games.substitutes.offer_seat(CHANNEL, CARL, interaction=4)
    await month.wait("2 Apr 05:00")
    await games.substitutes.take_seat(CHANNEL, ELLA, offer.game.id, offer.entry.number, interaction=5)
    await month.expect("2 Apr 18:00", GERMANS, NEARLY)  # Ella has the whole time
    await month.play("2 Apr 18:30", ELLA)
    await month.expect("3 Apr 06:45", BRITISH, HALF)

    await month.expect("3 Apr 19:00", BRITISH, OVER)  # in Auckland 7:00 by New Zealand Standard Time; Ben's first
    await month.play("3 Apr 20:00", BEN)
    await month.expect("4 Apr 07:30", GERMANS, HALF)
    await month.play("4 Apr 08:00", ELLA)
    await month.time_ends("5 Apr 19:00")
    await month.expect("5 Apr 01:30", BRITISH, HALF)
    await month.expect("5 Apr 19:00", BRITISH, OVER)  # Ben's second
    await month.bot_plays(BRITISH)
    await month.play("6 Apr 06:00", ELLA)
    await month.wait("6 Apr 07:00")
    await games.pauses.set_absence(CHANNEL, BEN, "2 weeks", interaction=6)
    await month.time_ends("6 Apr 19:00")  # his three days are used up
    await month.expect("6 Apr 19:00", BRITISH, OVER)  # Ben's third
    await games.pauses.pause_or_resume(CHANNEL, ANNA, PauseRequest(parse_moment("7 Apr 19:00")), interaction=7)
    await month.bot_plays(BRITISH)  # also while the clock stands still
    await month.time_ends("8 Apr 19:00")
    await month.expect("8 Apr 07:00", GERMANS, HALF)
    await month.play("8 Apr 08:00", ELLA)
    await month.expect("9 Apr 01:30", BRITISH, HALF)
    await games.pauses.set_absence(CHANNEL, BEN, "now", interaction=8)
    await month.play("9 Apr 03:00", BEN)
    await month.wait("9 Apr 04:00")
    await games.pauses.pause_or_resume(CHANNEL, ANNA, PauseRequest(), interaction=9)
    await month.wait("19 Apr 04:00")
    await games.pauses.pause_or_resume(CHANNEL, ANNA, PauseRequest(resumes=True), interaction=10)
    await month.expect("19 Apr 19:00", GERMANS, OVER)  # half of the time was gone at 11:00, 23:00 in Auckland
    await month.wait("20 Apr 09:00")

    game = await games.running_game(CHANNEL)
    assert await games.missed_turns.load_missed_counts(game) == {CARL.id: 2, BEN.id: 3, ELLA.id: 1}
    missed = [
        entry.action["then"] for entry in await games.readings.load_log(game, "umpire", 0) if entry.kind == MISSED
    ]
    bot = MissedTurnsRemedy.BOT.value
    assert missed == [None, bot, None, bot, bot, None]


async def test_an_undo_of_a_stand_ins_turn_returns_the_turn_with_full_time(
    month: Month,
) -> None:
    games = month.games
    await games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(missed="1 bot", quiet="none"))
    await month.play("20 Mar 10:00", BEN)
    month.moment.now = parse_moment("21 Mar 20:00")
    game = await games.running_game(CHANNEL)
    (late,) = await games.clocks.load_deadlines(game)
    await games.missed_turns.record_missed_turn(game, late)
    await month.bot_plays(GERMANS)
    progress = (await games.running_game(CHANNEL)).progress_for("umpire")
    back = (await games.undo.undo_actions(CHANNEL, ANNA, 1, progress=progress, interaction=1)).game
    assert back.state.turn == game.state.turn
    assert (back.awaited_viewers, back.bot_seats) == ({GERMANS}, {})
    await month.time_ends("22 Mar 20:00")
    (awaiting,) = await games.catch_up.find_games_waiting_for(CARL.id)
    assert (awaiting.turn, awaiting.until) == (game.state.turn, parse_moment("22 Mar 20:00"))
    await month.expect("22 Mar 08:00", GERMANS, HALF)
    await month.expect("22 Mar 17:36", GERMANS, NEARLY)
    await month.expect("22 Mar 20:00", GERMANS, OVER)
    assert await games.missed_turns.load_missed_counts(back) == {CARL.id: 2}, "a missed turn stays missed"


async def test_a_player_who_acts_replaces_the_stand_in_with_full_time(month: Month) -> None:
    games = month.games
    await games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(missed="1 bot", quiet="none"))
    await month.play("20 Mar 10:00", BEN)
    month.moment.now = parse_moment("21 Mar 20:00")
    game = await games.running_game(CHANNEL)
    (late,) = await games.clocks.load_deadlines(game)
    await games.missed_turns.record_missed_turn(game, late)
    remembered: dict[str, TurnMemory] = {}
    assert await games.bot_decisions.decide_next(await games.running_game(CHANNEL), remembered)
    assert {*(await games.running_game(CHANNEL)).bot_seats} == {GERMANS}, "Carl has not acted yet"
    await games.actions.act_by_kind(CHANNEL, CARL, "turn_next", {}, interaction=1)
    assert await games.bot_decisions.decide_next(await games.running_game(CHANNEL), remembered) is None
    after = await games.running_game(CHANNEL)
    assert (after.bot_seats, after.awaited_viewers) == ({}, {GERMANS})
    await month.time_ends("22 Mar 20:00")
    assert await games.bot_decisions.decide_next(after, remembered) is None
    assert (await games.running_game(CHANNEL)).seq == after.seq
