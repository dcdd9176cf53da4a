"""`/game clock`: deadlines in local time, reminders, and remedies after a missed deadline."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest
import simcord
from sqlalchemy import select

from bot.channel.reminders import LEASE, TRY_AGAIN
from bot.games.clock import Clocks
from bot.games.quiet_hours import parse_quiet_hours
from bot.journal.game import Actor
from bot.runtime.channel_loops import ChannelLoops
from bot.runtime.client import UmpireBot
from bot.store.tables import CLOCKS, ENTRIES, MutedRow
from cogs.game.overdue import REMINDER_INTERVAL, send_reminder, send_reminders
from rules.core.automaton import opponent

from .rooms import members
from .table import Answer, Table, labels, text
from .test_empire import begin, state_of
from .test_opponent import game_of

REAL_NOW = Clocks.now


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that advances the clock by a number of hours."""
    passed = timedelta()

    def pass_by(hours: float) -> None:
        nonlocal passed
        passed += timedelta(hours=hours)

    def now(self: Clocks) -> datetime:
        return REAL_NOW(self) + passed

    monkeypatch.setattr(Clocks, "now", now)
    return pass_by


async def reminded(table: Table) -> list[Any]:
    """Send the due reminders and return their messages."""
    before = {message.id for message in table.channel.history()}
    assert isinstance(table.env.bot, UmpireBot)
    await send_reminders(table.env.bot)
    return [message for message in table.channel.history() if message.id not in before]


def mentioned(env: simcord.Env) -> list[list[int]]:
    """Return the users that each message of the bot may mention."""
    posts = (
        request for request in env.backend.http_requests if request.method == "POST" and "/messages" in request.path
    )
    return [request.json["allowed_mentions"].get("users", []) for request in posts]


async def test_the_umpire_sets_the_clock_and_everyone_sees_the_deadline(table: Table) -> None:
    await table.start()
    assert "has no clock" in (await table.give(table.british, "game clock")).private_text
    assert "ursula" in (await table.give(table.british, "game clock", hours=48)).private_text
    answer = await table.give(table.umpire, "game clock", hours=48, quiet="22-7 europe/berlin")
    reply = text(answer.announced)
    assert "**Each turn has 48 hours.**" in reply
    assert "not from 22-7 Europe/Berlin" in reply
    assert "Army of Osman Digna: until <t:" in reply
    assert ":R>" in reply
    assert "British: until" not in reply
    assert "48 hours" in (await table.give(table.onlooker, "game clock")).private_text
    assert "Write quiet hours as" in (await table.give(table.umpire, "game clock", quiet="at night")).private_text
    assert "hours of UTC" not in reply
    assert "hours of UTC" in text((await table.give(table.umpire, "game clock", quiet="22:00 – 06:00")).announced)
    assert "stops the clock" in text((await table.give(table.umpire, "game clock", hours=0)).announced)
    completions = await table.complete(table.umpire, "game clock", "quiet", "berl")
    assert completions[0] == "22-7 Europe/Berlin"


async def test_every_clock_setting_is_in_the_journal_and_the_log(table: Table) -> None:
    await table.start()
    set_to = {"hours": 24, "quiet": "22-7 UTC+2", "at": "20:00", "zone": "London", "days": "mon-fri"}
    await table.give(table.umpire, "game clock", **set_to, missed="2 bot", away=1)
    game = await game_of(table)
    async with table.env.bot.store.query_connection() as connection:
        entry = (await connection.execute(select(ENTRIES.c.action).where(ENTRIES.c.seq == game.seq))).one()
        row = (await connection.execute(select(CLOCKS))).one()
    stored = {"hours": 24, "quiet": "22-7 UTC+2", "missed": "2 bot", "days_away": 1}
    assert entry.action == {**stored, "at": "20:00 mon-fri Europe/London"}
    assert stored == {name: getattr(row, name) for name in stored}
    assert row.daily == entry.action["at"]
    for reply in (
        (await table.give(table.onlooker, "game log")).private_text,
        (await table.give(table.onlooker, "game clock")).private_text,
    ):
        assert "until 20:00 mon-fri Europe/London, at least 24 hours" in reply
        assert "not from 22-7 UTC+2. After 2 missed turns of a player, the bot plays the late turn." in reply
        assert "Deadlines wait for a player's absence, 1 day in all at most." in reply


