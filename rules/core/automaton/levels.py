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
    """Limits of an opponent's search at one level."""

    tries: int
    """Tries in one decision, after which SHORT_LIMITS apply."""
    candidates: int
    thrown: int
    """How many of the best candidates are tried with dice."""
    throws: int
    """Throws for each of them."""
    followed: int = 0
    """For how many of the best candidates the unit's next actions are tried, too."""
    following: int = 0
    """Next actions for each of them."""
    answered: int = 0
    """For how many of the best candidates enemy attacks are tried, too."""
    answers: int = 0
    """Enemy attacks for each of them."""

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
