"""The clock of a campaign: the day ends for all commands at once, when nobody who is waited for has time left."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from bot.channel.reminders import DueReminder, ReminderKind, Reminders, join_reminders
from bot.errors import NotAllowed, Stale, UserError
from bot.games.clock_change import parse_clock_change
from bot.games.missed_turns import CLOCK_ACTOR, MISSED
from bot.games.pauses import PauseRequest
from bot.games.turn_time import Deadline
from bot.journal.game import Actor, Game
from bot.journal.thinking_record import TurnMemory
from bot.services import Games
from bot.store import Store
from cogs.game.catch_up import waiting_game_line
from rules.campaign.ruleset import Campaign
from rules.core.automaton.levels import Level

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA
from .fake_time import ELLA, START, Moment, list_deadlines, moment

__all__ = ["moment"]

GLYN, WOOD, NTSHINGWAYO = "glyn", "wood", "ntshingwayo"
HALF, NEARLY, ENDS = ReminderKind.HALF, ReminderKind.NEARLY, ReminderKind.ENDS
CAMPAIGN = Campaign()


class War:
    """A campaign of Zululand: Ben has Glyn's command, Carl Wood's, Dora Ntshingwayo's; nobody holds the others."""

    def __init__(self, moment: Moment, games: Games, reminders: Reminders) -> None:
        self.moment, self.games, self.reminders = moment, games, reminders
        self._interaction = 100

    async def game(self) -> Game:
        """Return the game as it is now."""
        return await self.games.running_game(CHANNEL)

    async def do(self, actor: Actor, kind: str, **args: Any) -> Game:
        """Have an actor act; return the game after it."""
        self._interaction += 1
        return (await self.games.actions.act_by_kind(CHANNEL, actor, kind, args, interaction=self._interaction)).game

    async def ready(self, *sides: str) -> Game:
        """Have the umpire say that commands are ready."""
        for side in sides:
            await self.do(ANNA, "turn_next", side=side)
        return await self.game()

    async def due(self) -> list[tuple[tuple[str, ...], ReminderKind]]:
        """Return the due reminders that no process has claimed, by their sides, and claim them."""
        reminders = [
            reminder
            for reminder in await self.reminders.find_due_reminders()
            if reminder.kind is ENDS or await self.reminders.claim(reminder)
        ]
        for reminder in reminders:
            if reminder.kind is not ENDS:
                await self.reminders.mark_sent(reminder)
        return [
            (tuple(deadline.side for deadline in reminder.deadlines), reminder.kind)
            for reminder in join_reminders(reminders)
        ]

    async def end(self) -> list[tuple[str, str]]:
        """Let the clock end the day; return its entries by kind and side."""
        return [
            (played.entry.kind, played.entry.side)
            for played in await self.games.missed_turns.end_overdue_turn(await self.game())
        ]


@pytest.fixture
async def war(moment: Moment, store: Store) -> War:
    games = Games(store, {"campaign": CAMPAIGN})
    await games.starter.start(CHANNEL, None, ANNA, "campaign", "zululand-1879")
    for player, side in ((BEN, GLYN), (CARL, WOOD), (DORA, NTSHINGWAYO)):
        await games.seats.join(CHANNEL, player, side)
    await games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=24))
    return War(moment, games, Reminders(store, games))


async def test_the_day_ends_for_all_at_the_deadline_and_who_missed_it_is_counted(war: War) -> None:
    await war.do(BEN, "move", unit="glyn-s-column", **{"with": "scout"})
    await war.do(DORA, "turn_next", side=NTSHINGWAYO)
    war.moment.advance(23.9)
    with pytest.raises(Stale):
        await war.end()
    war.moment.advance(0.1)
    ((sides, kind),) = [reminder for reminder in await war.due() if reminder[1] is ENDS]
    assert (sides, kind) == (("glyn", "godide", "mbilini", "pearson", "wood"), ENDS)
    assert await war.end() == [
        (MISSED, "godide"),
        (MISSED, "mbilini"),
        (MISSED, "pearson"),
        (MISSED, WOOD),
        ("turn_next", "umpire"),
    ]
    game = await war.game()
    assert game.state.turn == 2
    assert game.state.missed == {"pearson": 1, WOOD: 1, "godide": 1, "mbilini": 1}
    assert await war.games.missed_turns.load_missed_counts(game) == {CARL.id: 1}, "Ben has written, Dora was ready"
    last = (await war.games.readings.load_log(game, "umpire", 1))[-1]
    assert (last.actor, last.report.headline) == (CLOCK_ACTOR, "Time is up. Gazette of day 1. Day 2.")
    with pytest.raises(Stale):
        await war.end()
    assert await war.due() == []


