"""Questions without a game: the answer contains the action's result, but no turn, phase or army."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from cogs.kit.lookup.systems import EXAMPLES, THE_TROOP
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SEED_BYTES, SealedDice
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets

from .daily_choice import choose_daily

GAME_WORDS = re.compile(r"\b(Ours|Theirs)\b|(?i:\bturn \d|\bphase \d|initiative|beaten at|have ended|/turn|/game)")
"""Words about the course of a game; "One turn, then they test again" may answer a morale question."""
KINDS = [(system.id, kind) for system in rulesets().values() for kind in system.ad_hoc.question_fields_by_kind]
SEEDS = range(3)


def get_example(system: Ruleset[Any], kind: str, troop: str) -> dict[str, Any]:
    """Return the example options of a question for these troops."""
    args = {"troop": troop, **EXAMPLES[kind]}
    takes = system.ad_hoc.question_fields_by_kind[kind]
    return {name: troop if value == THE_TROOP else value for name, value in args.items() if name in takes}


def get_text(report: Report) -> str:
    """Return all text of the report."""
    steps = (f"{step.text} {step.needed} {step.verdict}" for step in report.steps)
    return "\n".join(
        (report.headline, *steps, report.outcome, *report.warnings, *(prompt.text for prompt in report.prompts))
    )


def iterate_questions(system: Ruleset[Any], kind: str, troop: str) -> Iterator[dict[str, Any]]:
    """Yield the example's options, alone and with each allowed circumstance."""
    plain = get_example(system, kind, troop)
    yield plain
    for word in system.ad_hoc.circumstances(kind):
        yield {**plain, "with": word}


def ask_question(system: Ruleset[Any], kind: str, args: dict[str, Any]) -> bool:
    """Ask the question with several dice. Return whether it was answered. Fails if the answer says too much."""
    try:
        before, _ = system.ad_hoc.set_up(kind, args)
        odds = system.ad_hoc.odds(kind, args)
    except Refused:
        return False
    assert not GAME_WORDS.search(" ".join((odds.question, *(outcome.label for outcome in odds.outcomes)))), (kind, args)
    for seed in SEEDS:
        after, report = system.ad_hoc.answer(kind, args, SealedDice(bytes([seed]) * SEED_BYTES, system.id, 1, 1))
        match = GAME_WORDS.search(get_text(report))
        assert match is None, (kind, args, match, get_text(report))
        assert (after.turn, after.active, after.over) == (before.turn, before.active, None), (kind, args)
        assert getattr(after, "phase", "") == getattr(before, "phase", ""), (kind, args)
        assert all(prompt.unit in after.units for prompt in report.prompts), (kind, args)
    return True


@pytest.mark.parametrize(("system", "kind"), KINDS)
def test_a_question_ends_with_its_answer(system: str, kind: str) -> None:
    ruleset = rulesets()[system]
    troops = [
        troop.name
        for troop in ruleset.troops.values()
        if ask_question(ruleset, kind, get_example(ruleset, kind, troop.name))
    ]
    for args in iterate_questions(ruleset, kind, choose_daily(troops)):
        ask_question(ruleset, kind, args)


@pytest.mark.soak
@pytest.mark.parametrize(("system", "kind"), KINDS)
def test_every_question_of_every_troops_with_every_circumstance_ends_with_its_answer(system: str, kind: str) -> None:
    ruleset = rulesets()[system]
    for troop in ruleset.troops.values():
        for args in iterate_questions(ruleset, kind, troop.name):
            ask_question(ruleset, kind, args)


def test_a_refused_question_has_neither_buttons_nor_a_picture() -> None:
    too_far = {"troop": "company", "figures": 16, "range": 7}
    with pytest.raises(Refused, match="CH-2") as refused:
        rulesets()["charge"].ad_hoc.answer("fire", too_far, ScriptedDice([]))
    assert type(refused.value) is Refused
    assert refused.value.prompts == ()


def test_be_5_a_melee_throws_the_dice_of_the_melee_alone() -> None:
    dice = ScriptedDice([6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    args = {"troop": "zulus", "against": "dervishes"}
    _, report = rulesets()["empire"].ad_hoc.answer("melee", args, dice)
    assert [throw.label.rpartition(", ")[2] for step in report.steps for throw in step.throws] == ["melee", "melee"]
    assert report.outcome == ""
    assert report.prompts == ()


def test_be_4_fire_does_not_mention_finished_units() -> None:
    args = {"troop": "British regulars", "figures": 6, "range": 4}
    _, report = rulesets()["empire"].ad_hoc.answer("fire", args, ScriptedDice([1] * 12))
    assert "no hits" in report.headline
    assert report.outcome == ""


def test_ch_4_a_melee_counts_no_army() -> None:
    args = {"troop": "company", "figures": 2, "against": "company", "against_figures": 2}
    _, report = rulesets()["charge"].ad_hoc.answer("melee", args, ScriptedDice([6, 6, 1, 1]))
    assert "lose 2 men" in report.headline
    assert not [step for step in report.steps if step.cite is not None and step.cite.rule == "CH-5"]


def test_mm_4_5_a_lost_melee_names_the_required_test() -> None:
    troop = "British regulars, breechloaders"
    args = {"troop": troop, "figures": 3, "against": troop, "against_figures": 3}
    _, report = rulesets()["magdala"].ad_hoc.answer("melee", args, ScriptedDice([1, 6]))
    assert [prompt.text for prompt in report.prompts] == [f"{troop}: morale after losing a melee"]
