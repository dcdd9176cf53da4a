"""One throw against a score, with its report, odds and button."""

from fractions import Fraction

import pytest

from rules.core.action_type import Chance
from rules.core.model import Cite
from rules.core.play import Play
from rules.core.report import Modifier
from rules.core.state import Side, State, Unit
from rules.core.test_action import Trial
from rules.core.tests.scripted import ScriptedDice
from rules.core.throws import ScoreThrow, chance_of_at_least
from rules.core.wording import sum_line

RULE = Cite(rule="T-1")
STATE = State(
    ruleset="t",
    scenario="",
    sides=(Side(id="red", name="Red", index=0),),
    active="red",
    units={"a": Unit(id="a", name="A", side="red")},
)


def plus(value: int, secret: bool = False) -> Modifier:
    return Modifier(value=Fraction(value), reason="steady", cite=RULE, secret=secret)


def trial(*modifiers: Modifier, always: int | None = None) -> Trial:
    return Trial("a", "A: nerve", RULE, ScoreThrow(1, 6, 5, modifiers, always), "to hold", "holds", "runs")


@pytest.mark.parametrize(("face", "passed", "end"), [(4, True, "5 against 5: holds"), (3, False, "4 against 5: runs")])
def test_report_of_a_throw_has_its_sum_and_chance(face: int, passed: bool, end: str) -> None:
    play = Play(STATE, ScriptedDice([face]))
    assert trial(plus(1)).take(play) is passed
    (step,) = play.report.steps
    assert (step.text, step.cite, step.throws[0].label, step.throws[0].side) == ("A: nerve", RULE, "A: nerve", "red")
    assert sum_line(step) == f"D6 [{face}] = {face}, +1 steady (T-1) = {end} (50.0% to hold)"


def test_odds_match_the_throw() -> None:
    odds = trial(plus(1)).odds()
    assert [(outcome.label, outcome.chance, outcome.good) for outcome in odds.outcomes] == [
        ("holds", Fraction(1, 2), True),
        ("runs", Fraction(1, 2), False),
    ]
    assert (odds.question, chance_of_at_least(odds.distribution, odds.pass_from or 0)) == ("A: nerve", Fraction(1, 2))
    assert [trial(*modifiers).odds().score_label for modifiers in ((plus(1),), ())] == ["score", "D6"]


def test_automatic_pass_is_told_unless_it_reveals_a_secret() -> None:
    verdicts = []
    for modifiers in ((plus(-3),), (plus(-3, secret=True),)):
        play = Play(STATE, ScriptedDice([6]))
        assert trial(*modifiers, always=6).take(play)
        verdicts.append(play.report.steps[0].verdict)
    assert verdicts == ["holds, as a roll of 6 or more always does", "holds"]


def test_button_has_the_chance_unless_a_modifier_is_secret() -> None:
    assert [trial(plus(1, secret=secret)).public_chance for secret in (False, True)] == [Chance(Fraction(1, 2)), None]


def test_throw_on_a_chart_has_an_outcome_for_each_result() -> None:
    fates = {1: "killed", 2: "hurt", 3: "hurt"}
    hurt_trial = Trial("a", "A", RULE, ScoreThrow(1, 6, 4), "", "", "", reads=lambda score: fates.get(score, "unhurt"))
    assert [(outcome.label, outcome.chance * 6, outcome.good) for outcome in hurt_trial.odds().outcomes] == [
        ("killed", 1, False),
        ("hurt", 2, False),
        ("unhurt", 3, True),
    ]
    play = Play(STATE, ScriptedDice([2]))
    assert hurt_trial.result_of(hurt_trial.throw_dice(play).total) == play.report.steps[0].verdict == "hurt"
