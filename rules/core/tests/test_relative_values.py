"""Relative corrections: `+2` and `-1` change the present value. An ambiguous value leads to a question."""

from fractions import Fraction

import pytest
from pydantic import BaseModel, Field

from rules.core.fields import editable_fields
from rules.core.refusal import Refused
from rules.core.relative_values import resolve_relative_value


class Counted(BaseModel):
    name: str = "A"
    casualties: int = Field(default=5, ge=0, le=9)
    ammunition: Fraction = Field(default=Fraction(9, 2), ge=0)
    above: int = Field(default=3, gt=0)
    quality: int = Field(default=-1, ge=-2, le=2)
    steady: bool = True
    limit: int | None = None


def give_value(field: str, words: str, unit: Counted | None = None) -> str:
    return resolve_relative_value(unit or Counted(), editable_fields(Counted), field, words)


@pytest.mark.parametrize(
    ("field", "words", "value"),
    [
        ("casualties", "+2", "7"),
        ("casualties", "-1", "4"),
        ("casualties", "−1", "4"),
        ("casualties", "– 1", "4"),
        ("casualties", "＋1", "6"),
        ("casu", "+2", "7"),
        ("casualties", "2", "2"),
        ("casualties", "=2", "2"),
        ("casualties", "-9", "-4"),
        ("casualties", "+2 or so", "+2 or so"),
        ("ammunition", "-½", "4"),
        ("ammunition", "+1½", "6"),
        ("ammunition", "+0,25", "4¾"),
        ("ammunition", "-1/2", "4"),
        ("above", "-1", "2"),
        ("quality", "=-2", "-2"),
        ("quality", "1", "1"),
        ("name", "+2", "+2"),
        ("steady", "+1", "+1"),
        ("limit", "+1", "+1"),
        ("nothing", "+1", "+1"),
    ],
)
def test_a_sign_changes_the_present_value_of_a_number(field: str, words: str, value: str) -> None:
    assert give_value(field, words) == value


@pytest.mark.parametrize(("words", "set_to", "total"), [("-1", "=-1", "=-2"), ("+2", "=2", "=1")])
def test_a_sign_is_asked_where_a_value_may_be_below_zero(words: str, set_to: str, total: str) -> None:
    with pytest.raises(Refused) as refused:
        give_value("quality", words)
    assert f"“{set_to}”" in refused.value.why
    assert f"“{total}”" in refused.value.why


def test_both_meanings_are_equal_at_zero() -> None:
    assert [give_value("quality", words, Counted(quality=0)) for words in ("-1", "+2")] == ["-1", "2"]


def test_no_number_is_refused() -> None:
    with pytest.raises(Refused, match="no number"):
        give_value("ammunition", "+1/0")
