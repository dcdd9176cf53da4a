"""The Great War in the chat: a turn by commands and buttons, an order sheet, and questions without a game."""

from fractions import Fraction

import pytest

from bot.jobs.pictures import draw_actions
from cogs.kit.order_sheets.sheet_card import chances_in_words
from render import scenes
from rules.core.action_type import Chance
from rules.core.dice import NoDice
from rules.core.hexboard.hex_scene import HexScene
from rules.core.hexboard.hexes import Hex
from rules.core.scene import DieFace
from rules.great_war.ruleset import GreatWar

from .loaded_dice import LoadedDice
from .sheet import PlayersSheet, menus, options
from .table import Answer, Message, Table, choices, disable_forced_throws, labels, text

SOLDIER, FLAG, HQ = 1, 4, 5
"""Faces of a battle die by number."""


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    """Loaded dice that show an HQ by default."""
    return LoadedDice(monkeypatch, default=HQ)


async def begin(table: Table) -> None:
    """Start the scenario *trench* with both players seated."""
    await table.give(table.umpire, "game new", rules="great_war", scenario="trench")
    await table.give(table.british, "game join", side="british")
    await table.give(table.mahdist, "game join", side="germans")


async def correct_unit(table: Table, unit: str, field: str, value: str) -> None:
    """Set a field of a unit as the umpire."""
    answer = await table.give(table.umpire, "umpire set", unit=unit, field=field, value=value)
    assert "The umpire corrects" in answer.text, answer.text


def find_label(message: Message, beginning: str) -> str:
    """Return the first button label or menu choice with this beginning."""
    return next(label for label in (*labels(message), *choices(message)) if label.startswith(beginning))


async def press_newest(table: Table, actor: object, beginning: str) -> Answer:
    """Press the button of the newest message whose label has this beginning."""
    newest = table.newest(table.onlooker)
    return await table.press(actor, newest, find_label(newest, beginning))


async def test_a_tank_ejects_its_enemy_takes_the_ground_and_battles_again(table: Table, dice: LoadedDice) -> None:
    await begin(table)
    for unit in ("Daphne", "1st Essex"):
        ordered = await table.give(table.british, "order", unit=unit, action="order")
    assert "1st Essex are ordered." in ordered.text
    await correct_unit(table, "84th Infantry", "place", "0403")
    await table.pass_on(table.british)
    moved = await table.give(table.british, "move", unit="Daphne", to="0303")
    assert "Daphne moves to 0303." in moved.text
    await table.pass_on(table.british)
    dice.fall(SOLDIER, FLAG, FLAG, FLAG)
    fought = await table.give(table.british, "melee", unit="Daphne", target="84th Infantry")
    assert "3 flags at 84th Infantry" in fought.text
    refused = await press_newest(table, table.british, "84th Infantry: retreat to 0701")
    assert not refused.public
    assert "This is for musa" in refused.text
    waits = await table.give(table.british, "melee", unit="Daphne", target="84th Infantry")
    assert "First the Germans answer the flags thrown at 84th Infantry" in waits.text
    back = await press_newest(table, table.mahdist, "84th Infantry: retreat to 0701")
    assert "84th Infantry retreat to 0701." in back.text
    assert "Daphne gains ground: to 0403" in back.text
    bonus = await press_newest(table, table.british, "Daphne fires at ")
    assert "Daphne fires at" in bonus.text
    answer = await table.give(table.british, "fire", unit="Daphne", target="84th Infantry")
    assert "has battled this turn" in answer.text or "turn of the Germans" in answer.text


async def test_buttons_recover_or_ditch_a_bogged_tank(table: Table, dice: LoadedDice) -> None:
    await begin(table)
    await correct_unit(table, "Deborah", "bogged", "bogged")
    await table.give(table.british, "order", unit="1st Essex", action="order")
    ordered = await table.give(table.british, "order", unit="Deborah", action="order")
    assert "Recovery of Deborah" in ordered.text
    answer = await table.pass_on(table.british)
    assert "cannot go on yet" in answer.text
    dice.fall(SOLDIER, SOLDIER)
    tried = await press_newest(table, table.british, "Recover Deborah, 1 HQ token")
    assert "Recovery of Deborah: it stays bogged." in tried.text
    assert "2 soldiers (an HQ frees): still bogged (31% to be freed)" in tried.text
    assert "HQ tokens: Germans 2." in (await table.pass_on(table.british)).text
    refused = await table.give(table.british, "move", unit="Deborah", to="0303")
    assert "Deborah is bogged, and may not move." in refused.text
    ditched = await press_newest(table, table.british, "Ditch Deborah")
    assert "Deborah is ditched." in ditched.text


