"""Numbers in words are read as digits; fractions of a move are no numbers."""

import pytest

from rules.core.number_words import with_digits, with_ordinals


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("forward six", "forward 6"),
        ("within twelve", "within 12"),
        ("Twenty-four inches", "24 inches"),
        ("twenty  one", "21"),
        ("a dozen inches", "12 inches"),
        ("half a dozen", "6"),
        ("six and a half inches", "6½ inches"),
        ("6 and a half", "6½"),
        ("half an inch", "½ inch"),
        ("three quarters of an inch", "¾ inch"),
        ("a couple of inches", "2 inches"),
        ("at half effect", "at half effect"),
        ("forward half", "forward half"),
        ("someone of Often", "someone of Often"),
    ],
)
def test_numbers_in_words(text: str, digits: str) -> None:
    assert with_digits(text) == digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("first Berkshires forward six", "1st Berkshires forward 6"),
        ("second, third and fourth", "2nd, 3rd and 4th"),
        ("eleventh, twelfth, thirteenth and twentieth", "11th, 12th, 13th and 20th"),
        ("twenty-first Lancers", "21st Lancers"),
        ("sixty sixth Foot", "66th Foot"),
        ("seconds", "seconds"),
    ],
)
def test_ordinals_in_words_are_read_as_digits(text: str, digits: str) -> None:
    assert with_ordinals(text) == digits
