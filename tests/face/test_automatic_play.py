"""Automatic play stops after an undo, and reports its faults."""

import pytest

from bot.runtime.channel_loops import ChannelLoops
from bot.runtime.client import UmpireBot

from .table import Table, text
from .test_british import LONG_PAUSE, bot_headlines
from .toy_game import begin, new_bot, new_bots

__all__ = ["new_bot", "new_bots"]


def get_bot(table: Table) -> UmpireBot:
    """Return the bot."""
    assert isinstance(table.env.bot, UmpireBot)
    return table.env.bot


async def take_back(table: Table) -> None:
    """Undo the last action as the umpire."""
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")


async def test_an_undone_automatic_action_is_not_repeated(table: Table) -> None:
    await begin(table)
    get_bot(table).loops = ChannelLoops(LONG_PAUSE)
    await table.give(table.umpire, "british turn")
    await take_back(table)
    await table.env.advance_time(10 * LONG_PAUSE)
    assert len(bot_headlines(table)) == 1
    await table.give(table.umpire, "british turn")
    await table.env.advance_time(10 * LONG_PAUSE)
    assert len(bot_headlines(table)) == 4


async def test_automatic_play_resumes_on_request_after_an_undo(table: Table) -> None:
    await begin(table)
    get_bot(table).loops = ChannelLoops(LONG_PAUSE)
    await table.give(table.umpire, "british turn")
    await take_back(table)
    await table.give(table.umpire, "british turn")
    await table.env.advance_time(10 * LONG_PAUSE)
    assert len(bot_headlines(table)) == 4


async def test_a_fault_of_automatic_play_is_told_in_the_channel(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(table)

    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(get_bot(table).games.actions, "perform_automatic_action", broken)
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    reply = text(table.newest(table.onlooker))
    assert "/turn status" in reply
    assert f"fault {reply.partition('reference `')[2].partition('`')[0]} in" in caplog.text


async def test_automatic_play_goes_on_if_messages_fail(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british step", much="decision")
    await table.env.settle()
    table.env.inject_error("POST", "/channels/*/messages", times=None, status=403, code=50013, message="Missing")
    table.env.inject_error("POST", "/webhooks/*/*", times=None, status=401, code=50027, message="Invalid Webhook Token")
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    table.env.backend.faults.clear()
    log = await table.give(table.umpire, "game log")
    assert "Blue advance, 2 to go" in text(log.private[0])
    assert [message for message in log.public if "Blue advance, 2 to go" in text(message)], (
        "announced with the next answer in the channel"
    )
    assert not (await table.give(table.umpire, "game log")).public, "once"