async def test_a_sheet_orders_a_whole_turn(table: Table, dice: LoadedDice) -> None:
    await begin(table)
    sheet = PlayersSheet(table, table.british)
    await sheet.open("1st Essex, 2nd Durhams, Daphne, Deborah: order\n1st Essex: 0201\n2nd Durhams: 0203\nDaphne: 0302")
    await sheet.press("Do all")
    reply = "\n".join(table.read_by(table.onlooker))
    assert "2nd Durhams move to 0203." in reply
    assert "Daphne moves to 0302." in reply
    assert sheet.presses == 2


async def test_an_order_on_a_sheet_explains_its_bog_roll(table: Table, dice: LoadedDice) -> None:
    await begin(table)
    sheet = PlayersSheet(table, table.british)
    await sheet.open("1st Essex, 2nd Durhams, Daphne, Deborah: order\nDaphne: 0402\nDeborah: 0404")
    dice.fall(FLAG)
    await sheet.press("Do all")
    reply = "\n".join(table.read_by(table.onlooker))
    assert "Daphne moves to 0402 and bogs. · bog roll D6 4, 1 flag (a flag bogs): bogged" in reply
    assert "Deborah moves to 0404. · bog roll D6 5, 1 HQ (a flag bogs): goes on" in reply


async def test_a_sheets_menus_show_chances_and_only_useful_phases(table: Table) -> None:
    await begin(table)
    sheet = PlayersSheet(table, table.british)
    await sheet.open()
    await sheet.choose("When", "In battles")
    assert "Daphne" in options(sheet.message, "Which units?")
    await sheet.order("Order", "Daphne", "Deborah", "1st Essex", "2nd Durhams")
    assert "1st Essex and 1 more: order" in sheet.text
    await sheet.choose("Which units?", "Daphne")
    descriptions = {
        option["label"]: option.get("description") for option in menus(sheet.message)["Do what?"]["options"]
    }
    assert descriptions["0402"] == "In moves · 16.7% to bog"
    await sheet.choose("When", "In moves")
    await sheet.choose("Which units?", "Daphne")
    descriptions = {
        option["label"]: option.get("description") for option in menus(sheet.message)["Do what?"]["options"]
    }
    assert (descriptions["0402"], descriptions["0302"]) == ("16.7% to bog", None)
    await sheet.choose("Do what?", "0402")
    assert "Daphne: 0402 · *about*, 16.7% to bog" in sheet.text


def make_chance(percent: int | str, hope: str = "") -> Chance:
    return Chance(Fraction(percent) / 100, hope)


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ([(make_chance(12, "to destroy"), make_chance(31, "to drive back"))], "12.0% to destroy, 31.0% to drive back"),
        (
            [
                (make_chance(50, "to hit"),),
                (make_chance(16, "to hit"), make_chance(3, "to drive back")),
                (make_chance("1/20", "to hit"),),
            ],
            "<0.1% to 50.0% to hit",
        ),
        ([(make_chance(41),), (make_chance(100),), (make_chance(41),)], "41.0% to 100%"),
        ([(make_chance(12, "to destroy"),), (make_chance(31, "to hit"),)], ""),
        ([(), ()], ""),
    ],
)
def test_chances_of_several_units_are_shown_as_a_range(chances: list[tuple[Chance, ...]], expected: str) -> None:
    assert chances_in_words(chances, "fire") == expected


