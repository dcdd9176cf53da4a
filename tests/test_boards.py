"""Boards on both databases: one process at a time updates a board, at most every five seconds.

If the process dies, another takes over.
"""

from datetime import UTC, datetime

import pytest

from bot.channel.boards import LEASE, REST, Boards
from bot.games.clock import Clocks
from bot.services import Games
from bot.store import Store

from .conftest import ANNA, CHANNEL
from .toy import Toy


async def test_one_process_updates_a_board_and_then_pauses(
    field: Games, store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 1, 10, tzinfo=UTC)
    monkeypatch.setattr(Clocks, "now", lambda _: now)
    other_store = Store(database_url)
    first, second = Boards(store, field), Boards(other_store, Games(other_store, {"toy": Toy()}))
    try:
        await first.set_message(await field.running_game(CHANNEL), 1234)
        assert await first.find_outdated_boards() == []
        await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=10)
        (board,) = await first.find_outdated_boards()
        assert (board.message, board.head - board.seq) == (1234, 1)
        assert [await first.claim(board), await second.claim(board)] == [True, False]
        await first.mark_shown(board, board.head)
        await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=11)
        now += REST / 2
        assert await second.find_outdated_boards() == [], "it rests"
        now += REST
        (board,) = await second.find_outdated_boards()
        assert await second.claim(board)
        now += LEASE / 2
        assert await first.find_outdated_boards() == []
        now += LEASE
        (expired,) = await first.find_outdated_boards()
        assert await first.claim(expired), "the other died with it"
        await first.delete(expired)
        assert await second.find_outdated_boards() == []
    finally:
        await other_store.close()
