"""`/game board`: a pinned message that always shows everyone the current table, without hidden units."""

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


async def count_edits(table: Table) -> int:
    """Return how often the board was edited."""
    requests = [
        request
        for request in table.env.backend.http_requests
        if request.method == "PATCH" and "/channels/" in request.path
    ]
    boards = [message.id for message in table.channel.history() if message.pinned]
    return sum(request.path.rpartition("/")[2] == str(board) for request in requests for board in boards)


@pytest.fixture
def update_all_boards(table: Table, monkeypatch: pytest.MonkeyPatch) -> Round:
    """A function that advances the clock beyond the boards' rest and updates all boards."""
    real, passed = Clocks.now, timedelta()

    async def go() -> None:
        nonlocal passed
        passed += 2 * REST
        assert isinstance(table.env.bot, UmpireBot)
        await update_boards(table.env.bot)

    monkeypatch.setattr(Clocks, "now", lambda self: real(self) + passed)
    return go


async def post_board(table: Table, actor: Any = None) -> Message:
    """Post the board and return its message."""
    answer = await table.give(actor or table.umpire, "game board")
    match = re.match(r"The board stands here: https://discord.com/channels/\d+/\d+/(\d+)", answer.private_text)
    assert match is not None
    return next(message for message in table.channel.history() if message.id == int(match[1]))


def reload(table: Table, message: Message) -> Message:
    return next(current for current in table.channel.history() if current.id == message.id)


async def test_the_board_follows_the_table_after_a_restart_too(table: Table, update_all_boards: Round) -> None:
    await table.start()
    message = await post_board(table)
    assert reload(table, message).pinned
    assert [attachment.filename for attachment in reload(table, message).attachments] == ["table.png"]
    picture = reload(table, message).attachments[0].url
    await table.pass_on(table.mahdist)
    await update_all_boards()
    assert "Turn 1, British" in text(reload(table, message))
    assert reload(table, message).attachments[0].url != picture
    await update_all_boards()
    assert await count_edits(table) == 1
    await table.restart()
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="3")
    await update_all_boards()
    assert await count_edits(table) == 2
    await table.give(table.umpire, "game end", confirm=True)
    await update_all_boards()
    assert "The end." in text(reload(table, message))
    await update_all_boards()
    assert await count_edits(table) == 3


async def test_hidden_units_change_no_board(table: Table, update_all_boards: Round) -> None:
    await table.start()
    message = await post_board(table)
    await table.give(table.umpire, "umpire secret", unit="amarar", value="-2")
    await table.give(table.mahdist, "roll", dice="2d6", label="the ambush", secret=True)
    await update_all_boards()
    assert await count_edits(table) == 0
    await table.pass_on(table.mahdist)
    await update_all_boards()
    assert await count_edits(table) == 1
    assert "secret" not in text(reload(table, message))
    assert "ambush" not in text(reload(table, message))


async def test_a_new_board_replaces_the_last_and_a_deleted_one_is_forgotten(
    table: Table, update_all_boards: Round
) -> None:
    await table.start()
    first = await post_board(table)
    second = await post_board(table, table.british)
    assert first.id not in {message.id for message in table.channel.history()}
    table.env.backend.delete_message(table.channel.id, second.id)
    await table.pass_on(table.mahdist)
    for _ in range(2):
        await update_all_boards()
    assert isinstance(table.env.bot, UmpireBot)
    assert await table.env.bot.boards.find_outdated_boards() == []
    assert await table.env.bot.boards.find_message(await table.env.bot.games.running_game(table.channel.id)) is None


async def test_the_board_stays_unpinned_without_the_permission(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start()

    async def pin(*_: Any, **__: Any) -> None:
        response: Any = type("Response", (), {"status": 403, "reason": "Forbidden"})
        raise discord.Forbidden(response, "Missing Permissions")

    monkeypatch.setattr(discord.PartialMessage, "pin", pin)
    monkeypatch.setattr(discord.Message, "pin", pin)
    answer = await table.give(table.umpire, "game board")
    assert "I need the right Pin Messages here" in answer.private_text
    assert not any(message.pinned for message in table.channel.history())
    refused = await table.give(table.onlooker, "game board")
    assert "Only those who play and the umpire" in refused.private_text


async def test_the_board_shows_when_the_bot_takes_or_leaves_a_seat(table: Table, update_all_boards: Round) -> None:
    await table.start(seated=False)
    message = await post_board(table)
    for level, seat_line in (
        ("easy", "played by the bot (easy)"),
        ("hard", "played by the bot (hard)"),
        ("off", "-# This"),
    ):
        await table.give(table.umpire, "opponent side", side="british", level=level)
        await update_all_boards()
        assert seat_line in text(reload(table, message))
        assert ("played by" in text(reload(table, message))) is (level != "off")
    await table.give(table.umpire, "opponent side", side="british")
    await update_all_boards()
    await table.give(table.british, "game join", side="british")
    await update_all_boards()
    assert "played by" not in text(reload(table, message))


async def test_the_board_is_drawn_again_in_new_colours(table: Table, update_all_boards: Round) -> None:
    await table.start()
    message = await post_board(table)
    before = reload(table, message).attachments[0].url
    await update_all_boards()
    assert reload(table, message).attachments[0].url == before
    await table.give(table.umpire, "map", style="tritanopia", **{"for": "game"})
    await update_all_boards()
    assert reload(table, message).attachments[0].url != before
