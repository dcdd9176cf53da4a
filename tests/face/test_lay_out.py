"""A player's own battle from two lists: ground and armies in one form, a preview, and few steps to the first shot."""

from typing import Any

import pytest

from .table import Answer, Table, labels, text
from .test_every_command import refusals
from .test_opponent import game_of
from .test_own_table import open_battle_form, submit_battle_form

pytestmark = pytest.mark.usefixtures("real_maps")

GROUND = "hill C3 12 x 8\nriver from the north edge at B to the south edge\nroad A2 to F2\nbridge\nvillage E3"
ARMIES = {
    "magdala": ("24 British regulars, breechloaders: Buffs, at D4 N\n2 Gatling guns", "30 Zulu impi: Left, at D2"),
    "empire": ("British regulars: Buffs, at D4 N", "Zulu impi: Left, at D2"),
    "charge": ("16 Company of infantry: Guards, at D3 N", "16 Company of infantry: Blues, at D2 S"),
}
STEPS = {"magdala": 4, "charge": 5, "empire": 8}
"""Number of commands and presses from `scenario:own` to the first shot.

A form counts with the press that opens it. Three steps begin the battle. Empire's turn then has bayonets, initiative
and both sides' movement before fire.
"""


async def submit_lists(table: Table, opened: Any, *texts: str) -> Answer:
    """Submit the form of ground and armies with these texts, in the form's order."""
    fields = [part["component"]["custom_id"] for part in opened.result.modal["components"]]
    assert len(fields) == 3
    return Answer(await table.umpire.submit_modal(opened.result, dict(zip(fields, texts, strict=True))))


@pytest.mark.parametrize("rules", ["magdala", "empire", "charge"])
async def test_from_a_bare_table_to_the_first_shot(table: Table, rules: str) -> None:
    first, second = ARMIES[rules]
    begun = await submit_battle_form(table, await open_battle_form(table, rules), size="6 x 4 feet")
    steps = 1
    opened = await table.press(table.umpire, begun.announced, "Write ground and armies")
    answer = await submit_lists(table, opened, GROUND, first, second)
    assert not answer.public, "the preview is private"
    assert "**Village**: building" in answer.private_text
    passed = await table.press(table.umpire, answer.private[-1], "Put it on and begin")
    steps += 2
    assert "The umpire puts 5 pieces of terrain on the table." in passed.text
    assert "The battle begins" in passed.text
    state = (await game_of(table)).state
    assert len(state.terrain) == 5
    assert {unit.side for unit in state.units.values()} == {side.id for side in state.sides}
    foe = next(unit.id for unit in state.units.values() if unit.side != state.sides[0].id)
    assert state.setting_up is None, "the battle has begun"
    shooter = "buffs" if rules != "charge" else "guards"
    while refusals(shot := await table.give(table.umpire, "fire", unit=shooter, target=foe)) and steps < STEPS[rules]:
        passed = await table.give(table.umpire, "turn next")
        steps += 1
        if "British first" in labels(passed.messages[-1]):
            await table.press(table.umpire, passed.messages[-1], "British first")
            steps += 1
    assert not refusals(shot)
    assert "hit" in shot.text or "casualties" in shot.text
    assert steps + 1 == STEPS[rules]


async def test_one_undo_takes_back_all_the_ground(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table), size="6 x 4 feet")
    answer = await table.give(table.umpire, "terrain write", lines="hill C3; wood D1")
    await table.press(table.umpire, answer.private[-1], "Put it on the table")
    assert len((await game_of(table)).state.terrain) == 2
    undone = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, undone.private[-1], "Take it back")
    assert not (await game_of(table)).state.terrain


async def test_a_battle_without_an_army_cannot_begin(table: Table) -> None:
    begun = await submit_battle_form(table, await open_battle_form(table), size="6 x 4 feet")
    opened = await table.press(table.umpire, begun.announced, "Write ground and armies")
    answer = await submit_lists(table, opened, GROUND, ARMIES["magdala"][0], "")
    assert labels(answer.private[-1]) == ["Put it on the table", "Do not"]


async def test_unclear_lines_are_named_and_can_be_rewritten(table: Table) -> None:
    begun = await submit_battle_form(table, await open_battle_form(table), size="6 x 4 feet")
    opened = await table.press(table.umpire, begun.announced, "Write ground and armies")
    refused = await submit_lists(table, opened, "hill C3\ndragon D2", "24 dragons: Smaug", "")
    assert not refused.public
    assert "line 2, “dragon D2”: What kind of ground is it?" in refused.private_text
    assert "line 1, “24 dragons: Smaug”" in refused.private_text
    answer = await table.press(table.umpire, refused.private[-1], "Write it again")
    values = [part["component"].get("value", "") for part in answer.result.modal["components"]]
    assert values[:2] == ["hill C3\ndragon D2", "24 dragons: Smaug"]
    assert not (await game_of(table)).state.terrain


async def test_the_umpire_alone_lays_out_the_table(table: Table) -> None:
    begun = await submit_battle_form(table, await open_battle_form(table), size="6 x 4 feet")
    refused = await table.press(table.british, begun.announced, "Write ground and armies")
    assert "Only the umpire, ursula" in refused.private_text
    opened = await table.press(table.umpire, begun.announced, "Write ground and armies")
    nothing = await submit_lists(table, opened, "", "", "")
    assert "Nothing was written" in nothing.private_text
    assert "Write ground and armies" in labels(begun.announced)
    refused = await table.give(table.british, "terrain write", lines="hill C3")
    assert "Only the umpire, ursula" in refused.private_text
    assert "hill" not in text(table.newest(table.onlooker))
