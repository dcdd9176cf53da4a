"""Values by which an opponent judges a state."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from .state import S


@dataclass(frozen=True)
class Worth(Generic[S]):
    """One value of a side: word, weight, and a function `amount` of the state and the side's id."""

    word: str
    weight: float
    amount: Callable[[S, str], float]
    ahead: bool = False
    """Whether the value is an exact chance of a next action or an answer. Only levels that look ahead count it.

    In a system with such values, looking ahead throws no dice.
    """
