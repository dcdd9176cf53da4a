"""What takes long is done for one of several a day, another tomorrow; for all of them in the soak."""

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from .fuzz import seed_of_the_day

T = TypeVar("T")


def todays(values: Sequence[T], since: int = 0) -> T:
    """The day's of several. With another `since`, days earlier, another of them is the day's."""
    return values[(seed_of_the_day() + since) % len(values)]


def one_a_day(values: Sequence[Any], since: int = 0) -> list[Any]:
    """Parameters of a test: the day's, and the others for the soak."""
    today = todays(values, since)
    return [pytest.param(value, marks=() if value == today else pytest.mark.soak) for value in values]
