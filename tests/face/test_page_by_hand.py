"""The umpire's page and the set-up on the page: views of sides, corrections, terrain, deployment, and undo."""

import math
from typing import Any

import pytest

from rules.core.model import UMPIRE

from .live_page import Browser, key_of, open_page, read
from .table import Table
from .test_opponent import game_of
from .test_own_table import open_battle_form, submit_battle_form

PLACE = {"do": "correct", "unit": "amarar", "field": "place", "value": "30,20"}
HILL = {
    "do": "draw",
    "feature": "hill",
    "line": False,
    "stroke": [(30 + 6 * math.cos(step / 10), 18 + 4 * math.sin(step / 10)) for step in range(63)],
    "name": "Kop",
}
ROAD = {"do": "draw", "feature": "road", "line": True, "stroke": [(1, 10), (20, 12), (71, 10)], "width": 1.0}


async def change_table(page: Browser, change: Any, path: str = "/api/table/change") -> tuple[int, Any]:
    """Send a change with the progress of the current view."""
    return await page.post(path, {"change": change, "progress": (await page.view())["ownProgress"]})


async def confirm(page: Browser, change: Any) -> tuple[Any, int, Any]:
    """Preview a change and confirm it. Return the preview, the status and the view."""
    status, preview = await page.post("/api/table/preview", {"change": change})
    assert status == 200, preview
    return preview, *await page.post("/api/table/change", {"change": change, "tag": preview["tag"]})


async def set_up_table(table: Table, **options: str) -> None:
    """Set up an own battle with a unit of each side and a British player."""
    await submit_battle_form(table, await open_battle_form(table))
    regulars = "British regulars, breechloaders"
    await table.give(table.umpire, "unit add", troop=regulars, side="british", name="Berkshires", at="C4")
    await table.give(table.umpire, "unit add", troop="Zulu impi", side="egyptians", name="Amarar", at="C1")
    for name, value in options.items():
        await table.give(table.umpire, "umpire option", name=name.replace("_", " "), value=value)
    await table.give(table.british, "game join", side="british")


async def test_a_drag_is_previewed_and_corrects_like_the_command(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.umpire, browser)
    preview, status, view = await confirm(browser, PLACE)
    assert preview["words"] == "Move Amarar from D1 SW facing south to C2 S facing south by correction."
    assert status == 200
    assert next(unit for unit in view["units"] if unit["id"] == "amarar")["at"] == [30, 20]
    await read(table, "The umpire corrects Amarar: place.")
    entry = (await table.env.bot.games.load_entries(await game_of(table), 1, UMPIRE))[0]
    await table.give(table.umpire, "game undo")
    undone, undo_status, _ = await take_back(browser)
    assert (undo_status, len(undone["entries"])) == (200, 1)
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="30,20")
    imported = (await table.env.bot.games.load_entries(await game_of(table), 1, UMPIRE))[0]
    assert (imported.kind, imported.action, imported.report) == (entry.kind, entry.action, entry.report), (
        "equal to the command's entry"
    )


async def take_back(page: Browser) -> tuple[Any, int, Any]:
    """Undo on the page. Return the preview, the status and the view."""
    status, preview = await page.get("/api/undo")
    assert status == 200, preview
    return preview, *await page.post("/api/undo", {"progress": preview["progress"]})


async def test_a_previewed_change_works_once_and_only_on_the_same_table(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.umpire, browser)
    preview, *_ = await confirm(browser, PLACE)
    assert (await browser.post("/api/table/change", {"change": PLACE, "tag": preview["tag"]}))[0] == 409, "once"
    _, moved = await browser.post("/api/table/preview", {"change": {**PLACE, "value": "40,20"}})
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="50,20")
    before = await table.seq()
    for body in ({"tag": moved["tag"]}, {"progress": "1-0"}):
        answer = await browser.post("/api/table/change", {"change": {**PLACE, "value": "40,20"}, **body})
        assert answer[0] == 409, answer
    assert (await browser.post("/api/table/change", {"change": PLACE}))[0] == 400, "no preview was shown"
    assert (await browser.post("/api/undo", {"progress": "1-0"}))[0] == 409
    assert await table.seq() == before


async def test_an_undo_on_the_page_is_announced_in_the_chat(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.umpire, browser)
    await confirm(browser, PLACE)
    await read(table, "The umpire corrects Amarar: place.")
    preview, status, view = await take_back(browser)
    assert (preview["free"], status) == (True, 200)
    assert "The umpire corrects Amarar: place." in preview["entries"][0]
    assert next(unit for unit in view["units"] if unit["id"] == "amarar")["at"] != [30, 20]
    await read(table, "**ursula** takes back:")


