"""Text inputs as typed on telephones: forms, lists, odds, names, completions."""

import pytest
from pydantic.fields import FieldInfo

from bot.games.new_game import clean_game_name
from bot.games.rulings import _parse_odds
from cogs.actions import parse_further_fields
from cogs.kit.controls.measurement_form import parse_inches
from cogs.kit.lookup.completion import match_choices
from cogs.kit.lookup.notes import strip_note
from render import photo_grid
from rules.core import fields
from rules.core.parsing import parse_circumstances
from rules.core.refusal import Refused
from rules.core.typed_text import simplify_signs, split_statements

PERSIAN, FAMILY = "می‌خواهم", "👨‍👩‍👧"


@pytest.mark.parametrize(
    ("text", "inches"),
    [
        ("7", "7"),
        ("7,5", "7.5"),
        ("7½", "7.5"),
        ("7 1/2 in", "7.5"),
        ("７”", "7"),
        ("7\u00a0″", "7"),
        ("7.25''", "7.25"),
        ("seven", "7"),
        ("six and a half inches", "6.5"),
    ],
)
def test_inches_of_a_form(text: str, inches: str) -> None:
    assert parse_inches(text, "Range") == inches


@pytest.mark.parametrize("text", ["umpteen", "-7", "7'", "7 7", "9" * 30])
def test_no_inches(text: str) -> None:
    with pytest.raises(Refused, match=r"Write it as 7 or 7\.5"):
        parse_inches(text, "Range")


def test_lists_by_comma_and_colon() -> None:
    assert parse_further_fields("figures：６，Gun: naval‑gun") == {"figures": "6", "gun": "naval-gun"}
    assert split_statements("A: forward 6；B: back 3\u2028C") == ["A: forward 6", "B: back 3", "C"]


@pytest.mark.parametrize(("text", "means"), [("４＋", "1d6>=4"), ("3\u00a0+", "1d6>=3"), ("35 ％", "1d100<=35")])
def test_odds_of_a_question(text: str, means: str) -> None:
    assert _parse_odds("".join(simplify_signs(text).split())) == means


def test_a_games_name_keeps_joining_characters() -> None:
    assert clean_game_name(f" {FAMILY}\n{PERSIAN}\u200b\x00 ’99 ") == f"{FAMILY} {PERSIAN} ’99"
    assert clean_game_name(FAMILY * 60)[-1] not in "\u200d\u200c"


def test_completions_find_names_without_their_accents() -> None:
    names = [("w", "Warszawa"), ("l", "Łódź"), ("o", "O’Neill’s Horse")]
    assert [choice.value for choice in match_choices("lodz", names)][:1] == ["l"]
    assert [choice.value for choice in match_choices("o'neill", names)][:1] == ["o"]


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u2009"])
def test_text_after_a_name_in_a_menu_is_not_part_of_the_name(space: str) -> None:
    assert strip_note(f"Amarar{space}·{space}30 figures") == "Amarar"
    assert fields.read_value(FieldInfo(annotation=int), f"４{space}（as{space}it{space}is）") == "4"
    assert parse_circumstances(["prone"], f"prone{space}—{space}halves the dice", {}) == ("prone",)


def test_squares_of_a_photograph() -> None:
    squares = photo_grid.parse_squares("Ｃ３，N２\u00a0P11；A12")
    assert photo_grid.square_names(squares) == "C3 N2 P11 A12"