async def test_a_reminder_is_one_message_for_all_who_have_the_same_time(war: War) -> None:
    await war.ready("pearson", "godide", "mbilini")
    war.moment.advance(12)
    assert await war.due() == [((GLYN, NTSHINGWAYO, WOOD), HALF)]
    assert await war.due() == []
    await war.do(CARL, "turn_next", side=WOOD)
    war.moment.advance(9.6)
    assert await war.due() == [((GLYN, NTSHINGWAYO), NEARLY)]


def test_messages_that_tell_the_same_sides_have_the_same_nonce() -> None:
    first = DueReminder("game", 1, deadline("a"), HALF)
    second = DueReminder("game", 1, deadline("b"), HALF)
    later = DueReminder("game", 1, deadline("c", 1), HALF)
    both, alone = join_reminders([first, second, later])
    assert (both.deadlines, alone) == ((first.deadline, second.deadline), later)
    assert both.nonce == join_reminders([first, second])[0].nonce
    assert len({first.nonce, second.nonce, both.nonce, later.nonce}) == 4


def deadline(side: str, hours: int = 0) -> Any:
    """Return a deadline of a side."""
    return Deadline(side, 1, START, START + timedelta(hours=24 + hours))


async def test_taking_readiness_back_gives_no_new_time(war: War) -> None:
    war.moment.advance(1)
    await war.do(CARL, "turn_next", side=WOOD)
    war.moment.advance(20)
    await war.do(CARL, "unready", side=WOOD)
    assert (await list_deadlines(war.games))[WOOD] == 24
    war.moment.advance(3)
    assert (await war.end())[-1][0] == "turn_next"


async def test_the_day_waits_for_whoever_is_away_and_for_nobody_when_he_is_ready(war: War) -> None:
    await war.games.pauses.set_absence(CHANNEL, CARL, "2 days", interaction=1)
    war.moment.advance(25)
    assert await list_deadlines(war.games) == {
        GLYN: 24,
        "pearson": 24,
        NTSHINGWAYO: 24,
        "godide": 24,
        "mbilini": 24,
        WOOD: 72,
    }
    with pytest.raises(Stale):
        await war.end()
    assert await war.due() == [], "those whose time is over are told when the day ends"
    await war.do(CARL, "turn_next", side=WOOD)
    assert (await war.end())[-1] == ("turn_next", "umpire")
    assert (await war.games.missed_turns.load_missed_counts(await war.game())) == {BEN.id: 1, DORA.id: 1}


async def test_nobody_misses_a_day_in_a_planned_absence(war: War) -> None:
    await war.games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(days_away=1))
    await war.games.pauses.set_absence(CHANNEL, CARL, "5 days", interaction=1)
    war.moment.advance(47)
    with pytest.raises(Stale):
        await war.end()
    war.moment.advance(1)
    assert (MISSED, WOOD) in await war.end()
    game = await war.game()
    assert CARL.id in await war.games.missed_turns.load_missed_counts(game), "his day is used up"


async def test_a_pause_of_the_clock_holds_the_day(war: War) -> None:
    war.moment.advance(12)
    for player in (BEN, CARL, DORA):
        await war.games.pauses.pause_or_resume(CHANNEL, player, PauseRequest(), interaction=player.id)
    war.moment.advance(100)
    assert (await list_deadlines(war.games), await war.due()) == ({}, [])
    with pytest.raises(Stale):
        await war.end()
    await war.games.pauses.pause_or_resume(CHANNEL, ANNA, PauseRequest(resumes=True), interaction=9)
    assert {*(await list_deadlines(war.games)).values()} == {124}
    war.moment.advance(12)
    assert (await war.end())[-1][0] == "turn_next"


async def test_a_fixed_hour_ends_the_day_in_its_zone(war: War) -> None:
    await war.games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(hours=12, at="20:00", zone="Auckland"))
    assert {*(await list_deadlines(war.games)).values()} == {19}, "07:00 UTC"
    war.moment.advance(18.9)
    with pytest.raises(Stale):
        await war.end()
    war.moment.advance(0.1)
    await war.end()
    assert {*(await list_deadlines(war.games)).values()} == {43}


async def test_in_quiet_hours_the_day_goes_on(war: War) -> None:
    await war.games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(quiet="11-15 UTC"))
    war.moment.advance(24)
    assert await war.due() == []
    war.moment.advance(3)
    assert [kind for _, kind in await war.due()] == [ENDS]