@pytest.mark.parametrize("only_supposed", [False, True])
def test_supposed_dice_are_not_drawn(only_supposed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_scenes: list[HexScene] = []
    monkeypatch.setattr(scenes, "draw", lambda scene, **_: drawn_scenes.append(scene) or b"")
    system = GreatWar()
    before = system.setup("trench", {}, NoDice())
    state = before.changed("daphne", at=Hex.from_label("0302")).model_copy(update={"faces": (DieFace.FLAG,)})
    assert draw_actions(system, state, before, [("move", ("daphne",))], only_supposed=only_supposed) is not None
    assert drawn_scenes[0].dice == (() if only_supposed else (DieFace.FLAG,))


async def test_chances_before_a_battle(table: Table) -> None:
    await begin(table)
    await correct_unit(table, "84th Infantry", "place", "0303")
    answer = await table.give(table.british, "odds", test="melee", unit="Deborah", target="84th Infantry")
    for words in ("destroyed", "driven back", "Hits to be expected", "67", "To gain ground and bog there"):
        assert words in answer.text


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        ("fire", {"troop": "Mark IV female", "range": 2}, "Battle dice of Mark IV female at 2 hexes"),
        ("fire", {"troop": "field artillery", "range": 4, "with": "at A7V"}, "Each hit is confirmed on 3-6"),
        ("fire", {"troop": "machine gun", "range": 3, "with": "target in trench"}, "they ignore 2 soldiers"),
        ("melee", {"troop": "Mark IV male", "against": "infantry"}, "Tankschreken: no flag may be ignored"),
        ("fire", {"troop": "infantry"}, "Say how far"),
        ("fire", {"troop": "infantry", "range": 5}, "reach 4"),
    ],
)
@pytest.mark.usefixtures("dice")
async def test_questions_without_a_game(table: Table, kind: str, options: dict[str, object], expected: str) -> None:
    answer = await table.write(table.onlooker, kind, rules="great_war", **options)
    names = [file.filename for message in answer.messages for file in message.attachments]
    assert names == ([] if expected in ("reach 4", "Say how far") else ["dice.png"])
    details = [message for message in answer.messages if "Details" in labels(message)]
    reply = answer.text + (await table.details(table.onlooker, details[0]) if details else "")
    assert expected in reply


async def test_gw_1_1_a_move_in_the_orders_phase_orders_the_unit_and_waits(table: Table, dice: LoadedDice) -> None:
    await begin(table)
    ahead = await table.give(table.british, "move", unit="Daphne", to="0302")
    assert "Daphne is ordered." in "\n".join(map(text, ahead.public))
    assert "in moves: Daphne: 0302" in "\n".join(map(text, ahead.private))
    answer = await table.give(table.british, "move", unit="Daphne", to="0303")
    assert not answer.public
    assert "in moves: Daphne: 0303" in answer.private_text
    assert "0302" not in answer.private_text
    passed = await press_newest(table, table.british, "On to the moves")
    assert "Daphne moves to 0303." in passed.text


async def test_gw_1_1_fire_in_the_orders_phase_orders_the_unit_and_waits(table: Table, dice: LoadedDice) -> None:
    await begin(table)
    await correct_unit(table, "84th Infantry", "place", "0401")
    await table.give(table.british, "fire", unit="Daphne", target="84th Infantry")
    await press_newest(table, table.british, "On to the moves")
    fought = await press_newest(table, table.british, "On to the battles")
    assert "Daphne fires at 84th Infantry" in fought.text


async def test_gw_1_1_a_move_beyond_the_turns_orders_is_refused_with_advice(table: Table) -> None:
    with disable_forced_throws(GreatWar):  # otherwise the last order would begin the moves
        await begin(table)
    await table.give(table.umpire, "umpire option", name="orders", value="1")
    await table.give(table.british, "order", unit="Deborah", action="order")
    refused = await table.give(table.british, "move", unit="Daphne", to="0302")
    assert "1 unit may be ordered in a turn (option “orders”): Deborah. Move and battle" in refused.private_text
    assert "/game undo takes an order back. (GW-1.1, house rule)" in refused.private_text


async def test_gw_1_1_an_impossible_move_orders_nobody(table: Table) -> None:
    await begin(table)
    refused = await table.give(table.british, "move", unit="Daphne", to="0902")
    assert not refused.public
    assert "0902 is out of reach of Daphne" in refused.private_text
    assert not (await table.env.bot.games.running_game(table.channel.id)).state.units["daphne"].this_turn.is_ordered


async def test_gw_1_1_moves_on_a_sheet_order_units_up_to_the_limit(table: Table) -> None:
    await begin(table)
    sheet = PlayersSheet(table, table.british)
    await sheet.open("Daphne: 0302\nDeborah: 0304\n1st Essex: 0201\n2nd Durhams: 0203\n5th Camerons: 0206")
    assert "Daphne order" in sheet.text
    assert "in moves: 2nd Durhams: 0203" in sheet.text
    assert "✎ “5th Camerons: 0206”: 4 units may be ordered in a turn" in sheet.text
    assert "Move and battle with them: /turn next goes on." in sheet.text
    await sheet.press("Do all")
    reply = "\n".join(table.read_by(table.onlooker))
    assert "The British moved 4 units" in reply


async def test_gw_1_1_menus_offer_moves_in_the_orders_phase(table: Table) -> None:
    await begin(table)
    sheet = PlayersSheet(table, table.british)
    await sheet.open()
    await sheet.choose("Which units?", "Daphne")
    await sheet.choose("Do what?", "0302")
    assert "Daphne order" in sheet.text
    assert "in moves: Daphne: 0302" in sheet.text
