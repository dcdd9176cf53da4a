"""Throws of dice, the interface of their source, and the luck of each side."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Protocol

from pydantic import Field
from typing_extensions import override

from .model import Model, Viewer

COUNTED_SIDES = 6
"""Sides of the dice whose faces are counted for `Luck`."""
MOST_SIDES = 100
"""Maximum number of sides of dice counted for `Luck`. Larger dice are only thrown for secret random numbers."""


def shown_number(number: int, hidden: Viewer | None) -> str:
    """Return the number of a throw or entry as readers see it: `12`, or `h3` if hidden."""
    return str(number) if hidden is None else f"h{number}"


def unique_number(number: int, hidden: Viewer | None) -> str:
    """Return the number of a throw or entry, unique in the game: `12`, or `british-h3` if hidden."""
    return str(number) if hidden is None else f"{hidden}-h{number}"


class Throw(Model):
    """Dice thrown together for the purpose `label`, by `side` or, if None, by the side that acted.

    `number` counts the game's public throws. If `hidden` is a side, it counts that side's hidden throws.
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
        """Return the throw's number, unique in the game: `12`, or `british-h3` for a hidden throw."""
        return unique_number(self.number, self.hidden)

    @property
    def total(self) -> int:
        """Return the sum of the dice."""
        return sum(self.dice)

    def __str__(self) -> str:
        name = f"{len(self.dice) if len(self.dice) > 1 else ''}D{self.sides}"
        return f"{name} {''.join(f'[{die}]' for die in self.dice)}"


class Dice(Protocol):
    """A source of throws."""

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Throw `count` dice of `sides` sides for `side`. Raises ValueError if either number is under 1.

        The dice of a `hidden` throw come from the hidden seed. The caller hides the step in the report.
        """
        ...


class NoDice(Dice):
    """A source for questions that may not throw dice: any throw is a programming error."""

    @override
    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Raise AssertionError."""
        raise AssertionError(f"dice thrown where none may be: {count}D{sides} for {label}")


class Luck(Model):
    """A side's dice: number, sum, expected sum, `variance` of the sum, and the count of each D6 face."""

    side: Viewer
    dice: int
    total: int
    expected: Fraction
    variance: Fraction
    faces: Mapping[int, int]

    @property
    def standard_deviations(self) -> float:
        """Return the sum's distance from its expectation in standard deviations; 0 without dice."""
        return float(self.total - self.expected) / sqrt(self.variance) if self.variance else 0.0


def compute_luck(throws: Iterable[tuple[Viewer, Throw]]) -> tuple[Luck, ...]:
    """Return the luck of each side, in order of first throws. Dice with more than MOST_SIDES sides do not count."""
    by_side: dict[Viewer, list[Throw]] = {}
    for side, throw in throws:
        if throw.sides <= MOST_SIDES:
            by_side.setdefault(side, []).append(throw)
    return tuple(_luck_of_side(side, own_throws) for side, own_throws in by_side.items())


def _luck_of_side(side: Viewer, throws: list[Throw]) -> Luck:
    counted_dice = [die for throw in throws if throw.sides == COUNTED_SIDES for die in throw.dice]
    return Luck(
        side=side,
        dice=sum(len(throw.dice) for throw in throws),
        total=sum(throw.total for throw in throws),
        expected=sum((len(throw.dice) * Fraction(throw.sides + 1, 2) for throw in throws), Fraction(0)),
        variance=sum((len(throw.dice) * Fraction(throw.sides**2 - 1, 12) for throw in throws), Fraction(0)),
        faces={face: counted_dice.count(face) for face in range(1, COUNTED_SIDES + 1)},
    )
