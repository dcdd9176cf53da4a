"""Dispatches on the page: written as in the chat, readable only by writer and umpire."""

from .live_page import Browser, link, open_page
from .table import Table
from .test_campaign_dispatches import begin, dispatch


async def test_a_dispatch_from_the_page_is_readable_only_by_its_writer(table: Table, browser: Browser) -> None:
    await begin(table)
    await open_page(table, table.british, browser)
    before = len(table.channel.history())
    dispatches = (await browser.view())["dispatches"]
    assert [command["id"] for command in dispatches["to"]] == ["pearson", "wood"]
    assert dispatches["known"] == []
    body = {"to": "wood", "text": "Come to Utrecht", "with_sightings": True}
    status, view = await browser.post("/api/dispatch", body)
    assert status == 200
    (sent_dispatch,) = view["dispatches"]["known"]
    assert sent_dispatch["heading"] == "Day 1, to the British under Wood"
    assert sent_dispatch["contents"].startswith("“Come to Utrecht”")
    assert (await dispatch(table)).sender == "glyn"
    assert len(table.channel.history()) == before
    assert await browser.open(await link(table, table.onlooker)) == 200
    assert (await browser.view())["dispatches"]["known"] == []
    assert await browser.open(await link(table, table.umpire)) == 200
    final_dispatches = (await browser.view())["dispatches"]
    assert (final_dispatches["to"], len(final_dispatches["known"])) == ([], 1)
    status, refused = await browser.post("/api/dispatch", body)
    assert (status, refused["error"]) == (422, "Only commands write dispatches. (CA-7.1, house rule)")


async def test_the_page_has_no_dispatches_if_powers_share_their_view(table: Table, browser: Browser) -> None:
    await begin(table, "shared")
    await open_page(table, table.british, browser)
    assert (await browser.view())["dispatches"] is None
    status, refused = await browser.post("/api/dispatch", {"to": "wood", "text": "Come"})
    assert status == 422
    assert "no dispatches are needed" in refused["error"]
