"""The bot asks for a second press before it ends an idle turn: once, privately, in every system."""

from typing import Any

import pytest
import simcord

from cogs.kit.cards.idle_turn import ANYWAY

from .sheet import PlayersSheet
from .table import Answer, Table, labels
from .test_tanga import british_turn

QUESTION = "Nothing has been done in this turn, and this ends it."
FirstMove = tuple[str, str, str, dict[str, Any]]
"""A system, a scenario, the side that acts first, and options of a legal move."""
MOST_PHASES = 4
SYSTEMS: list[FirstMove] = [
    ("magdala", "suakin-1885", "mahdists", {"unit": "amarar", "to": "forward 2"}),
    ("charge", "bridge", "prussians", {"unit": "Kleist", "to": "forward 6"}),
    ("great_war", "trench", "british", {"unit": "Daphne", "to": "0302"}),
]


async def begin(table: Table, rules: str, scenario: str, side: str) -> simcord.MemberActor:
    """Begin a game with a player on the side that acts first."""
    await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    await table.give(table.british, "game join", side=side)
    return table.british


def is_question(answer: Answer) -> bool:
    """Whether the answer is the question, asked privately."""
    return QUESTION in answer.text and not answer.public and ANYWAY in labels(answer.private[0])


async def current_phase(table: Table) -> tuple[int, str, str]:
    """Return the turn, the phase and the acting side."""
    state = (await table.env.bot.games.running_game(table.channel.id)).state
    return state.turn, state.phase, state.active


async def pass_on_until_asked(table: Table, player: simcord.MemberActor) -> Answer:
    """Pass on through the phases of the turn until the bot asks."""
    for _ in range(MOST_PHASES):
        if is_question(answer := await table.give(player, "turn next")):
            return answer
    raise AssertionError("the bot never asked")


@pytest.mark.parametrize(("rules", "scenario", "side", "deed"), SYSTEMS)
async def test_an_idle_turn_ends_at_the_second_press(
    table: Table, rules: str, scenario: str, side: str, deed: dict[str, Any]
) -> None:
    player = await begin(table, rules, scenario, side)
    answer = await pass_on_until_asked(table, player)
    before = await current_phase(table)
    assert before[2] == side, "nothing is changed yet"
    passed = await table.press(player, answer.private[0], ANYWAY)
    assert passed.public
    assert (await current_phase(table))[2] != side


@pytest.mark.parametrize(("rules", "scenario", "side", "deed"), SYSTEMS)
async def test_a_turn_with_an_action_ends_without_a_question(
    table: Table, rules: str, scenario: str, side: str, deed: dict[str, Any]
) -> None:
    player = await begin(table, rules, scenario, side)
    await table.give(player, "move", **deed)
    assert not is_question(await table.give(player, "turn next"))


async def test_the_button_asks_when_the_only_action_was_undone(table: Table) -> None:
    player = await begin(table, *SYSTEMS[0][:3])
    moved = await table.give(player, "move", unit="amarar", to="forward 2")
    undo = await table.give(table.umpire, "game undo")
    answer = await table.press(table.umpire, undo.messages[0], "Take it back")
    question = await table.press(player, answer.public[-1], "End the turn of the Army of Osman Digna")
    assert moved.public
    assert is_question(question)


async def test_the_question_is_stale_after_an_action(table: Table) -> None:
    player = await begin(table, *SYSTEMS[0][:3])
    answer = await table.give(player, "turn next")
    await table.give(player, "move", unit="amarar", to="forward 2")
    late = await table.press(player, answer.private[0], ANYWAY)
    assert "The game has moved on since." in late.private_text


async def test_an_empty_sheet_asks_before_it_ends_the_turn(table: Table) -> None:
    player = await begin(table, *SYSTEMS[0][:3])
    sheet = PlayersSheet(table, player)
    await sheet.open()
    await sheet.press("☐ End my turn when done")
    answer = await sheet.press("Pass on")
    assert is_question(answer)
    assert (await current_phase(table))[2] == "mahdists"
    await table.press(player, answer.private[0], ANYWAY)
    assert (await current_phase(table))[2] == "british"


async def test_a_sheet_of_impossible_orders_asks_before_it_ends_the_turn(table: Table) -> None:
    """The Great War skips its moves if no unit is ordered."""
    player = await begin(table, *SYSTEMS[2][:3])
    sheet = PlayersSheet(table, player)
    await sheet.open("in battles: Daphne fire 84th Infantry")
    assert "Daphne order" in sheet.text
    await sheet.press("Remove last")
    await sheet.press("Remove last")
    await sheet.press("☐ End my turn when done")
    assert is_question(await sheet.press("Pass on"))


async def test_tanga_asks_the_germans_only_at_the_end_of_their_turn(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    await british_turn(table)
    assert (await current_phase(table))[1:] == ("movement", "german")
    await pass_on_until_asked(table, table.umpire)
    assert (await current_phase(table))[1:] == ("rally", "german"), "before their rally they could dig in"


async def test_empire_asks_only_in_the_last_phase_that_allows_actions(table: Table) -> None:
    player = await begin(table, "empire", "el-teb-1884", "british")
    assert not is_question(await table.give(player, "turn next")), "the moves are still to come"


async def test_an_onlooker_is_refused_without_the_question(table: Table) -> None:
    await begin(table, *SYSTEMS[0][:3])
    refused = await table.give(table.onlooker, "turn next")
    assert not is_question(refused)
    assert "You are an onlooker." in refused.private_text
