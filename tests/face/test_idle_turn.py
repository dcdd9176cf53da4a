"""A turn in which nothing was done is ended at the second press: asked about once, privately, in every system."""

from typing import Any

import pytest
import simcord

from cogs.kit.cards.idle_turn import ANYWAY

from .sheet import PlayersSheet
from .table import Answer, Table, labels
from .test_tanga import british_turn

ASKED = "Nothing has been done in this turn, and this ends it."
Begun = tuple[str, str, str, dict[str, Any]]
"""A system, a scenario, the side that acts first, and something that it may do."""
MOST_PHASES = 4
SYSTEMS: list[Begun] = [
    ("magdala", "suakin-1885", "mahdists", {"unit": "amarar", "to": "forward 2"}),
    ("charge", "bridge", "prussians", {"unit": "Kleist", "to": "forward 6"}),
    ("great_war", "trench", "british", {"unit": "Daphne", "to": "0302"}),
]


async def begin(table: Table, rules: str, scenario: str, side: str) -> simcord.MemberActor:
    """Begin a game with a player on the side that acts first."""
    await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    await table.give(table.british, "game join", side=side)
    return table.british


def asks(answer: Answer) -> bool:
    """Whether the answer is the question, told to its asker alone."""
    return ASKED in answer.text and not answer.public and ANYWAY in labels(answer.private[0])


async def active(table: Table) -> tuple[int, str, str]:
    """The turn, the phase, and the side that acts."""
    state = (await table.env.bot.games.running(table.channel.id)).state
    return state.turn, state.phase, state.active


async def asked_in_the_end(table: Table, player: simcord.MemberActor) -> Answer:
    """Pass on from phase to phase of a turn until the bot asks."""
    for _ in range(MOST_PHASES):
        if asks(answer := await table.give(player, "turn next")):
            return answer
    raise AssertionError("it never asked")


@pytest.mark.parametrize(("rules", "scenario", "side", "deed"), SYSTEMS)
async def test_a_turn_with_nothing_done_is_ended_at_the_second_press(
    table: Table, rules: str, scenario: str, side: str, deed: dict[str, Any]
) -> None:
    player = await begin(table, rules, scenario, side)
    asked = await asked_in_the_end(table, player)
    before = await active(table)
    assert before[2] == side, "nothing is changed yet"
    passed = await table.press(player, asked.private[0], ANYWAY)
    assert passed.public
    assert (await active(table))[2] != side


@pytest.mark.parametrize(("rules", "scenario", "side", "deed"), SYSTEMS)
async def test_a_turn_in_which_something_was_done_is_not_asked_about(
    table: Table, rules: str, scenario: str, side: str, deed: dict[str, Any]
) -> None:
    player = await begin(table, rules, scenario, side)
    await table.give(player, "move", **deed)
    assert not asks(await table.give(player, "turn next"))


async def test_a_button_asks_too_and_what_was_taken_back_was_not_done(table: Table) -> None:
    player = await begin(table, *SYSTEMS[0][:3])
    moved = await table.give(player, "move", unit="amarar", to="forward 2")
    undo = await table.give(table.umpire, "game undo")
    taken = await table.press(table.umpire, undo.messages[0], "Take it back")
    asked = await table.press(player, taken.public[-1], "End the turn of the Army of Osman Digna")
    assert moved.public
    assert asks(asked)


async def test_the_question_is_stale_once_something_was_done(table: Table) -> None:
    player = await begin(table, *SYSTEMS[0][:3])
    asked = await table.give(player, "turn next")
    await table.give(player, "move", unit="amarar", to="forward 2")
    late = await table.press(player, asked.private[0], ANYWAY)
    assert "The game has moved on since." in late.private_text


async def test_a_sheet_that_does_nothing_asks_before_it_ends_the_turn(table: Table) -> None:
    player = await begin(table, *SYSTEMS[0][:3])
    sheet = PlayersSheet(table, player)
    await sheet.open()
    await sheet.press("☐ End my turn when done")
    asked = await sheet.press("Pass on")
    assert asks(asked)
    assert (await active(table))[2] == "mahdists"
    await table.press(player, asked.private[0], ANYWAY)
    assert (await active(table))[2] == "british"


async def test_a_sheet_whose_orders_are_for_a_phase_that_cannot_come_asks_too(table: Table) -> None:
    """The Great War's moves are passed over where nobody is ordered."""
    player = await begin(table, *SYSTEMS[2][:3])
    sheet = PlayersSheet(table, player)
    await sheet.open("in battles: Daphne fire 84th Infantry")
    assert "Daphne order" in sheet.text
    await sheet.press("Remove last")
    await sheet.press("Remove last")
    await sheet.press("☐ End my turn when done")
    assert asks(await sheet.press("Pass on"))


async def test_the_germans_of_tanga_are_asked_at_the_end_of_their_turn_alone(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    await british_turn(table)
    assert (await active(table))[1:] == ("movement", "german")
    await asked_in_the_end(table, table.umpire)
    assert (await active(table))[1:] == ("rally", "german"), "until then they could dig in"


async def test_in_empire_the_last_phase_in_which_a_side_could_act_asks(table: Table) -> None:
    player = await begin(table, "empire", "el-teb-1884", "british")
    assert not asks(await table.give(player, "turn next")), "the moves are still to come"


async def test_nobody_without_the_right_to_pass_on_is_asked(table: Table) -> None:
    await begin(table, *SYSTEMS[0][:3])
    refused = await table.give(table.onlooker, "turn next")
    assert not asks(refused)
    assert "You are an onlooker." in refused.private_text
