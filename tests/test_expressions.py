"""Dice expressions of `/roll` and their results."""

import pytest

from bot.expressions import parse_expression
from rules.core.tests.scripted import ScriptedDice


@pytest.mark.parametrize(
    ("text", "faces", "canonical"),
    [
        ("2d6+1", [3, 4], "2d6 [3][4] + 1 = 8"),
        ("4d6kh3", [1, 6, 5, 4], "4d6kh3 (1)[6][5][4] = 15"),
        ("4d6 k3", [1, 6, 5, 4], "4d6kh3 (1)[6][5][4] = 15"),
        ("4d6kl1", [2, 6, 2, 4], "4d6kl1 [2](6)(2)(4) = 2"),
        ("5d6kh1kl1", [2, 6, 3, 1, 4], "5d6kh1kl1 (2)[6](3)[1](4) = 7"),
        ("5d6k1k2", [2, 6, 2, 1, 4], "5d6k=1k=2 [2](6)[2][1](4) = 5"),
        ("5d6k>3", [2, 6, 2, 1, 4], "5d6k>3 (2)[6](2)(1)[4] = 10"),
        ("3d10 d1", [7, 2, 9], "3d10d1 [7](2)[9] = 16"),
        ("4d6dh1", [1, 6, 5, 4], "4d6dh1 [1](6)[5][4] = 10"),
        ("4d6p1", [1, 6, 1, 4], "4d6p1 (1)[6](1)[4] = 10"),
        ("5d6>=5", [5, 6, 1, 2, 5], "5d6>=5 [5][6][1][2][5]: 3 successes"),
        ("3d6<3", [3, 4, 5], "3d6<3 [3][4][5]: no success"),
        ("6d10 t7", [7, 1, 10, 6, 2, 3], "6d10t7 [7][1][10][6][2][3]: 2 successes"),
        ("5d10 t8 f1", [8, 1, 9, 9, 1], "5d10t8f1 [8][1][9][9][1]: 1 success"),
        ("2d10 t8 f1", [1, 4], "2d10t8f1 [1][4]: 1 success less than failures"),
        ("2d10 f1 t8", [1, 9], "2d10f1t8 [1][9]: as many successes as failures"),
        ("4d10 ie10 t8", [10, 1, 2, 3, 8], "4d10ie10t8 [10][1][2][3][8]: 2 successes"),
        ("2d6>=4 - 2d6>=4", [1, 2, 6, 3], "2d6>=4 [1][2] - 2d6>=4 [6][3]: 1 success too few"),
        ("1d20+5>=15", [13], "1d20 [13] + 5 = 18 >= 15: 1 success"),
        ("2d6 > 1d6", [1, 2, 4], "2d6 [1][2] = 3 > 1d6 [4] = 4: no success"),
        ("4d6 b1", [1, 2, 1, 6], "4d6b1 [1][2][1][6] with 2 botches = 10"),
        ("2d6!", [6, 1, 6, 2], "2d6! [6][1][6][2] = 15"),
        ("3d6!kh2", [6, 1, 2, 5], "3d6!kh2 [6](1)(2)[5] = 11"),
        ("3d6!>=5", [6, 1, 2, 5], "3d6!>=5 [6][1][2][5]: 2 successes"),
        ("2d6!5", [5, 1, 6, 2], "2d6!5 [5][1][6][2] = 14"),
        ("2d6 e6", [6, 1, 6], "2d6e6 [6][1][6] = 13"),
        ("2d6 e", [6, 6, 6, 6], "2d6e [6][6][6][6] = 24"),
        ("2d6 ie5", [6, 1, 5, 2], "2d6ie5 [6][1][5][2] = 14"),
        ("4d6 r1", [1, 6, 5, 4, 1], "4d6r1 [1→1][6][5][4] = 16"),
        ("4d6 ir2", [1, 6, 5, 4, 2, 3], "4d6ir2 [1→2→3][6][5][4] = 18"),
        ("2d6ro<3", [1, 6, 2], "2d6ro<3 [1→2][6] = 8"),
        ("2d6rr2", [2, 1, 2, 2, 2, 4], "2d6rr2 [2→…→4][1] = 5"),
        ("2d6rol1", [2, 3, 5], "2d6rol1 [2→5][3] = 8"),
        ("2d6ra2", [2, 2, 5], "2d6ra2 [2][2][5] = 9"),
        ("3d6mi2", [1, 2, 3], "3d6mi2 [1→2][2][3] = 7"),
        ("3d6 min2", [1, 2, 3], "3d6min2 [1→2][2][3] = 7"),
        ("2d20 KH", [3, 17], "2d20kh1 (3)[17] = 17"),
        ("2d20kl+2", [3, 17], "2d20kl1 [3](17) + 2 = 5"),
        ("3d6ma2", [1, 2, 3], "3d6ma2 [1][2][3→2] = 5"),
        ("d100", [42], "1d100 [42] = 42"),
        ("D%", [42], "1d100 [42] = 42"),
        ("d20 adv", [3, 17], "2d20kh1 (3)[17] = 17"),
        ("d20+5 dis", [3, 17], "2d20kl1 [3](17) + 5 = 8"),
        ("adv 1d20ro1+2", [1, 17], "2d20kh1ro1 (1)[17] + 2 = 19"),
        ("+d20", [3, 17], "2d20kh1 (3)[17] = 17"),
        ("-d20+1", [3, 17], "2d20kl1 [3](17) + 1 = 4"),
        ("2 * (1d6 + 1)", [2], "2 * (1d6 [2] + 1) = 6"),
        ("7 - 2 * d6", [3], "7 - 2 * 1d6 [3] = 1"),
        ("10 - d6 - 2", [3], "10 - 1d6 [3] - 2 = 5"),
        ("-1d6", [4], "-1d6 [4] = -4"),
        ("--+1d6", [1], "1d6 [1] = 1"),
        ("1d6 // 2", [5], "1d6 [5] // 2 = 2"),
        ("60 / 1d6", [4], "60 / 1d6 [4] = 15"),
        ("1d100 % 10", [42], "1d100 [42] % 10 = 2"),
        ("(1d4, 2+2, 3d6kl1)kh1", [3, 5, 2, 6], "(1d4 [3] ✗, 2 + 2, 3d6kl1 (5)[2](6) ✗)kh1 = 4"),
        ("(1, 2, d6, 4)dl1dh1", [3], "(1 ✗, 2, 1d6 [3], 4 ✗)dl1dh1 = 5"),
        ("((3d6kh2))kl1", [5, 2, 6], "3d6kh2kl1 [5](2)(6) = 5"),
        ("2d6[Fire] + 3 [cold] [wet]", [1, 2], "2d6 [1][2] Fire + 3 cold wet = 6"),
        ("3dF", [1, 2, 3], "(3d3 [1][2][3] - 2 * 3) = 0"),
    ],
)
def test_expressions_come_out_as_written(text: str, faces: list[int], canonical: str) -> None:
    dice = ScriptedDice(faces)
    (value,) = parse_expression(text).throw(dice)
    assert (str(value), dice.left) == (canonical, 0)
    assert [die for throw in value.throws for die in throw.dice] == faces


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2d6 # Highlanders; hold", "Highlanders; hold"),
        ("2d6 ! Highlanders; hold", "Highlanders; hold"),
        ("(Highlanders) 2d6", "Highlanders"),
        ("(Highlanders) 2d6 ! they hold", "Highlanders: they hold"),
        ("2d6", ""),
    ],
)
def test_a_comment_names_the_throw(text: str, label: str) -> None:
    (value,) = parse_expression(text).throw(ScriptedDice([1, 2]))
    assert (value.text, value.throws[0].label) == ("2d6 [1][2]", label)


