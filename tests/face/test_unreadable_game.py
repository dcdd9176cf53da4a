"""A game with unreadable states: every command gets a polite refusal, and the game can still be exported and ended."""

import logging

import pytest
from sqlalchemy import update

from bot.journal.codec import pack
from bot.store.tables import EntryRow

from .loaded_dice import LoadedDice
from .table import Table, labels, text


@pytest.fixture
async def unreadable_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A running game whose states were overwritten, and a bot started afterwards."""
    LoadedDice(monkeypatch, default=6)
    table.started = await table.start()
    await table.pass_on(table.mahdist)
    table.fired = await table.give(table.british, "fire", unit="g-battery", target="hadendoa-erkowit")
    await table.give(table.umpire, "umpire secret", unit="berkshires", field="quality", value="1")
    async with table.env.bot.store.write() as session:
        await session.execute(update(EntryRow).values(state=pack('{"fleets":7}')))
    await table.restart()
    return table


async def test_commands_refuse_an_unreadable_game_politely(
    unreadable_game: Table, caplog: pytest.LogCaptureFixture
) -> None:
    for command, arguments in (
        ("game status", {}),
        ("map", {}),
        ("turn next", {}),
        ("turn status", {}),
        ("fire", {"unit": "berkshires", "target": "amarar"}),
        ("roll", {"dice": "2d6"}),
        ("dice luck", {}),
        ("game undo", {}),
        ("game replay", {}),
        ("unit list", {}),
    ):
        answer = await unreadable_game.give(unreadable_game.british, command, **arguments)
        assert "The table of this game cannot be read" in answer.private_text, command
        assert "/game end" in answer.private_text
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_buttons_and_completion_refuse_politely(unreadable_game: Table) -> None:
    pressed = await unreadable_game.press(
        unreadable_game.onlooker, unreadable_game.fired.announced, labels(unreadable_game.fired.announced)[0]
    )
    assert "cannot be read" in text(pressed.private[-1])
    joined = await unreadable_game.press(
        unreadable_game.onlooker, unreadable_game.started.announced, labels(unreadable_game.started.announced)[0]
    )
    assert "cannot be read" in text(joined.private[-1])
    assert await unreadable_game.complete(unreadable_game.british, "fire", "unit") == []
    assert await unreadable_game.complete(unreadable_game.british, "game new", "scenario", rules="magdala")


async def test_commands_that_need_no_game_work(unreadable_game: Table) -> None:
    assert "MM-3" in (await unreadable_game.give(unreadable_game.british, "rule", topic="ammunition")).text
    odds = await unreadable_game.give(unreadable_game.british, "morale", rules="magdala", troop="british-breechloaders")
    assert "cannot be read" not in odds.text


async def test_log_report_and_export_work_without_hidden_facts(unreadable_game: Table) -> None:
    for actor in (unreadable_game.umpire, unreadable_game.british, unreadable_game.onlooker):
        log = await unreadable_game.give(actor, "game log", last=20)
        assert "Battery" in log.private_text
        assert "secret" not in log.private_text.lower()
        for command in ("game report", "game export"):
            assert (await unreadable_game.give(actor, command)).private


async def test_an_unreadable_game_can_be_ended_and_replaced(unreadable_game: Table) -> None:
    question = await unreadable_game.give(unreadable_game.umpire, "game end")
    ended = await unreadable_game.press(unreadable_game.umpire, question.private[0], "End the game")
    assert "The game is over" in text(ended.announced)
    await unreadable_game.start()
    assert "Turn 1" in (await unreadable_game.give(unreadable_game.british, "game status")).private_text
