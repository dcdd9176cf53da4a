"""A player's own battle on a bare table: a form, the set-up, the checks, and the first shot."""

from typing import Any

import pytest

from tests.daily_choice import one_a_day

from .table import Answer, Table, labels, text
from .test_every_command import MAGDALA, give_all
from .test_opponent import game_of

pytestmark = pytest.mark.usefixtures("real_maps")

TROOPS = {
    "magdala": ("British regulars, breechloaders", "Zulu impi"),
    "empire": ("British regulars", "Zulu impi"),
    "charge": ("Company of infantry", "Company of infantry"),
}


async def open_battle_form(table: Table, rules: str = "magdala", **options: Any) -> Any:
    opened = await table.give(table.umpire, "game new", rules=rules, scenario="own", **options)
    assert opened.result.modal is not None
    return opened


async def submit_battle_form(table: Table, opened: Any, **words: str) -> Answer:
    """Submit the form. Fields without new words keep their default."""
    fields = [part["component"] for part in opened.result.modal["components"]]
    assert len(fields) == 5
    values = {
        field["custom_id"]: words.get(field["custom_id"].split("/")[0], field.get("value", "")) for field in fields
    }
    return Answer(await table.umpire.submit_modal(opened.result, values))


async def test_the_form_opens_a_bare_table_in_its_set_up(table: Table) -> None:
    begun = await submit_battle_form(
        table, await open_battle_form(table, name="Sunday"), size="6 x 4 feet", ground="veld", turns="8"
    )
    reply = text(begun.announced)
    assert "### Sunday" in reply
    assert "Set-up" in reply
    assert "Begin the battle" in labels(begun.announced)
    state = (await game_of(table)).state
    assert (state.width, state.height, state.ground, state.turn_limit) == (72, 48, "veld", 8)
    assert [side.name for side in state.sides] == ["British", "Egyptians"]
    assert state.home_edges == {"british": "south", "egyptians": "north"}
    assert not state.units


async def test_a_wrong_form_is_explained_and_opens_again(table: Table) -> None:
    for field, words, why in (
        ("size", "huge", "Size: “huge” is none"),
        ("size", "9 x 9 inches", "each way a table has 12 to 240 inches"),
        ("ground", "moon", "Ground: there is no “moon”"),
        ("sides", "British, south", "write two"),
        ("sides", "A, south\nB, south", "both have the same edge"),
        ("sides", "A, up\nB, south", "there is no edge “up”"),
        ("first", "French", "there is no side “French”"),
        ("turns", "0", "Turns: “0” is no number from 1 to 99"),
    ):
        refused = await submit_battle_form(table, await open_battle_form(table), **{field: words})
        assert why in refused.private_text
        assert "name:" not in refused.private_text.casefold()
        answer = await table.press(table.umpire, refused.private[0], "Write it again")
        assert answer.result.modal is not None
    assert "No game" in (await table.give(table.umpire, "game status")).private_text
    refused = await table.give(table.umpire, "game new", rules="great_war", scenario="own")
    assert "is not played on a table in inches" in refused.private_text
    refused = await table.give(table.umpire, "game new", rules="magdala", scenario="own", side="British")
    assert "Leave “side” out" in refused.private_text
    assert "own" in await table.complete(table.umpire, "game new", "scenario", "own", rules="magdala")
    assert "own" not in await table.complete(table.umpire, "game new", "scenario", "own", rules="great_war")


async def test_a_reopened_form_keeps_its_text(table: Table) -> None:
    name, sides = "Who: an/or `x`", "Red: the Guards, south\nGround: Blue, north"
    refused = await submit_battle_form(
        table, await open_battle_form(table, name=name), size="6 x 4 feet", sides=sides, turns="0", first="Ground"
    )
    assert "Name of the game: Who: an/or" in refused.private_text
    answer = await table.press(table.umpire, refused.private[0], "Write it again")
    fields = [part["component"] for part in answer.result.modal["components"]]
    values = {field["custom_id"].split("/")[0]: field.get("value", "") for field in fields}
    assert values == {"size": "6 x 4 feet", "ground": "desert", "sides": sides, "first": "Ground", "turns": "0"}
    begun = await submit_battle_form(table, answer, turns="8")
    assert (await game_of(table)).name == name.replace("`", "'")
    assert [side.name for side in (await game_of(table)).state.sides] == ["Red: the Guards", "Ground: Blue"]
    assert begun.public


async def test_the_first_side_follows_the_written_names(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table), sides="Red, north\nBlue, south")
    assert (await game_of(table)).state.active == "red"


@pytest.mark.parametrize(("name", "expected"), [("   ", "Own table"), ("\u202eDay\nof battle", "Day of battle")])
async def test_a_bare_table_always_has_a_visible_name(table: Table, name: str, expected: str) -> None:
    begun = await submit_battle_form(table, await open_battle_form(table, name=name))
    assert f"### {expected}\n" in text(begun.announced)
    assert "uploaded by" in (await table.give(table.umpire, "scenario save", **{"as": "began"})).private_text


