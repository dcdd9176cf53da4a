"""The list of games that wait for a user, read by one query on both databases."""

from sqlalchemy import update

from bot.services import Games
from bot.store import Store
from bot.store.tables import EntryRow
from rules.core.model import UMPIRE

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA
from .toy import Toy


async def list_waiting_games(games: Games) -> dict[int, list[tuple[int, str]]]:
    return {
        user.id: [(side.channel, side.side) for side in await games.catch_up.find_games_waiting_for(user.id)]
        for user in (ANNA, BEN, CARL, DORA)
    }


async def test_a_game_waits_for_a_sides_player_or_else_the_umpire(field: Games, store: Store) -> None:
    assert await list_waiting_games(field) == {ANNA.id: [], BEN.id: [(CHANNEL, "red")], CARL.id: [], DORA.id: []}
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=10)
    await field.starter.start(CHANNEL + 1, 5, CARL, "toy", "field", interaction=11)
    both = {ANNA.id: [], BEN.id: [], CARL.id: [(CHANNEL, "blue"), (CHANNEL + 1, UMPIRE)], DORA.id: []}
    assert await list_waiting_games(field) == both
    async with store.write() as session:
        await session.execute(update(EntryRow).values(waits=None))
    assert await list_waiting_games(Games(store, {"toy": Toy()})) == both, "entries of before do not say so themselves"
    assert (await list_waiting_games(Games(store, {})))[CARL.id] == [], "a game that cannot be read"
    await field.dice_seeds.end_game(CHANNEL, ANNA, interaction=12)
    assert (await list_waiting_games(field))[CARL.id] == [(CHANNEL + 1, UMPIRE)]


async def test_a_recap_begins_after_the_users_last_action_by_hand(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=11)
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=0)
    game = await field.running_game(CHANNEL)
    since = await field.catch_up.load_recap(game, BEN)
    assert [entry.kind for entry in since.entries] == ["pass", "march"]
    assert since.before is not None
    assert since.before.active == "red"
    assert [entry.kind for entry in (await field.catch_up.load_recap(game, ANNA)).entries] == ["march"]