def test_sets_repeat() -> None:
    assert [value.total for value in parse_expression("3x1d6").throw(ScriptedDice([1, 2, 3]))] == [1, 2, 3]
    assert [value.total for value in parse_expression("3 1d6").throw(ScriptedDice([1, 2, 3]))] == [1, 2, 3]
    assert len(parse_expression("2x1d6", 3).throw(ScriptedDice([1] * 6))) == 6
    assert len(parse_expression("2 dndstats").throw(ScriptedDice([1] * 48))) == 12


def test_several_rolls_are_thrown_one_after_the_other() -> None:
    values = parse_expression("2d6+1; 2x d8 ;3d6k1;").throw(ScriptedDice([1, 2, 7, 8, 4, 5, 6]))
    assert [(value.formula, value.total) for value in values] == [
        ("2d6+1", 4),
        ("2x d8", 7),
        ("2x d8", 8),
        ("3d6k1", 6),
    ]


def throw_faces(text: str, *faces: int) -> int:
    (value,) = parse_expression(text).throw(ScriptedDice(faces))
    return value.total


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("3d6>=4", 2),
        ("3d6<=4", 2),
        ("3d6>4", 1),
        ("3d6<4", 1),
        ("3d6=4", 1),
        ("3d6==4", 1),
        ("3d6!=4", 2),
        ("3d6kh2>=4", 2),
    ],
)
def test_hits_are_counted_by_each_comparison(text: str, total: int) -> None:
    assert throw_faces(text, 3, 4, 5) == total


def test_only_the_highest_face_of_the_last_throw_explodes() -> None:
    (value,) = parse_expression("2d6!").throw(ScriptedDice([6, 5, 6, 2]))
    assert [throw.dice for throw in value.throws] == [(6, 5), (6,), (2,)]
    assert (value.total, value.text) == (19, "2d6! [6][5][6][2]")


def test_a_repeat_within_repeats_multiplies_them() -> None:
    assert parse_expression("2x1d6", 3).repeats == 6
    assert parse_expression("1d6", 3).repeats == 3
    assert parse_expression("1d6;2x1d4", 3).repeats == 9


def test_a_label_goes_before_the_comment() -> None:
    (value,) = parse_expression("1d6 # wind").throw(ScriptedDice([1]), "rain")
    assert value.throws[0].label == "rain"
    assert (parse_expression("1d6  +  1 # wind").formula, parse_expression("1d6 # wind ").comment) == (
        "1d6 + 1",
        "wind",
    )


def test_a_die_of_one_side_can_be_thrown() -> None:
    assert throw_faces("2d1", 1, 1) == 2
