"""Dice as people type them who come from other bots: Avrae's expressions, and those in Dice Maiden's manner.

What is thrown here otherwise than there is marked; what is refused makes no sense for whole dice, or has no end.
"""

import pytest

from bot.expressions import parse_expression
from rules.core.ruleset import Refused
from rules.core.sealed_dice import SealedDice

AVRAE = {
    "1d20": (1, 20),
    "4d6kh3": (3, 18),
    "((1d6))": (1, 6),
    "(((1d6)))": (1, 6),
    "4*(3d8kh2+9[fire]+(9d2e2+3[cold])/2)": (68, 176),
    "(1d4, 2+2, 3d6kl1)kh1": (4, 6),
    "((10d6kh5)kl2)kh1": (1, 6),
    "10d6k1k2k3": (0, 30),
    "d6": (1, 6),
    "1d6": (1, 6),
    "2d6": (2, 12),
    "2 + 1d6": (3, 8),
    "2 * 1d6": (2, 12),
    "60 / 1d6": (10, 60),
    "60 // 1d6": (10, 60),
    "1d100 % 10": (0, 9),
    "1d% % 10": (0, 9),
    "1d20rr<20": (20, 20),
    "1d20rr>1": (1, 1),
    "1d6rol1": (1, 6),
    "1d6ral1": (2, 12),
    "10d6mi6": (60, 60),
    "10d6mi10": (100, 100),
    "10d6mi2": (20, 60),
    "10d6ma1": (10, 10),
    "10d6ma0": (0, 0),
    "10d6ma5": (10, 50),
}
"""Thrown as by Avrae, and between what the total lies."""

AVRAE_NUMBERS = {
    "(1)": 1,
    "(1,)": 1,
    "(1, 2, 3)k1k2": 3,
    "1+1": 2,
    "1 + 3 * 6": 19,
    "1 + (3 * 6)": 19,
    "(1 + 3) * 6": 24,
    "1 + 2 + 3": 6,
    "(1 + 2) + 3": 6,
    "1 + (2 + 3)": 6,
    "1 + 2 == 2": 0,
    "1 + (2 == 2)": 2,
    "1": 1,
    "10000": 10000,
    "(1, 1)": 2,
    "+1": 1,
    "-1": -1,
    "--1": 1,
    "-+-++---+1": -1,
    "2 + 2": 4,
    "2 - 2": 0,
    "2 * 5": 10,
    "15 / 2": 7,
    "15 // 2": 7,
    "13 % 2": 1,
    "1 == 1": 1,
    "1 == 2": 0,
    "1 > 1": 0,
    "2 > 1": 1,
    "1 < 1": 0,
    "1 < 2": 1,
    "1 >= 1": 1,
    "1 >= 2": 0,
    "1 <= 1": 1,
    "2 <= 1": 0,
    "1 != 1": 0,
    "1 != 2": 1,
    "(1, 2, 3, 4, 5)k<3": 3,
    "(1, 2, 3, 4, 5)k>3": 9,
    "(1, 2, 3, 4, 5)kl2": 3,
    "(1, 2, 3, 4, 5)kh2": 9,
    "(1)k1": 1,
    "(1, 2, 3, 4, 5)k1k2": 3,
    "(1, 2, 3, 4, 5)kh1kl1": 6,
    "(1, 2, 3, 4, 5)p3": 12,
    "(1, 2, 3, 4, 5)p1p2": 12,
    "(1, 2, 3, 4, 5)ph1pl1": 9,
    "(1, 2, 3, 4, 5)k3": 12,
}
"""Without a die, so thrown only as part of a throw; `k3` keeps the highest three here."""

AVRAE_OTHERWISE = {
    "1d%": (1, 100),
    "d%": (1, 100),
    "2d%": (2, 200),
    "1d2e2": (1, 4),
}
"""Here a die of % shows 1 to 100, and `e` brings one die more, `ie` more and more."""

AVRAE_REFUSED = (
    *("1001d6", "6d0", "10d6mil1", "1d20rr<21", "1d1rr1", "10 / 0", "10 // 0", "10 % 0"),
    *("0d6", "0d%", "1.5", "0.5", ".5", "(1)k2", "10d6k1ph1"),
    *("1d1ro1", "1d1ra1", "1d20e<21", "1d1e1"),
)
"""The first eight are refused there too; the others are no dice, no whole numbers, nothing that is left, or conditions
that every face meets."""

