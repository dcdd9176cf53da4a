"""What an action would bring, as a side would reckon it beforehand: nothing is thrown, and nothing changes."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from .dice import Throw
from .model import Viewer
from .report import Report
from .state import State

S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Sketch(Generic[S]):
    """How the game might stand afterwards, as far as a side may know.

    `before` and `state` are that side's view of it, `report` tells of it with its warnings. It is only `about` right
    where dice decide: they are supposed to fall in the middle.
    """

    before: S
    state: S
    report: Report
    about: bool


@dataclass
class MiddlingDice:
    """Dice of no game, spread evenly over their faces: one in the middle, six dice from one to six."""

    thrown: list[Throw] = field(default_factory=list)

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:  # noqa: ARG002
        """As many faces, each for an equal share of what the dice can show."""
        faces = tuple(-(-(2 * place + 1) * sides // (2 * count)) for place in range(count))
        self.thrown.append(Throw(number=len(self.thrown) + 1, label=label, sides=sides, dice=faces, side=side))
        return self.thrown[-1]
