"""Dice as rulebooks, telephones and other dice bots write them: each is thrown as it is meant, or refused."""

import pytest

from bot.expressions import parse_expression
from rules.core.refusal import Refused
from rules.core.tests.scripted import ScriptedDice

COMPARED = [
    ("2d6>=8", [3, 5], "2d6 [3][5] = 8 >= 8: 1 success"),
    ("2d6>=8", [3, 4], "2d6 [3][4] = 7 >= 8: no success"),
    ("3d6<=12", [6, 6, 1], "3d6 [6][6][1] = 13 <= 12: no success"),
    ("2d6 = 7", [3, 4], "2d6 [3][4] = 7 == 7: 1 success"),
    ("2d6!=7", [3, 4], "2d6 [3][4] = 7 != 7: no success"),
    ("2d6>7", [3, 4], "2d6 [3][4] = 7 > 7: no success"),
    ("2d6<7", [3, 3], "2d6 [3][3] = 6 < 7: 1 success"),
    ("4d6kh3>=10", [1, 6, 3, 1], "4d6kh3 [1][6][3](1) = 10 >= 10: 1 success"),
    ("5+2d6>=8", [1, 2], "5 + 2d6 [1][2] = 8 >= 8: 1 success"),
    ("d6+d6>=8", [3, 5], "1d6 [3] + 1d6 [5] = 8 >= 8: 1 success"),
    ("2*2d6>=5", [1, 1], "2 * 2d6 [1][1] = 4 >= 5: no success"),
    ("1+2*2d6>=5", [1, 1], "1 + 2 * 2d6 [1][1] = 5 >= 5: 1 success"),
    ("2d6[fire]>=8", [3, 5], "2d6 [3][5] fire = 8 >= 8: 1 success"),
    ("2d6>=8 [fire]", [3, 5], "2d6 [3][5] fire = 8 >= 8: 1 success"),
    ("6x2d6>=8; d6", [4] * 13, "2d6 [4][4] = 8 >= 8: 1 success"),
    ("6d6t5>=3", [5, 6, 5, 1, 2, 3], "6d6t5 [5][6][5][1][2][3] = 3 >= 3: 1 success"),
    ("2d6 8+", [3, 5], "2d6 [3][5] = 8 >= 8: 1 success"),
]
"""A condition that no single die can meet, or that every one meets, is about the sum."""
COUNTED = [
    ("3d6>=5", [5, 6, 1], "3d6>=5 [5][6][1]: 2 successes"),
    ("3d6 [fire] >= 5", [5, 6, 1], "3d6>=5 [5][6][1] fire: 2 successes"),
    ("3d6k>3>=4", [5, 6, 1], "3d6k>3>=4 [5][6](1): 2 successes"),
    ("3d6>=5 - 3d6>=5", [5, 6, 1, 1, 1, 6], "3d6>=5 [5][6][1] - 3d6>=5 [1][1][6]: 1 success"),
    *((text, [5, 4, 6], "3d6>=5 [5][4][6]: 2 successes") for text in ("3d6 5+", "5+ 3d6", "3d6 on 5+", "3D6 @ 5+")),
    *((text, [5, 4, 6], "3d6>=5 [5][4][6]: 2 successes") for text in ("3d6, 5+", "3d6 hits on 5+", "5+ on 3d6")),
    *((text, [5, 4, 6], "3d6>=5 [5][4][6]: 2 successes") for text in ("3d6 5 or more", "3d6 needing 5up", "3d6≥5")),
    *((text, [5, 4, 6], "3d6>=5 [5][4][6]: 2 successes") for text in ("3d6=>5", "３Ｄ６　５＋", "3 d6 5 +")),
    *((text, [5, 4, 6], "3d6<=5 [5][4][6]: 2 successes") for text in ("3d6 5 or less", "5 or less on 3d6", "3d6≤5")),
    *(
        (text, [5, 4, 6], "3d6>=5 [5][4][6]: 2 successes")
        for text in ("3d6 5-6", "3d6: 5–6", "3d6, 5 and 6", "3d6 5 or 6")
    ),
    *(
        (text, [5, 4, 6], "3d6>=4 [5][4][6]: 3 successes")
        for text in ("4-6 on 3d6", "3d6 hits on 4, 5 or 6", "3d6 4,5,6")
    ),
    ("3d6 1-2", [1, 2, 6], "3d6<=2 [1][2][6]: 2 successes"),
    ("3d6 count 6s", [5, 4, 6], "3d6=6 [5][4][6]: 1 success"),
    ("5 + 3d6", [5, 4, 6], "5 + 3d6 [5][4][6] = 20"),
    ("5+3d6", [5, 4, 6], "5 + 3d6 [5][4][6] = 20"),
    ("1d20+3 DC 15", [12], "1d20 [12] + 3 = 15 >= 15: 1 success"),
]
DIGITS = [
    ("d66", [3, 4], "(1d6 [3] * 10 + 1d6 [4]) = 34"),
    ("1D66", [3, 4], "(1d6 [3] * 10 + 1d6 [4]) = 34"),
    ("d666", [3, 4, 5], "(1d6 [3] * 100 + 1d6 [4] * 10 + 1d6 [5]) = 345"),
    ("d66>=41", [3, 4], "(1d6 [3] * 10 + 1d6 [4]) = 34 >= 41: no success"),
    ("3xd66", [3, 4] * 3, "(1d6 [3] * 10 + 1d6 [4]) = 34"),
    ("3d66", [3, 4] * 3, "(1d6 [3] * 10 + 1d6 [4]) = 34"),
]
TOGETHER = [
    ("d6 d6", [3, 4], "1d6 [3] + 1d6 [4] = 7"),
    ("d6 vs. d6", [3, 4], "1d6 [3] = 3"),
    ("d6 against d6", [3, 4], "1d6 [3] = 3"),
    ("2d6 3 times", [1] * 6, "(2d6 [1][1]) = 2"),
    ("3 times 2d6", [1] * 6, "2d6 [1][1] = 2"),
    ("best of 2d6", [3, 5], "2d6kh1 (3)[5] = 5"),
    ("the lowest of 2d6", [3, 5], "2d6kl1 [3](5) = 3"),
    ("2d6 reroll ones", [1, 5, 4], "2d6ro1 [1→4][5] = 9"),
    ("d6 d6 d8", [3, 4, 5], "1d6 [3] + 1d6 [4] + 1d8 [5] = 12"),
    ("2d6 3d8", [1] * 5, "2d6 [1][1] + 3d8 [1][1][1] = 5"),
    ("4d6 d1", [2, 3, 4, 5], "4d6d1 (2)[3][4][5] = 12"),
    ("d6, d6", [3, 4], "1d6 [3] = 3"),
    ("2d6 and d8", [3, 4, 5], "2d6 [3][4] = 7"),
    ("6#2d6", [1] * 12, "2d6 [1][1] = 2"),
    ("6 # 2d6 # wind", [1] * 12, "2d6 [1][1] = 2"),
    ("d6; 2#d8", [3, 1, 1], "1d6 [3] = 3"),
    ("d8 # 6 times", [3], "1d8 [3] = 3"),
    ("6×2d6", [1] * 12, "2d6 [1][1] = 2"),
    ("2d6×10", [1, 2], "2d6 [1][2] * 10 = 30"),
    ("2d6 x 10", [1, 2], "2d6 [1][2] * 10 = 30"),
    ("d20 adv + 5", [3, 17], "2d20kh1 (3)[17] + 5 = 22"),
    ("5+d20 dis", [3, 17], "5 + 2d20kl1 [3](17) = 8"),
]
SPELT = [
    *(
        (text, [3, 4], "2d6 [3][4] - 1 = 6")
        for text in ("2d6–1", "2d6 − 1", "2d6—1", "２ｄ６－１", "2\u00a0d6\u202f-\u20091")
    ),
    *(
        (text, [3, 4], "2d6 [3][4] = 7")
        for text in ("2\u200bd6", "٢d6", "2W6", "2d6s", "2D6's", "[[2d6]]", "2d6.", "2d6 =")
    ),
    *((text, [3, 4], "2d6 [3][4] = 7") for text in ("/roll 2d6", "/r 2d6", "!r 2d6", "roll 2d6", "r 2d6")),
    ("d6÷2", [5], "1d6 [5] / 2 = 2"),
    ("{2d6,1d8}kh1", [3, 4, 6], "(2d6 [3][4], 1d8 [6] ✗)kh1 = 7"),
    ("d00", [42], "1d100 [42] = 42"),
    ("4d6 drop lowest", [1, 2, 3, 4], "4d6dl1 (1)[2][3][4] = 9"),
    ("4d6 keep highest 3", [1, 2, 3, 4], "4d6kh3 (1)[2][3][4] = 9"),
    ("2d6 reroll 1s", [1, 2, 3], "2d6ro1 [1→3][2] = 5"),
]
IN_WORDS = [
    *((text, [3, 4], "2d6 [3][4] = 7") for text in ("two d6", "roll two d6 please", "2d6, please", "TWO D6")),
    *((text, [4], "1d6 [4] = 4") for text in ("a d6", "roll me a d6 please", "one d6")),
    *((text, [3, 4], "2d6 [3][4] + 3 = 10") for text in ("2d6 plus 3", "two d6 plus three")),
    *((text, [3, 5], "2d6kh1 (3)[5] = 5") for text in ("higher of two d6", "the better of 2d6", "2d6 highest")),
    *((text, [3, 5], "2d6kl1 [3](5) = 3") for text in ("lower of two d6", "2d6 take the lowest")),
    ("2d6 minus one", [3, 4], "2d6 [3][4] - 1 = 6"),
    ("three d6 on five or more", [5, 4, 6], "3d6>=5 [5][4][6]: 2 successes"),
    ("3d6 count successes 5+", [5, 4, 6], "3d6>=5 [5][4][6]: 2 successes"),
    ("2d6 twice", [1] * 4, "(2d6 [1][1]) = 2"),
    ("2d6 three times", [1] * 6, "(2d6 [1][1]) = 2"),
    ("percentile dice", [42], "1d100 [42] = 42"),
]