async def test_the_page_lists_and_corrects_every_field_of_the_command(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.umpire, browser)
    _, listing = await browser.get("/api/fields", unit="amarar")
    fields = {field["words"]: field for field in listing["fields"]}
    assert fields["casualties"]["value"] == "0"
    assert "halted" in fields["morale"]["values"]
    assert any(field.get("secret") for field in listing["fields"])
    change = {"do": "correct", "unit": "amarar", "field": "casualties", "value": "+2"}
    preview, status, _ = await confirm(browser, change)
    assert (preview["lines"][0], status) == ("Casualties: 0 → 2.", 200)
    assert (await game_of(table)).state.units["amarar"].casualties == 2
    assert (await confirm(browser, {"do": "remove", "unit": "amarar"}))[1] == 200
    assert "amarar" not in (await game_of(table)).state.units


async def test_players_and_onlookers_change_nothing_by_hand(table: Table, browser: Browser) -> None:
    await table.start()
    before = await table.seq()
    changes = [PLACE, HILL, {**PLACE, "secret": True}, {"do": "remove", "unit": "amarar"}]
    changes += [{"do": "remove_piece", "piece": "Hill"}, {"do": "unhide", "unit": "amarar"}]
    changes += [{"do": "deploy", "unit": "amarar", "to": "C2"}, {"do": "marker", "side": "mahdists", "at": (9, 9)}]
    for actor in (table.mahdist, table.onlooker):
        await open_page(table, actor, browser)
        assert (await browser.view())["umpire"] is None
        for change in changes:
            assert (await browser.post("/api/table/preview", {"change": change}))[0] in (403, 422), change
            assert (await change_table(browser, change))[0] in (403, 422), change
        other_view = {"as": "british" if actor is table.mahdist else "mahdists"}
        for path, query in (
            ("fields", {"unit": "amarar"}),
            ("terrain", {}),
            ("view", other_view),
            ("history", other_view),
        ):
            assert (await browser.get(f"/api/{path}", **query))[0] == 403, (path, query)
        name = (await browser.view())["map"]["ground"]
        assert (await browser.get(f"/ground/{name}-small", **{"as": "british"}))[0] == 403
    assert await table.seq() == before


async def test_the_umpire_can_view_the_table_as_a_side_or_the_public(table: Table, browser: Browser) -> None:
    await table.start()
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.umpire, "unit hide", unit="Amarar")
    await open_page(table, table.umpire, browser)
    everything = await browser.view()
    assert [view_["name"] for view_ in everything["umpire"]["views"]] == [
        "All sides",
        "British",
        "Army of Osman Digna",
        "Onlookers",
    ]
    assert "amarar" in {unit["id"] for unit in everything["units"]}
    for seen_as, knows in (("mahdists", True), ("british", False), ("public", False)):
        _, view = await browser.get("/api/view", **{"as": seen_as})
        assert ("amarar" in str(view).casefold()) is knows, seen_as
        assert (view["umpire"]["shown"], view["sheet"]) == (seen_as, None)
        assert view["ownProgress"] == everything["progress"]
        _, history = await browser.get("/api/history", **{"as": seen_as})
        assert ("amarar" in str(history).casefold()) is knows, seen_as
    assert (await browser.get("/api/view", **{"as": "nobody"}))[0] == 403
    assert (await confirm(browser, {**PLACE, "unit": "berkshires"}))[1] == 200, "the umpire still acts as umpire"


async def test_an_onlooker_of_a_game_with_hidden_units_sees_the_public_view(table: Table, browser: Browser) -> None:
    await table.start()
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.umpire, "unit hide", unit="Amarar")
    await open_page(table, table.onlooker, browser)
    view = await browser.view()
    assert (view["seat"]["role"], view["setUp"]) == ("onlooker", None)
    assert len(view["units"]) > 3
    assert "amarar" not in str(view).casefold()


async def test_ground_can_be_drawn_explained_changed_and_undone(table: Table, browser: Browser) -> None:
    await set_up_table(table)
    await open_page(table, table.umpire, browser)
    _, ground = await browser.get("/api/terrain")
    kinds = {kind["feature"]: kind for kind in ground["kinds"]}
    assert {"hill", "wood", "river", "road"} <= kinds.keys()
    assert (kinds["hill"]["line"], kinds["river"]["line"]) == (False, True)
    name = (await browser.view())["map"]["ground"]
    preview, status, view = await confirm(browser, HILL)
    (piece,) = preview["pieces"]
    assert (piece["name"], piece["words"]) == ("Kop", 'hill, 12" x 8", C2')
    assert any("MM-" in line for line in piece["lines"])
    assert (status, view["map"]["ground"] != name) == (200, True)
    await read(table, "The umpire puts terrain on the table: Kop.")
    assert (await confirm(browser, ROAD))[1] == 200
    road = (await game_of(table)).state.terrain[-1]
    assert (road.closed, road.points[0], road.points[-1]) == (False, (0, 10), (72, 10)), "on to the edges"
    assert (await confirm(browser, {"do": "move_piece", "piece": "Kop", "to": (50, 30)}))[1] == 200
    assert (await confirm(browser, {"do": "turn_piece", "piece": "Kop", "degrees": 90}))[1] == 200
    await take_back(browser)
    assert (await confirm(browser, {"do": "remove_piece", "piece": "Kop"}))[1] == 200
    assert [piece["name"] for piece in (await browser.get("/api/terrain"))[1]["pieces"]] == ["Road"]
    for stroke in ([], [(1, 1), (1.1, 1)], [(-50, -50), (-40, -50), (-40, -40)]):
        status, body = await browser.post("/api/table/preview", {"change": {**HILL, "stroke": stroke}})
        assert (status, "Draw it larger" in body["error"]) == (422, True)


