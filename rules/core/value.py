"""What an opponent counts: the values of a system, each with a word for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from .state import State

S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Worth(Generic[S]):
    """One thing that a side may have: its word, how much one of it counts, and how much of it a side (by id) has."""

    word: str
    weight: float
    of: Callable[[S, str], float]
    ahead: bool = False
    """It is a chance of what may come next or be answered, reckoned exactly: counted by who looks ahead alone.

    A system with such values is looked ahead in by them, and not by throwing dice.
    """
