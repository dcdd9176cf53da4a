"""The stopped clock: pauses, absences, missed turns, offered seats and the fixed hour."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from bot.channel.reminders import MOST_TRIES, TRY_AT_LEAST_EVERY, Reminders
from bot.errors import NotAllowed, Stale, UserError
from bot.games.clock import Clocks
from bot.games.clock_change import parse_clock_change
from bot.games.missed_turns import MISSED
from bot.games.overdue import OverdueSide
from bot.games.pauses import ASKED, PAUSED, RESUMED, PauseRequest, find_pause_at
from bot.journal.game import Actor, Played
from bot.services import Games
from bot.store import Store
from rules.core.refusal import Refused

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA
from .fake_time import ELLA, HOUR, START, Moment, list_deadlines, moment
from .readings import export_latest

ELSEWHERE = 88
EMIL = Actor(8, "Emil")
__all__ = ["moment"]


async def set_clock(games: Games, **settings: Any) -> None:
    await games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(**settings))


async def pause(games: Games, actor: Actor, until: str | None = None, **fields: Any) -> Played:
    """Pause until a moment in words. Without one, resume."""
    request = PauseRequest(resumes=True)
    if until is not None:
        request = await games.pauses.parse_request(await games.running_game(CHANNEL), until)
    return await games.pauses.pause_or_resume(CHANNEL, actor, request, **fields)


async def test_turns_end_at_the_fixed_hour_of_a_zone(moment: Moment, field: Games) -> None:
    with pytest.raises(UserError, match="By whose clocks"):
        await set_clock(field, at="20:00")
    with pytest.raises(UserError, match="no fixed hour"):
        await set_clock(field, hours=10, days="weekends")
    with pytest.raises(Refused, match="EST"):
        await set_clock(field, at="20:00", zone="EST")
    with pytest.raises(Refused, match="EST"):
        await set_clock(field, at="20:00 EST")
    with pytest.raises(UserError, match="no hour of the day"):
        await set_clock(field, at="20:00 Berlin", zone="London")
    await set_clock(field, at="8pm London")
    assert START.hour == 12
    assert await list_deadlines(field) == {"red": 32.0}, "20:00 today is 8 hours away, and a turn has 12 at least"
    await set_clock(field, hours=6)
    assert await list_deadlines(field) == {"red": 8.0}
    await set_clock(field, days="weekends")
    assert await list_deadlines(field) == {"red": 8.0}, "10 January 2026 is a Saturday"
    await set_clock(field, days="mon-fri")
    assert await list_deadlines(field) == {"red": 56.0}
    await set_clock(field, at="none")
    assert await list_deadlines(field) == {"red": 6.0}


async def test_the_umpire_stops_the_clock_and_lets_it_run_on(moment: Moment, field: Games) -> None:
    with pytest.raises(UserError, match="no clock"):
        await pause(field, ANNA, "2 days")
    await set_clock(field, hours=10)
    moment.advance(4)
    with pytest.raises(UserError, match="nothing to resume"):
        await pause(field, ANNA)
    assert (await pause(field, ANNA, "2 days", interaction=20)).entry.kind == PAUSED
    assert await list_deadlines(field) == {"red": 58.0}
    moment.advance(8)
    assert (await pause(field, ANNA, interaction=21)).entry.kind == RESUMED
    assert await list_deadlines(field) == {"red": 18.0}, "6 of its 10 hours were left"
    await pause(field, ANNA, "further notice")
    assert await list_deadlines(field) == {}
    stops = await field.clocks.load_stops(await field.running_game(CHANNEL))
    lasting = find_pause_at(stops, moment.now)
    assert lasting is not None
    assert lasting.ends is None


async def test_players_pause_together_and_must_agree_on_the_same_moment(moment: Moment, field: Games) -> None:
    await set_clock(field, hours=10)
    with pytest.raises(NotAllowed):
        await pause(field, ELLA, "2 days")
    request = await pause(field, BEN, "24 Jan", interaction=20)
    assert request.entry.kind == ASKED
    assert "Still to agree: Carl" in request.entry.report.outcome
    assert (await pause(field, CARL, "25 Jan", interaction=21)).entry.kind == ASKED
    assert await list_deadlines(field) == {"red": 10.0}
    agreed = await field.pauses.agree_to_request(CHANNEL, CARL, request.game.id, request.entry.number, interaction=22)
    assert agreed.entry.kind == PAUSED
    assert await list_deadlines(field) == {"red": 12 + 13 * 24 + 10}
    repeated = await field.pauses.agree_to_request(CHANNEL, CARL, request.game.id, request.entry.number, interaction=22)
    assert repeated.entry.seq == agreed.entry.seq, "another process finds what was done"
    with pytest.raises(Stale):
        await field.pauses.agree_to_request(CHANNEL, CARL, request.game.id, 1)
    assert (await pause(field, BEN)).entry.kind == ASKED, "an old consent is none to something new"
    assert (await pause(field, CARL)).entry.kind == RESUMED


async def test_a_side_waits_for_an_absent_player_up_to_the_umpires_limit(moment: Moment, field: Games) -> None:
    await set_clock(field, hours=10, days_away=3)
    moment.advance(2)
    await field.pauses.set_absence(CHANNEL, BEN, "2 days", interaction=20)
    assert await list_deadlines(field) == {"red": 58.0}
    await field.pauses.set_absence(CHANNEL, BEN, "1 week", interaction=21)
    assert await list_deadlines(field) == {"red": 82.0}, "three days in all"
    moment.advance(5)
    await field.pauses.set_absence(CHANNEL, BEN, "now", interaction=22)
    assert await list_deadlines(field) == {"red": 15.0}
    with pytest.raises(NotAllowed):
        await field.pauses.set_absence(CHANNEL, ELLA, "2 days")
    with pytest.raises(UserError, match="ends before it begins"):
        await field.pauses.set_absence(CHANNEL, BEN, "tomorrow", begins="2 days")
    await field.pauses.set_absence(CHANNEL, CARL, "2 days")
    assert await list_deadlines(field) == {"red": 15.0}, "Carl plays blue"


async def test_an_absence_to_come_does_not_end_the_present_one(moment: Moment, field: Games) -> None:
    await set_clock(field, hours=10)
    await field.pauses.set_absence(CHANNEL, BEN, "3 days", interaction=20)
    await field.pauses.set_absence(CHANNEL, BEN, "30 Jan", begins="20 Jan", interaction=21)
    assert await list_deadlines(field) == {"red": 82.0}
    await field.pauses.set_absence(CHANNEL, BEN, "1 Feb", begins="25 Jan", interaction=22)
    stops = (await field.clocks.load_stops(await field.running_game(CHANNEL))).by_user[BEN.id]
    assert [stop.begins.day for stop in stops] == [10, 25], "planned anew"
    await field.pauses.set_absence(CHANNEL, BEN, "15 Jan", begins="12 Jan", interaction=23)
    stops = (await field.clocks.load_stops(await field.running_game(CHANNEL))).by_user[BEN.id]
    assert [(stop.begins.day, stop.ends and stop.ends.day) for stop in stops] == [(10, 12), (12, 15)]
    with pytest.raises(UserError, match="give the day after as until"):
        await field.pauses.set_absence(CHANNEL, BEN, "20 Jan", begins="20 Jan")
    await field.pauses.set_absence(CHANNEL, BEN, "now", interaction=24)
    assert await list_deadlines(field) == {"red": 10.0}
    await field.pauses.set_absence(CHANNEL, BEN, "2 days", begins="20 Jan", interaction=26)
    stops = (await field.clocks.load_stops(await field.running_game(CHANNEL))).by_user[BEN.id]
    assert [stop.ends and stop.ends.day for stop in stops if stop.begins.day == 20] == [22], "two days from then"
    with pytest.raises(UserError, match="ends before it begins"):
        await field.pauses.set_absence(CHANNEL, BEN, "in 2 days", begins="20 Jan")
    not_away, _ = await field.pauses.set_absence(CHANNEL, BEN, "now", interaction=27)
    assert not_away.entry.report.headline == "Ben will not be away after all"
    with pytest.raises(UserError, match="You are here"):
        await field.pauses.set_absence(CHANNEL, BEN, "now", interaction=25)


async def test_a_player_who_joins_an_absent_player_has_full_time(moment: Moment, field: Games, store: Store) -> None:
    await set_clock(field, hours=10)
    await field.pauses.set_absence(CHANNEL, BEN, "2 weeks", interaction=20)
    moment.advance(100)
    await field.seats.join(CHANNEL, ELLA, "red", interaction=21)
    assert await list_deadlines(field) == {"red": 110.0}
    moment.advance(4)
    await field.seats.leave(CHANNEL, ELLA, interaction=22)
    assert await list_deadlines(field) == {"red": 14 * 24 + 10.0}, "Ben is away"


async def test_a_side_with_extended_time_misses_no_turn(moment: Moment, field: Games, store: Store) -> None:
    await set_clock(field, hours=10)
    game = await field.running_game(CHANNEL)
    (late,) = await field.clocks.load_deadlines(game)
    moment.now = late.ends
    await set_clock(field, hours=20)
    with pytest.raises(Stale):
        await field.missed_turns.record_missed_turn(game, late)
    await pause(field, ANNA, "2 days")
    (later,) = await field.clocks.load_deadlines(await field.running_game(CHANNEL))
    with pytest.raises(Stale):
        await field.missed_turns.record_missed_turn(game, later)
    assert await field.missed_turns.load_missed_counts(game) == {}


async def miss(games: Games, moment: Moment, store: Store) -> Played | None:
    """Let the waiting side's time expire, and record the missed turn once."""
    game = await games.running_game(CHANNEL)
    (late,) = await games.clocks.load_deadlines(game)
    moment.now = late.ends
    recorded = [await games.missed_turns.record_missed_turn(game, late) for _ in range(2)]
    assert recorded[1] is None
    return recorded[0]


