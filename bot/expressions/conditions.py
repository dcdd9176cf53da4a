"""Refuse pointless conditions: conditions that every face meets, or no face meets."""

from collections.abc import Iterable

from rules.core.refusal import Refused

from .bounds import PoolBounds, Span
from .dice_choice import COMPARISONS, DiceChoice

OTHERWISE = "Leave it out, or take another number."


def require_difference(
    choice: DiceChoice, bounds: PoolBounds, happens: str, if_all: str = "", instead: str = ""
) -> None:
    """Raise Refused if no face or every face meets the condition.

    `happens` names the effect on matching dice, such as “be kept”. `instead` advises the player. `if_all` replaces
    `instead` if every face meets the condition.
    """
    if choice.ranks or bounds.faces is None:
        return
    match_count = len(choice.places_in(sorted(bounds.faces)))
    if 0 < match_count < len(bounds.faces):
        return
    subject, how_many, advice = (
        ("Every face", "all", if_all or instead) if match_count else ("No face", "none", instead)
    )
    raise Refused(f"{subject} of these dice is {choice}, so {how_many} would {happens}. {advice or OTHERWISE}")


def find_outcomes(choice: DiceChoice, spans: Iterable[Span]) -> frozenset[bool]:
    """Return the possible results of the condition for totals within the spans."""
    totals = (
        min(max(total, span.low), span.high)
        for span in spans
        for total in (span.low, span.high, choice.number - 1, choice.number, choice.number + 1)
    )
    return frozenset(COMPARISONS[choice.kind](total, choice.number) for total in totals)


def require_different_parts(choice: DiceChoice, spans: Iterable[Span], happens: str) -> None:
    """Raise Refused if every part of a bracket always meets the condition, or none ever does."""
    outcomes = frozenset((True, False)) if choice.ranks else find_outcomes(choice, spans)
    if len(outcomes) == 1:
        subject, how_many = ("Every part", "all") if True in outcomes else ("No part", "none")
        raise Refused(f"{subject} in these brackets comes to {choice}, so {how_many} would {happens}. {OTHERWISE}")
