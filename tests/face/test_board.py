"""/game board: one pinned message that always shows everyone the table as it stands, and nothing of what is hidden."""

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import discord
import pytest

from bot.channel.boards import REST
from bot.games.clock import Clocks
from bot.runtime.client import UmpireBot
from cogs.game.board import update_boards

from .table import Message, Table, text

Round = Callable[[], Awaitable[None]]


async def edits(table: Table) -> int:
    """How often the board was changed."""
    requests = [one for one in table.env.backend.http_requests if one.method == "PATCH" and "/channels/" in one.path]
    boards = [message.id for message in table.channel.history() if message.pinned]
    return sum(one.path.rpartition("/")[2] == str(board) for one in requests for board in boards)


@pytest.fixture
def up_to_date(table: Table, monkeypatch: pytest.MonkeyPatch) -> Round:
    """Goes a round, when every board has had its rest."""
    real, passed = Clocks.now, timedelta()

    async def go() -> None:
        nonlocal passed
        passed += 2 * REST
        assert isinstance(table.env.bot, UmpireBot)
        await update_boards(table.env.bot)

    monkeypatch.setattr(Clocks, "now", lambda self: real(self) + passed)
    return go


async def board(table: Table, actor: Any = None) -> Message:
    """Puts up the board; its message."""
    answer = await table.give(actor or table.umpire, "game board")
    found = re.match(r"The board stands here: https://discord.com/channels/\d+/\d+/(\d+)", answer.private_text)
    assert found is not None
    return next(one for one in table.channel.history() if one.id == int(found[1]))


def stands(table: Table, message: Message) -> Message:
    return next(one for one in table.channel.history() if one.id == message.id)


async def test_the_board_follows_the_table_after_a_restart_too(table: Table, up_to_date: Round) -> None:
    await table.start()
    message = await board(table)
    assert stands(table, message).pinned
    assert [one.filename for one in stands(table, message).attachments] == ["table.png"]
    picture = stands(table, message).attachments[0].url
    await table.pass_on(table.mahdist)
    await up_to_date()
    assert "Turn 1, British" in text(stands(table, message))
    assert stands(table, message).attachments[0].url != picture
    await up_to_date()
    assert await edits(table) == 1
    await table.restart()
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="3")
    await up_to_date()
    assert await edits(table) == 2
    await table.give(table.umpire, "game end", confirm=True)
    await up_to_date()
    assert "The end." in text(stands(table, message))
    await up_to_date()
    assert await edits(table) == 3


async def test_what_is_hidden_changes_no_board(table: Table, up_to_date: Round) -> None:
    await table.start()
    message = await board(table)
    await table.give(table.umpire, "umpire secret", unit="amarar", value="-2")
    await table.give(table.mahdist, "roll", dice="2d6", label="the ambush", secret=True)
    await up_to_date()
    assert await edits(table) == 0
    await table.pass_on(table.mahdist)
    await up_to_date()
    assert await edits(table) == 1
    assert "secret" not in text(stands(table, message))
    assert "ambush" not in text(stands(table, message))


async def test_a_deleted_board_is_forgotten_and_a_new_one_takes_the_place_of_the_last(
    table: Table, up_to_date: Round
) -> None:
    await table.start()
    first = await board(table)
    second = await board(table, table.british)
    assert first.id not in {one.id for one in table.channel.history()}
    table.env.backend.delete_message(table.channel.id, second.id)
    await table.pass_on(table.mahdist)
    for _ in range(2):
        await up_to_date()
    assert isinstance(table.env.bot, UmpireBot)
    assert await table.env.bot.boards.find_outdated() == []
    assert await table.env.bot.boards.find_message(await table.env.bot.games.running(table.channel.id)) is None


async def test_without_the_right_to_pin_it_says_so_and_stands_unpinned(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()

    async def pin(*_: Any, **__: Any) -> None:
        response: Any = type("Response", (), {"status": 403, "reason": "Forbidden"})
        raise discord.Forbidden(response, "Missing Permissions")

    monkeypatch.setattr(discord.PartialMessage, "pin", pin)
    monkeypatch.setattr(discord.Message, "pin", pin)
    answer = await table.give(table.umpire, "game board")
    assert "I need the right Pin Messages here" in answer.private_text
    assert not any(one.pinned for one in table.channel.history())
    refused = await table.give(table.onlooker, "game board")
    assert "Only those who play and the umpire" in refused.private_text


async def test_the_board_shows_who_plays_as_soon_as_the_bot_takes_or_leaves_a_seat(
    table: Table, up_to_date: Round
) -> None:
    await table.start(seated=False)
    message = await board(table)
    for level, shown in (
        ("easy", "played by the bot (easy)"),
        ("hard", "played by the bot (hard)"),
        ("off", "-# This"),
    ):
        await table.give(table.umpire, "opponent side", side="british", level=level)
        await up_to_date()
        assert shown in text(stands(table, message))
        assert ("played by" in text(stands(table, message))) is (level != "off")
    await table.give(table.umpire, "opponent side", side="british")
    await up_to_date()
    await table.give(table.british, "game join", side="british")
    await up_to_date()
    assert "played by" not in text(stands(table, message))


async def test_the_board_is_drawn_again_in_new_colours(table: Table, up_to_date: Round) -> None:
    await table.start()
    message = await board(table)
    before = stands(table, message).attachments[0].url
    await up_to_date()
    assert stands(table, message).attachments[0].url == before
    await table.give(table.umpire, "map", style="tritanopia", **{"for": "game"})
    await up_to_date()
    assert stands(table, message).attachments[0].url != before
