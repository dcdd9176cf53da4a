"""Opponent levels and their search limits."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from math import ceil

MOST_FULLY_SEARCHED = 27
"""Maximum number of units that get the full search. A larger side searches less for each unit."""


class Level(StrEnum):
    """Level of an opponent: how deeply it searches."""

    EASY = "easy"
    HARD = "hard"


@dataclass(frozen=True)
class SearchLimits:
    """Limits of an opponent's search at one level.

    The best `thrown` candidates are tried with `throws` throws each. For the best `followed`, the opponent also
    tries `following` next actions of the unit; for the best `answered`, `answers` enemy attacks. After `tries`
    tries in a decision, SHORT_LIMITS apply.
    """

    tries: int
    candidates: int
    thrown: int
    throws: int
    followed: int = 0
    following: int = 0
    answered: int = 0
    answers: int = 0

    def limits_per_unit(self, units: int) -> "SearchLimits":
        """Return the limits for one of a side's `units`, lower if there are more than MOST_FULLY_SEARCHED."""
        part = min(MOST_FULLY_SEARCHED / max(units, 1), 1.0)
        return self if part == 1 else SearchLimits(*(ceil(part * getattr(self, limit.name)) for limit in fields(self)))

    @property
    def looks_ahead(self) -> bool:
        """Whether the search also considers next actions and the enemy's answers."""
        return self.followed > 0


LIMITS_BY_LEVEL: Mapping[Level, SearchLimits] = {
    Level.EASY: SearchLimits(tries=120, candidates=60, thrown=0, throws=1),
    Level.HARD: SearchLimits(
        tries=120, candidates=60, thrown=6, throws=4, followed=4, following=5, answered=3, answers=5
    ),
}
SHORT_LIMITS = SearchLimits(tries=0, candidates=8, thrown=0, throws=1)
"""Limits for a unit once a decision has used up its tries."""
