"""Painting a campaign's map as the umpire: stroke by stroke on the page, and with `/terrain paint` in the chat."""

from typing import Any

from rules.campaign.ground import board_of
from rules.core.hexboard.hexes import Hex

from .live_page import Browser, open_page, read
from .table import Table
from .test_opponent import game_of
from .test_page_by_hand import change_table, take_back

GRAHAM, OSMAN = "British under Graham", "Mahdists under Osman Digna"
MARSH = {"do": "paint", "what": "marsh", "at": "1512 1513 1613"}


async def begin(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="campaign", scenario="suakin-1884")
    await table.give(table.british, "game join", side=GRAHAM)
    await table.give(table.mahdist, "game join", side=OSMAN)


async def kind_of(table: Table, label: str) -> str:
    return board_of((await game_of(table)).state).terrain[Hex.from_label(label)].id


async def test_a_stroke_on_the_page_is_applied_announced_and_undone(table: Table, browser: Browser) -> None:
    await begin(table)
    await open_page(table, table.umpire, browser)
    view = await browser.view()
    assert view["umpire"]["draws"] is True
    _, palette = await browser.get("/api/terrain")
    assert {"word": "marsh", "stroke": "hexes", "letter": "m"}.items() <= palette["kinds"][5].items()
    assert [kind["word"] for kind in palette["kinds"]][-6:] == [
        "road",
        "no road",
        "river",
        "ford",
        "bridge",
        "no river",
    ]
    assert palette["letters"]["1512"] == "s"
    status, after = await change_table(browser, MARSH)
    assert (status, after["map"]["ground"] == view["map"]["ground"]) == (200, False)
    await read(table, "The umpire paints marsh: 1512, 1513, 1613.")
    assert (await browser.get("/api/terrain"))[1]["letters"]["1512"] == "m"
    river: dict[str, Any] = {"do": "paint", "what": "river", "at": "1512/1612 1512/1613", "name": "Khor"}
    assert (await change_table(browser, river))[0] == 200
    preview, status, back = await take_back(browser)
    assert "The umpire paints river Khor: 1512/1612, 1512/1613." in preview["entries"][0]
    assert (status, back["map"]["ground"]) == (200, after["map"]["ground"])
    await take_back(browser)
    assert await kind_of(table, "1512") == "scrub"


async def test_wrong_strokes_and_strokes_of_players_are_refused(table: Table, browser: Browser) -> None:
    await begin(table)
    before = await table.seq()
    await open_page(table, table.british, browser)
    assert (await browser.view())["umpire"] is None
    assert (await browser.get("/api/terrain"))[0] == 403
    assert (await change_table(browser, MARSH))[0] == 403
    await open_page(table, table.umpire, browser)
    for change, reason in (
        ({**MARSH, "what": "lava"}, "no paint called “lava”"),
        ({**MARSH, "at": "9999"}, "off the map"),
        ({**MARSH, "what": "sea", "at": "1406"}, "Suakin lies in 1406"),
        ({**MARSH, "what": "ford"}, "hexside"),
    ):
        status, answer = await change_table(browser, change)
        assert status == 422
        assert reason in answer["error"]
    assert (await change_table(browser, {**MARSH, "at": "1" * 9001}))[0] == 400
    assert await table.seq() == before


async def test_terrain_paint_works_until_the_first_day_ends(table: Table, browser: Browser) -> None:
    await begin(table)
    assert await table.complete(table.umpire, "terrain paint", "kind", "mar") == ["marsh"]
    answer = await table.give(table.umpire, "terrain paint", kind="marsh", at="Handub, 1203-1204")
    assert "The umpire paints marsh: 1103, 1203, 1204." in answer.text
    assert await kind_of(table, "1203") == "marsh"
    refused = await table.give(table.british, "terrain paint", kind="marsh", at="1104")
    assert "Only the umpire" in refused.private_text
    await table.give(table.umpire, "turn next")
    refused = await table.give(table.umpire, "terrain paint", kind="forest", at="1104")
    assert "The first day has ended" in refused.private_text
    await open_page(table, table.umpire, browser)
    assert (await browser.view())["umpire"]["draws"] is False
    assert await table.complete(table.umpire, "terrain paint", "kind", "") == []


async def test_other_hex_maps_cannot_be_painted(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="great_war", scenario="trench")
    refused = await table.give(table.umpire, "terrain paint", kind="forest", at="0101")
    assert "The Great War has no map to paint" in refused.private_text
