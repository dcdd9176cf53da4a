"""Games whose figures stand on a real table: a form asks for missing distances, and no command needs a position."""

from typing import Any

import pytest

from .sheet import PlayersSheet
from .table import Answer, Table, labels, raw, text
from .test_opponent import game_of
from .test_photo import PIXELS, make_photograph

LANCERS, AMARAR = "5th Lancers", "Amarar"


async def begin(table: Table, rules: str = "magdala", scenario: str = "suakin-1885", **fields: Any) -> Answer:
    """Start a game without positions, with a player on each side."""
    begun = await table.give(table.umpire, "game new", rules=rules, scenario=scenario, positions="none", **fields)
    sides = [side.name for side in (await game_of(table)).state.sides]
    for player, side in zip((table.british, table.mahdist), sides, strict=True):
        await table.give(player, "game join", side=side)
    return begun


def form_fields(opened: Answer) -> dict[str, dict[str, Any]]:
    """Return the form's inputs by name."""
    assert opened.result.modal is not None, opened.text
    parts = (part["component"] for part in opened.result.modal["components"])
    return {part["custom_id"].split("/")[1]: part for part in parts}


async def fill_form(actor: Any, opened: Answer, **values: Any) -> Answer:
    """Submit the form with these values."""
    fields = form_fields(opened)
    values_by_id = {fields[name]["custom_id"]: value for name, value in values.items()}
    return Answer(await actor.submit_modal(opened.result, values_by_id), pressed=opened.pressed)


async def get_unit(table: Table, unit: str) -> Any:
    return (await game_of(table)).state.units[unit]


async def test_a_game_without_positions_shows_lists_instead_of_a_map(table: Table) -> None:
    begun = await begin(table)
    reply = text(begun.announced)
    assert "**No positions are kept.**" in reply
    assert "- Amarar: " in reply
    assert "- 1st Berkshires: " in reply
    assert not [component for component in raw(begun.announced)[0]["components"] if component["type"] == 12]
    assert "there is no map" in (await table.give(table.british, "map")).private_text


async def test_a_missing_range_is_asked_once_and_used(table: Table) -> None:
    await begin(table)
    await table.pass_on(table.mahdist)
    form = await table.give(table.british, "fire", unit=LANCERS, target=AMARAR)
    assert form.result.modal["title"] == "5th Lancers: fire Amarar"
    assert [*form_fields(form)] == ["range", "with"]
    answer = await fill_form(table.british, form, range='7,5"', **{"with": ["target in cover"]})
    assert '• 7\\.5": short range' in await table.details(table.british, answer.announced)
    assert (await get_unit(table, "5th-lancers")).this_turn.has_fired


@pytest.mark.parametrize("wrong", ["near", "-3", "7 feet"])
async def test_a_range_that_is_no_number_is_refused(table: Table, wrong: str) -> None:
    await begin(table)
    await table.pass_on(table.mahdist)
    form = await table.give(table.british, "fire", unit=LANCERS, target=AMARAR)
    assert "is not a number" in (await fill_form(table.british, form, range=wrong)).private_text
    assert not (await get_unit(table, "5th-lancers")).this_turn.has_fired


async def test_an_enemy_is_refused_without_a_form(table: Table) -> None:
    await begin(table)
    await table.pass_on(table.mahdist)
    refused = await table.give(table.mahdist, "fire", unit=LANCERS, target=AMARAR)
    assert "This is for bertie" in refused.private_text


async def test_completion_offers_units_that_can_fire_first(table: Table) -> None:
    await begin(table)
    assert (await table.complete(table.mahdist, "fire", "unit"))[:2] == ["rifles-hashin", "rifles-tokar"]
    assert (await table.complete(table.mahdist, "fire", "target", unit="rifles-hashin"))[0] == "berkshires"


async def test_a_charge_by_command_asks_for_the_distance(table: Table) -> None:
    await begin(table)
    form = await table.give(table.mahdist, "move", unit=AMARAR, to=f"towards {LANCERS}", **{"with": "into contact"})
    assert [*form_fields(form)] == ["to", "with"]
    answer = await fill_form(table.mahdist, form, to="3", **{"with": ["in the flank"]})
    assert "into contact" in text(answer.announced)
    assert (await get_unit(table, "amarar")).melee_with == "5th-lancers"


