"""Turn messages fit a telephone: few lines, few buttons, and a headline with the events."""

import random
from typing import Any

import pytest

from cogs.kit.cards.telephone import wrap_lines
from cogs.kit.outbox import strip_line_marks
from rules.core.automaton.own_dice import SeededDice
from rules.registry import rulesets

from .fuzz import choose_random_action, get_daily_seed
from .recorded_channel import RecordedAction, RecordedChannel, count_buttons

ACTIONS = 90
MOST_LINES, MOST_BUTTONS = 25, 5
"""Maximum lines and buttons of a message, with *Details* among the buttons."""


def play_randomly(system: Any, scenario: str, seed: str) -> list[RecordedAction]:
    """Return random actions of a game; the deciding side is the action's side."""
    chance, dice = random.Random(seed), SeededDice(seed)
    state, acts = system.setup(scenario, {}, dice), []
    while state.over is None and len(acts) < ACTIONS:
        forced = system.next_automatic_action(state)
        action = forced or choose_random_action(system, state, chance)
        side = "" if forced is not None else system.side_of(state, action)
        after, report = system.act(state, action, dice)
        acts.append(RecordedAction(state, action, report, after, side))
        state = after
    return acts


@pytest.mark.parametrize("name", list(rulesets()))
def test_a_turn_message_fits_a_telephone_for_every_reader(name: str) -> None:
    system = rulesets()[name]
    chance = random.Random(get_daily_seed())
    acts = play_randomly(system, chance.choice([*system.scenarios]), f"{get_daily_seed()}")
    sides = [side.id for side in acts[0].before.sides if side.id != system.played_by_bot]
    cards = [
        card
        for people in ([], *([side] for side in sides))
        for card in RecordedChannel(system, acts, people).messages()
    ]
    assert cards
    for card in cards:
        assert len(wrap_lines(card.words)) <= MOST_LINES, card.words
        assert count_buttons(card) <= MOST_BUTTONS, card.words


def test_the_list_of_units_of_a_real_table_leaves_room_on_a_telephone() -> None:
    system, acts = rulesets()["magdala"], []
    state = system.setup("suakin-1885", {"positions": "none"}, SeededDice("real table"))
    for _ in range(4):
        action = system.parse("turn_next", {})
        after, report = system.act(state, action, SeededDice("none"))
        acts.append(RecordedAction(state, action, report, after, state.active))
        state = after
    cards = [*RecordedChannel(system, acts, [side.id for side in state.sides]).messages()]
    assert len(cards) == len(acts)
    for card in cards:
        assert len(wrap_lines(card.words)) <= MOST_LINES, card.words
        assert "more: /unit list" in card.words.replace("`", "")


def test_all_wordings_of_a_message_begin_alike_to_find_sent_ones() -> None:
    assert strip_line_marks("### Germans (the bot): 2 actions") == strip_line_marks("-# Germans (the bot): 2 actions")
    assert strip_line_marks("**Bold**") == "**Bold**"


def test_units_that_the_bot_left_unused_are_a_note_for_nobody() -> None:
    system = rulesets()["empire"]
    state = system.setup("el-teb-1884", {}, SeededDice("unused"))
    tested = state.units["gordons"].this_turn.model_copy(update={"tested": True, "allowed": 9.0, "result": "advance"})
    ready = state.changed("gordons", this_turn=tested).model_copy(update={"phase": "movement of units", "done": ()})
    side = ready.acting_sides[0]
    action = system.parse("turn_next", {"side": side} if len(ready.acting_sides) > 1 else {})
    after, report = system.act(ready, action, SeededDice("unused"))
    assert report.warnings
    acts = [RecordedAction(ready, action, report, after, side)]
    sides = [side.id for side in state.sides]
    for people, is_told in (([], False), (sides, True)):
        (card,) = RecordedChannel(system, acts, people).messages()
        assert ("Tested and not moved" in card.words) is is_told
