"""A campaign's battle, opened from the campaign's page by participants of the battle."""

from .live_page import Browser, link, open_page
from .table import Table
from .test_campaign import meet
from .test_campaign_fights import follow, open_battle


def battle_in(view: object) -> str:
    """Return the id of the battle on the view's map; empty if the view shows none."""
    assert isinstance(view, dict)
    return next((note["battle"] for note in view["map"]["notes"] if note["kind"] == "battle"), "")


async def test_participants_of_a_battle_open_its_page(table: Table, browser: Browser) -> None:
    fought = await open_battle(table)
    await open_page(table, table.british, browser)
    battle = battle_in(await browser.view())
    status, answer = await browser.post("/api/battle", {"battle": battle})
    assert status == 200
    assert await browser.open(answer["key"]) == 200
    view = await browser.view()
    assert view["game"]["id"] == fought.id
    assert view["seat"]["side"] == "british"


async def test_a_battle_without_a_game_is_refused_with_advice(table: Table, browser: Browser) -> None:
    await meet(table)
    await follow(table)
    await open_page(table, table.british, browser)
    status, answer = await browser.post("/api/battle", {"battle": battle_in(await browser.view())})
    assert status == 422
    assert "Its message in the chat has buttons to fight it" in answer["error"]


async def test_onlookers_see_a_battles_place_but_may_not_open_it(table: Table, browser: Browser) -> None:
    await open_battle(table)
    await open_page(table, table.british, browser)
    battle = battle_in(await browser.view())
    assert await browser.open(await link(table, table.onlooker)) == 200
    view = await browser.view()
    assert [note["words"] for note in view["map"]["notes"] if note["kind"] == "battle"] == [
        "Battle of El Teb, open since day 1"
    ]
    assert battle_in(view) == ""
    for battle_id in (battle, "battle-9-0101"):
        status, answer = await browser.post("/api/battle", {"battle": battle_id})
        assert (status, answer["error"]) == (
            403,
            "Only the umpire and the players whose columns are in a battle may look at it.",
        )
