"""A game that cannot be read: every command in its channel is answered politely, and the ways out lead out."""

import logging

import pytest
from sqlalchemy import update

from bot.journal.codec import pack
from bot.store.tables import EntryRow

from .loaded import LoadedDice
from .table import Table, labels, text


@pytest.fixture
async def spoiled(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game under way whose states another program wrote over, and a bot that was started since."""
    LoadedDice(monkeypatch, otherwise=6)
    table.started = await table.start()
    await table.pass_on(table.mahdist)
    table.fired = await table.give(table.british, "fire", unit="g-battery", target="hadendoa-erkowit")
    await table.give(table.umpire, "umpire secret", unit="berkshires", field="quality", value="1")
    async with table.env.bot.store.write() as session:
        await session.execute(update(EntryRow).values(state=pack('{"fleets":7}')))
    await table.restart()
    return table


async def test_commands_say_so_in_a_sentence(spoiled: Table, caplog: pytest.LogCaptureFixture) -> None:
    for command, given in (
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
        answer = await spoiled.give(spoiled.british, command, **given)
        assert "The table of this game cannot be read" in answer.private_text, command
        assert "/game end" in answer.private_text
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_buttons_and_completion_meet_it_politely(spoiled: Table) -> None:
    pressed = await spoiled.press(spoiled.onlooker, spoiled.fired.announced, labels(spoiled.fired.announced)[0])
    assert "cannot be read" in text(pressed.private[-1])
    joined = await spoiled.press(spoiled.onlooker, spoiled.started.announced, labels(spoiled.started.announced)[0])
    assert "cannot be read" in text(joined.private[-1])
    assert await spoiled.complete(spoiled.british, "fire", "unit") == []
    assert await spoiled.complete(spoiled.british, "game new", "scenario", rules="magdala")


async def test_what_needs_no_game_goes_on(spoiled: Table) -> None:
    assert "MM-3" in (await spoiled.give(spoiled.british, "rule", topic="ammunition")).text
    odds = await spoiled.give(spoiled.british, "morale", rules="magdala", troop="british-breechloaders")
    assert "cannot be read" not in odds.text


async def test_log_report_and_export_are_there_for_everyone_without_what_is_hidden(spoiled: Table) -> None:
    for actor in (spoiled.umpire, spoiled.british, spoiled.onlooker):
        log = await spoiled.give(actor, "game log", last=20)
        assert "Battery" in log.private_text
        assert "secret" not in log.private_text.lower()
        for command in ("game report", "game export"):
            assert (await spoiled.give(actor, command)).private


async def test_it_is_ended_and_another_begun(spoiled: Table) -> None:
    asked = await spoiled.give(spoiled.umpire, "game end")
    ended = await spoiled.press(spoiled.umpire, asked.private[0], "End the game")
    assert "The game is over" in text(ended.announced)
    await spoiled.start()
    assert "Turn 1" in (await spoiled.give(spoiled.british, "game status")).private_text
