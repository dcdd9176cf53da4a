"""What takes long is done for one of several a day, another tomorrow; for all of them in the soak."""

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from .fuzz import seed_of_the_day

T = TypeVar("T")


def todays(values: Sequence[T]) -> T:
    """The day's of several."""
    return values[seed_of_the_day() % len(values)]


def one_a_day(values: Sequence[Any]) -> list[Any]:
    """Parameters of a test: the day's, and the others for the soak."""
    return [pytest.param(value, marks=() if value == todays(values) else pytest.mark.soak) for value in values]
