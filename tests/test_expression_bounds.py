"""Limits of dice expressions: excessive ones are refused before a throw, and no throw exceeds them."""

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.expressions import parse_expression
from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.sealed_dice import SealedDice
from rules.core.tests.scripted import ScriptedDice


class AlwaysSix:
    """Dice that always show 6."""

    def throw(self, count: int, sides: int, label: str) -> object:
        return ScriptedDice([6] * count).throw(count, sides, label)


@pytest.mark.parametrize(
    ("text", "total"), [("3d6!", 6 * 200), ("100d6! + 100d6!", 6 * 200), ("150d6e6", 6 * 200), ("2d6rr6", 12)]
)
def test_exploding_dice_end_at_200_and_say_so(text: str, total: int) -> None:
    (value,) = parse_expression(text).throw(AlwaysSix())  # type: ignore[arg-type]
    assert value.total == total
    assert sum(len(throw.dice) for throw in value.throws) == 200
    assert value.text.endswith(", stopped at 200 dice")


BOMBS = [
    "999999d999999",
    "(" * 10_000,
    "1" * 2_000,
    "d6+" * 700,
    "(" * 100 + "1" + ")" * 99,
    "201d6",
    "11x20d6",
    "101d6;100d6",
    "21x1d6",
    ";".join(["1"] * 21),
    "0x1d6",
    "9x" * 99 + "d6",
    "1d1001",
    "0d6",
    "1d0",
    "1d1!",
    "d6rr<7",
    "d6ie1",
    "d6rrl1",
    "3d6kh4",
    "3d6kh0",
    "3d6d3",
    "1//0",
    "1/(1d6-1)",
    "999999*999999*999999",
    "1234567",
    "-" * 200,
    "d" * 200,
    "9" * 200,
    "1 " * 100,
    "(aa" * 10 + "a" * 170,
    "[" * 200,
    "2d6" + "r1" * 90 + "§",
    "2d6+",
    "",
    ";",
    "# only words",
    "２d６" * 3,
    "d6 " * 66 + "§",
    "6d6" + " " * 190 + "§",
    "6d6 on hits for " * 12,
    "5 or more " * 20,
    "6#" * 100,
    "d6," * 60 + "§",
    "“" * 200,
    "½" * 200,
    "#6d6 # " * 28,
    "2d6\x00",
]


@pytest.mark.parametrize("text", BOMBS, ids=lambda text: text[:15])
def test_huge_expressions_are_refused_quickly_before_any_throw(text: str) -> None:
    start = time.thread_time()
    with pytest.raises(Refused) as refused:
        parse_expression(text).throw(NoDice())
    assert time.thread_time() - start < 0.5, "one that is thrown takes minutes"
    assert len(str(refused.value)) < 250


def throw_within_bounds(text: str) -> None:
    """Parse and throw an expression. Compare the result with the predicted limits."""
    try:
        expression = parse_expression(text)
    except Refused as refused:
        assert len(str(refused)) < 250  # noqa: PT017
        return
    dice = SealedDice(bytes(32), "game", 1, 1)
    values = expression.throw(dice)
    spans = [roll.part.span for roll in expression.rolls for _ in range(roll.repeats)]
    assert len(values) == expression.repeats <= 20
    assert [throw for value in values for throw in value.throws] == [sealed.throw for sealed in dice.thrown]
    for value, span in zip(values, spans, strict=True):
        assert sum(len(throw.dice) for throw in value.throws) <= 200
        assert span.low <= value.total <= span.high


@given(st.text(alphabet="0123456789d+-*/%()khlpremiatfbvsx!<>=,;[] #.{}@&w'\"“”–×½≥６\u00a0ongcu", max_size=60))
def test_any_text_is_thrown_within_limits_or_refused(text: str) -> None:
    throw_within_bounds(text)


numbers = st.integers(0, 12).map(str)
suffix = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(
            ["k", "kh", "kl", "k>", "d", "dh", "p", "r", "ir", "ro", "rr", "ra", "e", "ie", "!", "mi", "ma"]
        ),
        numbers,
    ),
)
aim = st.sampled_from(["", "", ">=3", "=2", "!=1", "t3", "t4f1", "tl2", "b", ">1d6"])
dice = st.builds(
    "{}d{}{}{}".format, st.integers(1, 9), st.integers(1, 20), st.lists(suffix, max_size=3).map("".join), aim
)
expressions = st.recursive(
    numbers | dice,
    lambda inner: (
        st.builds("({}{}{})".format, inner, st.sampled_from([*"+-*/%,", "//", ">", "=="]), inner)
        | st.builds("({},{}){}".format, inner, inner, st.sampled_from(["k1", "kl1", "d1", "p3", "kh1kl1", "k>4"]))
    ),
    max_leaves=5,
)


@given(expressions)
@example("5d6mi8ie7")
@example("(-1d6,3)d1-2d6")
def test_the_total_is_within_the_predicted_limits(text: str) -> None:
    throw_within_bounds(text)


