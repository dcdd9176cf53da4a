"""Source of an expression's dice, with a limit on extra dice."""

from rules.core.dice import Dice, Throw

from .bounds import MAX_DICE


class DiceCup:
    """Source of the dice for one expression, with at most MAX_DICE including extra dice.

    `own` is the number of dice without extra dice. `stopped` is true once the limit has prevented extra dice.
    """

    def __init__(self, dice: Dice, label: str, own: int) -> None:
        self._dice = dice
        self._label = label
        self._spare = MAX_DICE - own
        self.stopped = False
        self.throws: tuple[Throw, ...] = ()

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """Throw `count` of the expression's own dice, and return their faces."""
        throw = self._dice.throw(count, sides, self._label)
        self.throws = (*self.throws, throw)
        return throw.dice

    def throw_extra(self, count: int, sides: int) -> tuple[int, ...]:
        """Throw `count` extra dice, or fewer at the limit, and return their faces."""
        allowed = min(count, self._spare)
        self._spare -= allowed
        self.stopped = self.stopped or allowed < count
        return self.throw(allowed, sides) if allowed else ()
