"""Dice expressions such as `4d6k3+1`: parse the typed text, check all bounds, then throw the dice."""

from .bounds import MAX_DICE, MAX_REPEATS, MAX_SIDES
from .expression import Expression, parse_expression
from .value import ThrownRoll, TotalUnit, total_in_words

__all__ = [
    "MAX_DICE",
    "MAX_REPEATS",
    "MAX_SIDES",
    "Expression",
    "ThrownRoll",
    "TotalUnit",
    "parse_expression",
    "total_in_words",
]
