"""How deeply an opponent thinks: what each level may try."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from math import ceil

ARMY = 27
"""Number of units of a side that get the full search. A larger side searches less per unit."""


class Level(StrEnum):
    """How deeply it thinks."""

    EASY = "easy"
    HARD = "hard"


@dataclass(frozen=True)
class Bounds:
    """Search limits of a level: tries per decision, candidates per unit, and throws per candidate.

    For so many of the best it looks at what the same unit could do `next` in the turn, and at `answers` of the enemy.
    Once a decision has taken so many `tries`, the units that are left are looked at but briefly.
    """

    tries: int
    candidates: int
    thrown: int
    throws: int
    followed: int = 0
    following: int = 0
    answered: int = 0
    answers: int = 0

    def shared_among(self, units: int) -> "Bounds":
        """Return the search limits for each unit of a side with so many units: lower beyond `ARMY` units."""
        part = min(ARMY / max(units, 1), 1.0)
        return self if part == 1 else Bounds(*(ceil(part * getattr(self, each.name)) for each in fields(self)))

    @property
    def looks_ahead(self) -> bool:
        """Whether what may come next and be answered counts."""
        return self.followed > 0


BOUNDS: Mapping[Level, Bounds] = {
    Level.EASY: Bounds(tries=120, candidates=60, thrown=0, throws=1),
    Level.HARD: Bounds(tries=120, candidates=60, thrown=6, throws=4, followed=4, following=5, answered=3, answers=5),
}
BRIEFLY = Bounds(tries=0, candidates=8, thrown=0, throws=1)
"""Limits for a unit after a decision used up its tries."""
