"""Values counted by an opponent, each with a word."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from .state import State

S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Worth(Generic[S]):
    """A value of a side: word, weight, and amount (by side id)."""

    word: str
    weight: float
    of: Callable[[S, str], float]
    ahead: bool = False
    """It is a chance of what may come next or be answered, reckoned exactly: counted by who looks ahead alone.

    A system with such values is looked ahead in by them, and not by throwing dice.
    """
