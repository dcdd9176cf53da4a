"""The clock of a game: deadlines computed from the journal, and reminders claimed by one process."""

from typing import Any

import pytest
from sqlalchemy import update

from bot.channel.reminders import LEASE, TRY_AGAIN, DueReminder, Reminders
from bot.errors import NotAllowed, Stale, UserError
from bot.games.clock_change import parse_clock_change
from bot.games.overdue import AGREED, OverdueSide, Remedy
from bot.journal.game import Played
from bot.services import Games
from bot.store import Store
from bot.store.tables import EntryRow

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA
from .fake_time import ELLA, HOUR, START, Moment, list_deadlines, moment
from .toy import Toy

__all__ = ["moment"]


async def decide(games: Games, *args: Any, **kwargs: Any) -> Played:
    """Execute a decision about an overdue side. Return its last entry."""
    return (await games.overdue_turns.decide_remedy(*args, **kwargs))[-1]


async def list_due(reminders: Reminders) -> list[tuple[str, str]]:
    return [(reminder.deadline.side, reminder.kind.value) for reminder in await reminders.find_due_reminders()]


async def send_all(reminders: Reminders) -> list[DueReminder]:
    """Claim, send and record due reminders, as a process does."""
    due = [reminder for reminder in await reminders.find_due_reminders() if await reminders.claim(reminder)]
    for reminder in due:
        await reminders.mark_sent(reminder)
    return due


async def test_a_sides_time_runs_from_the_entry_that_made_it_wait(moment: Moment, field: Games) -> None:
    assert await list_deadlines(field) == {}
    moment.advance(1)
    await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=10, quiet="22-7"))
    assert await list_deadlines(field) == {"red": 11.0}, "from when there is a clock"
    moment.advance(2)
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=11)
    assert await list_deadlines(field) == {"red": 11.0, "blue": 13.0}, "red owes a test while it is blue's turn"
    moment.advance(1)
    await field.actions.act_by_kind(CHANNEL, BEN, "rally", {"unit": "r1"}, interaction=12)
    assert await list_deadlines(field) == {"blue": 13.0}
    moment.advance(1)
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=13)
    assert await list_deadlines(field) == {"red": 15.0}, "a new turn"
    await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=0))
    assert await list_deadlines(field) == {}


async def test_a_side_gets_new_time_each_turn(moment: Moment, field: Games) -> None:
    await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=10))
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=11)
    moment.advance(2)
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=12)
    assert await list_deadlines(field) == {"red": 12.0}


async def test_time_of_an_old_game_runs_from_the_setting_of_its_clock(
    moment: Moment, field: Games, store: Store
) -> None:
    async with store.write() as session:
        await session.execute(update(EntryRow).values(waits=None))
    moment.advance(1)
    games = Games(store, {"toy": Toy()})
    await games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=10))
    assert await list_deadlines(games) == {"red": 11.0}


async def test_only_the_umpire_sets_the_clock_and_bad_input_changes_nothing(field: Games) -> None:
    with pytest.raises(NotAllowed, match="Anna"):
        await field.clocks.set_clock(CHANNEL, BEN, parse_clock_change(hours=10))
    with pytest.raises(UserError, match="has no clock"):
        await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(quiet="22-7"))
    with pytest.raises(UserError, match="Berlin"):
        await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=10, quiet="at night"))
    assert await list_deadlines(field) == {}


async def test_reminders_come_at_half_nine_tenths_and_the_end_outside_quiet_hours(
    moment: Moment, field: Games, store: Store
) -> None:
    reminders = Reminders(store, field)
    await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=20, quiet="22-7 Europe/Berlin"))
    kinds_by_hour: list[tuple[float, str]] = []
    for _ in range(22 * 4):
        moment.advance(0.25)
        kinds_by_hour += [((moment.now - START) / HOUR, reminder.kind.value) for reminder in await send_all(reminders)]
    assert kinds_by_hour == [(18.0, "nearly"), (20.0, "over")], "half of the time would be at 22 UTC, 23 in Berlin"
    await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=20, quiet="none"))
    moment.advance(10)
    assert await list_due(reminders) == [("red", "half")]
    moment.advance(30)
    assert await list_due(reminders) == [("red", "over")], (
        "what was not sent in time is done away with by what is later"
    )
    await field.dice_seeds.end_game(CHANNEL, ANNA)
    assert await list_due(reminders) == []


async def test_a_forbidden_reminder_is_retried_by_any_process(moment: Moment, field: Games, store: Store) -> None:
    first, second = Reminders(store, field), Reminders(store, field)
    await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=10))
    moment.advance(5)
    (reminder,) = await first.find_due_reminders()
    assert await first.claim(reminder)
    await first.postpone_reminder(reminder)
    moment.now += TRY_AGAIN - HOUR / 60
    assert [await process.claim(due) for process in (first, second) for due in await process.find_due_reminders()] == [
        False,
        False,
    ]
    moment.now += HOUR / 60
    assert [await process.claim(due) for process in (first, second) for due in await process.find_due_reminders()] == [
        True,
        False,
    ]