async def test_missed_turns_count_once_for_each_present_player(moment: Moment, field: Games, store: Store) -> None:
    await set_clock(field, hours=10)
    played = await miss(field, moment, store)
    assert played is not None
    assert (played.entry.kind, played.entry.report.headline) == (MISSED, "Time was up for the Red")
    assert await field.missed_turns.load_missed_counts(played.game) == {BEN.id: 1}
    await set_clock(field, hours=10)
    await field.pauses.set_absence(CHANNEL, BEN, "4 weeks")
    await set_clock(field, days_away=0)
    await miss(field, moment, store)
    assert await field.missed_turns.load_missed_counts(await field.running_game(CHANNEL)) == {BEN.id: 2}, (
        "away for longer than is allowed"
    )


async def test_a_seat_is_offered_after_missed_turns_and_the_successor_starts_at_zero(
    moment: Moment, field: Games, store: Store
) -> None:
    await set_clock(field, hours=10, missed="after 2 missed turns, the seat is offered to others")
    await miss(field, moment, store)
    await set_clock(field, hours=10)
    second = await miss(field, moment, store)
    assert second is not None
    assert [second.entry.action["then"], second.entry.action["users"]] == ["offer", [BEN.id]]
    succession = await field.substitutes.take_seat(CHANNEL, ELLA, second.game.id, second.entry.number, interaction=30)
    assert succession.game.viewer(ELLA.id) == "red"
    assert succession.game.viewer(BEN.id) != "red"
    assert ELLA.id not in await field.missed_turns.load_missed_counts(succession.game)
    with pytest.raises(Stale):
        await field.substitutes.take_seat(CHANNEL, Actor(9, "Otto"), second.game.id, second.entry.number)


