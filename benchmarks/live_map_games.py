"""Games and sessions for the benchmark of the live map, and printing of results."""

import json
import statistics
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import Any
from unittest.mock import patch

import aiohttp

from bot.journal.game import Actor, Game
from bot.page.sessions import WebSessions
from bot.services import Games
from bot.store import Store
from rules.registry import rulesets
from tests.large_tables import SCENARIOS, create_crowded_table
from tests.wire.loopback import Loopback
from tests.wire.world import CHANNELS, GORDON, GUILD, KITCHENER

RULES = "magdala"
PLAIN, LARGE, LARGER, ELSEWHERE = CHANNELS
SIZES = {LARGE: 60, LARGER: 75}
"""Number of units per side by channel: tables of 120 and 150 units."""
FIRST_ONLOOKER = 5000
"""The user id of the first onlooker."""


class Bench:
    """A bot with its games, and sessions of onlookers."""

    def __init__(self, discord: Loopback, url: str, port: int) -> None:
        self.discord, self.url = discord, f"http://127.0.0.1:{port}"
        self._store = Store(url)
        self.sessions = WebSessions(self._store)
        self.games: dict[int, Game] = {}

    async def lay(self) -> None:
        """Start a plain game in PLAIN and ELSEWHERE, and large games. Kitchener plays the acting side."""
        await self._store.open()
        systems = rulesets()
        games = Games(self._store, systems)
        gordon, kitchener = (Actor(person.id, person.name) for person in (GORDON, KITCHENER))
        for channel in (PLAIN, LARGE, LARGER, ELSEWHERE):
            start, scenario = games.starter.start, "suakin-1885"
            if channel in SIZES:
                scenario, (_, state) = SCENARIOS[RULES], create_crowded_table(RULES, SIZES[channel])
                with patch.object(type(systems[RULES]), "setup", lambda *_, state=state: state):
                    await start(channel, GUILD, gordon, RULES, scenario, interaction=channel)
            else:
                await start(channel, GUILD, gordon, RULES, scenario, interaction=channel)
            game = await games.running_game(channel)
            await games.seats.join(channel, kitchener, game.state.acting_sides[0])
            self.games[channel] = await games.running_game(channel)

    async def link(self, channel: int, user: Actor | None = None) -> str:
        """Return a link to a game's page."""
        key = await self.sessions.make_link(self.games[channel], user or Actor(KITCHENER.id, KITCHENER.name))
        return f"{self.url}/#{key}"

    async def client(self, channel: int, user: Actor | None = None) -> tuple[aiohttp.ClientSession, str]:
        """Return a client with a session cookie, and its seat."""
        key = (await self.link(channel, user)).partition("#")[2]
        client = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        headers = {"Origin": self.url, "Content-Type": "application/json"}
        async with client.post(f"{self.url}/api/session", data=json.dumps({"key": key}), headers=headers) as answer:
            return client, str((await answer.json())["seat"])


def print_values(title: str, values: Sequence[float] | float, unit: str, goal: str = "", bare: float = 0.0) -> None:
    """Print a line with the best and the median of several values."""
    numbers = [values] if isinstance(values, float | int) else [*values]
    best, middle = min(numbers), statistics.median(numbers)
    times = f"{best / bare:6.1f} x bare" if bare else ""
    print(f"{title:58}{best:9.2f}{middle:9.2f} {unit:4}{goal:>8}{times:>14}", flush=True)


async def time_replies(ask: Callable[[], Awaitable[Any]], count: int) -> list[float]:
    """Return the milliseconds of each answer."""
    milliseconds = []
    for _ in range(count):
        start = perf_counter()
        await ask()
        milliseconds.append((perf_counter() - start) * 1000)
    return milliseconds


async def time_rolls(discord: Loopback, count: int) -> list[float]:
    """Return the milliseconds of each `/roll` in a game."""
    milliseconds = []
    for _ in range(count):
        request = await discord.ask("roll", GORDON, ELSEWHERE, dice="2d6").wait()
        assert request.finished_at is not None
        milliseconds.append((request.finished_at - request.at) * 1000)
    return milliseconds
