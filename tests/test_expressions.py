"""What can be thrown by `/roll`, what comes of it, and what is refused before anything is thrown."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.expression import read
from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.sealed import SealedDice
from rules.core.tests.scripted import ScriptedDice


@pytest.mark.parametrize(
    ("text", "faces", "total", "written"),
    [
        ("2d6+1", [3, 4], 8, "2d6 [3][4] + 1"),
        ("4d6kh3", [1, 6, 5, 4], 15, "4d6kh3 (1)[6][5][4]"),
        ("4d6kl1", [2, 6, 2, 4], 2, "4d6kl1 [2](6)(2)(4)"),
        ("5d6>=5", [5, 6, 1, 2, 5], 3, "5d6>=5 [5][6][1][2][5]"),
        ("3d6<3", [1, 2, 3], 2, "3d6<3 [1][2][3]"),
        ("2d6!", [6, 1, 6, 2], 15, "2d6! [6][1][6][2]"),
        ("3d6!kh2", [6, 1, 2, 5], 11, "3d6!kh2 [6](1)(2)[5]"),
        ("d100", [42], 42, "1d100 [42]"),
        ("D%", [42], 42, "1d100 [42]"),
        ("2 * (1d6 + 1)", [2], 6, "2 * (1d6 [2] + 1)"),
        ("7 - 2 * 3", [], 1, "7 - 2 * 3"),
        ("10 - 3 - 2", [], 5, "10 - 3 - 2"),
        ("-1d6", [4], -4, "-1d6 [4]"),
        ("1d6 // 2", [5], 2, "1d6 [5] // 2"),
    ],
)
def test_expressions_come_out_as_written(text: str, faces: list[int], total: int, written: str) -> None:
    dice = ScriptedDice(faces)
    (value,) = read(text).throw(dice)
    assert (value.total, value.text, dice.left) == (total, written, 0)
    assert [die for throw in value.throws for die in throw.dice] == faces


def test_a_comment_names_the_throw() -> None:
    (value,) = read("2d6 # Highlanders hold").throw(ScriptedDice([1, 2]))
    assert value.throws[0].label == "Highlanders hold"


def test_sets_repeat() -> None:
    assert [value.total for value in read("3x1d6").throw(ScriptedDice([1, 2, 3]))] == [1, 2, 3]
    assert len(read("2x1d6", 3).throw(ScriptedDice([1] * 6))) == 6


def test_exploding_dice_end() -> None:
    class AlwaysSix:
        def throw(self, count: int, sides: int, label: str) -> object:
            return ScriptedDice([6] * count).throw(count, sides, label)

    (value,) = read("3d6!").throw(AlwaysSix())  # type: ignore[arg-type]
    assert value.total == 6 * 200


BOMBS = [
    "999999d999999",
    "(" * 10_000,
    "1" * 2_000,
    "d6+" * 700,
    "(" * 100 + "1" + ")" * 99,
    "201d6",
    "11x20d6",
    "21x1d6",
    "0x1d6",
    "1d1001",
    "0d6",
    "1d0",
    "1d1!",
    "3d6kh4",
    "3d6kh0",
    "1//0",
    "999999*999999*999999",
    "1234567",
    "-" * 200,
    "d" * 200,
    "9" * 200,
    "2d6+",
    "",
    "# only words",
    "２d６" * 3,
    "2d6\x00",
]


@pytest.mark.parametrize("text", BOMBS, ids=lambda text: text[:15])
def test_bombs_are_refused_in_no_time_and_before_any_throw(text: str) -> None:
    started = time.thread_time()
    with pytest.raises(Refused) as refused:
        read(text).throw(NoDice())
    assert time.thread_time() - started < 0.05
    assert len(str(refused.value)) < 250


@given(st.text(alphabet="0123456789d+-*/()khl!<>=x% #", max_size=60))
def test_whatever_is_written_is_thrown_or_refused(text: str) -> None:
    try:
        expression = read(text)
    except Refused:
        return
    dice = SealedDice(bytes(32), "game", 1, 1)
    values = expression.throw(dice)
    assert len(values) == expression.repeats
    assert sum(len(sealed.throw.dice) for sealed in dice.thrown) <= 200 * expression.repeats


numbers = st.integers(0, 999).map(str)
dice = st.builds(
    lambda count, sides, suffix: f"{count}d{sides}{suffix}",
    st.integers(1, 9),
    st.integers(2, 100),
    st.sampled_from(["", "!", "kh1", "kl1", ">=3", "!kh1", "=2"]),
)
expressions = st.recursive(
    numbers | dice,
    lambda inner: st.builds(lambda a, sign, b: f"({a}{sign}{b})", inner, st.sampled_from("+-*"), inner),
    max_leaves=5,
)


@given(expressions)
def test_the_total_is_within_what_was_reckoned_beforehand(text: str) -> None:
    try:
        expression = read(text)
    except Refused as refused:
        assert "million" in str(refused) or "dice" in str(refused) or "long" in str(refused)  # noqa: PT017
        return
    (value,) = expression.throw(SealedDice(bytes(32), "game", 1, 1))
    assert abs(value.total) <= expression.part.most


def thrown(text: str, *faces: int) -> int:
    (value,) = read(text).throw(ScriptedDice(faces))
    return value.total


@pytest.mark.parametrize(
    ("text", "total"), [("3d6>=4", 2), ("3d6<=4", 2), ("3d6>4", 1), ("3d6<4", 1), ("3d6=4", 1), ("3d6kh2>=4", 2)]
)
def test_hits_are_counted_by_each_comparison(text: str, total: int) -> None:
    assert thrown(text, 3, 4, 5) == total


def test_only_the_highest_face_explodes_and_only_what_it_threw_last() -> None:
    (value,) = read("2d6!").throw(ScriptedDice([6, 5, 6, 2]))
    assert [throw.dice for throw in value.throws] == [(6, 5), (6,), (2,)]
    assert (value.total, value.text) == (19, "2d6! [6][5][6][2]")


@pytest.mark.parametrize(
    "text", ["200d6", "20x10d6", "1d1000", "1d2!", "3d6kh3", "3d6kl1", "999999", "1d6//1", "20x1d6"]
)
def test_what_is_just_within_bounds_is_read(text: str) -> None:
    read(text)
    read(text.ljust(200))
    read("(" * 10 + "1" + ")" * 10)
    assert read("1d6", 20).repeats == 20


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (" " * 201, "That is 201 characters long; an expression has 200 at most."),
        ("(" * 11 + "1" + ")" * 11, "Those brackets are 11 deep; 10 is the most."),
        ("201d6", "201 dice cannot be thrown: from 1 to 200 can."),
        ("0d6", "0 dice cannot be thrown: from 1 to 200 can."),
        ("101d6+100d6", "That is 201 dice; 200 is the most at once."),
        ("3x67d6", "That is 201 dice; 200 is the most at once."),
        ("21x1d6", "It can be thrown from once to 20 times, not 21 times."),
        ("0x1d6", "It can be thrown from once to 20 times, not 0 times."),
        ("1d1001", "A die of 1001 cannot be thrown so: dice have from 2 to 1000 sides."),
        ("1d0", "A die of 0 cannot be thrown so: dice have from 2 to 1000 sides."),
        ("1d1!", "A die of 1 cannot be thrown so: dice have from 2 to 1000 sides."),
        ("3d6kh4", "Of 3 dice, 4 cannot be kept."),
        ("3d6kl0", "Of 3 dice, 0 cannot be kept."),
        ("1//0", "Nothing can be divided by 0. Divide by 1 or more."),
        ("1234567", "1234567… is too large: a number has 6 digits at most."),
        ("12345678901", "1234567890… is too large: a number has 6 digits at most."),
        ("100000*10*100000*10+1", "That can come to more than a million millions. Take smaller numbers."),
        ("2d6+", "“2d6+” is no dice expression: it ends too early. "),
        ("2d6?", "“2d6?” is no dice expression: character 4 does not fit. "),
    ],
)
def test_each_refusal_says_what_is_the_most(text: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.why.startswith(why)


def test_a_million_millions_may_be_had() -> None:
    assert read("100000*10*100000*10").part.most == 10**12
    assert read("-(3+4)*2//7").part.most == 14
    assert read("3d6!").part.most == 200 * 6


def test_a_repeat_within_repeats_multiplies_them() -> None:
    assert read("2x1d6", 3).repeats == 6
    assert read("1d6", 3).repeats == 3


def test_a_label_goes_before_the_comment() -> None:
    (value,) = read("1d6 # wind").throw(ScriptedDice([1]), "rain")
    assert value.throws[0].label == "rain"
    assert (read("1d6  +  1 # wind").formula, read("1d6 # wind ").comment) == ("1d6 + 1", "wind")


def test_a_die_of_one_side_can_be_thrown() -> None:
    assert thrown("2d1", 1, 1) == 2
