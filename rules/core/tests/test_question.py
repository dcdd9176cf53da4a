"""A question that a die decides: yes on a minimum of a D6, or on a maximum of a D100."""

from fractions import Fraction

import pytest

from rules.core.refusal import Refused

from .drill import SYSTEM, start_drill
from .scripted import ScriptedDice


@pytest.mark.parametrize(
    ("odds", "face", "text", "chance"),
    [
        ("4+", 3, "No.", Fraction(1, 2)),
        ("4+", 4, "Yes.", Fraction(1, 2)),
        ("2+", 2, "Yes.", Fraction(5, 6)),
        ("35%", 35, "Yes.", Fraction(7, 20)),
        ("35%", 36, "No.", Fraction(7, 20)),
    ],
)
def test_a_die_decides_by_the_odds_and_changes_nothing(odds: str, face: int, text: str, chance: Fraction) -> None:
    state, action = start_drill(), SYSTEM.parse("question", {"text": "Is it  dry?", "odds": odds})
    after, report = SYSTEM.act(state, action, ScriptedDice([face]))
    assert after == state
    assert (report.headline, report.outcome) == ("The umpire asks: Is it dry?", text)
    assert (report.steps[0].chance, report.steps[0].needed) == (chance, f"yes on {odds}")


@pytest.mark.parametrize("wrong", [{"odds": "1+"}, {"odds": "0%"}, {"odds": "100%"}, {"text": " "}, {"text": "a\nb"}])
def test_invalid_question_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(Refused):
        SYSTEM.act(start_drill(), SYSTEM.parse("question", {"text": "Is it dry?", **wrong}), ScriptedDice([]))
