"""Refuse conditions on dice that no face or every face meets: they would decide nothing, and look as if they did."""

from rules.core.refusal import Refused

from .bounds import Extent
from .rolled_dice import Choice

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