async def test_the_bot_stands_in_for_the_day_and_then_it_ends(war: War, monkeypatch: pytest.MonkeyPatch) -> None:
    await war.games.clocks.set_clock(CHANNEL, ANNA, parse_clock_change(missed="1 bot"))
    await war.do(BEN, "move", unit="glyn-s-column", **{"with": "scout"})
    war.moment.advance(24)
    kinds = await war.end()
    assert ("turn_next", "umpire") not in kinds, "the bot plays first"
    game = await war.game()
    assert {*game.bot_seats} == {WOOD, NTSHINGWAYO}
    with pytest.raises(UserError):
        await war.end()
    remembered: dict[str, TurnMemory] = {}
    while await war.games.bot_decisions.decide_next(await war.game(), remembered):
        pass
    game = await war.game()
    assert {WOOD, NTSHINGWAYO} <= {*game.state.done}
    assert (await war.end())[-1] == ("turn_next", "umpire")
    after = await war.game()
    assert (after.state.turn, after.bot_seats) == (2, {})
    assert await war.games.missed_turns.load_missed_counts(after) == {CARL.id: 1, DORA.id: 1}
    assert after.state.missed == {"pearson": 1, "godide": 1, "mbilini": 1}


async def test_a_stand_in_of_an_absent_command_stays_until_its_player_acts(war: War) -> None:
    for actor, error in ((BEN, NotAllowed), (ANNA, Stale)):
        with pytest.raises(error):
            await war.games.opponents.seat_substitute_bot(CHANNEL, actor, WOOD)
    for _ in range(2):
        await war.ready(GLYN, NTSHINGWAYO, "pearson", "godide", "mbilini")
        war.moment.advance(24)
        await war.end()
    with pytest.raises(NotAllowed):
        await war.games.opponents.seat_substitute_bot(CHANNEL, DORA, WOOD)
    await war.games.opponents.seat_substitute_bot(CHANNEL, BEN, WOOD, interaction=1)
    for turn in (3, 4):
        game = await war.game()
        assert (game.state.turn, {*game.bot_seats}, WOOD in game.awaited_viewers) == (turn, {WOOD}, False)
        await war.do(ANNA, "turn_next")
    await war.do(CARL, "move", unit="wood-s-column", **{"with": "scout"})
    assert await war.games.bot_decisions.decide_next(await war.game(), {}) is None
    game = await war.game()
    assert (game.bot_seats, WOOD in game.awaited_viewers) == ({}, True)
    assert WOOD not in game.state.sides_represented_by(GLYN)


async def test_a_day_waits_half_an_hour_for_the_bot_and_no_longer(war: War) -> None:
    await war.games.opponents.seat_bot(CHANNEL, ANNA, "pearson", Level.EASY, interaction=1)
    for side in (GLYN, WOOD, NTSHINGWAYO, "godide"):
        await war.ready(side)
    war.moment.advance(24.4)
    assert {kind for kind, _ in await war.end()} == {MISSED}
    with pytest.raises(Stale, match="still plays"):
        await war.end()
    war.moment.advance(0.2)
    assert (await war.end())[-1] == ("turn_next", "umpire")


async def test_a_successor_has_the_whole_time_and_the_day_waits(war: War) -> None:
    war.moment.advance(20)
    offer = await war.games.substitutes.offer_seat(CHANNEL, CARL, interaction=1)
    await war.do(CARL, "move", unit="wood-s-column", **{"with": "scout"})
    await war.games.substitutes.take_seat(CHANNEL, ELLA, offer.game.id, offer.entry.number, interaction=2)
    assert (await list_deadlines(war.games))[WOOD] == 44
    assert (await war.game()).state.unit("wood-s-column").orders.task == "scout", "the orders stand"
    war.moment.advance(4)
    with pytest.raises(Stale):
        await war.end()


async def test_an_undo_of_a_days_end_gives_the_day_its_whole_time_again(war: War) -> None:
    war.moment.advance(24)
    await war.end()
    progress = (await war.game()).progress_for("umpire")
    back = (await war.games.undo.undo_actions(CHANNEL, ANNA, 1, progress=progress, interaction=1)).game
    assert back.state.turn == 1
    assert {*(await list_deadlines(war.games)).values()} == {48}


async def test_the_last_day_waits_for_its_battles_without_a_deadline(war: War) -> None:
    state = (await war.game()).state
    waits = state.model_copy(update={"turn": state.days, "done": tuple(side.id for side in state.sides)})
    assert waits.waits_for_battles
    assert CAMPAIGN.awaited_viewers(waits) == frozenset()


async def test_a_day_that_the_umpire_looks_at_waits_for_the_umpire(war: War) -> None:
    await war.do(ANNA, "option", name="release", value="umpire")
    war.moment.advance(24)
    assert (await war.end())[-1] == ("turn_next", "umpire")
    game = await war.game()
    assert (game.state.turn, game.awaited_viewers) == (1, {"umpire"})
    assert await list_deadlines(war.games) == {"umpire": 48}
    with pytest.raises(Stale):
        await war.end()
    war.moment.advance(24)
    assert [kind for _, kind in await war.due()] == [ReminderKind.OVER], "and no clock releases it"
    with pytest.raises(Stale):
        await war.end()
    await war.do(ANNA, "turn_next")
    assert (await war.game()).state.turn == 2
    assert {*(await list_deadlines(war.games)).values()} == {72}


