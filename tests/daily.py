"""What takes long is done for one of several a day, another tomorrow; for all of them in the soak."""

from collections.abc import Sequence
from typing import Any

import pytest

from .fuzz import seed_of_the_day


def one_a_day(values: Sequence[Any]) -> list[Any]:
    """Parameters of a test: the day's, and the others for the soak."""
    days = values[seed_of_the_day() % len(values)]
    return [pytest.param(value, marks=() if value == days else pytest.mark.soak) for value in values]
