"""Dice that record their throws, and dice that replay recorded throws."""

from collections.abc import Sequence
from typing import Any

from rules.core.dice import Dice, Throw

RecordedThrows = list[list[Any]]
"""Throws in order, each [sides, [faces]]."""


class Deviation(AssertionError):
    """The rules differ from a recording. The message says what happened then and now."""


class RecordingDice:
    """Dice that pass every throw to other dice and record the result."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.throws: RecordedThrows = []

    def throw(self, count: int, sides: int, *args: Any, **kwargs: Any) -> Throw:
        """Throw the other dice and record the throw."""
        throw = self._dice.throw(count, sides, *args, **kwargs)
        self.throws.append([sides, list(throw.dice)])
        return throw


class ReplayingDice:
    """Dice with recorded faces. Raises Deviation if a throw has other dice or no recording."""

    def __init__(self, recorded: RecordedThrows) -> None:
        self._recorded = recorded
        self._next = 0

    def throw(self, count: int, sides: int, label: str = "", *, side: str | None = None, **_named: Any) -> Throw:
        """Return a throw with the next recorded faces. Its label may differ from the recording."""
        now = f"throw {self._next + 1} is now {count}D{sides} ({label})"
        if self._next == len(self._recorded):
            raise Deviation(f"{now}; then there was none")
        old_sides, faces = self._recorded[self._next]
        if (len(faces), old_sides) != (count, sides):
            raise Deviation(f"{now}; then it was {len(faces)}D{old_sides}")
        self._next += 1
        return Throw(number=self._next, label=label, sides=sides, dice=tuple(faces), side=side)

    def require_all_thrown(self) -> None:
        """Raise Deviation if recorded throws are left."""
        if unused := [f"{len(faces)}D{sides}" for sides, faces in self._recorded[self._next :]]:
            raise Deviation(f"then {', '.join(unused)} more were thrown; now they are not")


def describe_throws(recorded: Sequence[Sequence[Any]]) -> str:
    """Return throws as text, such as `2D6 [3, 4], D6 [1]`."""
    return ", ".join(f"{len(fallen)}D{sides} {fallen}" for sides, fallen in recorded) or "no dice"
