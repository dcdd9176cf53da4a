"""Dice are handed in. A throw is numbered, labelled and kept; tests hand in scripted ones."""

from collections.abc import Iterable
from typing import Protocol

from pydantic import Field

from .model import Model, Viewer


class Throw(Model):
    """Dice thrown together: the game's throw `number` (only ever goes up), what for, and how they fell.

    `side` is whose throw it is; None where it is nobody's but theirs who acted.
    """

    number: int
    label: str
    sides: int
    dice: tuple[int, ...]
    side: Viewer | None = Field(default=None, max_length=60)

    @property
    def total(self) -> int:
        """Sum of the dice."""
        return sum(self.dice)

    def __str__(self) -> str:
        name = f"{len(self.dice) if len(self.dice) > 1 else ''}D{self.sides}"
        return f"{name} {''.join(f'[{die}]' for die in self.dice)}"


class Dice(Protocol):
    """A source of throws."""

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Throws `count` dice of `sides` sides for a side. Raises ValueError if either is under 1.

        A `hidden` throw follows from the hidden seed; the step that holds it must be for those alone who may know it.
        """
        ...


class NoDice:
    """For questions that must throw nothing: any throw is a programming error."""

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:  # noqa: ARG002
        """Always raises AssertionError."""
        raise AssertionError(f"dice thrown where none may be: {count}D{sides} for {label}")


class ScriptedDice:
    """Dice that fall as written, for tests and for showing a game again.

    Raises AssertionError when more dice are thrown than are written, or one shows a face it does not have.
    """

    def __init__(self, faces: Iterable[int], first: int = 1) -> None:
        self._faces = list(faces)
        self._next = first

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:  # noqa: ARG002
        """The next `count` written faces."""
        if count < 1 or sides < 1:
            raise ValueError(f"cannot throw {count}D{sides}")
        fallen, self._faces = self._faces[:count], self._faces[count:]
        assert len(fallen) == count, f"the script has too few dice for {count}D{sides} ({label})"
        assert all(1 <= face <= sides for face in fallen), f"{fallen} does not fit {count}D{sides} ({label})"
        number, self._next = self._next, self._next + 1
        return Throw(number=number, label=label, sides=sides, dice=tuple(fallen), side=side)

    @property
    def left(self) -> int:
        """Dice written and not yet thrown."""
        return len(self._faces)
