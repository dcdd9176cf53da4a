"""Standing answers: read, written, and decided on the prompts of every system."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from bot.order_sheets.model import MOST_ANSWERS, Sheet, SheetFull, dump_sheet, parse_sheet
from rules.charge.occasions import ANSWERING_FIRE
from rules.charge.tests.field import act, blue, field, red
from rules.core.model import UMPIRE
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.report import Offer, Prompt
from rules.core.ruleset import Ruleset
from rules.core.standing_answers import (
    StandingAnswer,
    StandingDecision,
    StandingReply,
    decide_by_answers,
    find_answer,
    read_answer,
    read_occasion,
    replace_answer,
)
from rules.core.state import State
from rules.registry import rulesets

from .daily_choice import one_a_day
from .fuzz import RandomDice

CHARGE = rulesets()["charge"]
ANSWER = CHARGE.occasions[ANSWERING_FIRE]
BEFORE_MELEE = rulesets()["magdala"].occasions["fire before melee"]
GAME_LENGTH = 160
"""Number of actions of a random game."""


def describe_answer(words: str, occasion: Any = ANSWER) -> str:
    """Return the displayed form of typed words."""
    return occasion.describe_answer(read_answer(occasion, "any", words))


def test_distances_and_chances_may_be_words() -> None:
    assert describe_answer("within six inches") == describe_answer("within 6")
    assert describe_answer("at least fifty%") == describe_answer("at least 50%")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("always", "always answer"),
        ("Yes.", "always answer"),
        ("answer", "always answer"),
        ("never", "always hold fire"),
        ("hold fire", "always hold fire"),
        ("ask me", "ask"),
        ("within 6", 'answer within 6"'),
        ("within 6”", 'answer within 6"'),
        ("only within 4½ inches", 'answer within 4.5"'),
        ("always within 6 in", 'answer within 6"'),
        ("at least 50%", "answer if the chance is at least 50%"),
        ("if the chance is at least 50 %", "answer if the chance is at least 50%"),
        ("chance >= 33%", "answer if the chance is at least 33%"),
        ("75% or better", "answer if the chance is at least 75%"),
        ("within 12, at least 50%", 'answer within 12", if the chance is at least 50%'),
        ("if the enemy is within 6 and the chance is at least 25%", 'answer within 6", if the chance is at least 25%'),
    ],
)
def test_an_answer_is_read_as_people_type_it(text: str, canonical: str) -> None:
    assert describe_answer(text) == canonical
    assert describe_answer(canonical) == canonical, "and as it is shown"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("perhaps", "“perhaps” is not understood"),
        ("never within 6", "“never within 6” is not understood"),
        ("within 0", "at least 0.1"),
        ("within 0.04", "at least 0.1"),
        ("within 6 hexes", "Distances are in inches here"),
        ("within 6, within 12", "not understood"),
        ("at least 50%, at least 75%", "not understood"),
        ("at least 0%", "from 1 to 100%"),
        ("at least 12.5%", "whole number"),
        ("", "not understood"),
        ("always never", "not understood"),
    ],
)
def test_an_invalid_answer_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        describe_answer(text)


def test_without_a_target_or_dice_there_is_no_limit() -> None:
    with pytest.raises(Refused, match="no distance"):
        describe_answer("within 6", BEFORE_MELEE)
    with pytest.raises(Refused, match="no dice"):
        describe_answer("at least 50%", rulesets()["great_war"].occasions["flags"])


def test_an_occasion_is_found_by_a_part_of_its_title() -> None:
    occasions = rulesets()["magdala"].occasions
    assert read_occasion(occasions, "fire at chargers") == "fire before melee"
    with pytest.raises(Refused, match="There are: Fire at chargers before a melee, Re-roll"):
        read_occasion(occasions, "supper")


def create_answer(*units: str, reply: StandingReply = StandingReply.YES) -> StandingAnswer:
    """Return an answer for units, or for the whole side."""
    return StandingAnswer(occasion="a", units=units, reply=reply)


def test_a_units_answer_precedes_its_sides_answer() -> None:
    offer = Offer(label="", kind="fire", side="reds", key="")
    prompt = Prompt(key="", unit="guards", side="reds", text="", cite=ANSWER.cite, occasion="a", offers=(offer,))
    both = create_answer("guards", reply=StandingReply.NO), create_answer()
    assert find_answer(both, "reds", prompt, offer) == both[0]
    assert find_answer(both, "reds", prompt.model_copy(update={"unit": "line"}), offer) == both[1]
    assert find_answer(both, "reds", prompt.model_copy(update={"occasion": "b"}), offer) is None


def test_an_answer_to_another_sides_prompt_is_for_acting_or_helped_units() -> None:
    prompt = Prompt(key="", unit="guards", side="blues", text="", cite=ANSWER.cite, occasion="a")
    never, always = both = create_answer("line", reply=StandingReply.NO), create_answer()
    by_line = Offer(label="", kind="support", args={"unit": "line", "target": "rifles"}, side="reds", key="")
    for_line = Offer(label="", kind="support", args={"unit": "rifles", "target": "line"}, side="reds", key="")
    by_others = Offer(label="", kind="support", args={"unit": "rifles", "target": "foot"}, side="reds", key="")
    assert [find_answer(both, "reds", prompt, answer) for answer in (by_line, for_line, by_others)] == [
        never,
        never,
        always,
    ]
    assert find_answer((create_answer("guards"),), "reds", prompt, by_line) is None, "the enemy's unit is not meant"


def test_a_new_answer_replaces_the_old_one_for_the_same_units() -> None:
    never = create_answer("guards", reply=StandingReply.NO)
    assert replace_answer((create_answer("guards", "line"),), never) == (create_answer("line"), never)
    assert replace_answer((create_answer(), never), create_answer("guards")) == (
        create_answer(),
        create_answer("guards"),
    )
    ask = create_answer(reply=StandingReply.ASK)
    assert replace_answer((never, create_answer()), ask) == (ask,), "for the whole side, all units are asked again"
    ask_guards = create_answer("guards", reply=StandingReply.ASK)
    assert replace_answer((create_answer(),), ask_guards) == (create_answer(), ask_guards), (
        "one unit is asked, the others are not"
    )


def test_a_sheet_holds_no_more_answers_than_it_may() -> None:
    full = Sheet(standing=tuple(create_answer(f"unit {number}") for number in range(MOST_ANSWERS)))
    with pytest.raises(SheetFull, match="standing answers"):
        full.with_answer(create_answer("one more"))


def test_an_old_sheet_has_no_standing_answers_and_a_new_one_stores_them() -> None:
    before = {"rules_version": CHARGE.version, "given": True, "through": 2}
    assert parse_sheet(before, CHARGE).standing == ()
    sheet = Sheet(standing=(create_answer("guards", reply=StandingReply.NO),), asked_at=7)
    assert parse_sheet(dump_sheet(sheet, CHARGE), CHARGE) == sheet


def create_waiting_answer(inches: float, men: int = 16) -> tuple[State, Prompt]:
    """Return a game of Charge! in which unit B may answer fire of A from this range."""
    state = field(red("A", (36, 20)), blue("B", (36, 20 - inches), figures=men), answers_at_once=False)
    state, _ = act(state, "fire", [6, 6], unit="a", target="b")
    state, report = act(state, "turn_next")
    (prompt,) = report.prompts
    return state, prompt


def decide_answer(state: State, prompt: Prompt, words: str) -> StandingDecision | None:
    """Return the decision of a typed answer at Charge!."""
    answer = read_answer(ANSWER, ANSWERING_FIRE, words)
    return decide_by_answers(CHARGE, state, "blues", prompt, lambda _: answer)


def test_a_distance_is_measured_to_the_target() -> None:
    state, prompt = create_waiting_answer(inches=5)
    fire = CHARGE.parse("fire", {"unit": "b", "target": "a"})
    gap = CHARGE.places.distance(state, "b", "a")
    assert gap is not None
    assert decide_answer(state, prompt, f"within {gap + 0.1:.1f}") == StandingDecision(fire)
    assert decide_answer(state, prompt, f"within {gap - 0.1:.1f}") == StandingDecision(None), (
        "beyond it they hold their fire"
    )
    assert decide_answer(state, prompt, "never") == StandingDecision(None)
    assert decide_answer(state, prompt, "ask") is None


def test_a_chance_is_that_of_the_button() -> None:
    state, prompt = create_waiting_answer(inches=5, men=5)
    fire = CHARGE.parse("fire", {"unit": "b", "target": "a"})
    percent = int(CHARGE.caption(state, fire).chances[0].value * 100)
    assert 1 <= percent < 100
    assert decide_answer(state, prompt, f"at least {percent}%") == StandingDecision(fire)
    assert decide_answer(state, prompt, f"at least {percent + 1}%") == StandingDecision(None)


def test_a_limit_that_cannot_be_judged_is_asked() -> None:
    state, prompt = create_waiting_answer(inches=5)
    unplaced = state.with_unit(state.units["a"].model_copy(update={"place": None}))
    assert decide_answer(unplaced, prompt, "within 6") is None


def iterate_random_states(system: Ruleset[Any], scenario: str, seed: int) -> Iterator[State]:
    """Yield states of a random game in which prompts are answered about as often as units act."""
    chance, dice = random.Random(seed), RandomDice(seed)
    state = system.setup(scenario, {}, dice)
    for _ in range(GAME_LENGTH):
        if state.over is not None:
            return
        yield state
        sides = state.acting_sides or tuple(side.id for side in state.sides)
        offers = [offer for prompt in system.open_prompts(state) for offer in prompt.offers]
        actions = [*islice(system.legal_actions(state, chance.choice(sides)), 20)]
        answers = [system.parse(offer.kind, offer.args) for offer in chance.sample(offers, min(3, len(offers)))]
        for action in (*chance.sample([*answers, *actions], len(answers) + len(actions)), system.parse(PASS, {})):
            try:
                state, _ = system.act(state, action, dice)
            except Refused:
                continue
            break


REQUIRED_OCCASIONS = {"magdala": {"fire before melee"}, "empire": {"fire"}, "great_war": {"flags"}}
"""Occasions that the random game of a system must contain; otherwise the test would show nothing."""


@pytest.mark.parametrize("system_id", one_a_day([*REQUIRED_OCCASIONS]))
def test_standing_answers_in_random_games_are_legal_actions(system_id: str) -> None:
    system, occasions = rulesets()[system_id], set()
    for state in iterate_random_states(system, next(iter(system.scenarios)), seed=3):
        for prompt in system.open_prompts(state):
            if not prompt.occasion:
                sides = {offer.side for offer in prompt.offers} - {state.active, *state.acting_sides, UMPIRE}
                assert not (prompt.required and sides), f"nobody can answer it beforehand: {prompt}"
                continue
            assert prompt.occasion in system.occasions
            occasions.add(prompt.occasion)
            for reply in (StandingReply.YES, StandingReply.NO):
                answer = StandingAnswer(occasion=prompt.occasion, reply=reply)
                view = system.view(state, prompt.side)
                decision = decide_by_answers(system, view, prompt.side, prompt, lambda _, answer=answer: answer)
                assert decision is not None, prompt
                assert decision.action is None or system.allows(state, decision.action), prompt
                assert decision.action is not None or not prompt.required, prompt
    assert occasions >= REQUIRED_OCCASIONS[system_id], occasions


def test_tanga_answers_opportunity_fire_of_units_that_ask() -> None:
    assert [*rulesets()["tanga"].occasions] == ["opportunity fire"]
