"""Games cached in memory: a few parsed, more packed, and changed games of other processes reloaded."""

from typing import Any

import pytest

from bot.journal import cache, snapshots
from bot.journal.cache import GameCache
from bot.journal.codec import pack_state, read_state
from bot.services import Games
from bot.store import Store

from .conftest import ANNA, BEN, CARL, CHANNEL
from .toy import Toy


@pytest.fixture
def parsed_states(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record where states are parsed."""
    places: list[str] = []

    def note_reads(place: str) -> Any:
        def read_and_note(ruleset: Any, packed: bytes) -> Any:
            places.append(place)
            return read_state(ruleset, packed)

        return read_and_note

    monkeypatch.setattr(cache, "read_state", note_reads("memory"))
    monkeypatch.setattr(snapshots, "read_state", note_reads("database"))
    return places


async def test_a_game_is_parsed_once(field: Games, store: Store, parsed_states: list[str]) -> None:
    fresh = Games(store, {"toy": Toy()})
    for _ in range(3):
        await fresh.running_game(CHANNEL)
        await fresh.running_or_last_game(CHANNEL)
    await fresh.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    assert (await fresh.running_game(CHANNEL)).state.units["r1"].steps == 1
    assert parsed_states == ["database"]


async def test_the_numbers_of_parsed_and_packed_games_are_limited(games: Games, parsed_states: list[str]) -> None:
    played = [(await games.starter.start(n, 5, ANNA, "toy", "field", interaction=n)).game for n in range(1, 6)]
    small_cache = GameCache(parsed=2, packed=2)
    for game in played:
        small_cache.put(game, pack_state(game.ruleset, game.state))
    parsed_states.clear()
    assert [await small_cache.running_game(game.channel) for game in played[3:]] == played[3:]
    assert parsed_states == []
    assert await small_cache.get(played[1].id) == played[1]
    assert parsed_states == ["memory"]
    assert await small_cache.get(played[0].id) is None
    assert await small_cache.running_game(played[0].channel) is None


async def test_a_packed_game_is_played_on(games: Games, store: Store, parsed_states: list[str]) -> None:
    fresh = Games(store, {"toy": Toy()})
    fresh.cache = fresh._ledger.cache = GameCache(parsed=1)
    for channel in (1, 2):
        await fresh.starter.start(channel, 5, ANNA, "toy", "field", interaction=channel)
    parsed_states.clear()
    for number in range(4):
        await fresh.actions.act_by_kind(1 + number % 2, ANNA, "march", {"unit": "r1"}, interaction=10 + number)
    assert parsed_states == ["memory"] * 4
    assert [(await games.running_game(channel)).state.units["r1"].steps for channel in (1, 2)] == [2, 2]


async def test_actions_of_another_process_are_seen(field: Games, store: Store) -> None:
    second = Games(store, {"toy": Toy()})
    await field.running_game(CHANNEL)
    await second.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    assert (await field.running_game(CHANNEL)).state.units["r1"].steps == 1
    await second.seats.leave(CHANNEL, BEN)
    assert [seat.name for seat in (await field.running_game(CHANNEL)).seats] == ["Carl"]


async def test_a_refusal_uses_the_newest_state(field: Games, store: Store) -> None:
    second = Games(store, {"toy": Toy()})
    await second.running_game(CHANNEL)
    await field.seats.leave(CHANNEL, BEN)
    await field.seats.join(CHANNEL, ANNA, "red")
    played = await second.actions.act_by_kind(CHANNEL, ANNA, "march", {"unit": "r1"}, interaction=10)
    assert played.entry.seq == 6
    await field.seats.appoint_umpire(CHANNEL, ANNA, BEN)
    assert (await second.seats.appoint_umpire(CHANNEL, BEN, CARL)).umpire == CARL
    await field.dice_seeds.end_game(CHANNEL, CARL)
    started = await field.starter.start(CHANNEL, 5, BEN, "toy", "field", interaction=20)
    assert (
        await second.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=21)
    ).game.id == started.game.id
