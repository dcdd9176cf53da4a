"""A new bot on the same database still finds games and answers old buttons."""

import pytest

from cogs.game.local_restart import LocalTableListener

from .loaded_dice import LoadedDice
from .table import Message, Table, custom_ids, labels, text


async def test_a_game_survives_a_restart(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    await table.restart()
    answer = await table.give(table.onlooker, "unit show", unit="berkshires")
    assert "19 of 24" in answer.private_text


async def test_opening_the_local_table_shows_its_game_and_next_step(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def open_table() -> list[Message]:
        before = len(table.channel.history())
        standing = table.env.bot.cogs["LocalTableListener"]
        assert isinstance(standing, LocalTableListener)
        await standing.on_table_open(table.channel.id)
        return table.channel.history()[before:]

    (empty,) = await open_table()
    assert "Start a game" in text(empty), "no game stands there"
    LoadedDice(monkeypatch, default=6)
    await table.start()
    await table.pass_on(table.mahdist)
    await table.give(table.british, "fire", unit="g-battery", target="hadendoa-erkowit")
    await table.restart()
    (board,) = await open_table()
    assert "Turn 1, British" in text(board)
    assert board.attachments
    answer = await table.press(table.mahdist, board, "Morale of Hadendoa of Erkowit")
    assert "2D6" in text(answer.announced)


async def test_an_old_join_button_still_works(table: Table) -> None:
    answer = await table.start(seated=False)
    await table.restart()
    joined = await table.press(table.british, answer.announced, "Play the British")
    assert "**bertie** plays the **British**" in text(joined.announced)


async def test_an_old_button_throws_a_due_test(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    LoadedDice(monkeypatch, default=6)
    await table.start()
    await table.pass_on(table.mahdist)
    fired = await table.give(table.british, "fire", unit="g-battery", target="hadendoa-erkowit")
    status, owed = await table.give(table.mahdist, "game status"), custom_ids(fired.announced)[0]
    await table.restart()
    answer = await table.press(table.mahdist, status.private[0], labels(status.private[0])[0])
    assert "2D6" in text(answer.announced)
    stale = await table.press_late(table.mahdist, fired.announced, owed)
    assert "can no longer be used" in text(stale.private[-1])


async def test_an_undo_is_confirmed_after_a_restart(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    preview = await table.give(table.umpire, "game undo")
    await table.restart()
    answer = await table.press(table.umpire, preview.private[0], "Take it back")
    assert "takes back" in text(answer.announced)


async def test_an_old_consent_button_still_works(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="amarar", to="forward 6")
    preview = await table.give(table.mahdist, "game undo")
    question = await table.press(table.mahdist, preview.private[0], "Ask the table")
    await table.restart()
    agreed = await table.press(table.british, question.announced, "Consent")
    assert "**bertie** consents" in agreed.text
    assert "**musa** takes back" in agreed.text


async def test_old_help_buttons_still_work(table: Table) -> None:
    first = await table.give(table.onlooker, "help")
    await table.restart()
    answer = await table.press(table.onlooker, first.private[0], "I umpire")
    assert "/umpire appoint" in answer.private_text