@given(st.integers(1, 12), st.integers(2, 20), st.lists(suffix, max_size=3).map("".join))
def test_the_total_matches_the_shown_dice(count: int, sides: int, suffixes: str) -> None:
    try:
        expression = parse_expression(f"{count}d{sides}{suffixes}")
    except Refused:
        return
    (value,) = expression.throw(SealedDice(bytes(32), "game", 1, 1))
    faces_shown = value.text.split(" ")[1].removesuffix(",")
    values = [int(faces.rpartition("→")[2]) for faces in re.findall(r"\[([^\]]*)\]", faces_shown)]
    assert value.total == sum(values)
    first = [faces.split("→")[0] for faces in re.findall(r"[\[(]([^\])]*)[\])]", faces_shown)]
    assert first[:count] == [str(die) for die in value.throws[0].dice]


@pytest.mark.parametrize(
    "text",
    ["200d6", "20x10d6", "1d1000", "1d2!", "3d6kh3", "3d6kl1", "999999*d6", "1d6//1", "20x1d6", "4d6d3", "100d6;100d6"],
)
def test_expressions_just_within_limits_are_parsed(text: str) -> None:
    parse_expression(text)
    parse_expression(text.ljust(200))
    parse_expression("(" * 10 + "d6" + ")" * 10)
    assert parse_expression("1d6", 20).repeats == 20


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (" " * 201, "That is 201 characters long; an expression has 200 at most."),
        ("(" * 11 + "1" + ")" * 11, "Those brackets are 11 deep; the limit is 10."),
        ("201d6", "201 dice cannot be thrown: from 1 to 200 can."),
        ("0d6", "0 dice cannot be thrown: from 1 to 200 can."),
        ("101d6+100d6", "That is 201 dice; the limit is 200 at once."),
        ("101d6;100d6", "That is 201 dice; the limit is 200 at once."),
        ("3x67d6", "That is 201 dice; the limit is 200 at once."),
        ("21x1d6", "It can be thrown from once to 20 times, not 21 times."),
        ("0x1d6", "It can be thrown from once to 20 times, not 0 times."),
        ("4 dndstats", "It can be thrown from once to 20 times, not 24 times."),
        ("1d1001", "A die of 1001 cannot be thrown: dice have from 1 to 1000 sides."),
        ("1d0", "A die of 0 cannot be thrown: dice have from 1 to 1000 sides."),
        ("1d1!", "That would never end: every face of a die of 1 is thrown again. Leave a face out, or throw"),
        ("1d20rr<21", "That would never end: every face of a die of 20 is thrown again. Leave a face out, or throw"),
        ("3d6kh4", "Of 3, 4 cannot be kept: from 1 to 3 can."),
        ("3d6kl0", "Of 3, 0 cannot be kept: from 1 to 3 can."),
        ("3d6d3", "3 of 3 dice cannot be dropped: drop one at least, and keep one. Two rolls? Write d6; d6."),
        ("(1, 2)k3", "Of 2, 3 cannot be kept: from 1 to 2 can."),
        ("1//0", "Nothing can be divided by 0. Divide by 1 or more."),
        ("6/(1d6-1)", "Nothing can be divided by 0. Divide by 1 or more."),
        ("2d6 adv", "adv and dis are for one die, as in d20 adv. For one of 2 dice write 2d6kh1."),
        ("(d20+5) adv", "adv and dis are for one die at the beginning. Write it like d20+5 adv."),
        ("1234567", "1234567… is too large: a number has 6 digits at most."),
        ("12345678901", "1234567890… is too large: a number has 6 digits at most."),
        ("100000*10*100000*10+d6", "That can come to more than a million millions. Take smaller numbers."),
        ("2d6+", "“2d6+” cannot be read as dice: something is missing at the end. Write it like 2d6+1"),
        ("2d6§", "“2d6§” cannot be read as dice: character 4 is unexpected. Write it like 2d6+1"),
        ("2d6; 1d8§", "“1d8§” cannot be read as dice: character 5 is unexpected. "),
        ("1.5", "“1.5” cannot be read as dice: character 2 is unexpected. Dice come to whole numbers: "),
        ("2d6 for luck", "“2d6 for luck” cannot be read as dice: character 6 is unexpected. Put # before a comment, "),
        (
            "p 2d6",
            "“p 2d6” cannot be read as dice: character 1 is unexpected. To see it alone, leave out the p and give",
        ),
    ],
)
def test_each_refusal_names_the_limit_or_a_correct_form(text: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_expression(text)
    assert refused.value.why.startswith(why)


def test_totals_up_to_a_million_millions_are_allowed() -> None:
    def most(text: str) -> int:
        return parse_expression(text).rolls[0].part.span.high

    assert most("100000*10*100000*10*d1") == 10**12
    assert most("-(3-14)*2//7+d1-1") == 3
    assert most("3d6!") == 200 * 6