async def test_the_clock_warns_when_the_bot_may_not_post_reminders(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    assert "⚠" not in (await table.give(table.umpire, "game clock", hours=10)).text
    monkeypatch.setattr(discord.Interaction, "app_permissions", discord.Permissions.none())
    assert "give me the right Send Messages" in (await table.give(table.umpire, "game clock", hours=9)).text


@pytest.mark.usefixtures("periodic_tasks")
async def test_a_reminder_mentions_only_the_players_of_its_side(table: Table, later: Any) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    assert await reminded(table) == []
    later(5)
    (message,) = await reminded(table)
    assert f"<@{table.mahdist.id}>: Half of the time is gone. Army of Osman Digna: until <t:" in text(message)
    assert mentioned(table.env) == [[table.mahdist.id]]
    assert await reminded(table) == []
    later(4)
    await table.restart()
    assert "Little time is left" in text(table.channel.history()[-1]), "the new bot checks reminders at once"
    assert await reminded(table) == []
    await table.pass_on(table.mahdist)
    later(10)
    (message,) = await reminded(table)
    assert "the time was up" in text(message)
    assert mentioned(table.env)[-1] == [table.british.id, table.umpire.id]
    nonces = [request.json["nonce"] for request in table.env.backend.http_requests if "nonce" in str(request.json)]
    assert len({*nonces}) == 3


async def test_a_forbidden_reminder_is_sent_once_the_bot_may_write(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    later(5)

    async def refuse(*_: object, **__: object) -> None:
        response: Any = type("Response", (), {"status": 400, "reason": "Bad Request"})
        raise discord.HTTPException(response, {"code": 50083, "message": "Thread is archived"})

    with monkeypatch.context() as forbidden:
        forbidden.setattr(discord.PartialMessageable, "send", refuse)
        assert await reminded(table) == []
    assert await reminded(table) == [], "not at once"
    later(TRY_AGAIN.total_seconds() / 3600)
    (message,) = await reminded(table)
    assert "Half of the time is gone" in text(message)
    assert await reminded(table) == []


async def test_a_claimed_reminder_waits_for_a_moved_deadline(table: Table, later: Any) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    later(9)
    assert isinstance(table.env.bot, UmpireBot)
    (due,) = await table.env.bot.reminders.find_due_reminders()
    assert await table.env.bot.reminders.claim(due)
    await table.give(table.mahdist, "game away", until="2 days")
    assert not await send_reminder(table.env.bot, due)
    later(48.5)
    (message,) = await reminded(table)
    assert "Little time is left" in text(message)


@pytest.mark.parametrize("command", ["game clock", "turn status"])
async def test_remedies_for_a_missed_deadline_are_under_every_status(table: Table, later: Any, command: str) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    remedies = ["Pass on for them", "Let the bot play it", "24 more hours", "Seat a substitute"]
    assert not {*remedies} & {*labels((await table.give(table.umpire, command)).private[-1])}
    later(10)
    for actor in (table.mahdist, table.onlooker):
        assert not {*remedies} & {*labels((await table.give(actor, command)).private[-1])}
    assert {*remedies} <= {*labels((await table.give(table.british, command)).private[-1])}
    answer = await table.give(table.umpire, command)
    assert [label for label in labels(answer.private[-1]) if label in remedies] == remedies
    assert "Army of Osman Digna: the time was up <t:" in answer.private_text
    extension = await table.press(table.umpire, answer.private[-1], "24 more hours")
    assert "ursula gives the Army of Osman Digna another 24 hours" in extension.text
    assert not {*remedies} & {*labels((await table.give(table.umpire, command)).private[-1])}


async def test_every_completion_of_quiet_hours_can_be_typed(table: Table) -> None:
    await table.start()
    for beginning in ("", "22", "10pm-7am lond", "gmt+2", "22-7 utc-", "cst", "7", "none", "22:30 - 6 new"):
        for choice in await table.umpire.autocomplete(table.channel, "game clock", "quiet", beginning):
            hours = parse_quiet_hours(choice["value"])
            assert (choice["value"] == "none") == (hours is None), choice
            assert parse_quiet_hours(choice["name"]) == hours
    assert await table.complete(table.umpire, "game clock", "quiet", "gmt+2") == ["22-7 UTC+2", "none"]
    assert (await table.complete(table.umpire, "game clock", "quiet", "10pm-7am lond"))[0] == "10pm-7am Europe/London"


async def test_a_player_without_mentions_is_not_mentioned(table: Table, later: Any) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    async with table.env.bot.store.write() as session:
        game = await table.env.bot.games.running_game(table.channel.id)
        session.add(MutedRow(game=game.id, user=table.mahdist.id))
    later(5)
    (message,) = await reminded(table)
    assert "<@" not in text(message)
    assert mentioned(table.env) == [[]]


@pytest.mark.usefixtures("periodic_tasks")
async def test_reminders_are_checked_every_minute(table: Table, later: Any) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    later(5)
    before = len(table.channel.history())
    await table.env.advance_time(REMINDER_INTERVAL + 1)
    await table.env.settle()
    assert len(table.channel.history()) == before + 1


async def miss_deadline(table: Table, later: Any) -> Any:
    """Return the message which says that the Mahdists missed their deadline."""
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    later(10)
    (message,) = await reminded(table)
    deciding = ["Pass on for them", "Let the bot play it", "24 more hours", "Seat a substitute"]
    assert labels(message) == [*deciding, "Give orders", "End the turn of the Army of Osman Digna"]
    return message


async def test_the_opponent_may_pass_on_for_a_late_player(table: Table, later: Any) -> None:
    message = await miss_deadline(table, later)
    for actor in (table.mahdist, table.onlooker):
        refused = await table.press(actor, message, "Pass on for them")
        assert "This is for the umpire, ursula" in refused.text
        assert not refused.public
    await table.restart()
    passed = await table.press(table.british, message, "Pass on for them")
    assert "Turn 1 of 6, British" in text(passed.public[-1])
    assert labels(next(current for current in table.channel.history() if current.id == message.id)) == []


async def test_the_bot_plays_the_late_players_turn_only(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        opponent, "LIMITS_BY_LEVEL", dict.fromkeys(opponent.Level, opponent.LIMITS_BY_LEVEL[opponent.Level.EASY])
    )
    message = await miss_deadline(table, later)
    answer = await table.press(table.british, message, "Let the bot play it")
    assert "bertie has the bot play this turn for the Army of Osman Digna, whose time was up" in answer.text
    await table.env.settle()
    reply = "\n".join(text(message) for message in table.channel.history()[-2:])
    assert "-# Army of Osman Digna (the bot): " in reply
    assert "Turn 1" in reply
    assert "<@-" not in reply
    assert "musa, the bot (hard) for this turn" in (await table.give(table.mahdist, "game status")).private_text
    games, umpire = table.env.bot.games, Actor(table.umpire.id, "ursula")
    after = await games.running_game(table.channel.id)
    for number in range(4):  # the umpire waives open prompts
        if after.state.turn == 1:
            work = games.actions.act_by_kind(
                table.channel.id, umpire, "turn_next", {"waive": True}, interaction=900 + number
            )
            after = (await work).game
    assert (after.state.turn, [*after.bot_seats]) == (2, [])


async def test_a_returning_player_may_dismiss_the_bot(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await miss_deadline(table, later)
    monkeypatch.setattr(ChannelLoops, "start", lambda *_: None)  # it has not begun
    stands_in = await table.press(table.british, message, "Let the bot play it")
    assert "takes the seat back at once" in stands_in.text
    assert "No game waits for you" in (await table.give(table.mahdist, "game mine")).private_text
    refused = await table.give(table.british, "opponent side", side="mahdists", level="off")
    assert "Only the umpire" in refused.private_text
    back = await table.give(table.mahdist, "opponent side", side="mahdists", level="off")
    assert "Army of Osman Digna: musa" in back.text
    assert labels(back.announced)[0] == "Give orders"
    assert "1 game waiting" in (await table.give(table.mahdist, "game mine")).private_text
    game = await table.env.bot.games.running_game(table.channel.id)
    assert [deadline.since for deadline in await table.env.bot.games.clocks.load_deadlines(game)] == [game.seq], (
        "he has the whole time"
    )


async def test_nobody_passes_on_for_others_while_his_side_owes_a_test(table: Table, later: Any) -> None:
    await table.start()
    for side, name, figures in (("british", "Brigade", 400), ("mahdists", "Firing party", 90)):
        troop = "british-breechloaders"
        await table.give(table.umpire, "unit add", troop=troop, side=side, name=name, figures=figures)
    await table.give(table.mahdist, "fire", unit="Firing party", target="Brigade", range=10.0)
    await table.give(table.umpire, "game clock", hours=10)
    later(10)
    late = next(message for message in await reminded(table) if f"<@{table.mahdist.id}>" in text(message))
    refused = await table.press(table.british, late, "Pass on for them")
    assert "First settle what others than the late side still owe" in refused.text
    assert not refused.public
    assert "Turn 1 of 6, British" in (await table.press(table.umpire, late, "Pass on for them")).text


async def test_the_umpire_gives_more_time_and_seats_a_substitute(table: Table, later: Any) -> None:
    message = await miss_deadline(table, later)
    await table.give(table.umpire, "umpire rooms")
    answer = await table.press(table.umpire, message, "24 more hours")
    assert "ursula gives the Army of Osman Digna another 24 hours" in answer.text
    assert "They have time until <t:" in answer.text
    assert "Give orders" in labels(answer.announced)
    later(24)
    (message,) = await reminded(table)
    menu = await table.press(table.british, message, "Seat a substitute")
    assert "Who takes the seat?" in menu.text
    seated = Answer(await table.british.select(menu.private[0], [table.onlooker]), pressed=menu.private[0].id)
    assert "olga takes a seat for the Army of Osman Digna, whose time was up" in seated.text
    assert f"<@{table.onlooker.id}>: the game waits for you." in seated.text
    assert members(table, "Mahdists") == {table.umpire.id, table.mahdist.id, table.onlooker.id}
    assert "Army of Osman Digna: musa, olga" in (await table.give(table.onlooker, "game status")).private_text
    assert "Nobody is late there any more" in (await table.press(table.umpire, message, "24 more hours")).text


async def test_a_shared_phase_is_passed_on_only_for_the_late_side(table: Table, later: Any) -> None:
    await begin(table, "rifle and machine gun fire")
    await table.give(table.umpire, "game clock", hours=10)
    later(10)
    (british, _) = await reminded(table)
    passed = await table.press(table.mahdist, british, "Pass on for them")
    assert "The British have ended" in passed.text
    assert (await state_of(table)).acting_sides == ("mahdists",)
    assert "British: until" not in (await table.give(table.umpire, "game clock")).private_text
    mine = (await table.give(table.mahdist, "game mine")).private_text
    assert "channels" in mine
    assert "until <t:" in mine


async def test_a_fixed_hour_ends_turns_and_is_announced(table: Table) -> None:
    await table.start()
    refused = await table.give(table.umpire, "game clock", at="20:00")
    assert "By whose clocks" in refused.private_text
    set_ = await table.give(table.umpire, "game clock", hours=6, at="8pm", zone="London", days="weekdays")
    assert "Turns run until 20:00 mon-fri Europe/London, at least 6 hours." in text(set_.announced)
    assert (
        "may be the time of any of these" in (await table.give(table.umpire, "game clock", zone="IST")).private_text
    ), "an ambiguous zone brings a question"
    assert (await table.complete(table.umpire, "game clock", "days", "sat"))[0] == "sat"
    assert (await table.complete(table.umpire, "game clock", "at", "9pm"))[0] == "21:00"
    assert (await table.complete(table.umpire, "game clock", "at", "9pm lond"))[0] == "21:00 Europe/London"
    alone = await table.give(table.umpire, "game clock", pause="2 days", hours=5)
    assert "Give pause or resume alone" in alone.private_text


async def test_players_stop_the_clock_together_by_a_button(table: Table, later: Any) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    answer = await table.give(table.british, "game clock", pause="2 days")
    assert "bertie asks to stop the clock" in text(answer.announced)
    assert "Still to agree: musa; or the umpire, ursula, decides." in text(answer.announced)
    assert (
        "or for the players, all together"
        in (await table.press(table.onlooker, answer.announced, "Agree")).private_text
    )
    agreed = await table.press(table.mahdist, answer.announced, "Agree")
    assert "All players have agreed: the clock stands still" in agreed.text
    assert "⏸ The clock stands still until" in (await table.give(table.british, "game status")).private_text
    later(9)
    assert await reminded(table) == []
    resumed = await table.give(table.umpire, "game clock", resume=True)
    assert "ursula lets the clock run on" in text(resumed.announced)


async def test_times_complete_in_the_games_or_the_typed_time_zone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    monkeypatch.setattr(Clocks, "now", lambda _: datetime(2027, 3, 27, 15, 0, tzinfo=UTC))
    await table.give(table.umpire, "game clock", at="20:00", zone="Auckland")

    async def complete_names(option: str, beginning: str, command: str = "game away", **options: str) -> dict[str, str]:
        choices = await table.mahdist.autocomplete(table.channel, command, option, beginning, **options)
        return {choice["value"]: choice["name"] for choice in choices}

    assert (await complete_names("until", "tomorrow"))["tomorrow"] == "tomorrow · Mon 29 Mar, 00:00", (
        "there it is Sunday"
    )
    assert (await complete_names("until", "tomorrow", zone="London"))["tomorrow"] == "tomorrow · Sun 28 Mar, 00:00"
    assert (await complete_names("until", "in 3 d"))["in 3 d"].startswith("in 3 d · Wed 31 Mar")
    assert [*await complete_names("until", "in 3")] == ["3 days", "3 weeks", "3 hours", "3 months"]
    assert [*await complete_names("until", "2 da")] == ["2 days"]
    assert [*await complete_names("until", "24 d")] == ["24 d", "24 days", "24 Dec"]
    assert (await complete_names("until", ""))["now"] == "now · I am back"
    assert (await complete_names("until", "2 days", **{"from": "1 Apr"}))["2 days"] == "2 days · Sat 3 Apr, 00:00"
    assert (await complete_names("from", "today"))["today"].startswith("today · Sun 28 Mar")
    assert "today" not in await complete_names("until", "today")
    assert [*await complete_names("pause", "further", "game clock")] == ["further notice"]
    assert len(await complete_names("until", "x" * 300)) == 0


async def test_an_absence_is_announced_and_the_game_waits(table: Table, later: Any) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10, away=3)
    away = await table.give(table.mahdist, "game away", until="1 week")
    assert "**musa is away** until" in text(away.announced)
    assert "Deadlines wait for a player's absence, 3 days in all at most." in text(away.announced)
    assert "\nArmy of Osman Digna: until <t:" in text(away.announced)
    assert "musa is away until" in (await table.give(table.british, "game status")).private_text
    later(30)
    assert await reminded(table) == []
    back = await table.give(table.mahdist, "game away", until="now")
    assert "musa is back" in text(back.announced)
    refused = await table.give(table.onlooker, "game away", until="1 week")
    assert "you are neither" in refused.private_text


@pytest.mark.usefixtures("periodic_tasks")
async def test_a_missed_turn_is_announced_and_played_by_the_bot(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        opponent, "LIMITS_BY_LEVEL", dict.fromkeys(opponent.Level, opponent.LIMITS_BY_LEVEL[opponent.Level.EASY])
    )
    await table.start()
    await table.give(table.umpire, "game clock", hours=10, missed="1 bot")
    later(10)
    (message,) = (await reminded(table))[:1]
    reply = text(message)
    assert "Turns not played in time: musa 1." in reply
    assert "The bot plays this turn for the Army of Osman Digna." in reply
    played = "-# Army of Osman Digna (the bot): "
    for _ in range(200):
        if any(played in text(message) for message in table.channel.history()):
            break
        await asyncio.sleep(0.02)  # settling does not wait for the loop of a channel
    else:
        pytest.fail("the bot has not played")
    assert "Turns not played in time: musa 1." in (await table.give(table.british, "game status")).private_text


@pytest.mark.parametrize("missed", ["1 bot", "1 offer"])
async def test_a_missed_turn_left_by_a_killed_process_is_announced_once(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch, missed: str
) -> None:
    """The process died after it had stored the missed turn.

    The game went on before another process announced the miss.
    """
    monkeypatch.setattr("cogs.kit.automatic_play.start_automatic_play", lambda *_: None)
    await table.start()
    await table.give(table.umpire, "game clock", hours=10, missed=missed)
    later(10)
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    (due,) = await bot.reminders.find_due_reminders()
    assert await bot.reminders.claim(due)
    await bot.games.missed_turns.record_missed_turn(await game_of(table), due.deadline)
    await table.pass_on(table.umpire)

    async def read_announcements() -> list[Any]:
        phrase = "Army of Osman Digna: the time was up <t:"
        return [message for message in await reminded(table) if phrase in text(message)]

    assert await read_announcements() == [], "its process may be about to send it"
    later(LEASE.total_seconds() / 3600)
    (message,) = await read_announcements()
    assert "Turns not played in time: musa 1." in text(message)
    assert ("The bot was to play that turn" in text(message)) == (missed == "1 bot")
    assert ("Play the Army of Osman Digna" in labels(message)) == (missed == "1 offer")
    assert "Pass on for them" not in labels(message), "they are not late any more"
    later(1)
    assert await read_announcements() == []


async def test_a_substitute_takes_the_seat_with_its_order_sheet(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "turn orders", text="Amarar: forward 3")
    await table.give(table.mahdist, "turn standing", when="Re-roll", answer="never")
    answer = await table.give(table.mahdist, "game substitute")
    assert "musa offers a seat for the Army of Osman Digna" in text(answer.announced)
    refused = await table.press(table.british, answer.announced, "Play the Army of Osman Digna")
    assert "You already play the British" in refused.private_text
    taken_seat = await table.press(table.onlooker, answer.announced, "Play the Army of Osman Digna")
    assert "olga plays the Army of Osman Digna in place of musa" in taken_seat.text
    assert "Amarar" in (await table.give(table.onlooker, "turn orders")).private_text
    assert "always accept the result" in (await table.give(table.onlooker, "turn standing")).private_text
    assert "always accept" not in (await table.give(table.mahdist, "turn standing")).text, "he has left the seat"


async def test_the_umpire_is_told_once_when_the_bot_may_not_write(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    lines = list[str]()

    async def refuse(*_: object, **__: object) -> None:
        response: Any = type("Response", (), {"status": 403, "reason": "Forbidden"})
        raise discord.Forbidden(response, "Missing Permissions")

    async def tell(_: object, words: str) -> None:
        lines.append(words)

    later(5)
    with monkeypatch.context() as forbidden:
        forbidden.setattr(discord.PartialMessageable, "send", refuse)
        forbidden.setattr(discord.User, "send", tell)
        for _ in range(6):
            await reminded(table)
            later(1)
    assert len(lines) == 1, "of the first of three reminders"
    assert "I may not write in" in lines[0]
    assert "(Discord says: Missing Permissions)" in lines[0]


async def test_the_bot_plays_a_missed_turn_even_if_its_message_fails(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10, missed="1 bot")
    gone_on = list[str]()

    async def refuse(*_: object, **__: object) -> None:
        response: Any = type("Response", (), {"status": 403, "reason": "Forbidden"})
        raise discord.Forbidden(response, "Missing Permissions")

    later(10)
    with monkeypatch.context() as patched:
        patched.setattr(discord.PartialMessageable, "send", refuse)
        patched.setattr("cogs.kit.automatic_play.start_automatic_play", lambda _, game: gone_on.extend(game.bot_seats))
        assert await reminded(table) == []
    assert gone_on == ["mahdists"]


async def test_a_missed_turn_mentions_another_player_of_the_side(table: Table, later: Any) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10, missed="1 fellow")
    later(10)
    (alone,) = await reminded(table)
    assert "Nobody else plays the Army of Osman Digna." in text(alone)
    await table.give(table.onlooker, "game join", side="mahdists")
    later(10)
    (message,) = await reminded(table)
    assert "Turns not played in time: musa 2, olga 1." in text(message)
    assert "Any of musa and olga may play on for the Army of Osman Digna." in text(message)
    assert mentioned(table.env)[-1] == [table.mahdist.id, table.onlooker.id, table.umpire.id]


async def test_an_umpire_without_direct_messages_is_told_with_the_next_command(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)

    async def refuse(*_: object, **__: object) -> None:
        response: Any = type("Response", (), {"status": 403, "reason": "Forbidden"})
        raise discord.Forbidden(response, "Cannot send messages to this user")

    later(5)
    with monkeypatch.context() as forbidden:
        forbidden.setattr(discord.PartialMessageable, "send", refuse)
        forbidden.setattr(discord.User, "send", refuse)
        await reminded(table)
    assert "I may not write in" not in (await table.give(table.british, "game clock")).text
    answer = await table.give(table.umpire, "game clock")
    assert "I may not write in" in answer.private_text
    assert "I may not write in" not in (await table.give(table.umpire, "game clock")).text
