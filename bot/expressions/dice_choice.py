"""Thrown dice, and the choice of those dice that a modifier affects."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .cup import DiceCup

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
"""Maximum number of faces shown for a rerolled die. Of more faces, only the first and the last are shown."""


@dataclass(frozen=True)
class DiceChoice:
    """A choice of dice by rank (the `number` highest or lowest) or by comparison with `number`."""

    kind: str
    number: int

    def __str__(self) -> str:
        """Return the comparison in words: `8 or more`."""
        return IN_WORDS[self.kind].format(self.number)

    def chosen_indexes(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the indexes of the chosen numbers."""
        if self.is_by_rank:
            places = sorted(range(len(numbers)), key=lambda place: numbers[place], reverse=self.kind == HIGHEST)
            return frozenset(places[: self.number])
        compare = COMPARISONS[self.kind]
        return frozenset(place for place, number in enumerate(numbers) if compare(number, self.number))

    @property
    def is_by_rank(self) -> bool:
        """Whether the choice takes dice by rank: the highest ones, or the lowest ones."""
        return self.kind in (HIGHEST, LOWEST)


@dataclass
class Die:
    """A thrown die with all faces that it has shown. Only the last face counts. A dropped die is not `kept`."""

    faces: list[int]
    kept: bool = True

    def __str__(self) -> str:
        faces = self.faces if len(self.faces) <= SHOWN_FACES else (self.faces[0], "…", self.faces[-1])
        text = "→".join(map(str, faces))
        return f"[{text}]" if self.kept else f"({text})"


@dataclass
class RolledDice:
    """The thrown dice of one pool, and the source of its extra dice."""

    sides: int
    cup: DiceCup
    dice: list[Die] = field(default_factory=list)

    @property
    def kept_dice(self) -> list[Die]:
        """The dice that were not dropped."""
        return [die for die in self.dice if die.kept]

    @property
    def last_faces(self) -> list[int]:
        """The last face of each kept die. After rerolls, only this face counts."""
        return [die.faces[-1] for die in self.kept_dice]

    def chosen_dice(self, choice: DiceChoice) -> list[Die]:
        """Return the kept dice that `choice` affects, in the order in which they were thrown."""
        dice = self.kept_dice
        return [dice[place] for place in sorted(choice.chosen_indexes(self.last_faces))]

    def add_extra_dice(self, count: int) -> list[Die]:
        """Throw and add `count` extra dice, or fewer at the limit. Return the added dice."""
        new = [Die([face]) for face in self.cup.throw_extra(count, self.sides)]
        self.dice.extend(new)
        return new
