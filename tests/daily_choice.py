"""Slow tests that use one of several values a day; the soak uses all of them."""

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from .fuzz import get_daily_seed

T = TypeVar("T")


def choose_daily(values: Sequence[T], since: int = 0) -> T:
    """Choose the day's value. `since` shifts the choice by as many days."""
    return values[(get_daily_seed() + since) % len(values)]


def one_a_day(values: Sequence[Any], since: int = 0) -> list[Any]:
    """Return test parameters for all values. Only the day's value runs outside the soak."""
    today = choose_daily(values, since)
    return [pytest.param(value, marks=() if value == today else pytest.mark.soak) for value in values]
