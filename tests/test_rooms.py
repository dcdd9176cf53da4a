"""Rooms on both databases: claimed by one process, visible to all, read once."""

import pytest

from bot.errors import UserError
from bot.games.rooms import EPOCH, LEASE, Room, Rooms
from bot.services import Games
from bot.store import Store

from .conftest import ANNA, CHANNEL
from .toy import Toy

NOW = EPOCH + 1000.0
ASKED, LATER = int(1000.0 * 1000) << 22, int((1000.0 + 2 * LEASE) * 1000) << 22
"""Discord ids from the time of the claim, and from after its lease."""
RED, BLUE = 5 << 22, 6 << 22
"""Thread ids."""


async def test_one_process_creates_rooms_and_all_know_them(field: Games, store: Store, database_url: str) -> None:
    other_store = Store(database_url)
    other_games, rooms = Games(other_store, {"toy": Toy()}), Rooms(other_store)
    try:
        game = await field.running_game(CHANNEL)
        assert (await other_games.running_game(CHANNEL)).rooms == {}
        assert await rooms.find(ASKED, NOW) is None
        first, second = (side.id for side in game.state.sides)
        claim = await field.room_claims.claim(game, [first, second], [], interaction=ASKED, now=NOW)
        assert claim is not None
        with pytest.raises(UserError, match="just being made"):
            await other_games.room_claims.claim(game, [first], [], interaction=ASKED + 9, now=NOW)
        assert (await other_games.running_game(CHANNEL)).rooms == {}
        await field.room_claims.store(claim, ANNA, {first: RED}, interaction=ASKED)
        assert (await other_games.running_game(CHANNEL)).rooms == {first: RED}
        with pytest.raises(UserError):
            await other_games.room_claims.claim(game, [first], [], interaction=ASKED + 9, now=NOW)
        assert await rooms.find(RED, NOW) == Room(RED, game.id, first, CHANNEL)
        await rooms.delete_room(RED)
        assert await rooms.find(RED, NOW) is None
        other_claim = await other_games.room_claims.claim(game, [first, second], [], interaction=LATER, now=NOW)
        assert other_claim is not None, "what could not be made is given up, and what is gone forgotten"
        second_claim = await field.room_claims.claim(
            game, [first, second], [], interaction=LATER + 9, now=NOW + 4 * LEASE
        )
        assert second_claim is not None, "the other has died with it"
        await field.room_claims.store(second_claim, ANNA, {first: RED, second: BLUE}, interaction=LATER + 9)
        fresh_rooms = Rooms(store)
        await fresh_rooms.load()
        assert {*fresh_rooms._known} == {RED, BLUE}
    finally:
        await other_store.close()
