"""Rolled dice, and the choice of dice that a modifier affects."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .cup import Cup

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}
IN_WORDS: Mapping[str, str] = {
    ">=": "{} or more",
    "<=": "{} or less",
    ">": "more than {}",
    "<": "less than {}",
    "=": "{}",
    "!=": "anything but {}",
}
HIGHEST, LOWEST = "h", "l"
SHOWN_FACES = 4
"""Maximum number of faces shown for a rerolled die; beyond it, only the first and last faces."""


@dataclass(frozen=True)
class DiceChoice:
    """A choice among dice: a number of highest or lowest dice, or all dice matching a comparison."""

    kind: str
    number: int

    def __str__(self) -> str:
        """Return a comparison in words: `8 or more`."""
        return IN_WORDS[self.kind].format(self.number)

    def places_in(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the indices of the chosen numbers."""
        if self.ranks:
            places = sorted(range(len(numbers)), key=lambda place: numbers[place], reverse=self.kind == HIGHEST)
            return frozenset(places[: self.number])
        compare = COMPARISONS[self.kind]
        return frozenset(place for place, number in enumerate(numbers) if compare(number, self.number))

    @property
    def ranks(self) -> bool:
        """Whether the choice takes a fixed number of highest or lowest dice."""
        return self.kind in (HIGHEST, LOWEST)

    def is_endless(self, sides: int) -> bool:
        """Whether rerolling never ends: the choice takes a fixed number of dice, or every face of a die matches."""
        return self.ranks or len(self.places_in(range(1, sides + 1))) == sides


@dataclass
class Die:
    """A thrown die with its successive faces; the last face counts unless the die was dropped."""

    faces: list[int]
    kept: bool = True

    def __str__(self) -> str:
        faces = self.faces if len(self.faces) <= SHOWN_FACES else (self.faces[0], "…", self.faces[-1])
        text = "→".join(map(str, faces))
        return f"[{text}]" if self.kept else f"({text})"


@dataclass
class RolledDice:
    """Rolled dice of one pool, and the cup for extra dice."""

    sides: int
    cup: Cup
    dice: list[Die] = field(default_factory=list)

    @property
    def kept_dice(self) -> list[Die]:
        """Return the dice that were not dropped."""
        return [die for die in self.dice if die.kept]

    @property
    def numbers(self) -> list[int]:
        """Return the faces of the kept dice."""
        return [die.faces[-1] for die in self.kept_dice]

    def choose(self, choice: DiceChoice) -> list[Die]:
        """Return the kept dice that `choice` affects, in thrown order."""
        dice = self.kept_dice
        return [dice[place] for place in sorted(choice.places_in(self.numbers))]

    def add(self, count: int) -> list[Die]:
        """Throw and add extra dice; fewer or none past the limit. Return the new dice."""
        new = [Die([face]) for face in self.cup.throw_extra(count, self.sides)]
        self.dice.extend(new)
        return new
