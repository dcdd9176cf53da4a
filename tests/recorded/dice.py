"""Dice that note what is thrown, and dice that fall as they were noted."""

from collections.abc import Sequence
from typing import Any

from rules.core.dice import Dice, Throw

Noted = list[list[Any]]
"""Throws in their order, each [sides, [faces]]."""


class Changed(AssertionError):
    """The rules do something else than they did when it was recorded; says what, then and now."""


class NotingDice:
    """Passes every throw on to other dice, and notes it."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.thrown: Noted = []

    def throw(self, count: int, sides: int, *given: Any, **named: Any) -> Throw:
        """What the other dice throw."""
        throw = self._dice.throw(count, sides, *given, **named)
        self.thrown.append([sides, list(throw.dice)])
        return throw


class HandedDice:
    """Dice that fall as noted. Raises Changed where a throw is of other dice than then, or one more."""

    def __init__(self, noted: Noted) -> None:
        self._noted = noted
        self._next = 0

    def throw(self, count: int, sides: int, label: str = "", *, side: str | None = None, **_named: Any) -> Throw:
        """The next noted faces. What they are thrown for may be worded otherwise."""
        asked = f"throw {self._next + 1} is now {count}D{sides} ({label})"
        if self._next == len(self._noted):
            raise Changed(f"{asked}; then there was none")
        then, faces = self._noted[self._next]
        if (len(faces), then) != (count, sides):
            raise Changed(f"{asked}; then it was {len(faces)}D{then}")
        self._next += 1
        return Throw(number=self._next, label=label, sides=sides, dice=tuple(faces), side=side)

    def all_thrown(self) -> None:
        """Raises Changed when fewer dice were thrown than then."""
        if left := [f"{len(faces)}D{sides}" for sides, faces in self._noted[self._next :]]:
            raise Changed(f"then {', '.join(left)} more was thrown; now it is not")


def faces(noted: Sequence[Sequence[Any]]) -> str:
    """`2D6 [3, 4], D6 [1]`."""
    return ", ".join(f"{len(fallen)}D{sides} {fallen}" for sides, fallen in noted) or "no dice"
