"""Values of the core: models, dice, reports and their wording."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules.core import wording
from rules.core.dice import NoDice, Throw
from rules.core.hexboard.hex_scene import HexScene
from rules.core.model import PUBLIC, UMPIRE, Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.report import Modifier, Report, Step
from rules.core.scene import TableScene
from rules.core.state import Side, State, Verdict
from rules.core.tabletop.battle import TableState, TableUnit
from rules.core.tests.scripted import ScriptedDice
from rules.core.umpire import AddUnit

from .listing import iterate_bounds

RULE = Cite(rule="MM-5.4")
THROW = Throw(number=3, label="morale", sides=6, dice=(4, 3))
BRITISH = Modifier(value=Fraction(1), reason="British", cite=RULE)
SECRET = Modifier(value=Fraction(-2), reason="drunk", cite=RULE, secret=True)
FRACTIONS = st.fractions(max_denominator=1000)


def step(**fields) -> Step:
    return Step(**{"text": "Morale", "cite": RULE, **fields})


def test_values_are_frozen_and_closed() -> None:
    with pytest.raises(ValidationError):
        RULE.rule = "MM-1"
    with pytest.raises(ValidationError):
        Cite(rule="MM-1", page=3)


@pytest.mark.parametrize(
    ("mark", "printed"),
    [
        (Mark.TEXT, "MM-1"),
        (Mark.RULING, "MM-1, ruling"),
        (Mark.FOUND, "MM-1, found in a public summary"),
        (Mark.HOUSE, "MM-1, house rule"),
    ],
)
def test_mark_is_printed_except_for_rules_of_the_text(mark: Mark, printed: str) -> None:
    assert str(Cite(rule="MM-1", mark=mark)) == printed


def test_scripted_dice_fall_as_written_numbered_from_the_first() -> None:
    dice = ScriptedDice([1, 2, 3], first=7)
    first, second = dice.throw(2, 6, "a"), dice.throw(1, 3, "b")
    assert (first.number, first.dice, first.total, str(first)) == (7, (1, 2), 3, "2D6 [1][2]")
    assert (second.number, second.label, str(second)) == (8, "b", "D3 [3]")
    assert dice.left == 0


@pytest.mark.parametrize(("faces", "count", "sides"), [([1], 2, 6), ([7], 1, 6), ([0], 1, 6)])
def test_scripted_dice_reject_impossible_faces(faces: list[int], count: int, sides: int) -> None:
    with pytest.raises(AssertionError):
        ScriptedDice(faces).throw(count, sides, "x")


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 0)])
def test_no_throw_of_nothing(count: int, sides: int) -> None:
    with pytest.raises(ValueError, match="cannot throw"):
        ScriptedDice([]).throw(count, sides, "x")


def test_no_dice_are_never_thrown() -> None:
    with pytest.raises(AssertionError, match="1D6 for morale"):
        NoDice().throw(1, 6, "morale")


def test_secret_modifier_hides_sum_and_chance() -> None:
    full = step(
        throws=(THROW,), start=Fraction(7), modifiers=(BRITISH, SECRET), score=Fraction(6), chance=Fraction(1, 2)
    )
    seen = full.view_for("british")
    assert (seen.score, seen.chance) == (None, None)
    assert [(m.reason, m.value) for m in seen.modifiers] == [("British", 1), ("umpire's modifier", 0)]
    assert "-2" not in wording.sum_line(seen)
    assert "drunk" not in seen.model_dump_json()
    assert full.view_for(UMPIRE) is full
    plain = step(modifiers=(BRITISH,), score=Fraction(8))
    assert plain.view_for("british") is plain


def test_a_report_is_for_its_audience_and_a_step_for_its_readers() -> None:
    report = Report(headline="A test", audience=frozenset({"british"}))
    assert report.view_for("british") == report == report.view_for(UMPIRE)
    assert report.view_for("boers") is None
    assert report.view_for(PUBLIC) is None
    steps = (step(), step(text="Hidden", only_for=frozenset({"boers"})))
    shared = Report(headline="A test", steps=steps)
    assert [step.text for step in shared.view_for("boers").steps] == ["Morale", "Hidden"]
    assert [step.text for step in shared.view_for(PUBLIC).steps] == ["Morale"]


def test_a_report_knows_its_throws() -> None:
    assert Report(headline="x", steps=(step(throws=(THROW,)), step(throws=(THROW, THROW)))).throws == (THROW,) * 3


def test_odds_with_a_secret_in_them_are_the_umpires() -> None:
    odds = Odds(question="?", steps=(step(modifiers=(SECRET,)),), outcomes=(Outcome(label="x", chance=Fraction(1)),))
    assert odds.view_for("british") is None
    assert odds.view_for(UMPIRE) is odds


def test_a_turn_has_a_title() -> None:
    state = State(ruleset="x", scenario="y", sides=(Side(id="a", name="British", index=0),), active="a", turn=3)
    assert state.turn_title == "Turn 3, British"
    assert state.model_copy(update={"phase": "fire"}).turn_title == "Turn 3, British, fire"
    assert state.side("a").name == "British"
    with pytest.raises(KeyError):
        state.side("b")


def test_a_draw_has_no_winner() -> None:
    assert Verdict.model_validate_json(Verdict(winner=None, why="Both broken.").model_dump_json()).winner is None


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Fraction(3), "3"),
        (Fraction(1, 2), "½"),
        (Fraction(5, 4), "1¼"),
        (Fraction(23, 3), "7⅔"),
        (Fraction(9, 2), "4½"),
        (Fraction(-9, 2), "-4½"),
        (Fraction(-1, 2), "-½"),
        (Fraction(6, 5), "1.2"),
        (Fraction(22, 7), "22/7"),
        (Fraction(-1), "-1"),
        (Fraction(2, 3), "⅔"),
    ],
)
def test_numbers_in_words(value: Fraction, words: str) -> None:
    assert wording.number_text(value) == words


@given(FRACTIONS)
def test_a_number_in_words_is_never_another(value: Fraction) -> None:
    words = wording.number_text(value)
    glyphs = {words: number for number, words in wording.SIMPLE.items()}
    if words[-1] in glyphs:
        sign = -1 if words.startswith("-") else 1
        assert sign * (int(words[:-1].removeprefix("-") or "0") + glyphs[words[-1]]) == value
    else:
        assert Fraction(words) == value


@given(st.fractions(min_value=0, max_value=1))
def test_only_certainties_look_certain(chance: Fraction) -> None:
    words = wording.percent(chance)
    assert (words in ("0%", "100%")) == (chance in (0, 1))
    assert abs(float(words.strip("<>%")) - float(chance) * 100) <= 0.1


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(0), "0%"),
        (Fraction(1, 1001), "under 0.1%"),
        (Fraction(1, 1000), "0.1%"),
        (Fraction(11, 12), "91.7%"),
        (Fraction(999, 1000), "99.9%"),
        (Fraction(1000, 1001), "over 99.9%"),
        (Fraction(1), "100%"),
    ],
)
def test_chances_in_words(chance: Fraction, words: str) -> None:
    assert wording.percent_in_words(chance) == words


def test_a_sum_reads_like_the_rules() -> None:
    modifier = Modifier(value=Fraction(-1), reason="second round lost", cite=RULE)
    line = wording.sum_line(
        step(
            throws=(THROW,),
            start=Fraction(7),
            modifiers=(BRITISH, modifier),
            score=Fraction(7),
            needed="against 5 casualties",
            verdict="holds",
            chance=Fraction(33, 36),
            hope="to hold",
        )
    )
    assert line == (
        "2D6 [4][3] = 7, +1 British (MM-5.4), -1 second round lost (MM-5.4) = 7 against 5 casualties: "
        "holds (91.7% to hold)"
    )


def test_factors_and_bare_verdicts_read_well_too() -> None:
    half = Modifier(value=Fraction(1, 2), reason="half effect", cite=Cite(rule="MM-3.4"), times=True)
    line = wording.sum_line(step(start=Fraction(20), modifiers=(half,), score=Fraction(10)))
    assert line == "20, × ½ half effect (MM-3.4) = 10"
    assert wording.sum_line(step(verdict="halts")) == "halts"
    assert wording.sum_line(step(throws=(THROW,), chance=Fraction(1, 2))) == "2D6 [4][3] (50.0%)"


@pytest.mark.parametrize(
    ("names", "text"), [((), ""), (("A",), "A"), (("A", "B"), "A and B"), (("A", "B", "Leader 1"), "A, B and Leader 1")]
)
def test_names_are_joined(names: tuple[str, ...], text: str) -> None:
    assert wording.join_with_and(names) == text


def test_secret_modifier_of_zero_has_no_number() -> None:
    secret = Modifier(value=Fraction(0), reason="secret quality", cite=RULE, secret=True)
    assert wording.modifier_with_rule(secret) == f"secret quality ({RULE})"
    assert (
        wording.modifier_with_rule(secret.model_copy(update={"value": Fraction(-1)})) == f"-1 secret quality ({RULE})"
    )
    assert wording.modifier_with_rule(secret.model_copy(update={"secret": False})) == f"+0 secret quality ({RULE})"


def test_faces_from_one_on() -> None:
    assert [wording.face_range(least) for least in (1, 5, 6)] == ["1-6", "5-6", "6"]
    assert [wording.face_range(least, 10) for least in (9, 10)] == ["9-10", "10"]


STORED = """
Throw side to 60
Throw hidden to 60
AddUnit facing usually 0.0
TableState[TableUnit] turn usually 1
TableState[TableUnit] width usually 72.0
TableState[TableUnit] height usually 48.0
TableState[TableUnit] title to 80
Arrival_TableUnit_ turn 0 to 99 usually 0
Arrival_TableUnit_ at_most 1 to 99 usually 99
Marker id to 80
Marker name to 80
Marker side to 80
Marker moved_in usually 0
Objective at 2 to 2
Objective within 0 to
Place facing usually 0.0
Side id to 80
Side name to 80
TableUnit id to 80
TableUnit name to 80
TableUnit side to 80
TerrainPiece points 2 to 2
TerrainPiece width usually 1.0
Arrow start 2 to 2
Arrow end 2 to 2
Fan at 2 to 2
Figure at 2 to 2
Goal at 2 to 2
ListNumbers at 2 to 2
UnitBase at 2 to 2
UnitBase facing usually 0.0
UnitBase frontage usually 4.0
UnitBase depth usually 1.5
UnitBase kills usually 0
Counter pips usually 0
HexBoard terrains 2 to 2
HexCrossing side 2 to 2
HexRiver sides 2 to 2
"""


def test_bounds_and_defaults_of_stored_numbers() -> None:
    assert [*iterate_bounds(Throw, AddUnit, TableState[TableUnit], TableScene, HexScene)] == STORED.strip().splitlines()