MAIDEN = {
    "2d6": (2, 12),
    "3d6 + 5": (8, 23),
    "1d20 - 2": (-1, 18),
    "2d4 * 3": (6, 24),
    "4d6 / 2": (2, 12),
    "6 4d6": (4, 24),
    "2d6 ; 3d8 ; 1d20; 4d10": (1, 40),
    "4d100 ; 10d6 e6 k8 +4; 3d10 k2; ul 3d100": (2, 400),
    "4d6 ! Damage roll": (4, 24),
    "3d6 e6": (3, 36),
    "3d6 e": (3, 36),
    "3d6 ie6": (3, 1200),
    "3d6 ie": (3, 1200),
    "4d6 k3": (3, 18),
    "4d6 kl3": (3, 18),
    "4d6 d1": (3, 18),
    "4d6 r2": (4, 24),
    "4d6 ir2": (12, 24),
    "6d10 t7": (0, 6),
    "5d10 t8 f1": (-5, 5),
    "4d6 b1": (4, 24),
    "10d6 e6 k8 +4": (12, 52),
    "+d20": (1, 20),
    "-d20": (1, 20),
    "dndstats": (3, 18),
    "2d%": (2, 200),
    "4d10 t8 ie10 f1": (-200, 200),
    "4d6 tl3": (0, 4),
    "3d10 d1": (2, 20),
    "(Attack) 1d20 + 5": (6, 25),
    "(Fireball) 8d6 ! AOE": (8, 48),
    "-d20+3 ! disadvantage roll": (4, 23),
}
MAIDEN_NAMES = {
    "4cod": (0, 200),
    "4cod8": (0, 200),
    "4cod9": (0, 200),
    "4codr": (0, 200),
    "4wod8": (-4, 4),
    "3df": (-3, 3),
    "3wh4+": (0, 3),
    "age": (3, 18),
    "sr6": (0, 6),
    "attack +5": (6, 25),
    "skill -2": (-1, 18),
    "save +3": (4, 23),
    "+d%": (1, 100),
    "-d%": (1, 100),
    "dd34": (11, 34),
    "ex5": (0, 10),
    "ex5t8": (0, 10),
    "snm5": (0, 200),
    "d6s4": (5, 1224),
    "sp4": (0, 200),
    "6yz": (0, 6),
}
MAIDEN_REFUSED = (
    *("s 4d6", "nr 4d6", "4d6 p"),
    *("4d6 km2", "1d10 i1", "3d6 adv1"),
    *("wng 4d6", "dh 4d10", "gb 8d8", "2hsn", "5hsk1", "3hsh", "ed15", "vtm7h2", "cpr + 5"),
)
"""How an answer looks is no matter of dice; middle dice, dice taken away and one game's tables are left out."""


@pytest.mark.parametrize(
    ("text", "span"), [*AVRAE.items(), *AVRAE_OTHERWISE.items(), *MAIDEN.items(), *MAIDEN_NAMES.items()]
)
def test_it_is_thrown(text: str, span: tuple[int, int]) -> None:
    low, high = span
    for number in range(1, 6):
        assert all(
            low <= throw.total <= high
            for throw in parse_expression(text).throw(SealedDice(bytes(32), "game", number, 1))
        )


@pytest.mark.parametrize("text", [*AVRAE_REFUSED, *MAIDEN_REFUSED])
def test_it_is_refused_with_what_to_write(text: str) -> None:
    advice = (
        r"Write it like|whole numbers|leave out|Leave a face out|Divide by|from 1 to|keep one|Leave it out|To throw"
    )
    with pytest.raises(Refused, match=advice):
        parse_expression(text)


@pytest.mark.parametrize(("text", "number"), AVRAE_NUMBERS.items())
def test_numbers_are_no_throw_but_may_be_part_of_one(text: str, number: int) -> None:
    with pytest.raises(Refused, match="There is no die in"):
        parse_expression(text)
    (throw,) = parse_expression(f"0 * d6 + ({text})").throw(SealedDice(bytes(32), "game", 1, 1))
    assert throw.total == number


def test_no_expression_is_counted_twice() -> None:
    groups = AVRAE, AVRAE_NUMBERS, AVRAE_OTHERWISE, AVRAE_REFUSED
    assert len({text for group in groups for text in group}) == sum(map(len, groups))
