"""Dice are handed in. A throw is numbered, labelled and kept; and told is what they owe each side."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Protocol

from pydantic import Field
from typing_extensions import override

from .model import Model, Viewer

USUAL = 6
"""Sides of the die whose faces are counted."""


def shown_number(number: int, hidden: Viewer | None) -> str:
    """Return the number as its readers see it: `12`, or `h3` for a hidden throw or entry."""
    return str(number) if hidden is None else f"h{number}"


def named_number(number: int, hidden: Viewer | None) -> str:
    """Return the number that is unique in the game: `12`, or `british-h3` for a hidden throw or entry of a side."""
    return str(number) if hidden is None else f"{hidden}-h{number}"


class Throw(Model):
    """Dice thrown together: the game's throw `number` (only ever goes up), what for, and how they fell.

    `side` is whose throw it is; None where it is nobody's but theirs who acted. `hidden` names the side among whose
    hidden throws it is counted; None where it is counted among those for everyone.
    """

    number: int
    label: str
    sides: int
    dice: tuple[int, ...]
    side: Viewer | None = Field(default=None, max_length=60)
    hidden: Viewer | None = Field(default=None, max_length=60)

    @property
    def shown_number(self) -> str:
        """Return the throw's displayed number: `12`, or `h3` for hidden throws."""
        return shown_number(self.number, self.hidden)

    @property
    def name(self) -> str:
        """Its number in the whole game: `12`, a hidden one `british-h3`."""
        return named_number(self.number, self.hidden)

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


class NoDice(Dice):
    """For questions that must throw nothing: any throw is a programming error."""

    @override
    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Always raises AssertionError."""
        raise AssertionError(f"dice thrown where none may be: {count}D{sides} for {label}")


class Luck(Model):
    """A side's dice: how many, their sum, the sum to be expected, and how often each face of a D6 came up.

    `variance` is that of the sum, by which its distance from the expected is to be judged.
    """

    side: Viewer
    dice: int
    total: int
    expected: Fraction
    variance: Fraction
    faces: Mapping[int, int]

    @property
    def deviations(self) -> float:
        """Return the sum's distance from its expectation in standard deviations; 0 without dice."""
        return float(self.total - self.expected) / sqrt(self.variance) if self.variance else 0.0


def luck(throws: Iterable[tuple[Viewer, Throw]]) -> tuple[Luck, ...]:
    """Return the dice luck of each side, ordered by first throw."""
    by_side: dict[Viewer, list[Throw]] = {}
    for side, throw in throws:
        by_side.setdefault(side, []).append(throw)
    return tuple(_of(side, thrown) for side, thrown in by_side.items())


def _of(side: Viewer, throws: list[Throw]) -> Luck:
    usual = [die for throw in throws if throw.sides == USUAL for die in throw.dice]
    return Luck(
        side=side,
        dice=sum(len(throw.dice) for throw in throws),
        total=sum(throw.total for throw in throws),
        expected=sum((len(throw.dice) * Fraction(throw.sides + 1, 2) for throw in throws), Fraction(0)),
        variance=sum((len(throw.dice) * Fraction(throw.sides**2 - 1, 12) for throw in throws), Fraction(0)),
        faces={face: usual.count(face) for face in range(1, USUAL + 1)},
    )