async def test_players_place_only_their_own_units_anywhere(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    ours, theirs = TROOPS["magdala"]
    await table.give(table.umpire, "unit add", troop=ours, side="british", name="Berkshires", at="C4")
    await table.give(table.umpire, "unit add", troop=theirs, side="egyptians", name="Amarar", at="C1")
    units = (await game_of(table)).state.units
    assert [units[unit_id].place.facing for unit_id in ("berkshires", "amarar")] == [0, 180]
    await table.give(table.british, "game join", side="british")
    answer = await table.give(table.british, "move", unit="Berkshires", to="B3 NW facing north")
    assert "Berkshires are put on the table" in text(answer.announced)
    assert (await game_of(table)).state.units["berkshires"].place.spot_in_words == "B3 NW facing north"
    refused = await table.give(table.british, "move", unit="Amarar", to="C2")
    assert "You play the British" in refused.private_text
    refused = await table.give(table.british, "fire", unit="Berkshires", target="Amarar")
    assert "The battle has not begun" in refused.private_text
    refused = await table.pass_on(table.british)
    assert "Only the umpire" in refused.private_text
    await table.give(table.british, "unit remove", unit="Berkshires")
    assert "berkshires" not in (await game_of(table)).state.units
    preview = await table.give(table.british, "game undo")
    await table.press(table.british, preview.private[0], "Take it back")
    assert "berkshires" in (await game_of(table)).state.units


async def test_the_battle_begins_only_on_a_valid_table(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    refused = await table.pass_on(table.umpire)
    assert "the British have no units" in refused.private_text
    assert "the Egyptians have no units" in refused.private_text
    assert (await game_of(table)).state.setting_up is not None


async def test_the_first_turn_message_omits_the_set_up(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    ours, theirs = TROOPS["magdala"]
    await table.give(table.umpire, "unit add", troop=ours, side="british", name="Berkshires", at="C4")
    await table.give(table.umpire, "unit add", troop=theirs, side="egyptians", name="Amarar", at="C1")
    await table.give(table.british, "game join", side="british")
    begun = text((await table.pass_on(table.umpire)).announced)
    assert "it is your turn" in begun
    assert "adds" not in begun


@pytest.mark.parametrize("rules", TROOPS)
async def test_from_a_bare_table_to_the_first_shot(table: Table, rules: str) -> None:
    await submit_battle_form(table, await open_battle_form(table, rules), sides="Red, south\nBlue, north", first="Red")
    ours, theirs = TROOPS[rules]
    await table.give(table.umpire, "unit add", troop=ours, side="red", name="Guards", at="36,30 facing 0")
    await table.give(table.umpire, "unit add", troop=theirs, side="blue", name="Foe", at="36,24 facing 180")
    begun = await table.pass_on(table.umpire)
    assert "The battle begins" in begun.text
    await table.env.settle()
    newest = table.newest(table.umpire)
    assert "Turn 1" in text(newest)
    assert [attachment.filename for attachment in newest.attachments] == ["table.png"]
    state = (await game_of(table)).state
    assert state.setting_up is None
    if rules == "empire":
        await table.give(table.umpire, "umpire option", name="initiative by dice", value="no")
    for _ in range(12):
        shot = await table.give(table.umpire, "fire", unit="Guards", target="Foe")
        if "fire" in shot.text and not shot.private:
            break
        await table.pass_on(table.umpire)
    assert not shot.private, shot.private_text


@pytest.mark.parametrize("role", one_a_day(["umpire", "british", "onlooker"]))
async def test_every_command_is_answered_during_the_set_up(table: Table, role: str) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    ours, theirs = TROOPS["magdala"]
    await table.give(table.umpire, "unit add", troop=ours, side="british", name="Berkshires", at="C4")
    await table.give(table.umpire, "unit add", troop=theirs, side="egyptians", name="Amarar", at="C1")
    await table.give(table.british, "game join", side="british")
    await give_all(table, MAGDALA, role, everything=True)
    assert (await game_of(table)).state.setting_up is not None or role == "umpire"


async def test_the_bot_plays_once_the_battle_begins(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    ours, theirs = TROOPS["magdala"]
    await table.give(table.umpire, "unit add", troop=ours, side="british", name="Berkshires", at="C4")
    await table.give(table.umpire, "unit add", troop=theirs, side="egyptians", name="Amarar", at="C1")
    seated = await table.give(table.umpire, "opponent side", side="egyptians", level="easy")
    assert not seated.private, seated.private_text
    await table.env.settle()
    assert (await game_of(table)).state.setting_up is not None
    await table.pass_on(table.umpire)
    await table.pass_on(table.umpire)
    await table.env.settle()
    state = (await game_of(table)).state
    assert (state.turn, state.active) == (2, "british")


async def test_a_bare_table_is_saved_as_its_battle_began(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table, name="Sunday"))
    ours, theirs = TROOPS["magdala"]
    await table.give(table.umpire, "unit add", troop=ours, side="british", name="Berkshires", at="C4")
    await table.give(table.umpire, "unit add", troop=theirs, side="egyptians", name="Amarar", at="C1")
    await table.pass_on(table.umpire)
    began = (await game_of(table)).state
    await table.give(table.umpire, "umpire set", unit="Berkshires", field="casualties", value="5")
    await table.give(table.umpire, "scenario save", **{"as": "began"})
    channel = table.guild.create_text_channel("again")
    await table.give(table.umpire, "game new", rules="magdala", scenario="Sunday", channel=channel)
    state = (await table.env.bot.games.running_game(channel.id)).state  # type: ignore[attr-defined]
    assert (state.setting_up, state.units["berkshires"].casualties) == (None, 0)
    assert {unit.id: unit.place for unit in state.units.values()} == {
        unit.id: unit.place for unit in began.units.values()
    }
