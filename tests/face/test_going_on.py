"""What a game does by itself: it stops where people take something back, and never breaks off in silence."""

import pytest

from bot.runtime.channel_loops import ChannelLoops
from bot.runtime.client import UmpireBot

from .alone import begin, new_bot, new_bots
from .table import Table, text
from .test_british import LONG, acts

__all__ = ["new_bot", "new_bots"]


def bot_of(table: Table) -> UmpireBot:
    """The bot."""
    assert isinstance(table.env.bot, UmpireBot)
    return table.env.bot


async def take_back(table: Table) -> None:
    """The umpire takes the last action back."""
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")


async def test_what_is_taken_back_is_not_done_again_at_once(table: Table) -> None:
    await begin(table)
    bot_of(table).loops = ChannelLoops(LONG)
    await table.give(table.umpire, "british turn")
    await take_back(table)
    await table.env.advance_time(10 * LONG)
    assert len(acts(table)) == 1
    await table.give(table.umpire, "british turn")
    await table.env.advance_time(10 * LONG)
    assert len(acts(table)) == 4


async def test_what_is_taken_back_and_asked_for_again_at_once_goes_on(table: Table) -> None:
    await begin(table)
    bot_of(table).loops = ChannelLoops(LONG)
    await table.give(table.umpire, "british turn")
    await take_back(table)
    await table.give(table.umpire, "british turn")
    await table.env.advance_time(10 * LONG)
    assert len(acts(table)) == 4


async def test_a_fault_of_what_goes_on_by_itself_is_told_to_the_table(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(table)

    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(bot_of(table).games.actions, "act_automatically", broken)
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    told = text(table.newest(table.onlooker))
    assert "/turn status" in told
    assert f"fault {told.partition('reference `')[2].partition('`')[0]} in" in caplog.text


async def test_a_game_goes_on_though_nobody_can_be_told_of_it(table: Table) -> None:
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
    assert [one for one in log.public if "Blue advance, 2 to go" in text(one)], "told with the next answer there"
    assert not (await table.give(table.umpire, "game log")).public, "once"
