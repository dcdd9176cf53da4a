"""What dice are thrown from: it knows how many more there may be."""

from rules.core.dice import Dice, Throw

from .bounds import MAX_DICE


class Cup:
    """Throws for one expression that has `own` dice: those, and what they bring up to 200 dice in all.

    `stopped` says that more would have been thrown.
    """

    def __init__(self, dice: Dice, label: str, own: int) -> None:
        self._dice = dice
        self._label = label
        self._spare = MAX_DICE - own
        self.stopped = False
        self.throws: tuple[Throw, ...] = ()

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """The faces of dice that the expression has itself."""
        thrown = self._dice.throw(count, sides, self._label)
        self.throws = (*self.throws, thrown)
        return thrown.dice

    def more(self, count: int, sides: int) -> tuple[int, ...]:
        """The faces of dice that others brought; fewer, or none, where there would be too many."""
        allowed = min(count, self._spare)
        self._spare -= allowed
        self.stopped = self.stopped or allowed < count
        return self.throw(allowed, sides) if allowed else ()
