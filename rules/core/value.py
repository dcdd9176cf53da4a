"""Values by which an opponent judges a state."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from .state import S


@dataclass(frozen=True)
class SideValue(Generic[S]):
    """A quantity that is good for a side: its name in one word, its weight, and its `amount` in a state."""

    word: str
    weight: float
    amount: Callable[[S, str], float]
    ahead: bool = False
    """Whether the value is the exact chance of a next action or of an enemy's answer.

    Only levels that look ahead count such a value. In a system with such values, looking ahead throws no dice.
    """