@pytest.fixture
async def second_process(store: Store, database_url: str) -> AsyncIterator[Games]:
    """A second process on the same database."""
    second = Store(database_url)
    yield Games(second, {"campaign": CAMPAIGN})
    await second.close()


async def test_two_processes_act_in_turn_and_end_each_day_once(war: War, second_process: Games) -> None:
    """Each command by one process, the next by the other; the clock of both ends the day, and players do meanwhile."""
    processes = (war.games, second_process)
    for day in range(1, 4):
        for number, (player, unit) in enumerate(((BEN, "glyn-s-column"), (CARL, "wood-s-column"))):
            task = ("scout", "rest", "dig in")[(day + number) % 3]
            games = processes[(day + number) % 2]
            args = {"unit": unit, "with": task}
            await games.actions.act_by_kind(CHANNEL, player, "move", args, interaction=10 * day + number)
        war.moment.advance(24)
        ready = {"side": NTSHINGWAYO}
        running = [await process.running_game(CHANNEL) for process in processes]
        ended = await asyncio.gather(
            *(process.missed_turns.end_overdue_turn(game) for process, game in zip(processes, running, strict=True)),
            second_process.actions.act_by_kind(CHANNEL, DORA, "turn_next", ready, interaction=10 * day + 5),
            return_exceptions=True,
        )
        assert sum(not isinstance(result, BaseException) for result in ended[:2]) == 1, ended
        states = [(await process.running_game(CHANNEL)).state for process in processes]
        assert states[0] == states[1]
        assert states[0].turn == day + 1
        orders = {unit: states[0].unit(unit).orders.task for unit in ("glyn-s-column", "wood-s-column")}
        assert {*orders.values()} == {("scout", "rest", "dig in")[(day + number) % 3] for number in range(2)}
    entries = await war.games.readings.load_log(await war.game(), "umpire", 0)
    assert [entry.kind for entry in entries if entry.actor == CLOCK_ACTOR].count("turn_next") == 3
    assert await war.due() == []


async def test_the_last_two_who_are_ready_at_once_end_one_day(war: War, second_process: Games) -> None:
    for day in range(1, 4):
        await war.ready("pearson", WOOD, "godide", "mbilini")
        await asyncio.gather(
            war.games.actions.act_by_kind(CHANNEL, BEN, "turn_next", {"side": GLYN}, interaction=20 * day),
            second_process.actions.act_by_kind(
                CHANNEL, DORA, "turn_next", {"side": NTSHINGWAYO}, interaction=20 * day + 1
            ),
        )
        assert {(await process.running_game(CHANNEL)).state.turn for process in (war.games, second_process)} == {
            day + 1
        }


async def test_the_chief_finds_an_absent_command_among_the_games_that_wait(war: War) -> None:
    for _ in range(2):
        await war.ready(GLYN, NTSHINGWAYO, "pearson", "godide", "mbilini")
        assert await war.games.catch_up.find_games_waiting_for(BEN.id) == []
        war.moment.advance(24)
        await war.end()
    (own,) = await war.games.catch_up.find_games_waiting_for(BEN.id)
    assert (own.side, own.absent) == (GLYN, ())
    await war.ready(GLYN)
    (for_wood,) = await war.games.catch_up.find_games_waiting_for(BEN.id)
    assert (for_wood.side, for_wood.absent) == (WOOD, ("the British under Wood",))
    assert waiting_game_line(for_wood).startswith("- **Zululand 1879**, turn 3 for the British under Wood, until ")
    assert waiting_game_line(for_wood, is_local=True).endswith(f": <#{CHANNEL}>")
    await war.ready(NTSHINGWAYO)
    assert await war.games.catch_up.find_games_waiting_for(DORA.id) == []


async def test_the_bot_takes_all_free_commands_of_a_power_or_of_the_campaign_at_once(war: War) -> None:
    seat = war.games.opponents.seat_bot
    seating = await seat(CHANNEL, ANNA, "zulus: 2 that are free", Level.EASY, interaction=1)
    free = {side.id for side in seating.game.state.sides} - {GLYN, WOOD, NTSHINGWAYO, "pearson"}
    assert {*seating.game.bot_seats} == free
    seating = await seat(CHANNEL, ANNA, "All", Level.HARD, interaction=2)
    assert {*seating.game.bot_seats} == {*free, "pearson"}
    assert {bot.level for bot in seating.game.bot_seats.values()} == {Level.HARD}
    assert {holder.user for holder in seating.game.seats if not holder.is_bot} == {BEN.id, CARL.id, DORA.id}
    unseating = await war.games.opponents.unseat_bot(CHANNEL, ANNA, "Zulus", interaction=3)
    assert {*unseating.game.bot_seats} == {"pearson"}
