"""The live map caches the view of a seat until its knowledge changes, and pushes news of its own process at once."""

import asyncio
from time import monotonic
from typing import Any

import pytest

from web import api, news, view_cache
from web.server import LiveMap
from web.views import view_json

from .live_page import Browser, open_page
from .table import Table
from .test_page import next_news


@pytest.fixture
def computed_views(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list of the viewers whose view was computed."""
    viewers: list[str] = []

    def make(seat: Any, stored_view: Any) -> Any:
        viewers.append(seat.viewer)
        return view_json(seat, stored_view)

    monkeypatch.setattr(view_cache, "view_json", make)
    return viewers


async def test_a_view_is_recomputed_only_after_visible_changes(
    table: Table, browser: Browser, computed_views: list[str]
) -> None:
    await table.start()
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await open_page(table, table.british, browser)
    first = await browser.view()
    assert await browser.view() == first
    await table.give(table.umpire, "unit hide", unit="Amarar")
    second_view = await browser.view()
    assert second_view["units"] != first["units"]
    assert computed_views == ["british"] * 2
    hidden_moves = await table.give(table.umpire, "umpire set", unit="Amarar", field="place", value="60,40")
    assert hidden_moves.private
    assert await browser.view() == second_view
    assert computed_views == ["british"] * 2, "the British know of no action"
    await table.give(table.british, "turn orders", text="1st Berkshires: forward 1")
    assert (await browser.view())["sheet"]["orders"]
    await table.give(table.mahdist, "move", unit="Arteiga", to="forward 2")
    await browser.view()
    assert computed_views == ["british"] * 4


async def test_a_units_options_use_the_same_game_after_a_hidden_action(
    table: Table, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    games: list[Any] = []
    require_own_sheet = api.PageOrders.require_own_sheet

    async def record_game(orders: api.PageOrders, seat: Any) -> Any:
        games.append(seat.game)
        return await require_own_sheet(orders, seat)

    monkeypatch.setattr(api.PageOrders, "require_own_sheet", record_game)
    await table.start()
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.umpire, "unit hide", unit="Amarar")
    await open_page(table, table.british, browser)
    await browser.get("/api/unit", unit="berkshires")
    await table.give(table.umpire, "umpire set", unit="Amarar", field="place", value="60,40")
    await browser.get("/api/unit", unit="berkshires")
    await table.give(table.mahdist, "move", unit="Arteiga", to="forward 2")
    await browser.get("/api/unit", unit="berkshires")
    first, hidden, shown = games
    assert hidden is first, "the rules cache results by game"
    assert shown.seq > hidden.seq


async def test_onlookers_share_one_view_and_each_side_has_its_own(
    table: Table, browser: Browser, computed_views: list[str]
) -> None:
    await table.start()
    another = table.guild.add_member(table.env.create_user("otto"))
    for person in (table.onlooker, another, table.mahdist, table.british):
        await open_page(table, person, browser)
        await browser.view()
    assert computed_views == ["public", "mahdists", "british"]


async def test_a_page_gets_news_of_its_own_process_at_once(
    table: Table, browser: Browser, live_map: LiveMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "CHECK_INTERVAL", 60)
    monkeypatch.setattr(news, "SHORT_INTERVAL", 0)
    await table.start()
    await open_page(table, table.onlooker, browser)
    async with browser.client.get("/api/news", params={"seat": browser.seat}) as stream:
        first = await next_news(stream)
        await asyncio.sleep(0)
        began = monotonic()
        await table.give(table.mahdist, "move", unit="Amarar", to="forward 4")
        assert await next_news(stream) != first
        assert monotonic() - began < 5
