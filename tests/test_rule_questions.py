"""Of forty questions of players about each system, at least thirty-six are answered right by the first answer."""

import re
import time
import tomllib
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.kit.lookup.topics import Answer, build_search_indexes, find_answers, similar_rule_names
from cogs.rule import WholeRuleButton, alternative_rule_button
from cogs.rule_answer import answer_card
from rules.core.rule_tables import count_phone_lines
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

QUESTIONS = Path(__file__).parent / "rule_questions"
ASKED = 40
MOST_WRONG = 4
MOST_LINES = 8
SECONDS = 0.3
MARKUP = re.compile(r"### |-# |[*\\\\]")

EVERY_RULE = [(system, rule) for system in rulesets().values() for rule in system.book.rules]


@pytest.fixture(params=rulesets().values(), ids=lambda system: system.id)
def system(request: pytest.FixtureRequest) -> Ruleset[Any]:
    """Each of them."""
    param: Ruleset[Any] = request.param
    return param


def questions(system: Ruleset[Any]) -> dict[str, str]:
    """The questions about a system, with the numbers of the rules that answer."""
    return tomllib.loads((QUESTIONS / f"{system.id}.toml").read_text(encoding="utf-8"))


def wrong_answers(system: Ruleset[Any], questions: dict[str, str]) -> dict[str, str]:
    """The questions whose first answer is no right one, with that answer."""
    answers_found = {question: find_answers(question, system) for question in questions}
    first = {question: answers[0].rule.number if answers else "nothing" for question, answers in answers_found.items()}
    return {question: number for question, number in first.items() if number not in questions[question].split()}


def card_words(answer: Answer, topic: str, first: Ruleset[Any] | None) -> str:
    button = WholeRuleButton("More", system=answer.system.id, number=answer.rule.number)
    return answer_card(answer, topic, first, game=None, rulings=(), more_button=button).words


def test_the_first_answer_is_right(system: Ruleset[Any]) -> None:
    expected = questions(system)
    assert len(expected) == ASKED
    numbers = {rule.number for rule in system.book.rules}
    assert all(number in numbers for right in expected.values() for number in right.split())
    errors = wrong_answers(system, expected)
    assert len(errors) <= MOST_WRONG, errors
    assert all(answer.system is system for question in expected for answer in find_answers(question, system))


def test_most_of_more_questions_are_answered_right(system: Ruleset[Any]) -> None:
    expected = tomllib.loads((QUESTIONS / "more" / f"{system.id}.toml").read_text(encoding="utf-8"))
    errors = wrong_answers(system, expected)
    assert len(errors) <= len(expected) / 20, errors


@pytest.mark.parametrize(
    ("rules", "question", "passage"),
    [
        ("empire", "how many dice does a company throw when shooting", "throw a die for each stand"),
        ("magdala", "how far can cavalry gallop in a charge", "or a charge of 18"),
    ],
)
def test_the_passage_says_how_far_and_how_many(rules: str, question: str, passage: str) -> None:
    system = rulesets()[rules]
    assert passage in card_words(find_answers(question, system)[0], question, system)


def test_an_answer_comes_in_time_and_has_eight_lines_at_most(system: Ruleset[Any]) -> None:
    build_search_indexes()
    for question in questions(system):
        start = time.process_time()
        answer = find_answers(question, system)[0]
        words = card_words(answer, question, system)
        assert time.process_time() - start < SECONDS, question
        assert count_phone_lines(MARKUP.sub("", words)) <= MOST_LINES, question


@pytest.mark.parametrize("first", [None, rulesets()["tanga"]], ids=["none", "tanga"])
def test_number_and_name_give_the_same_passage(first: Ruleset[Any] | None) -> None:
    for system, rule in EVERY_RULE:
        by_number, by_name = find_answers(rule.number, first)[0], find_answers(rule.name, first)[0]
        assert (by_number.system, by_number.rule) == (by_name.system, by_name.rule) == (system, rule)
        if first is None:
            assert card_words(by_number, rule.number, first) == card_words(by_name, rule.name, first)


@pytest.mark.parametrize(
    ("question", "rules", "answering"),
    [
        ("gatling", "great_war", "magdala"),
        ("A7V", "magdala", "great_war"),
        ("stevedores", "empire", "tanga"),
        ("fanatic charge", "charge", "empire"),
        ("MM-5.4", "tanga", "magdala"),
        ("5.10", "charge", "magdala"),
        ("bridge", "magdala", "charge"),
    ],
)
def test_another_system_answers_only_when_nothing_fits_and_says_so(question: str, rules: str, answering: str) -> None:
    first = rulesets()[rules]
    answer = find_answers(question, first)[0]
    assert answer.system.id == answering
    assert f"No rule of {first.title} fits. This one is of {answer.system.title}" in card_words(answer, question, first)
    assert "fits" not in card_words(answer, question, answer.system)


@pytest.mark.parametrize("question", ["rule 3.9", "what is rule 3.9?", "§ 3.9", "section 3.9", "mm3.9"])
def test_a_number_is_known_among_words(question: str) -> None:
    system = rulesets()["magdala"]
    answer = find_answers(question.rstrip("?"), system)[0]
    assert answer.rule.number == "MM-3.9"
    assert card_words(answer, question.rstrip("?"), system) == card_words(answer, "MM-3.9", system)


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("out of ammo", "MM-3.10: out of ammo"),
        ("MM-3.9: out of ammo", "MM-3.9: out of ammo"),
        ("MM-4", "MM-4"),
        ("rule 4", "MM-4"),
        ("MM-3.9 Ammunition", "MM-3.9"),
        ("x" * 99, None),
        ("ammo " * 30, "MM-3.9: " + ("ammo " * 30)[:92]),
    ],
)
def test_a_rule_chosen_from_the_menu_keeps_the_question_but_no_number(question: str, chosen: str | None) -> None:
    answers = find_answers(question, rulesets()["magdala"])
    assert (answers[0].choice_value(question, 100) if answers else None) == chosen
    for answer in answers:
        second = find_answers(answer.choice_value(question, 100), rulesets()["magdala"])[0]
        assert (second.system, second.rule) == (answer.system, answer.rule)


def test_a_number_of_the_own_system_is_no_other_systems() -> None:
    assert {answer.system.id for answer in find_answers("1.2", rulesets()["charge"])} == {"charge"}


def test_what_is_suggested_is_of_the_asked_system() -> None:
    assert all(name.startswith("TA-") for name in similar_rule_names("moovment of brits", rulesets()["tanga"]))


@pytest.mark.parametrize("topic", ["a:b", "x" * 200, "a\nb\x00", "“quotes” & `ticks`"])
def test_a_near_rules_button_keeps_the_question_within_discords_limit(topic: str) -> None:
    system = rulesets()["great_war"]
    button = alternative_rule_button(Answer(system, system.book.get("GW-6.4")), topic)
    assert isinstance(button.item, discord.ui.Button)
    assert button.item.custom_id is not None
    assert type(button).__discord_ui_compiled_template__.fullmatch(button.item.custom_id)
