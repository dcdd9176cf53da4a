"""Exact chances, as fractions, by the same charts that decide the action."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from .model import UMPIRE, Model, Viewer, Viewers
from .report import Step


class Outcome(Model):
    """One thing that may happen and its exact chance."""

    label: str
    chance: Fraction
    good: bool | None = None


class Odds(Model):
    """What an action may bring: the reckoning beforehand, the outcomes (they add up to 1), the spread of a score.

    `spread` is (score, chance) over every possible adjusted score or number of hits; `pass_from` is the least
    score of it that passes, for the picture. `warnings` are those of the action. `audience`: None is everyone.
    """

    question: str
    steps: tuple[Step, ...] = ()
    outcomes: tuple[Outcome, ...]
    spread: tuple[tuple[int, Fraction], ...] = ()
    spread_of: str = ""
    pass_from: int | None = None
    warnings: tuple[str, ...] = ()
    audience: Viewers | None = None

    def seen_by(self, viewer: Viewer) -> "Odds | None":
        """Return the odds for `viewer`, or None if hidden from the viewer or dependent on secret modifiers."""
        hidden = any(modifier.secret for step in self.steps for modifier in step.modifiers)
        told = not hidden and (self.audience is None or viewer in self.audience)
        return self if told or viewer == UMPIRE else None


T = TypeVar("T")


def outcomes(
    spread: Iterable[tuple[T, Fraction]], meaning: Callable[[T], tuple[str, bool | None]]
) -> tuple[Outcome, ...]:
    """Combine a spread's scores by meaning (text, and whether favourable), adding their chances."""
    found: dict[tuple[str, bool | None], Fraction] = {}
    for score, chance in spread:
        meant = meaning(score)
        found[meant] = found.get(meant, Fraction(0)) + chance
    return tuple(Outcome(label=label, chance=chance, good=good) for (label, good), chance in found.items() if chance)