async def test_a_player_offers_his_seat_and_keeps_it_until_it_is_taken(moment: Moment, field: Games) -> None:
    offer = await field.substitutes.offer_seat(CHANNEL, BEN, interaction=20)
    assert "keeps the seat" in offer.entry.report.outcome
    assert offer.game.viewer(BEN.id) == "red"
    with pytest.raises(UserError, match="already play"):
        await field.substitutes.take_seat(CHANNEL, CARL, offer.game.id, offer.entry.number)
    succession = await field.substitutes.take_seat(CHANNEL, ELLA, offer.game.id, offer.entry.number, interaction=21)
    assert succession.entry.report.headline == "Ella plays the Red in place of Ben"
    with pytest.raises(NotAllowed):
        await field.substitutes.offer_seat(CHANNEL, ELLA, "blue")
    with pytest.raises(UserError, match="Which seat"):
        await field.substitutes.offer_seat(CHANNEL, ANNA)


async def test_requests_and_offers_of_an_imported_file_bind_nobody(moment: Moment, field: Games) -> None:
    await set_clock(field, hours=10)
    request = await pause(field, BEN, "further notice", interaction=20)
    offer = await field.substitutes.offer_seat(CHANNEL, ANNA, "blue", interaction=21)
    await field.seats.leave(CHANNEL, CARL)
    await field.substitutes.offer_seat(CHANNEL, ANNA, "blue", interaction=22)
    game = await field.running_game(CHANNEL)
    assert await field.substitutes.load_open_offers(game)
    imported = await field.importer.import_game(ELSEWHERE, 6, ANNA, await export_latest(field, CHANNEL, ANNA))
    assert not await field.substitutes.load_open_offers(imported)
    with pytest.raises(Stale):
        await field.substitutes.take_seat(ELSEWHERE, ELLA, imported.id, offer.entry.number)
    await field.clocks.set_clock(ELSEWHERE, ANNA, parse_clock_change(hours=10))
    await field.seats.join(ELSEWHERE, BEN, "red")
    await field.seats.join(ELSEWHERE, CARL, "blue")
    assert not await field.pauses.load_open_requests(await field.running_game(ELSEWHERE))
    with pytest.raises(Stale):
        await field.pauses.agree_to_request(ELSEWHERE, CARL, imported.id, request.entry.number)
    assert (await field.pauses.pause_or_resume(ELSEWHERE, CARL, PauseRequest())).entry.kind == ASKED, (
        "Ben asked elsewhere"
    )