@pytest.mark.parametrize(("text", "faces", "canonical"), [*COMPARED, *COUNTED, *DIGITS, *TOGETHER, *SPELT, *IN_WORDS])
def test_it_is_thrown_as_it_is_meant(text: str, faces: list[int], canonical: str) -> None:
    dice = ScriptedDice(faces)
    first, *_ = parse_expression(text).throw(dice)
    assert (str(first), dice.left) == (canonical, 0)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2d6 “wind”", "wind"),
        ("“the wind” 2d6", "the wind"),
        ('2d6 "wind"', "wind"),
        ("2d6 # O’Neill’s – wind", "O’Neill’s – wind"),
        ("3#d6 # wind", "wind"),
        ("Amarar’s fire: 2d6", "Amarar’s fire"),
    ],
)
def test_a_comment_stays_as_typed(text: str, label: str) -> None:
    assert parse_expression(text).throw(ScriptedDice([1] * 6))[0].throws[0].label == label


REFUSED = [
    ("2d6>=13", "2d6 comes to 2 to 12, so it is never 13 or more."),
    ("2d6<=12", "2d6 comes to 2 to 12, so it is always 12 or less."),
    ("2d6=13", "2d6 comes to 2 to 12, so it is never 13."),
    ("2d6!=13", "2d6 comes to 2 to 12, so it is always anything but 13."),
    ("1d6>=7", "1d6 comes to 1 to 6, so it is never 7 or more."),
    ("2d6t8", "No face of these dice is 8 or more, so none would count. To compare the sum write 2d6>=8."),
    ("3d6tl12", "Every face of these dice is 12 or less, so all would count. To compare the sum write 3d6<=12."),
    ("2d6t1", "Every face of these dice is 1 or more, so all would count. Leave it out, or take another number."),
    ("3d6f6", "Every face of these dice is 6 or less, so all would count."),
    ("3d6t5f0", "No face of these dice is 0 or less, so none would count."),
    ("4d6b6", "Every face of these dice is 6 or less, so all would be botches."),
    ("4d6k>6", "No face of these dice is more than 6, so none would be kept."),
    ("4d6k>=1", "Every face of these dice is 1 or more, so all would be kept."),
    ("4d6p7", "No face of these dice is 7, so none would be dropped."),
    (
        "4d6r6",
        "Every face of these dice is 6 or less, so all would be thrown again. To throw one face again write r=6.",
    ),
    ("4d6ro7", "No face of these dice is 7, so none would be thrown again."),
    ("4d6mi2r1", "No face of these dice is 1 or less, so none would be thrown again."),
    ("3d6e7", "No face of these dice is 7 or more, so none would bring another die."),
    ("3d6ra7", "No face of these dice is 7, so none would bring another die."),
    ("(d6, d8)k>8", "No part in these brackets comes to more than 8, so none would be kept."),
    ("(d6, d8)p<9", "Every part in these brackets comes to less than 9, so all would be dropped."),
    ("3d6!7", "No face of these dice is 7 or more, so none would bring another die."),
    ("2d6>=8+2", "That can mean two things. Put brackets around what is compared, as in (3d6>=5)+1 or 3d6>=(5+1)."),
    ("-2d6>=8", "That can mean two things."),
    ("8d6 d6", "“8d6 d6” can mean two things. To drop 6 dice write 8d6dl6, to throw one more die write 8d6+d6."),
    ("1+2d66", "d66 is read as digits, one throw at a time. For 2 of them write 2xd66."),
    ("1/2*3d6", "Each division is rounded down at once: put it last, as in 3d6*1/2 or 3d6/2."),
    ("3d6*(1/2)", "Each division is rounded down at once: put it last, as in 3d6*1/2 or 3d6/2."),
    (
        "½d6",
        "“½d6” cannot be read as dice: character 1 is unexpected. Dice come to whole numbers. For half of them write",
    ),
    ("2d6 7-9", "“2d6 7-9” cannot be read as dice: character 5 is unexpected. To count dice write 6d6>=5"),
    ("d6 2,4,6", "“d6 2,4,6” cannot be read as dice"),
    (
        "3d6 at least 5",
        "“3d6 at least 5” cannot be read as dice: character 5 is unexpected. For at least 8 write 2d6>=8",
    ),
    ("4d6 keep 3", "“4d6 keep 3” cannot be read as dice: character 6 is unexpected. Write 4d6kh3 to keep the three"),
    ("3d6!!", "Write one “!”, as in 3d6!"),
    ("1d20 vs 15", "“1d20 vs 15” cannot be read as dice: character 6 is unexpected. Write 2d6>=8 if 8 is enough, or"),
    ("8 dice", "“8 dice” cannot be read as dice: “ice” is unexpected. Say which dice: 8d6."),
    ("3(2d6+1)", "“3(2d6+1)” cannot be read as dice: character 2 is unexpected. Write 3*(2d6+1) to multiply, or 3x("),
    (
        "5d6 needing 4s",
        "“5d6 needing 4s” cannot be read as dice: character 5 is unexpected. For 4 or more write 6d6>=4",
    ),
    (
        "5d6 4+ reroll misses",
        "“5d6 4+ reroll misses” cannot be read as dice: character 5 is unexpected. Throw one after",
    ),
    ("4d6 drop 1", "“4d6 drop 1” cannot be read as dice: character 6 is unexpected. Write 4d6dl1 to drop the lowest"),
    ("flip a coin", "“flip a coin” cannot be read as dice: character 1 is unexpected. For a coin write d2."),
    (
        "2 average dice",
        "“2 average dice” cannot be read as dice: “average dice” is unexpected. There are no average dice",
    ),
    ("7", "There is no die in “7”, so nothing would be thrown. Write it like 2d6+1"),
    ("2d6; 3+4", "There is no die in “3+4”, so nothing would be thrown."),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_what_would_count_nothing_or_may_mean_two_things_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_expression(text)
    assert refused.value.why.startswith(why)


def test_a_comparison_in_brackets_may_be_added_to() -> None:
    assert parse_expression("(3d6>=5)+1").throw(ScriptedDice([5, 6, 1]))[0].words == "3 successes"
    assert parse_expression("3d6>=(5+1)").throw(ScriptedDice([1, 2, 3]))[0].words == "1 success"
    assert parse_expression("3d6>=(5+1)").throw(ScriptedDice([1, 2, 2]))[0].words == "no success"
