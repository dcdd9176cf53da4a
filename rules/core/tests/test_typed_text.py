"""What telephones and word processors type, turned into plain signs; names stay as typed."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core import naming
from rules.core.typed_text import (
    clean_name,
    has_only_visible_signs,
    normalize_text,
    numbered_lines,
    read_number,
    remove_bullet,
    simplify_signs,
    without_accents,
)

PERSIAN, FAMILY, SCOTLAND = "می‌خواهم", "👨‍👩‍👧", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("‘a’ “b” „c“ ″ ′ «d»", '\'a\' "b" "c" " \' "d"'),
        ("22–7 22—7 −2 4‑6 ‐", "22-7 22-7 -2 4-6 -"),
        ("6×4 ÷ ≥ ≤ ≠ …", "6x4 / >= <= != ..."),
        ("２Ｄ６＋１，（＃）：", "2D6+1,(#):"),
        ("٣ ۳ ३", "3 3 3"),
        ("a\u00a0b\u2009c\u202fd\u3000e", "a b c d e"),
        ("a\u200bb\ufeffc\u00add\u200de\u202ef", "abcdef"),
        ("line\none\ttab", "line\none\ttab"),
        ("½ Łódź", "½ Łódź"),
    ],
)
def test_typographic_signs_become_plain(text: str, plain: str) -> None:
    assert simplify_signs(text) == plain


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert simplify_signs(simplify_signs(text)) == simplify_signs(text)
    assert clean_name(clean_name(text)) == clean_name(text)
    assert without_accents(text) == without_accents(simplify_signs(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  O’Neill’s \u00a0 Horse ", "O’Neill’s Horse"),
        ("Bla\u200bck W\u00adatch\ufeff", "Black Watch"),
        (f" {PERSIAN}\u200c", PERSIAN),
        ("Black\u200c Watch \u200d", "Black Watch"),
        (FAMILY, FAMILY),
        (f"{SCOTLAND} Scots", f"{SCOTLAND} Scots"),
        ("Le\u0301gion", "Légion"),
        ("½ Battery – A", "½ Battery – A"),
        ("1st\u202e Foot", "1st Foot"),
    ],
)
def test_names_keep_visible_and_joining_characters(text: str, name: str) -> None:
    assert clean_name(text) == name
    assert has_only_visible_signs(name)


@pytest.mark.parametrize("name", ["a\x00b", "a\x1bb", "\U000e0067"])
def test_control_characters_cannot_be_shown(name: str) -> None:
    assert not has_only_visible_signs(clean_name(name))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("lodz", "Łódź"),
        ("Strasse", "Straße"),
        ("kobenhavn", "København"),
        ("dakovo", "Đakovo"),
        ("aero coeur", "Ærø Cœur"),
        ("mhazira", "Mħażira"),
        ("isparta", "Isparta"),
        ("istanbul", "İstanbul"),
        ("diyarbakir", "Diyarbakır"),
        ("O'NEILL", "O’Neill"),
        ("oneill", "O’Neill"),
        ("o’neill", "O'Neill"),
        ("２nd Foot", "2nd Foot"),
        ("blackwatch6", "Black Watch 6"),
        ("میخواهم", PERSIAN),
        ("می خواهم", PERSIAN),
        ("عربي", "عربی"),
        ("🦁", "🦁️"),
        ("Le\u0301gion", "Légion"),
    ],
)
def test_names_are_found_without_their_special_letters(text: str, name: str) -> None:
    other_names = {"other": "Somebody else", "number": "Company 1 12"}
    assert naming.find_matches(text, {"it": name, **other_names}) == ("it",)
    assert naming.rank_matches(text, {"it": name, **other_names})[0] == "it"


def test_numbers_are_never_joined() -> None:
    assert naming.find_matches("Company 11 2", {"a": "Company 1 12", "b": "Company 112"}) == ()
    assert normalize_text(" ÉCOLE ") == "école"


def test_bullets_go_and_numbers_of_names_stay() -> None:
    assert numbered_lines("• 24 Foot\n\n- Guards\n— Horse\n* 2 Guns") == [
        (1, "24 Foot"),
        (3, "Guards"),
        (4, "Horse"),
        (5, "2 Guns"),
    ]
    assert numbered_lines("1. Foot\n2) Horse") == [(1, "Foot"), (2, "Horse")]
    assert numbered_lines("17. FK\n18. FK") == [(1, "17. FK"), (2, "18. FK")]
    assert numbered_lines("-2 Foot\n12 Horse") == [(1, "-2 Foot"), (2, "12 Horse")]
    assert remove_bullet("–\u00a0Foot: forward 6") == "Foot: forward 6"
    assert remove_bullet(" 12) Foot") == "Foot"
    assert numbered_lines("A – B\n* C * D") == [(1, "A – B"), (2, "C * D")]
    assert remove_bullet("Foot – 1. Horse") == "Foot – 1. Horse"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("7", 7), ("7.5", 7.5), ("7,5", 7.5), ("7½", 7.5), ("7 ½", 7.5), ("7 1/2", 7.5), ("½", 0.5), ("3/4", 0.75)),
        *(("７．５", 7.5), ("7\u00a0¼", 7.25)),
    ],
)
def test_lengths_are_read_as_people_type_them(text: str, number: float) -> None:
    assert read_number(text) == Fraction(number)


@pytest.mark.parametrize("text", ["", "seven", "-7", "7½½", "9999999", "7/0", "1.2.3", "71/2"])
def test_other_lengths_are_no_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_number(text)
