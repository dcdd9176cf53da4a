"""`/opponent`: events while the bot plays its turn or thinks."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from bot.errors import DatabaseUnavailable
from bot.jobs.thinking import decide_bot_action
from bot.journal.game import Actor, Played
from bot.runtime.channel_loops import ChannelLoops
from bot.workers import base
from cogs.kit.automatic_play import AutomaticPlay
from cogs.kit.request import BotChannel
from rules.core.automaton.levels import Level
from rules.core.model import UMPIRE
from tests.readings import read_log

from .sheet import menus, options
from .table import Table, labels
from .test_opponent import PLAY_ON, begin_great_war, game_of, give_and_read, seat_bot

Event = Callable[[], Awaitable[Any]]


@pytest.fixture
async def against_bot(table: Table) -> Table:
    """The Great War with a British player against the bot's Germans."""
    await begin_great_war(table)
    await seat_bot(table)
    return table


def interrupt_bot(table: Table, monkeypatch: pytest.MonkeyPatch, at: int, event: Event) -> None:
    """Run `happens` while the bot thinks about decision number `at`."""
    workers, thoughts = table.env.bot.workers, iter(range(1, 1000))
    run = workers.run

    async def run_and_interrupt(job: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        result = await run(job, *args, **options)
        if job is decide_bot_action and next(thoughts) == at:
            await event()
        return result

    monkeypatch.setattr(workers, "run", run_and_interrupt)


async def take_back(table: Table, steps: int) -> None:
    """Undo the last actions as the umpire."""
    game = await game_of(table)
    await table.env.bot.games.undo.undo_actions(table.channel.id, game.umpire, steps, progress=str(game.seq))


async def test_the_turn_message_omits_actions_undone_meanwhile(
    against_bot: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = against_bot
    interrupt_bot(table, monkeypatch, 3, lambda: take_back(table, 1))
    reply = (await give_and_read(table, table.british, "turn next"))[-1]
    headlines = [
        decision.report.headline
        for decision in await table.env.bot.games.bot_reasons.list_decisions(await game_of(table), _umpire(table))
    ]
    assert len(headlines) == 1
    assert f"### {headlines[0]}" in reply
    assert "2 actions" not in reply
    assert PLAY_ON in labels(table.newest(table.british))


async def test_a_player_who_joins_meanwhile_finds_the_next_step(
    against_bot: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = against_bot
    musa = Actor(table.mahdist.id, "musa")
    interrupt_bot(table, monkeypatch, 3, lambda: table.env.bot.games.seats.join(table.channel.id, musa, "germans"))
    reply = (await give_and_read(table, table.british, "turn next"))[-1]
    assert "### Germans (the bot): 2 actions" in reply
    assert "Give orders" in labels(table.newest(table.mahdist))
    assert not (await game_of(table)).bot_seats


async def test_the_bots_turn_stops_when_another_game_starts(
    against_bot: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = against_bot
    games, umpire = table.env.bot.games, _umpire(table)

    async def another() -> None:
        await games.dice_seeds.end_game(table.channel.id, umpire)
        await games.starter.start(table.channel.id, table.guild.id, umpire, "great_war", "trench")
        await games.opponents.seat_bot(table.channel.id, umpire, "british", Level.EASY)

    interrupt_bot(table, monkeypatch, 3, another)
    (turn,) = await give_and_read(table, table.british, "turn next")
    assert "(the bot)" not in turn
    assert (await game_of(table)).seq == 2


async def test_an_undo_during_opponent_turn_stops_the_bot(against_bot: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table = against_bot
    await give_and_read(table, table.british, "turn next")
    await take_back(table, 2)
    interrupt_bot(table, monkeypatch, 1, lambda: take_back(table, 1))
    answer = await table.give(table.british, "opponent turn")
    await table.env.settle()
    assert answer.private_text == (
        "What the bot did, or was about to do, was taken back meanwhile. It waits for the bot (Germans): /opponent "
        "turn has it play on."
    )
    assert (await game_of(table)).is_bot_resting
    assert "Turn 3 of 30, British" in (await table.give(table.british, "opponent turn")).text


async def test_the_bot_tells_its_actions_before_a_fault_and_retries(
    against_bot: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = against_bot
    interrupt_bot(table, monkeypatch, 3, _fails)
    _, first, second = await give_and_read(table, table.british, "turn next")
    assert "### Germans (the bot): 2 actions" in first
    assert "Turn 3 of 30, British" in second
    assert "ZeroDivisionError" in caplog.text


async def test_a_fault_message_offers_to_let_the_bot_play_on(
    against_bot: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = against_bot
    interrupt_bot(table, monkeypatch, 1, _fails)
    reply = (await give_and_read(table, table.british, "turn next"))[-1]
    assert re.search(r"Something went wrong on our side.*`/turn status`", reply)
    newest = table.newest(table.british)
    assert PLAY_ON in labels(newest)
    assert PLAY_ON in labels((await table.give(table.british, "turn status")).private[0])
    answer = await table.press(table.british, newest, PLAY_ON)
    assert "Turn 3 of 30, British" in answer.text


async def test_the_play_on_button_stays_while_the_game_waits_for_the_bot(
    against_bot: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = against_bot
    await give_and_read(table, table.british, "turn next")
    preview = await table.give(table.umpire, "game undo")
    waits = (await table.press(table.umpire, preview.private[0], "Take it back")).announced

    async def away(*_: Any, **__: Any) -> None:
        raise DatabaseUnavailable

    with monkeypatch.context() as patched:
        patched.setattr(table.env.bot.games.bot_decisions, "decide_next", away)
        assert "The database does not answer" in (await table.press(table.british, waits, PLAY_ON)).text
    assert "You are an onlooker" in (await table.press(table.onlooker, waits, PLAY_ON)).text
    assert PLAY_ON in labels(table.now(waits))
    await table.env.bot.games.opponents.unseat_bot(table.channel.id, _umpire(table), "germans")
    assert "The bot plays no side here" in (await table.press(table.british, waits, PLAY_ON)).text
    assert labels(table.now(waits)) == []


async def test_an_undo_while_the_bot_plays_explains_how_to_stop_it(against_bot: Table) -> None:
    table = against_bot
    table.env.bot.single_flight.keys.add(("The bot's turn", table.channel.id))
    await table.pass_on(table.british)
    assert (
        "`/opponent side` with `level:off` stops it first" in (await table.give(table.umpire, "game undo")).private_text
    )
    assert "It follows here when it is through" in (await table.give(table.umpire, "opponent turn")).private_text


def _umpire(table: Table) -> Actor:
    return Actor(table.umpire.id, "ursula")


async def _fails() -> None:
    raise ZeroDivisionError


async def test_the_bot_rests_through_clock_correction_and_overrule(against_bot: Table) -> None:
    """The bot plays on only when someone tells it to."""
    table = against_bot
    await give_and_read(table, table.british, "turn next")
    await take_back(table, 3)
    stood = (await game_of(table)).seq
    await table.give(table.umpire, "game clock", hours=48)
    germans = [unit.id for unit in (await game_of(table)).state.units.values() if unit.side == "germans"]
    for unit in germans[:2]:
        await give_and_read(table, table.umpire, "umpire set", unit=unit, field="figures", value="2")
    game = await game_of(table)
    assert (game.seq, game.is_bot_resting) == (stood + 3, True)
    await table.give(table.umpire, "opponent step")
    why = (await table.give(table.umpire, "opponent why")).private[0]
    menu = next(placeholder for placeholder in menus(why) if placeholder.startswith("Overrule"))
    value = next(iter(options(why, menu).values()))
    await table.umpire.select(why, [value], custom_id=menus(why)[menu]["custom_id"])
    await table.env.settle()
    game = await game_of(table)
    assert (game.seq, game.is_bot_resting) == (stood + 5, True)
    await give_and_read(table, table.umpire, "opponent turn")
    assert (await game_of(table)).state.turn == game.state.turn + 1


async def test_a_player_who_replaces_the_bot_has_the_whole_time(against_bot: Table) -> None:
    table = against_bot
    await table.give(table.umpire, "game clock", hours=48)
    await give_and_read(table, table.british, "turn next")
    await take_back(table, 1)
    await table.give(table.umpire, "opponent level", level="hard")
    await table.give(table.mahdist, "game join", side="germans")
    game = await game_of(table)
    (deadline,) = await table.env.bot.games.clocks.load_deadlines(game)
    assert (deadline.side, deadline.since) == ("germans", game.seq)


async def test_many_waiting_reports_do_not_block_the_bots_turn(
    against_bot: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "MOST_WAITING", 0)
    await give_and_read(against_bot, against_bot.british, "turn next")
    assert (await game_of(against_bot)).state.active == "british"


async def test_the_bot_plays_on_if_announcements_cannot_be_recorded(
    against_bot: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = against_bot
    monkeypatch.setattr(ChannelLoops, "start", lambda *_: None)
    await table.pass_on(table.british)

    async def away(_: Sequence[Played]) -> None:
        raise DatabaseUnavailable

    monkeypatch.setattr(table.env.bot.games.announcements, "delete_sent_announcements", away)
    assert await AutomaticPlay(BotChannel(table.env.bot, table.channel.id), await game_of(table)).step()
    assert (await game_of(table)).state.turn == 3


async def test_a_forced_action_of_the_bot_is_told_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChannelLoops, "start", lambda *_: None)
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    await table.give(table.umpire, "game leave")
    await table.give(table.umpire, "opponent side", side="german", level="easy")
    replies: list[str] = []
    for _ in range(4):
        command = "opponent turn" if (await game_of(table)).due_bot_seats else "british turn"
        replies.append((await table.give(table.umpire, command)).text)
    forced = [entry for entry in await read_log(table.env.bot.games, table.channel.id, UMPIRE, 0) if entry.actor.id < 0]
    alone = [entry.report.headline.strip(".") for entry in forced if entry.thought is None]
    assert alone
    assert all("\n".join(replies).count(headline) <= 1 for headline in alone)
