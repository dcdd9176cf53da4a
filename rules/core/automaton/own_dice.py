"""Private dice for the opponent's search, independent of game dice."""

import random
from dataclasses import dataclass, field

from typing_extensions import override

from rules.core.dice import Dice, Throw
from rules.core.model import Viewer


@dataclass
class SeededDice(Dice):
    """Dice whose throws follow from a seed."""

    seed: str
    thrown: list[Throw] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Seed the generator: equal seeds throw equal dice."""
        self._random = random.Random(self.seed)

    @override
    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Return a throw of random faces."""
        faces = tuple(self._random.randint(1, sides) for _ in range(count))
        self.thrown.append(Throw(number=len(self.thrown) + 1, label=label, sides=sides, dice=faces, side=side))
        return self.thrown[-1]
