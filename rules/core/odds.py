"""Exact chances of actions, as fractions, from the same charts that decide the actions."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from .model import UMPIRE, Model, Viewer, Viewers
from .report import Step


class Outcome(Model):
    """A possible result and its exact chance."""

    label: str
    chance: Fraction
    good: bool | None = None


class Odds(Model):
    """The odds of an action: calculation steps, outcomes with chances, and the distribution of a score.

    `distribution` holds (score, chance) for every possible adjusted score or number of hits; the lowest that passes is
    `pass_from`. Only the sides in `audience` may read the odds; None means everyone.
    """

    question: str
    steps: tuple[Step, ...] = ()
    outcomes: tuple[Outcome, ...]
    distribution: tuple[tuple[int, Fraction], ...] = ()
    score_label: str = ""
    pass_from: int | None = None
    warnings: tuple[str, ...] = ()
    audience: Viewers | None = None

    def view_for(self, viewer: Viewer) -> "Odds | None":
        """Return the odds, or None if they are secret from `viewer` or include a secret modifier."""
        hidden = any(modifier.secret for step in self.steps for modifier in step.modifiers)
        is_told = not hidden and (self.audience is None or viewer in self.audience)
        return self if is_told or viewer == UMPIRE else None


T = TypeVar("T")


def combine_outcomes(
    distribution: Iterable[tuple[T, Fraction]], meaning: Callable[[T], tuple[str, bool | None]]
) -> tuple[Outcome, ...]:
    """Return one outcome for each meaning, with the total chance of its scores.

    `meaning` returns a score's text, and whether the score is a good result.
    """
    chances: dict[tuple[str, bool | None], Fraction] = {}
    for score, chance in distribution:
        outcome = meaning(score)
        chances[outcome] = chances.get(outcome, Fraction(0)) + chance
    return tuple(Outcome(label=label, chance=chance, good=good) for (label, good), chance in chances.items() if chance)