async def test_a_tests_button_asks_for_facts_of_the_real_table(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "unit add", troop="Imam", side="Army of Osman Digna", name="Sayyid")
    await table.pass_on(table.mahdist)
    fired = await table.give(table.umpire, "fire", unit="1st Berkshires", target=AMARAR, range=6)
    for unit in ("2nd East Surreys", "Royal Marines", "Screw guns"):  # until some hit
        if not (await game_of(table)).state.prompts:
            fired = await table.give(table.umpire, "fire", unit=unit, target=AMARAR, range=6)
    form = await table.press(table.mahdist, fired.announced, "Morale of Amarar")
    assert [*form_fields(form)] == ["with"]
    answer = await fill_form(table.mahdist, form, **{"with": ["imam"]})
    assert "an imam within 6 inches" in await table.details(table.umpire, answer.public[0])


async def test_a_sheet_offers_fire_and_asks_for_the_range(table: Table) -> None:
    await begin(table)
    await table.pass_on(table.mahdist)
    sheet = PlayersSheet(table, table.british)
    await sheet.open()
    await sheet.choose("Which units?", LANCERS)
    form = await sheet.choose("Do what?", "Fire Amarar")
    await fill_form(table.british, form, range="7")
    assert "5th Lancers fire Amarar range 7" in sheet.text
    answer = await sheet.press("Do all")
    assert "5th Lancers fire at Amarar" in text(answer.announced)


async def test_a_sheet_of_text_says_what_is_missing(table: Table) -> None:
    await begin(table)
    await table.pass_on(table.mahdist)
    sheet = PlayersSheet(table, table.british)
    await sheet.open("5th Lancers fire Amarar; 5th Lancers fire Amarar range 7")
    assert "✖ How far is Amarar from 5th Lancers? Give the range in inches" in sheet.text
    assert "**2** 5th Lancers fire Amarar range 7 · " in sheet.text


async def test_each_unit_has_a_fire_button_that_asks_for_target_and_range(table: Table) -> None:
    await begin(table, "empire", "el-teb-1884")
    for _ in range(20):
        phase = (await game_of(table)).state.phase
        if phase == "rifle and machine gun fire":
            break
        if phase == "initiative":
            await table.press(table.umpire, table.newest(table.umpire), "British first")
        else:
            await table.pass_on(table.umpire)
    status = await table.give(table.british, "turn status")
    assert "Royal Marines: fire …" in labels(status.messages[0])
    assert "Mahdists, yet to act (2):** Riflemen of Tokar, Riflemen of Sinkat" in status.text
    form = await table.press(table.british, status.messages[0], "Royal Marines: fire …")
    assert [*form_fields(form)] == ["target", "range", "dice", "with"]
    answer = await fill_form(table.british, form, target=["beni-amer"], range="9")
    assert "Royal Marines fire at" in answer.text


