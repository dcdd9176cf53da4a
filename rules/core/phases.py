"""The phases of a turn as data: who acts in one, who has anything to do, and what happens by itself."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from .play import Play
from .state import State

S = TypeVar("S", bound=State)


class Kind(StrEnum):
    """How the sides act in a phase: one after the other, both at once, or not at all."""

    SEQUENTIAL = "sequential"
    SIMULTANEOUS = "simultaneous"
    AUTOMATIC = "automatic"


def _nothing(play: Play[S]) -> None:
    """Nothing happens by itself."""


@dataclass(frozen=True)
class Phase(Generic[S]):
    """A phase of a turn.

    `on_begin` and `on_end` are what happens by itself when it begins and ends for all; `has_to_do` whether a side (by
    its id) has anything to do in it as the table stands, which in an automatic phase nobody has.
    """

    id: str
    title: str
    kind: Kind
    on_begin: Callable[[Play[S]], None] = _nothing
    on_end: Callable[[Play[S]], None] = _nothing
    has_to_do: Callable[[S, str], bool] = lambda _state, _side: False

    def idle(self, state: S, sides: Iterable[str]) -> tuple[str, ...]:
        """Those of the sides that have nothing to do in it."""
        return tuple(side for side in sides if self.kind is Kind.AUTOMATIC or not self.has_to_do(state, side))
