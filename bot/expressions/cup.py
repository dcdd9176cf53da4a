"""Source of an expression's dice, with a limit on extra dice."""

from rules.core.dice import Dice, Throw

from .bounds import MAX_DICE


class Cup:
    """Dice source for one expression with `own` dice: at most 200 dice in all, including extra dice.

    `stopped`: the limit prevented extra dice.
    """

    def __init__(self, dice: Dice, label: str, own: int) -> None:
        self._dice = dice
        self._label = label
        self._spare = MAX_DICE - own
        self.stopped = False
        self.throws: tuple[Throw, ...] = ()

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """Throw `count` dice of the expression itself and return their faces."""
        throw = self._dice.throw(count, sides, self._label)
        self.throws = (*self.throws, throw)
        return throw.dice

    def throw_extra(self, count: int, sides: int) -> tuple[int, ...]:
        """Throw extra dice and return their faces; fewer or none once the limit is reached."""
        allowed = min(count, self._spare)
        self._spare -= allowed
        self.stopped = self.stopped or allowed < count
        return self.throw(allowed, sides) if allowed else ()