@pytest.mark.parametrize("action", [{}, {"users": 5}, {"users": ["Ben"], "side": "red", "then": "offer"}])
async def test_a_wrong_missed_turn_in_a_file_counts_for_nobody(
    moment: Moment, field: Games, store: Store, action: dict[str, Any]
) -> None:
    await set_clock(field, hours=10)
    await miss(field, moment, store)
    file = json.loads(await export_latest(field, CHANNEL, ANNA))
    for entry in file["entries"]:
        if entry["kind"] == MISSED:
            entry["action"] = action
    imported = await field.importer.import_game(ELSEWHERE, 6, ANNA, json.dumps(file).encode())
    assert await field.missed_turns.load_missed_counts(imported) == {}
    assert await field.substitutes.load_open_offers(imported) == {}
    await field.clocks.set_clock(ELSEWHERE, ANNA, parse_clock_change(hours=10))
    (late,) = await field.clocks.load_deadlines(await field.running_game(ELSEWHERE))
    moment.now = late.ends
    assert await field.missed_turns.record_missed_turn(await field.running_game(ELSEWHERE), late)


async def test_users_who_know_hidden_units_cannot_take_a_seat(field: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused are three successive umpires and a former opponent, but not a plain onlooker."""
    await field.seats.leave(CHANNEL, CARL)
    monkeypatch.setattr("bot.games.seats.has_umpire_seen_hidden_facts", lambda _: True)
    await field.seats.appoint_umpire(CHANNEL, ANNA, DORA)
    await field.seats.appoint_umpire(CHANNEL, DORA, EMIL)
    offer = await field.substitutes.offer_seat(CHANNEL, BEN, interaction=20)
    monkeypatch.setattr(type(offer.game.state), "can_have_hidden_units", True)
    for actor, role in (
        (ANNA, "been the umpire"),
        (DORA, "been the umpire"),
        (EMIL, "been the umpire"),
        (CARL, "Blue"),
    ):
        with pytest.raises(NotAllowed, match=role):
            await field.substitutes.take_seat(CHANNEL, actor, offer.game.id, offer.entry.number)
    succession = await field.substitutes.take_seat(CHANNEL, ELLA, offer.game.id, offer.entry.number, interaction=21)
    assert succession.game.viewer(ELLA.id) == "red"


async def test_a_refused_reminder_is_retried_less_often_and_given_up(
    moment: Moment, field: Games, store: Store
) -> None:
    reminders = Reminders(store, field)
    await set_clock(field, hours=1000)
    moment.advance(500)
    tries, pauses = 0, list[timedelta]()
    last = moment.now
    while True:
        due: Sequence[Any] = await reminders.find_due_reminders()
        if not due:
            break
        if await reminders.claim(due[0]):
            pauses.append(moment.now - last)
            last, tries = moment.now, tries + 1
            first, given_up = await reminders.postpone_reminder(due[0])
            assert first == (tries == 1)
            assert given_up == (tries == MOST_TRIES)
        moment.now += HOUR / 6
    assert tries == MOST_TRIES
    assert pauses[1:] == sorted(pauses[1:])
    assert max(pauses) == TRY_AT_LEAST_EVERY
    assert timedelta(days=2) < moment.now - START - 500 * HOUR < timedelta(days=4)


async def test_an_overdue_turn_can_be_decided_after_a_pause(moment: Moment, field: Games) -> None:
    await set_clock(field, hours=10)
    game = await field.running_game(CHANNEL)
    (late,) = await field.clocks.load_deadlines(game)
    await pause(field, ANNA, "1 day")
    moment.advance(12)
    with pytest.raises(Stale):
        await field.overdue_turns.require_may_decide(CHANNEL, ANNA, OverdueSide(game.id, late.side, late.since))
    moment.advance(24)
    await field.overdue_turns.require_may_decide(CHANNEL, ANNA, OverdueSide(game.id, late.side, late.since))
    assert isinstance(field.clocks, Clocks)
