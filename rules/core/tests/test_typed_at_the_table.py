"""Sizes, sides, places, values and orders as telephones type them: quotes, dashes, fractions, bullets, wide forms."""

from fractions import Fraction

import pytest
from pydantic import BaseModel

from rules.core import fields
from rules.core.book import normalize_number
from rules.core.refusal import Refused
from rules.core.sealed_dice import clean_label
from rules.core.tabletop.own_table import read_lengths, read_sides, read_turns
from rules.core.tabletop.place import MoveByDistance, Spot, TowardsUnit, TurnOnSpot, parse_destination
from rules.core.tests.scripted import ScriptedDice
from rules.core.unit_lookup import check_unit_name
from rules.core.wording import as_identifier

from .skirmish.ruleset import SkirmishRuleset

SKIRMISH = SkirmishRuleset()

UNITS = {"bw": "Black Watch 6", "foot": "1/24th Foot", "oneill": "O’Neill’s Horse"}
PERSIAN, FAMILY = "می‌خواهم", "👨‍👩‍👧"


@pytest.mark.parametrize(
    ("text", "inches"),
    [
        *((text, (72, 48)) for text in ("72×48", "72″ × 48″", "72” x 48”", "６’ × ４’", "6′×4′", "72'' by 48''")),
        *((text, (72, 48)) for text in ("6\u00a0ft\u2009×\u20094\u202ffeet", "72\u200b x 48", "7２*48")),
        *((text, (78, 48)) for text in ("6'6\" x 4'", "6’6” × 4’", "6 ft 6 in x 4 ft", "6½' × 4'", "6 1/2 ft x 4 ft")),
        ("1,8 m × 1,2 m", (70.9, 47.2)),
        *((text, (48, 48)) for text in ("4 foot square", "4ft sq", "48 inches square", "four feet by four feet")),
    ],
)
def test_sizes(text: str, inches: tuple[float, float]) -> None:
    assert read_lengths(text) == inches


@pytest.mark.parametrize("text", ["72-48", "6' x 4' x 2'", "a x b", "½½ x 4", "x" * 200, "1 " * 100, "9" * 200])
def test_no_sizes(text: str) -> None:
    with pytest.raises(Refused, match="Write it as “72 x 48 inches”"):
        read_lengths(text)


@pytest.mark.parametrize(
    "text",
    [
        "• British, south\n• Mahdists, north",
        "1. British, south\n2. Mahdists, north",
        "British – south\nMahdists – north",
        "British: south; Mahdists: north",
        "British，south\u2028Mahdists，north",
        "- British , south\n\n- Mahdists , north",
    ],
)
def test_sides(text: str) -> None:
    assert [(side["name"], side["home"]) for side in read_sides(text)] == [("British", "south"), ("Mahdists", "north")]


def test_sides_keep_their_names() -> None:
    names = [side["name"] for side in read_sides(f"17. Foot, south\n{FAMILY}\u200b {PERSIAN}, north")]
    assert names == ["17. Foot", f"{FAMILY} {PERSIAN}"]
    assert read_turns(" １２ ") == read_turns("١٢") == 12
    assert read_turns("twelve turns") == read_turns("max 12 turns") == 12


@pytest.mark.parametrize(
    ("text", "means"),
    [
        *(
            (text, MoveByDistance(turn=0, inches=6.5))
            for text in ("forward 6½", "forward 6 1/2", "forward 6,5", "forward ６.5”")
        ),
        *(
            (text, MoveByDistance(turn=180, inches=6))
            for text in ("back 6″", "back\u00a06''", "back 6 inch", "ｂａｃｋ 6")
        ),
        ("forward 1/2", MoveByDistance(turn=0, inches=0.5)),
        ("forward 6, facing north", MoveByDistance(turn=0, inches=6, facing=0)),
        ("30½,12", Spot(at=(30.5, 12))),
        ("−3，4", Spot(at=(-3, 4))),
        ("face north–east", TurnOnSpot(facing=45)),
        ("face 90º", TurnOnSpot(facing=90)),
        ("towards Black Watch 6 6½", TowardsUnit(unit="bw", inches=6.5)),
        ("towards 1/24th Foot", TowardsUnit(unit="foot")),
        ("towards O'Neill's Horse 4”", TowardsUnit(unit="oneill", inches=4)),
        ("towards O'Neill's Horse by four inches", TowardsUnit(unit="oneill", inches=4)),
        *(
            (text, Spot(at=(30, 30), in_square=True))
            for text in ("C 3", "C-3", "square C3", "to square C 3", "the middle of C3", "in the centre of c 3")
        ),
        *((text, Spot(at=(26, 26), in_square=True)) for text in ("north west corner of C3", "the NW part of C 3")),
        *((text, TurnOnSpot(facing=-45, relative=True)) for text in ("turn 45 degrees left", "turn left by 45°")),
        ("turn to face south", TurnOnSpot(facing=180)),
        ("(30, 12)", Spot(at=(30, 12))),
    ],
)
def test_places(text: str, means: object) -> None:
    assert parse_destination(text, UNITS) == means


class Numbers(BaseModel):
    whole: int = 0
    real: float = 0
    rounds: Fraction = Fraction(0)
    words: str = ""


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("whole", "−２", -2),
        ("whole", "\u00a012 ", 12),
        ("real", "−4½", -4.5),
        ("real", "4,5", 4.5),
        ("rounds", "4 ½", Fraction(9, 2)),
        ("rounds", "–4 1/2", Fraction(-9, 2)),
        ("rounds", "４．５", Fraction(9, 2)),
        ("rounds", "4½ (as it is)", Fraction(9, 2)),
        ("words", " O’Neill – ½ ", "O’Neill – ½"),
    ],
)
def test_values(name: str, text: str, value: object) -> None:
    assert getattr(fields.with_field_from_words(Numbers(), name, text), name) == value


def test_labels_keep_visible_and_words_drop_invisible_characters() -> None:
    assert clean_label(f"{FAMILY}|{PERSIAN}\u200b") == f"{FAMILY} {PERSIAN}"
    assert as_identifier("Bug‑out") == "bug_out"
    assert normalize_number("MM‑3.6") == "mm3.6"


def test_unit_names_are_found_in_any_typography() -> None:
    state = SKIRMISH.setup("farm", {}, ScriptedDice([])).changed("b", name="O’Neill’s Horse")
    assert check_unit_name(state, f" {FAMILY}\u00a0{PERSIAN}\u200b") == f"{FAMILY} {PERSIAN}"
    with pytest.raises(Refused, match="Another unit is already called “O'NEILL'S HORSE”"):
        check_unit_name(state, "O'NEILL'S\u200b HORSE")
    with pytest.raises(Refused, match="on one line"):
        check_unit_name(state, "A\nB")
