"""Summaries of actions depend on the fields of reports, never on their sentences."""

import random
import re
from collections.abc import Iterator
from itertools import count

import pytest

from cogs.kit.cards.action_list import action_line, split_off_action_dice, step_dice_in_words
from rules.core import glance
from rules.core.automaton.own_dice import SeededDice
from rules.core.model import Cite
from rules.core.report import CountedDie, Modifier, Report, Standing, Step
from rules.core.ruleset import Refused
from rules.registry import rulesets

from .daily_choice import one_a_day
from .fuzz import choose_random_action

ACTIONS = 60
"""Number of random actions in each scenario."""
GAMES = [
    pytest.param(system, *scenario.values, marks=scenario.marks, id=scenario.values[0])
    for system, ruleset in rulesets().items()
    for scenario in one_a_day(list(ruleset.scenarios))
]
"""The day's scenario of each system; the soak uses all scenarios."""

WORD = re.compile(r"[Qq][a-j]{6}q")
"""A made-up word that stands for a sentence, perhaps with a capital letter."""


class Words:
    """Replaces sentences by unique made-up words, and restores them in summaries."""

    def __init__(self) -> None:
        self._numbers = count()
        self._sentences: dict[str, str] = {}

    def other(self, sentence: str) -> str:
        """Return a new word for the sentence, also for a repeated one; "" for ""."""
        if not sentence:
            return ""
        letters = f"{next(self._numbers):06}".translate(str.maketrans("0123456789", "abcdefghij"))
        self._sentences[f"q{letters}q"] = sentence
        return f"q{letters}q"

    def back(self, summary: str) -> str:
        """Return the summary with the sentences restored."""

        def sentence(match: re.Match[str]) -> str:
            original = self._sentences.get(match[0].lower(), match[0])
            return original if match[0].islower() else f"{original[:1].upper()}{original[1:]}"

        return WORD.sub(sentence, summary)

    def of_report(self, report: Report) -> Report:
        """Return the report in made-up words. Text shared by several units keeps one word."""
        shared: dict[tuple[str, str], str] = {}

        def alike(field: str, sentence: str) -> str:
            return shared.setdefault((field, sentence), self.other(sentence))

        def modifier(original: Modifier) -> Modifier:
            return original.model_copy(update={"reason": self.other(original.reason)})

        def step(original: Step) -> Step:
            fields = {field: alike(field, getattr(original, field)) for field in ("kind", "needed", "verdict")}
            subject = self.other(original.subject)
            text = subject if original.text == original.subject else self.other(original.text)
            if original.verdict == original.text:  # a sentence that is its own verdict
                fields["verdict"] = text
            reworded = {"text": text, "subject": subject, "hope": self.other(original.hope), **fields}
            return original.model_copy(update={**reworded, "modifiers": tuple(map(modifier, original.modifiers))})

        return report.model_copy(
            update={
                "headline": self.other(report.headline),
                "outcome": self.other(report.outcome),
                "ending": self.other(report.ending),
                "standing": tuple(Standing(standing.unit, self.other(standing.text)) for standing in report.standing),
                "steps": tuple(map(step, report.steps)),
            }
        )


def iterate_reports(system: str, scenario: str) -> Iterator[Report]:
    """Yield the reports of a game played at random."""
    ruleset, chance, dice = rulesets()[system], random.Random(scenario), SeededDice(scenario)
    state = ruleset.setup(scenario, {}, dice)
    for _ in range(ACTIONS):
        if state.over is not None:
            return
        try:
            state, report = ruleset.act(state, choose_random_action(ruleset, state, chance), dice)
        except Refused:
            continue
        yield report


def list_shown_lines(report: Report) -> list[str]:
    first, rest = split_off_action_dice(report)
    lines = [glance.step_in_words(step) for step in glance.short_steps(report)]
    in_list = [step_dice_in_words(first) if first is not None else "", *map(glance.step_in_words, rest)]
    return [*lines, glance.outcome_to_tell(report), *in_list]


@pytest.mark.parametrize(("system", "scenario"), GAMES)
def test_rewording_changes_no_summary(system: str, scenario: str) -> None:
    lines = 0
    for report in iterate_reports(system, scenario):
        words = Words()
        in_other_words = list_shown_lines(words.of_report(report))
        assert list(map(words.back, in_other_words)) == list_shown_lines(report), report.headline
        lines += len(in_other_words)
    assert lines > ACTIONS / 2, "enough was told"


def test_dice_that_count_for_one_side_alone_take_a_line_of_their_own() -> None:
    throw = SeededDice("melee").throw(1, 6, "melee")
    bout = Step(
        text="Hadendoa", cite=Cite(rule="MM-4.3"), throws=(throw,), counted=(CountedDie(5, True),), verdict="*5*"
    )
    line = action_line(Report(headline="Hadendoa fight Gardners.", side="mahdists", steps=(bout,)))
    assert line == "Hadendoa fight Gardners.\n• Hadendoa: **5**\u00a0· MM-4.3"
