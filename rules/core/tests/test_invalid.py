"""Validation errors of given values, worded as sentences."""

from fractions import Fraction
from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError, field_validator

from rules.core.model import Exact, Model
from rules.core.parsing import error_in_words


class Form(Model):
    least: int = Field(default=1, ge=1, le=9)
    between: float = Field(default=1, gt=0, lt=Fraction(1, 2), allow_inf_nan=False)
    word: str = Field(default="abc", min_length=2, max_length=4, pattern="^[a-z]*$")
    one: Literal["red", "blue"] = "red"
    sure: bool = True
    exact: Exact = Fraction(1)
    own: int = 0
    many: tuple[int, ...] = ()

    @field_validator("own")
    @classmethod
    def _own(cls, value: int) -> int:
        if value:
            raise ValueError("keep it at none.")
        return value


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"least": 0}, "It must be at least 1."),
        ({"least": 10}, "It must be at most 9."),
        ({"between": 0}, "It must be more than 0."),
        ({"between": 1}, "It must be less than ½."),
        ({"between": float("inf")}, "It must be a number."),
        ({"word": "a"}, "It must be at least 2 characters long."),
        ({"word": "abcde"}, "It must be at most 4 characters long."),
        ({"word": "AB"}, "It must be plain words on one line."),
        ({"one": "green"}, "It must be one of 'red' or 'blue'."),
        ({"least": "x"}, "It must be a whole number."),
        ({"between": "x"}, "It must be a number."),
        ({"sure": "x"}, "It must be yes or no."),
        ({"word": 3}, "It must be words."),
        ({"own": 1}, "Keep it at none."),
        ({"exact": "1e9"}, "A fraction is written as 9/2, 4.5 or 4."),
        ({"many": 3}, "That cannot be read here."),
    ],
)
def test_each_fault_is_a_sentence(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError) as invalid:
        Form.model_validate(fields)
    assert error_in_words(invalid.value.errors()[0]) == why
