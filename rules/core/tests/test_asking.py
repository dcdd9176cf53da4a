"""Questions without a game: whole numbers within bounds."""

import pytest

from rules.core.ad_hoc import OURS, THEIRS, read_whole_number, throwaway_state
from rules.core.refusal import Refused

from .companies import Field, company


@pytest.mark.parametrize("value", [3, "3", " 3 ", 3.0])
def test_a_whole_number_is_taken_however_it_is_written(value: object) -> None:
    assert read_whole_number({"losses": value}, "losses", 0, 9) == 3


@pytest.mark.parametrize("value", ["three", None, 3.5, True, float("inf"), float("nan"), [3]])
def test_other_text_is_not_a_whole_number(value: object) -> None:
    with pytest.raises(Refused, match=r"^losses: “.*” is no whole number\. Give 0 to 9\.$"):
        read_whole_number({"losses": value}, "losses", 0, 9)


@pytest.mark.parametrize(("value", "is_accepted"), [(-1, False), (0, True), (9, True), (10, False)])
def test_bounds_are_within(value: int, is_accepted: bool) -> None:
    if is_accepted:
        assert read_whole_number({"losses": value}, "losses", 0, 9) == value
        return
    with pytest.raises(Refused, match=rf"^losses: {value} is out of bounds\. Give 0 to 9\.$"):
        read_whole_number({"losses": value}, "losses", 0, 9)


def test_refusal_repeats_at_most_twenty_letters() -> None:
    with pytest.raises(Refused, match=rf"“{'n' * 20}” is no"):
        read_whole_number({"losses": "n" * 21}, "losses", 0, 9)
    with pytest.raises(Refused, match=rf": {'9' * 20} is out"):
        read_whole_number({"losses": "9" * 21}, "losses", 0, 9)


def test_question_table_has_its_units_and_our_side_to_move() -> None:
    ours, theirs = company("A", 1, 1), company("E", 1, 9, side=THEIRS)
    state: Field = throwaway_state(Field, ours, theirs, ruleset="toy", turn=3)
    assert [(side.id, side.name, side.index) for side in state.sides] == [(OURS, "Ours", 0), (THEIRS, "Theirs", 1)]
    assert (state.scenario, state.active, state.turn, state.units) == ("", OURS, 3, {"a": ours, "e": theirs})
