"""Refuse conditions on dice that no face or every face meets: they would decide nothing, and look as if they did."""

from collections.abc import Iterable

from rules.core.refusal import Refused

from .bounds import Extent, Span
from .rolled_dice import COMPARISONS, Choice

OTHERWISE = "Leave it out, or take another number."


def require_difference(choice: Choice, extent: Extent, happens: str, if_all: str = "", instead: str = "") -> None:
    """Raise Refused if no face or every face meets the condition.

    `happens` says what happens to the dice that meet it, and `instead` what to write; `if_all` if every face meets it.
    """
    if choice.ranks or extent.faces is None:
        return
    met = len(choice.of(sorted(extent.faces)))
    if 0 < met < len(extent.faces):
        return
    which, how_many, advice = ("Every face", "all", if_all or instead) if met else ("No face", "none", instead)
    raise Refused(f"{which} of these dice is {choice}, so {how_many} would {happens}. {advice or OTHERWISE}")


def outcomes(choice: Choice, spans: Iterable[Span]) -> frozenset[bool]:
    """Return whether totals within the spans may meet the condition, may not meet it, or either."""
    totals = (
        min(max(total, span.low), span.high)
        for span in spans
        for total in (span.low, span.high, choice.number - 1, choice.number, choice.number + 1)
    )
    return frozenset(COMPARISONS[choice.kind](total, choice.number) for total in totals)


def require_different_parts(choice: Choice, spans: Iterable[Span], happens: str) -> None:
    """Raise Refused if no part of a bracket, or every part, meets the condition whatever falls."""
    found = frozenset((True, False)) if choice.ranks else outcomes(choice, spans)
    if len(found) == 1:
        which, how_many = ("Every part", "all") if True in found else ("No part", "none")
        raise Refused(f"{which} in these brackets comes to {choice}, so {how_many} would {happens}. {OTHERWISE}")
