"""`/odds`: exact private chances with a picture. No dice are thrown, and no secret is told."""

import re

import pytest

from .loaded_dice import LoadedDice
from .table import Table, text

BRITISH = "british-breechloaders"


async def test_mm_5_6_exact_fraction_and_percentage(table: Table) -> None:
    answer = await table.give(table.onlooker, "odds", test="morale", troop=BRITISH, losses=5)
    assert "**91.7%** (11/12)" in answer.private_text
    assert "**8.3%** (1/12)" in answer.private_text
    assert "Nothing was thrown" in answer.private_text


async def test_the_picture_has_a_description(table: Table) -> None:
    answer = await table.give(table.onlooker, "odds", test="morale", troop=BRITISH, losses=5)
    (message,) = answer.private
    (picture,) = message.attachments
    assert picture.filename == "odds.png"
    assert "they hold 91.7%" in text(message)
    assert "13: 2.8%" in text(message)


async def test_odds_of_a_volley_leave_the_game_unchanged(table: Table) -> None:
    await table.start()
    games = table.env.bot.games
    before = await games.running_game(table.channel.id)
    answer = await table.give(table.mahdist, "odds", test="fire", unit="rifles-hashin", target="berkshires")
    assert "MM-3.6" in answer.private_text
    assert "25/36" in answer.private_text
    assert await games.running_game(table.channel.id) == before


async def test_odds_equal_the_chance_shown_by_the_test(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = LoadedDice(monkeypatch)
    foretold = await table.give(table.onlooker, "odds", test="morale", troop=BRITISH, losses=9)
    dice.fall(3, 4)
    answer = await table.give(table.onlooker, "morale", troop=BRITISH, losses=9)
    chance = re.search(r"\(([0-9.]+%) to hold\)", text(answer.announced))
    assert chance
    assert f"**{chance[1]}**" in foretold.private_text


async def test_odds_of_a_move(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "odds", test="move", unit="amarar", to="forward 9")
    assert "get there" in answer.private_text
    assert "7/12" in answer.private_text


REFUSED = [
    ({"test": "morale"}, "/odds test:morale unit:"),
    ({"test": "move"}, "Give a unit of this channel"),
    ({"test": "morale", "unit": "berkshires", "troop": BRITISH}, "do not go together"),
    ({"test": "juggling", "unit": "berkshires"}, "knows no juggling"),
    ({"test": "detach", "unit": "berkshires"}, "detach"),
    ({"test": "fire", "unit": "rifles-hashin", "target": "rifles-tokar"}, "same side"),
]


async def test_odds_are_refused_privately_like_the_test(table: Table) -> None:
    await table.start()
    for options, hint in REFUSED:
        answer = await table.give(table.umpire, "odds", **options)
        assert hint in answer.private_text


async def test_completion_lists_tests_with_commands_first(table: Table) -> None:
    actions = await table.complete(table.onlooker, "odds", "test")
    assert actions[:4] == ["morale", "reaction", "fire", "melee"]
    assert "detach" not in actions


async def test_a_move_is_sketched_without_being_done(table: Table) -> None:
    await table.start()
    before = (await table.env.bot.games.running_game(table.channel.id)).state
    answer = await table.give(table.mahdist, "odds", test="move", unit="amarar", to="forward 6")
    assert "Amarar" in answer.private_text
    assert "Nothing was thrown" in answer.private_text
    assert [file.filename for file in answer.messages[-1].attachments] == ["odds.png", "sketch.png"]
    assert "about how the table stands afterwards" in answer.private_text
    assert not answer.public
    assert (await table.env.bot.games.running_game(table.channel.id)).state == before


async def test_a_sketch_warns_of_a_blocked_move(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="arteiga", field="place", value="39.5,17")
    answer = await table.give(table.mahdist, "odds", test="move", unit="amarar", to="forward 12")
    assert "⚠ Blocked by Arteiga after" in answer.private_text


async def test_a_shot_shows_its_chances_and_its_line_of_fire(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "odds", test="fire", unit="rifles-hashin", target="berkshires")
    assert [file.filename for file in answer.messages[-1].attachments] == ["odds.png", "sketch.png"]


async def test_circumstances_are_those_of_the_test(table: Table) -> None:
    await table.start()
    assert "half effect" in await table.complete(
        table.mahdist, "odds", "with", "half", test="fire", unit="rifles-hashin"
    )
    assert "in square" in await table.complete(table.mahdist, "odds", "with", "in sq", test="morale", unit="amarar")


async def test_odds_in_the_enemys_turn_are_for_the_players_next_turn(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "odds", test="fire", unit="berkshires", target="rifles-hashin")
    assert "Not possible now: these are the chances in your next turn." in answer.private_text
    assert "MM-3.6" in answer.private_text
    refused = await table.give(table.british, "odds", test="fire", unit="berkshires", target="marines")
    assert "chances in" not in refused.private_text, "no turn allows this shot"


async def test_the_chances_of_a_later_phase_name_it(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="charge", scenario="bridge")
    await table.give(table.british, "game join", side="austrians")
    answer = await table.give(table.british, "odds", test="move", unit="Browne", to="forward 4")
    assert "Not possible now: these are the chances in your side's next phase “moves”." in answer.private_text
