"""Two processes that serve the live map from one database: pages follow both, and no request runs twice."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.store import Store

from .gateway import Session
from .loopback import Loopback
from .page import Page, ask_for_key, find_free_port, make_map_settings
from .process import Process, find_tracebacks
from .waiting import wait_until
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
ORDERS = "Amarar: forward 3", "Arteiga: forward 3", "Ashraf: forward 3"
MOVES = "SELECT action FROM entries WHERE kind = 'move'"
NEWS_WITHIN = 5.0
"""Seconds until a page hears of another process's change. Each process checks once a second."""


class MapPair:
    """Two processes on one database, a game, and a page of Kitchener at each process."""

    def __init__(self, discord: Loopback, home: Path, url: str) -> None:
        self.discord, self.url = discord, url
        self.ports = find_free_port(), find_free_port() + 1
        self.processes = [
            Process(discord, home, UMPIRE_WORKERS="0", UMPIRE_DATABASE_URL=url, **make_map_settings(port))
            for port in self.ports
        ]
        self.pages = [Page(port) for port in self.ports]

    async def start(self) -> None:
        """Start both processes, seat Kitchener, and open his pages."""
        for process in self.processes:
            await process.start()
        first = self.sessions[0]
        await self.discord.ask(
            "game new", GORDON, TABLE, heard_by=first, rules="magdala", scenario="suakin-1885"
        ).wait()
        await self.discord.ask("game join", KITCHENER, TABLE, heard_by=first, side="mahdists").wait()
        for page, session in zip(
            self.pages, reversed(self.sessions), strict=True
        ):  # each process accepts links of the other
            await page.open(await ask_for_key(self.discord, KITCHENER, TABLE, session))

    @property
    def sessions(self) -> list[Session]:
        """Gateway sessions of the processes, in the order of their start."""
        return [session for session in self.discord.gateway.sessions if session.socket is not None]

    async def count_moves(self) -> int:
        """Return the number of stored moves."""
        store = Store(self.url)
        await store.open()
        try:
            async with store.query_connection() as connection:
                return len((await connection.execute(text(MOVES))).all())
        finally:
            await store.close()

    async def close(self) -> None:
        """Close both pages and kill both processes."""
        for page in self.pages:
            await page.__aexit__(None, None, None)
        for process in self.processes:
            await process.kill()
            assert find_tracebacks(process.log) == []


@pytest.fixture
async def pair(discord: Loopback, tmp_path: Path, database_url: str) -> AsyncIterator[MapPair]:
    pair = MapPair(discord, tmp_path, database_url)
    try:
        await pair.start()
        yield pair
    finally:
        await pair.close()


@pytest.mark.parametrize("database_kind", ["postgresql"])
async def test_page_follows_changes_of_another_process(discord: Loopback, pair: MapPair) -> None:
    first_page, second_page = pair.pages
    async with first_page.open_news() as news:
        await asyncio.wait_for(news.get(), NEWS_WITHIN)
        view = await first_page.read_view()
        _, second = pair.sessions
        await discord.ask("move", KITCHENER, TABLE, heard_by=second, unit="Riflemen of Tokar", to="forward 2").wait()
        counter = await asyncio.wait_for(news.get(), NEWS_WITHIN)
        assert counter.startswith((await first_page.read_view())["progress"])
        assert (await first_page.read_view())["progress"] != view["progress"]

        draft = await second_page.write_orders(*ORDERS)
        await asyncio.wait_for(news.get(), NEWS_WITHIN)
        assert [order["words"] for order in (await first_page.read_view())["sheet"]["orders"]] == [*ORDERS]
        old = {"revision": view["sheet"]["revision"]}
        assert [(await first_page.post(path, old))[0] for path in ("/api/do", "/api/sheet")] == [409, 409]
        assert await pair.count_moves() == 1

        press = {"revision": draft["sheet"]["revision"]}
        answers = await asyncio.gather(
            *(page.post("/api/do", press) for page in (first_page, second_page, first_page, second_page))
        )
        assert sorted(status for status, _ in answers) == [200, 409, 409, 409]
        assert await pair.count_moves() == 1 + len(ORDERS)
        assert (
            (await first_page.read_view())["sheet"]["orders"]
            == (await second_page.read_view())["sheet"]["orders"]
            == []
        )
    await wait_until(lambda: discord.posts, "the message to the channel")
    await asyncio.sleep(1)
    assert len(discord.posts) == 1, "reported once"


@pytest.mark.parametrize("database_kind", ["sqlite"])
async def test_a_session_ended_in_one_process_ends_at_the_other(discord: Loopback, pair: MapPair) -> None:
    first_page, second_page = pair.pages
    first, second = pair.sessions
    async with first_page.open_news() as news:
        await asyncio.wait_for(news.get(), NEWS_WITHIN)
        await discord.ask("game leave", KITCHENER, TABLE, heard_by=second).wait()
        assert await asyncio.wait_for(news.get(), NEWS_WITHIN) == "left"
    for page in (first_page, second_page):
        assert (await page.get("/api/view"))[0] == 403
    key = await ask_for_key(discord, KITCHENER, TABLE, first)
    answers = await asyncio.gather(
        *(page.post("/api/session", {"key": key}) for page in (first_page, second_page, first_page, second_page))
    )
    assert sorted(status for status, _ in answers) == [200, 403, 403, 403], "a key opens one session"