async def test_another_process_reminds_after_the_lease_of_a_dead_one(
    moment: Moment, field: Games, store: Store, database_url: str
) -> None:
    other_store = Store(database_url)
    first, second = Reminders(store, field), Reminders(other_store, Games(other_store, {"toy": Toy()}))
    try:
        await field.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=10))
        moment.advance(5)
        (mine,), (theirs,) = await first.find_due_reminders(), await second.find_due_reminders()
        assert mine.nonce == theirs.nonce
        assert len(mine.nonce) <= 25
        assert [await first.claim(mine), await second.claim(theirs)] == [True, False]
        moment.now += LEASE / 2
        assert not await second.claim(theirs)
        moment.now += LEASE
        assert [await second.claim(theirs), await first.claim(mine)] == [True, False], "it died with its claim"
        await second.mark_sent(theirs)
        moment.now += 2 * LEASE
        assert not await first.claim(mine)
        assert await first.find_due_reminders() == await second.find_due_reminders() == []
        assert await send_all(Reminders(store, field)) == [], "nor after a restart"
    finally:
        await other_store.close()


async def expire_time(games: Games, moment: Moment, hours: int = 10) -> OverdueSide:
    """Let Red's time expire."""
    game = await games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=hours))
    moment.advance(hours)
    (deadline,) = await games.clocks.load_deadlines(game)
    return OverdueSide(game.id, deadline.side, deadline.since)


async def test_others_decide_together_or_the_umpire_alone(moment: Moment, field: Games) -> None:
    await field.seats.join(CHANNEL, DORA, "blue")
    overdue = await expire_time(field, moment)
    for actor in (BEN, ELLA):
        with pytest.raises(NotAllowed, match="Anna"):
            await decide(field, CHANNEL, actor, overdue, Remedy.EXTEND)
    agreed = await decide(field, CHANNEL, CARL, overdue, Remedy.EXTEND, interaction=20)
    assert agreed.entry.kind == AGREED
    assert "Still to agree: Dora" in agreed.entry.report.outcome
    repeated = await decide(field, CHANNEL, CARL, overdue, Remedy.EXTEND, interaction=21)
    assert repeated.entry.kind == AGREED, "twice the same is one consent"
    different = await decide(field, CHANNEL, DORA, overdue, Remedy.SUBSTITUTE, substitute=ELLA, interaction=22)
    assert different.entry.kind == AGREED, "consent to one thing is none to another"
    moment.advance(1)
    extended = await decide(field, CHANNEL, DORA, overdue, Remedy.EXTEND, interaction=23)
    assert extended.entry.report.headline == "Dora gives the Red another 24 hours"
    assert await list_deadlines(field) == {"red": 35.0}
    with pytest.raises(Stale):
        await decide(field, CHANNEL, ANNA, overdue, Remedy.EXTEND)


async def test_a_substitute_takes_a_seat_and_has_the_whole_time(moment: Moment, field: Games) -> None:
    overdue = await expire_time(field, moment)
    moment.advance(3)
    with pytest.raises(UserError, match="already plays"):
        await decide(field, CHANNEL, ANNA, overdue, Remedy.SUBSTITUTE, substitute=CARL)
    substituted = await decide(field, CHANNEL, ANNA, overdue, Remedy.SUBSTITUTE, substitute=ELLA, interaction=20)
    assert substituted.game.viewer(ELLA.id) == "red"
    assert await list_deadlines(field) == {"red": 23.0}
    repeated = await decide(field, CHANNEL, ANNA, overdue, Remedy.SUBSTITUTE, substitute=ELLA, interaction=20)
    assert repeated.entry.seq == substituted.entry.seq, "the other process finds what was done"


async def test_a_substitute_must_not_know_hidden_units(
    moment: Moment, field: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    await field.seats.leave(CHANNEL, CARL)
    overdue = await expire_time(field, moment)
    moment.advance(3)
    monkeypatch.setattr(type((await field.running_game(CHANNEL)).state), "can_have_hidden_units", True)
    with pytest.raises(NotAllowed, match="Carl has played the Blue"):
        await decide(field, CHANNEL, ANNA, overdue, Remedy.SUBSTITUTE, substitute=CARL)
    substituted = await decide(field, CHANNEL, ANNA, overdue, Remedy.SUBSTITUTE, substitute=ELLA, interaction=20)
    assert substituted.game.last_sides[ELLA.id] == "red"


async def test_a_decision_is_stale_before_the_deadline_and_after_the_side_acted(moment: Moment, field: Games) -> None:
    overdue = await expire_time(field, moment)
    moment.advance(-1)
    with pytest.raises(Stale):
        await decide(field, CHANNEL, ANNA, overdue, Remedy.EXTEND)
    moment.advance(2)
    with pytest.raises(UserError, match="not their turn"):
        await decide(field, CHANNEL, ANNA, overdue, Remedy.PASS)
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=11)
    with pytest.raises(Stale):
        await decide(field, CHANNEL, ANNA, overdue, Remedy.EXTEND)
