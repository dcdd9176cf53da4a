"""The shapes a throw can have: each throws and gives its chances in one place, so that the two cannot differ."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from .dice import Throw
from .report import Modifier

Spread = tuple[tuple[int, Fraction], ...]
"""(score or number of hits, its exact chance), lowest first; the chances add up to 1."""


def chance_of(spread: Spread, least: int) -> Fraction:
    """The chance of so much or more."""
    return sum((chance for score, chance in spread if score >= least), Fraction(0))


@lru_cache(maxsize=256)
def sums(dice: int, sides: int) -> Spread:
    """The chance of each sum of so many dice."""
    ways = Counter({0: 1})
    for _ in range(dice):
        further: Counter[int] = Counter()
        for total, number in ways.items():
            for face in range(1, sides + 1):
                further[total + face] += number
        ways = further
    return tuple((total, Fraction(number, sides**dice)) for total, number in sorted(ways.items()))


@dataclass(frozen=True)
class Against:
    """Dice added up, adjusted by whole numbers, against a score: they pass from `needed` on."""

    dice: int
    sides: int
    needed: int
    modifiers: tuple[Modifier, ...] = ()

    @property
    def adjustment(self) -> int:
        """What is added to the dice in all."""
        return int(sum((each.value for each in self.modifiers), Fraction(0)))

    @property
    def spread(self) -> Spread:
        """The chance of each adjusted score."""
        return tuple((total + self.adjustment, chance) for total, chance in sums(self.dice, self.sides))

    @property
    def chance(self) -> Fraction:
        """The chance to pass."""
        return chance_of(self.spread, self.needed)

    def score(self, throw: Throw) -> int:
        """The adjusted score of such a throw."""
        return throw.total + self.adjustment

    def passes(self, throw: Throw) -> bool:
        """Whether such a throw passes."""
        return self.score(throw) >= self.needed


@dataclass(frozen=True)
class Volley:
    """Dice thrown together, each of which hits by itself from the face `needed` on."""

    dice: int
    sides: int
    needed: int

    @property
    def chance_of_each(self) -> Fraction:
        """The chance that one die hits."""
        return Fraction(min(max(self.sides + 1 - self.needed, 0), self.sides), self.sides)

    @property
    def spread(self) -> Spread:
        """The chance of each number of hits that can be."""
        hit = self.chance_of_each
        shares = (comb(self.dice, n) * hit**n * (1 - hit) ** (self.dice - n) for n in range(self.dice + 1))
        return tuple((n, share) for n, share in enumerate(shares) if share)

    @property
    def chance(self) -> Fraction:
        """The chance to hit at all."""
        return 1 - (1 - self.chance_of_each) ** self.dice

    def hits(self, throw: Throw) -> int:
        """The hits of such a throw."""
        return sum(face >= self.needed for face in throw.dice)


@dataclass(frozen=True)
class Opposed:
    """One side's dice against another's, each added up and adjusted; the difference decides."""

    ours: Against
    theirs: Against

    @property
    def spread(self) -> Spread:
        """The chance of each difference, ours less theirs."""
        found: Counter[int] = Counter()
        out_of = self.ours.sides**self.ours.dice * self.theirs.sides**self.theirs.dice
        for mine, chance in self.ours.spread:
            for his, other in self.theirs.spread:
                found[mine - his] += int(chance * other * out_of)
        return tuple((difference, Fraction(ways, out_of)) for difference, ways in sorted(found.items()))

    def difference(self, ours: Throw, theirs: Throw) -> int:
        """How much more ours made of it than theirs."""
        return self.ours.score(ours) - self.theirs.score(theirs)
