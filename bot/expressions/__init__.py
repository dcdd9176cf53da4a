"""Dice expressions, read, bounded, thrown and written out: nothing is thrown before everything is checked."""

from .bounds import MAX_DICE, MAX_REPEATS, MAX_SIDES
from .reading import Expression, read
from .value import Thrown, Unit, in_words

__all__ = ["MAX_DICE", "MAX_REPEATS", "MAX_SIDES", "Expression", "Thrown", "Unit", "in_words", "read"]