async def test_players_deploy_hide_and_remove_their_own_units_in_the_set_up(table: Table, browser: Browser) -> None:
    await set_up_table(table, hidden_troops="yes")
    await open_page(table, table.british, browser)
    set_up = (await browser.view())["setUp"]
    assert set_up == {"side": "british", "hides": True, "places": True, "unplaced": [], "hidden": []}
    status, view = await change_table(browser, {"do": "deploy", "unit": "berkshires", "to": "20,40 facing 90"})
    assert status == 200, view
    assert view["units"][0]["facing"] == 90
    await read(table, "Berkshires are put on the table.")
    assert (await change_table(browser, {"do": "deploy", "unit": "amarar", "to": "20,30"}))[0] == 403
    assert (await change_table(browser, HILL))[0] == 403
    assert (await change_table(browser, {"do": "marker", "side": "egyptians", "at": (20, 10)}))[0] == 403
    assert (await change_table(browser, {"do": "marker", "side": "british", "at": (50, 40)}))[0] == 200
    assert (await change_table(browser, {"do": "hide", "unit": "berkshires", "marker": True}))[0] == 200
    assert (await browser.view())["setUp"]["hidden"] == ["berkshires"]
    state = (await game_of(table)).state
    assert len(state.markers) == 2
    assert "berkshires" in state.hidden
    assert (await change_table(browser, {"do": "unhide", "unit": "berkshires"}))[0] == 200
    assert (await change_table(browser, {"do": "remove", "unit": "berkshires"}))[0] == 200
    preview, status, _ = await take_back(browser)
    assert (preview["free"], status) == (True, 200)
    assert "berkshires" in (await game_of(table)).state.units


async def test_hidden_enemy_units_answer_like_unknown_units(table: Table, browser: Browser) -> None:
    await set_up_table(table, hidden_troops="yes")
    await table.give(table.umpire, "unit hide", unit="Amarar")
    assert "amarar" in (await game_of(table)).state.hidden
    await open_page(table, table.british, browser)
    for do in ({"do": "deploy", "to": "C2"}, {"do": "hide"}, {"do": "unhide"}, {"do": "remove"}, PLACE):
        answers = [await change_table(browser, {**do, "unit": unit}) for unit in ("amarar", "no-such-unit")]
        assert answers[0] == answers[1], do
        assert answers[0][0] == 422


async def test_the_umpire_begins_the_battle_on_the_page(table: Table, browser: Browser) -> None:
    await set_up_table(table)
    await open_page(table, table.umpire, browser)
    (begins,) = [prompt for prompt in (await browser.view())["prompts"] if prompt["mine"]]
    offer = begins["offers"][0]
    assert offer["label"] == "Begin the battle"
    status, view = await browser.post("/api/answer", {"key": begins["key"], "offer": offer["tag"]})
    assert (status, view["setUp"]) == (200, None)
    assert (await change_table(browser, {"do": "deploy", "unit": "amarar", "to": "C2"}))[0] == 422
    await read(table, "The battle begins")


async def test_one_person_opens_several_seats_in_several_tabs(table: Table, browser: Browser) -> None:
    await table.start()
    await open_page(table, table.british, browser)
    first, channel = browser.seat, table.guild.create_text_channel("second")
    await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", channel=channel)
    await table.give(table.british, "game join", side="mahdists", channel=channel)
    opened = await table.give(table.british, "page open", channel=channel)
    assert await browser.open(key_of(opened)) == 200
    second = browser.seat
    for seat, side in ((first, "british"), (second, "mahdists"), (first, "british")):
        browser.seat = seat
        assert (await browser.view())["seat"]["side"] == side


@pytest.mark.parametrize(("rules", "scenario"), [("great_war", "trench"), ("tanga", "initial-assault")])
async def test_on_hexes_a_drag_corrects_but_no_ground_can_be_drawn(
    table: Table, browser: Browser, rules: str, scenario: str
) -> None:
    await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    await open_page(table, table.umpire, browser)
    view = await browser.view()
    assert (view["umpire"]["corrects"], view["umpire"]["draws"], view["setUp"]) == (True, False, None)
    unit = next(unit for unit in view["units"] if unit.get("at"))
    label, name = unit["hex"], (await game_of(table)).state.units[unit["id"]].name
    occupied = {unit_.get("hex") for unit_ in view["units"]}
    for _, _, to, *_ in view["map"]["hexes"]:
        change = {"do": "correct", "unit": unit["id"], "field": "place", "value": to}
        status, preview = await browser.post("/api/table/preview", {"change": change})
        if status == 200 and to not in occupied:
            break
    assert preview["words"] == f"Move {name} from {label} to {to} by correction."
    assert (await browser.get("/api/terrain"))[0] == 422