async def test_the_bot_takes_no_seat(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", positions="none")
    refused = await table.give(table.umpire, "opponent side", side="British")
    assert "No positions are kept in this game, and the bot needs them to play" in refused.private_text


async def test_a_system_on_hexes_cannot_omit_positions(table: Table) -> None:
    refused = await table.give(table.umpire, "game new", rules="tanga", scenario="invasion", positions="none")
    assert "is played on hexes" in refused.private_text


async def test_an_own_battle_without_positions_begins_from_lists(table: Table) -> None:
    opened = await table.give(table.umpire, "game new", rules="magdala", scenario="own", positions="none")
    fields = [part["component"] for part in opened.result.modal["components"]]
    assert [field["custom_id"].split("/")[0] for field in fields] == ["sides", "first", "turns"]
    begun = Answer(
        await table.umpire.submit_modal(opened.result, {field["custom_id"]: field.get("value", "") for field in fields})
    )
    assert "`/army add` or `/army write` puts a whole army on the list" in text(begun.announced)
    for side, army in (("British", "Suakin 1885, British"), ("Egyptians", "Suakin 1885, Army of Osman Digna")):
        answer = await table.give(table.umpire, "army add", list=army, side=side)
        assert "put on the list" in text(answer.announced)
    removed = await table.give(table.umpire, "army remove", side="Egyptians")
    assert "14 changes" in text(removed.announced)
    assert "have no units" in (await table.give(table.umpire, "army remove", side="Egyptians")).private_text
    assert "have no units" in (await table.pass_on(table.umpire)).private_text
    await table.give(table.umpire, "army add", list="Suakin 1885, Army of Osman Digna", side="Egyptians")
    assert "The battle begins" in text((await table.pass_on(table.umpire)).announced)


async def test_a_corrected_form_keeps_the_choice_of_no_positions(table: Table) -> None:
    opened = await table.give(table.umpire, "game new", rules="magdala", scenario="own", positions="none")
    fields = [part["component"] for part in opened.result.modal["components"]]
    values = {field["custom_id"]: field.get("value", "") for field in fields}
    wrong = Answer(await table.umpire.submit_modal(opened.result, {**values, fields[2]["custom_id"]: "0"}))
    form_again = await table.press(table.umpire, wrong.messages[0], "Write it again")
    fields = [part["component"] for part in form_again.result.modal["components"]]
    await table.umpire.submit_modal(
        form_again.result,
        {field["custom_id"]: field.get("value", "") for field in fields[:2]} | {fields[2]["custom_id"]: "6"},
    )
    assert not (await game_of(table)).state.keeps_positions


async def test_the_umpire_decides_who_holds_the_ground_at_the_end(table: Table) -> None:
    await begin(table)
    for _ in range(20):
        last = await table.pass_on(table.umpire)
        if labels(last.announced) and "They do not hold it" in labels(last.announced):
            break
    assert "Who holds the wells?" in text(last.announced)
    assert (
        "Only the umpire" in (await table.press(table.british, last.announced, "British hold the wells")).private_text
    )
    await table.press(table.umpire, last.announced, "British hold the wells")
    assert (await game_of(table)).state.over.winner == "british"


async def test_a_game_with_positions_refuses_a_wrong_range(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885")
    await table.pass_on(table.umpire)
    before = (await game_of(table)).seq
    refused = await table.give(table.umpire, "fire", unit="1st Berkshires", target=AMARAR, range=9)
    assert "by the places kept here, and the range given is 9" in refused.private_text
    assert (await game_of(table)).seq == before


async def test_a_photograph_is_shown_beside_the_lists(table: Table, real_maps: None) -> None:
    await begin(table)
    await table.give(table.umpire, "photo add", file=("table.jpg", make_photograph((36, 24))), corners=PIXELS)
    turned = await table.pass_on(table.mahdist)
    reply = text(turned.announced)
    assert [attachment.filename for attachment in table.newest(table.umpire).attachments] == ["table.jpg"]
    assert "- 1st Berkshires: " in reply
    assert "the wells" not in reply
    answer = await table.give(table.onlooker, "map")
    assert [attachment.filename for attachment in answer.announced.attachments] == ["table.jpg"]


async def test_report_and_board_work_without_a_map(table: Table) -> None:
    await begin(table)
    await table.pass_on(table.mahdist)
    await table.give(table.british, "fire", unit="1st Berkshires", target=AMARAR, range=5)
    await table.give(table.umpire, "game board")
    boards = [
        text_read for text_read in table.read_by(table.onlooker) if "This message always shows the table" in text_read
    ]
    assert "- Amarar: 30 figures, " in boards[-1]
    report = await table.give(table.umpire, "game report")
    page = report.messages[0].attachments[0]
    assert "<img" not in table.env.backend.cdn.get(page.url).decode()
    assert "No positions are kept" in (await table.give(table.umpire, "game replay")).text


async def test_an_import_keeps_the_game_without_positions(table: Table) -> None:
    await begin(table)
    exported = await table.give(table.umpire, "game export")
    data = table.env.backend.cdn.get(exported.messages[0].attachments[0].url)
    await table.give(table.umpire, "game end", confirm=True)
    await table.give(table.umpire, "game import", file=("game.json", data))
    state = (await game_of(table)).state
    assert not state.keeps_positions
    assert all(unit.place is None for unit in state.units.values())


async def test_markers_and_ground_are_refused_with_advice(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    for command, arguments in (
        ("unit dummy", {"side": "British", "at": "C3"}),
        ("unit edit", {"unit": AMARAR, "field": "place", "value": "C3"}),
        ("terrain add", {"kind": "hill", "shape": "ellipse", "at": "C2", "size": "12 x 8"}),
        ("unit add", {"troop": "Zulu impi", "side": "British", "name": "Impi", "at": "C3"}),
    ):
        assert (
            "No positions are kept in this game" in (await table.give(table.umpire, command, **arguments)).private_text
        )
    assert (await table.give(table.umpire, "unit add", troop="Zulu impi", side="British", name="Impi")).public
