"""Dice are handed in. A throw is numbered, labelled and kept; tests hand in scripted ones."""

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
