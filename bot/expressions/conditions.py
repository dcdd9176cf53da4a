"""Refuse pointless conditions: those that every face meets, and those that no face can meet."""

from collections.abc import Iterable

from rules.core.refusal import Refused

from .bounds import PoolBounds, TotalSpan
from .dice_choice import COMPARISONS, DiceChoice

OTHERWISE = "Leave it out, or take another number."


def require_choice_among_faces(
    choice: DiceChoice, bounds: PoolBounds, happens: str, if_all: str = "", instead: str = ""
) -> None:
    """Raise Refused if no face or every face meets the condition.

    `happens` says what happens to matching dice, such as “be kept”. The refusal ends with the advice `instead`, or
    with `if_all` if every face matches.
    """
    if choice.is_by_rank or bounds.faces is None:
        return
    match_count = len(choice.chosen_indexes(sorted(bounds.faces)))
    if 0 < match_count < len(bounds.faces):
        return
    subject, how_many, advice = (
        ("Every face", "all", if_all or instead) if match_count else ("No face", "none", instead)
    )
    raise Refused(f"{subject} of these dice is {choice}, so {how_many} would {happens}. {advice or OTHERWISE}")


def possible_outcomes(choice: DiceChoice, spans: Iterable[TotalSpan]) -> frozenset[bool]:
    """Return the possible results of comparing totals within these spans: True, False, or both."""
    totals = (
        min(max(total, span.low), span.high)
        for span in spans
        for total in (span.low, span.high, choice.number - 1, choice.number, choice.number + 1)
    )
    return frozenset(COMPARISONS[choice.kind](total, choice.number) for total in totals)


def require_choice_among_parts(choice: DiceChoice, spans: Iterable[TotalSpan], happens: str) -> None:
    """Raise Refused if every part of a bracket must meet the condition, or no part can."""
    outcomes = frozenset((True, False)) if choice.is_by_rank else possible_outcomes(choice, spans)
    if len(outcomes) == 1:
        subject, how_many = ("Every part", "all") if True in outcomes else ("No part", "none")
        raise Refused(f"{subject} in these brackets comes to {choice}, so {how_many} would {happens}. {OTHERWISE}")
