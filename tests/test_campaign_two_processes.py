"""Two processes and a campaign's battle: opened once, acted on by each in turn; its result comes back once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from bot.campaigns.links import BattleLink
from bot.errors import GameRunning
from bot.journal.game import Game, Played
from bot.services import Games
from bot.store import Store
from rules.registry import rulesets

from .conftest import ANNA, BEN, CARL, CHANNEL

THREADS = (201, 202)


@pytest.fixture
async def processes(store: Store, database_url: str) -> AsyncIterator[tuple[Games, Games]]:
    """Two processes on one database, and a campaign whose columns have met at El Teb."""
    second = Store(database_url)
    first_process, second_process = Games(store, rulesets()), Games(second, rulesets())
    await first_process.starter.start(CHANNEL, None, ANNA, "campaign", "suakin-1884")
    await first_process.seats.join(CHANNEL, BEN, "graham")
    await second_process.seats.join(CHANNEL, CARL, "osman-digna")
    march = {"unit": "graham-s-column", "to": "El Teb", "with": "attack"}
    await second_process.actions.act_by_kind(CHANNEL, BEN, "move", march, interaction=1)
    await first_process.actions.act_by_kind(CHANNEL, ANNA, "turn_next", {}, interaction=2)
    yield first_process, second_process
    await second.close()


def in_channel(channel: int) -> Callable[[], Awaitable[int]]:
    """Return a function that finds the channel for a battle."""

    async def find() -> int:
        return channel

    return find


async def open_by_both(processes: tuple[Games, Games]) -> Game:
    """Have both processes open the battle at once, each in a thread of its own; return the one game."""
    campaigns = [await process.running_game(CHANNEL) for process in processes]
    results = await asyncio.gather(
        *(
            games.battle_openings.open(campaign, ANNA, "El Teb", in_channel(thread), interaction=thread)
            for games, campaign, thread in zip(processes, campaigns, THREADS, strict=True)
        ),
        return_exceptions=True,
    )
    (played,) = [result for result in results if isinstance(result, Played)]
    assert [type(result) for result in results if result is not played] == [GameRunning]
    return played.game


async def link_of(games: Games, fought: Game) -> BattleLink:
    link = await games.battle_links.load_link_of_game(fought.id)
    assert link is not None
    return link


async def test_a_battle_is_opened_acted_on_and_ended_by_two_processes(processes: tuple[Games, Games]) -> None:
    first, second = processes
    fought = await open_by_both(processes)
    for number in range(6):
        games = processes[number % 2]
        now = await games.running_game(fought.channel)
        kind = now.ruleset.kind_meant_now(now.state, "turn_next")
        await games.actions.act_by_kind(
            fought.channel, ANNA, kind, {"waive": True} if number else {}, interaction=300 + number
        )
    states = [(await games.running_game(fought.channel)).state for games in processes]
    assert states[0] == states[1]
    assert (states[0].turn, states[0].active) != (fought.state.turn, fought.state.active)
    await second.actions.act_by_kind(CHANNEL, CARL, "move", {"unit": "camelmen", "to": "Otao"}, interaction=400)
    await second.dice_seeds.end_game(fought.channel, ANNA)
    results = await asyncio.gather(*(give(games, fought) for games in (*processes, *processes)))
    assert sum(played is not None for played in results) == 1
    campaigns = [(await games.running_game(CHANNEL)).state for games in processes]
    assert campaigns[0] == campaigns[1]
    assert campaigns[0].battles == {}
    assert campaigns[0].unit("camelmen").orders.way, "its orders stand"
    entries = await first.readings.load_log(await first.running_game(CHANNEL), "umpire", 0)
    assert [entry.kind for entry in entries].count("battle_result") == 1


async def give(games: Games, fought: Game) -> Any:
    """Enter the battle's result."""
    return await games.battle_outcomes.enter_result(await games.running_game(CHANNEL), await link_of(games, fought))
