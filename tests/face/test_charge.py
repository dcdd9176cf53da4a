"""Charge! in the chat: a turn of both players, a drawn refusal, odds, and orders on a sheet."""

import re

from .table import Answer, Table, labels, text


async def begin(table: Table) -> None:
    """Start the scenario *bridge* with both players seated."""
    await table.give(table.umpire, "game new", rules="charge", scenario="bridge")
    await table.give(table.british, "game join", side="prussians")
    await table.give(table.mahdist, "game join", side="austrians")


def picture_names(answer: Answer) -> list[str]:
    """Return the file names of the answer's pictures."""
    return [file.filename for message in answer.messages for file in message.attachments]


async def test_a_turn_has_moves_then_fire_then_the_other_player(table: Table) -> None:
    await begin(table)
    moved = await table.give(table.british, "move", unit="Kleist", to="forward 6")
    assert 'Kleist move 6"' in moved.text
    fire = await table.pass_on(table.british)
    assert "Prussians, fire" in fire.text
    shot = await table.give(table.british, "fire", unit="Prussian gun", target="Browne")
    assert "Prussian gun fires at Browne" in shot.text
    passed = await table.pass_on(table.british)
    assert "Austrians, moves" in passed.text


async def test_a_refused_shot_is_drawn_with_arcs_and_lines(table: Table) -> None:
    await begin(table)
    await table.pass_on(table.british)
    refused = await table.give(table.british, "fire", unit="Itzenplitz", target="Browne")
    assert "infantry fire 6" in refused.text
    assert picture_names(refused) == ["refused.png"]
    assert not refused.public


async def test_the_odds_of_fire_show_the_arc(table: Table) -> None:
    await begin(table)
    early = await table.give(table.british, "odds", test="fire", unit="Prussian gun", target="Browne")
    assert "How many does it cost Browne" in early.text, "while units still move"
    assert "hits on 4-6" in early.text
    assert picture_names(early) == ["odds.png", "sketch.png"]
    await table.pass_on(table.british)
    answer = await table.give(table.british, "odds", test="fire", unit="Prussian gun", target="Browne")
    assert "How many does it cost Browne" in answer.text
    assert picture_names(answer) == ["odds.png", "sketch.png"]


async def test_the_odds_of_a_melee_are_sketched_before_the_fight(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "umpire set", unit="Daun", field="place", value="44,34")
    await table.give(table.british, "move", unit="Kleist", to="towards Daun")
    answer = await table.give(table.british, "odds", test="melee", unit="Kleist", target="Daun")
    assert "who loses fewer men" in answer.text
    assert picture_names(answer) == ["odds.png", "sketch.png"]
    refused = await table.give(table.british, "melee", unit="Kleist", target="Daun")
    assert "at the end of the turn after" in refused.text
    assert picture_names(refused) == ["refused.png"]


async def test_a_sheet_orders_a_whole_turn_in_one_message(table: Table) -> None:
    await begin(table)
    sheet = await table.give(table.british, "turn orders", text="Itzenplitz, Kleist: forward 6\nZieten: forward 12")
    (message,) = sheet.private
    assert any(label.startswith("Do all") for label in labels(message)), labels(message)
    assert "Zieten" in text(message)


async def test_questions_without_a_game(table: Table) -> None:
    fire = await table.write(table.british, "fire", rules="charge", troop="company", figures=20, range=5)
    assert "20 of 20 figures can fire" in fire.text or "casualt" in fire.text
    melee = await table.write(table.british, "melee", rules="charge", troop="hussars", against="company")
    assert "Troop of hussars against Company of infantry" in melee.text
    assert re.search(r"Combats of Troop of hussars, die against die in order .*: \d+ (won|lost|drawn)", melee.text)
    assert len(melee.text.splitlines()) <= 7
    assert "have lost" not in melee.text, "two troops are no army"
    assert "two ranks" not in melee.text
