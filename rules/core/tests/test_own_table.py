"""A bare table from a form: every input is read as people write it, or refused with its name."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.refusal import Refused
from rules.core.tabletop.own_table import FIELDS, make_own_table_data, read_sides, read_size, read_turns
from rules.core.tabletop.validation import LEAST_TABLE, MOST_TABLE


@pytest.mark.parametrize(
    ("words", "inches"),
    [
        ("72 x 48", (72, 48)),
        ("72x48 inches", (72, 48)),
        ("6 x 4 feet", (72, 48)),
        ("6' x 4'", (72, 48)),
        ('72" x 48"', (72, 48)),
        ("6 feet by 4 feet", (72, 48)),
        ("180 x 120 cm", (70.9, 47.2)),
        ("1,8 × 1.2 m", (70.9, 47.2)),
        ("12*240", (12, 240)),
        ("6' × 4'", (72, 48)),
        ("6’ x 4’", (72, 48)),
        ("6′×4′", (72, 48)),
        ("72” x 48”", (72, 48)),
        ("72″ × 48″", (72, 48)),
        ("72'' x 48''", (72, 48)),
        ("6ft by 4ft", (72, 48)),
        ("6ft. x 4 ft.", (72, 48)),
        ("6ftx4ft", (72, 48)),
        ("72in x 48in", (72, 48)),
        ("6' 6\" x 4' 3\"", (78, 51)),
        ("6’6” × 4 feet", (78, 48)),
        ("6½ x 4½ feet", (78, 54)),
        ("6 1/2' by 4.5'", (78, 54)),
        ("６ｘ４ feet", (72, 48)),
        ("\u00a06\u202ffeet\u00a0×\u00a04\u00a0feet\u200b", (72, 48)),
        ("180 × 120 cm", (70.9, 47.2)),
        ("180cm x 120cm", (70.9, 47.2)),
    ],
)
def test_a_size_is_read_as_people_write_it(words: str, inches: tuple[float, float]) -> None:
    assert read_size(words) == inches


@pytest.mark.parametrize(
    "words", ["", "72", "72 x", "72 x 48 miles", "11 x 48", "72 x 241", "-72 x 48", "1e3 x 5", "6/0 x 4", "½½ x 4"]
)
def test_text_that_is_not_a_size_is_refused(words: str) -> None:
    with pytest.raises(Refused, match=r"^Size: "):
        read_size(words)


def test_size_without_a_unit_is_asked() -> None:
    with pytest.raises(Refused, match="Write “6 x 4 feet” if feet are meant"):
        read_size("6x4")


@given(st.text(max_size=60) | st.text("0123456789½¼'\"’” x×byftincm./,", max_size=30))
def test_any_size_is_on_a_table_or_refused(words: str) -> None:
    with suppress(Refused):
        assert all(LEAST_TABLE <= inches <= MOST_TABLE for inches in read_size(words))


def test_empty_input_takes_its_default() -> None:
    assert make_own_table_data({}, "Mine") == make_own_table_data(FIELDS, "Mine")
    assert make_own_table_data({"sides": "Boers, west\nBritish, east"}, "Mine")["first"] == "boers"
    assert (
        make_own_table_data({"sides": "Boers, west\nBritish, east", "first": "british"}, "Mine")["first"] == "british"
    )


def test_each_side_has_its_edge_and_looks_away_from_it() -> None:
    boers, british = read_sides("Boers of the Free State , West\n\n British,east ")
    assert boers == {"id": "boers-of-the-free-state", "name": "Boers of the Free State", "facing": 90.0, "home": "west"}
    assert (british["home"], british["facing"]) == ("east", 270.0)


@given(st.dictionaries(st.sampled_from(sorted(FIELDS)), st.text(max_size=80)))
def test_any_input_makes_a_table_or_is_refused_by_name(words: dict[str, str]) -> None:
    why = ""
    try:
        assert make_own_table_data(words, "Mine")["set_up"] is True
    except Refused as refused:
        why = str(refused)
    assert why.split(":")[0] in {"", "Size", "Ground", "Sides", "Who begins", "Turns"}


def test_no_side_is_taken_for_the_umpire_or_for_onlookers() -> None:
    assert [side["id"] for side in read_sides("Umpire, north\nPublic, south")] == ["umpire-north", "public-south"]


@pytest.mark.parametrize("words", ["0", "100", "-1", "3.5", "twelve or so", "²"])
def test_text_that_is_not_a_number_of_turns_is_refused(words: str) -> None:
    with pytest.raises(Refused, match=r"^Turns: "):
        read_turns(words)
