"""The shapes a throw can have: each throws and gives its chances in one place, so that the two cannot differ."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, lcm

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


@lru_cache(maxsize=1024)
def _chance_of_sum(dice: int, sides: int, least: int) -> Fraction:
    return chance_of(sums(dice, sides), least)


@dataclass(frozen=True)
class Against:
    """Dice added up, adjusted by whole numbers, against a score: they pass from `needed` on.

    Where there is an `always`, a roll of so much before adjustment passes as well.
    """

    dice: int
    sides: int
    needed: int
    modifiers: tuple[Modifier, ...] = ()
    always: int | None = None

    @cached_property
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
        return _chance_of_sum(self.dice, self.sides, self.least - self.adjustment)

    @property
    def least(self) -> int:
        """The adjusted score from which they pass."""
        return self.needed if self.always is None else min(self.needed, self.always + self.adjustment)

    @property
    def pass_from(self) -> int | None:
        """The least adjusted score that passes; None where none does."""
        return next((score for score, _ in self.spread if score >= self.least), None)

    def score(self, throw: Throw) -> int:
        """The adjusted score of such a throw."""
        return throw.total + self.adjustment

    def passes(self, throw: Throw) -> bool:
        """Whether such a throw passes."""
        return self.score(throw) >= self.least

    def saved(self, throw: Throw) -> bool:
        """Whether such a throw passes only because it always does."""
        return self.passes(throw) and self.score(throw) < self.needed


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


def differences(ours: Spread, theirs: Spread) -> Spread:
    """The chance of each difference of two scores that have nothing to do with each other, ours less theirs."""
    return added(ours, tuple((-score, chance) for score, chance in theirs))


def added(*spreads: Spread) -> Spread:
    """The chance of each sum of scores that have nothing to do with each other."""
    found, out_of = Counter({0: 1}), 1
    for spread in spreads:
        ways, of = _ways(spread)
        further: Counter[int] = Counter()
        for score, number in found.items():
            for more, times in ways:
                further[score + more] += number * times
        found, out_of = further, out_of * of
    return tuple((score, Fraction(number, out_of)) for score, number in sorted(found.items()))


def _ways(spread: Spread) -> tuple[list[tuple[int, int]], int]:
    """The scores with the number of ways to make each, and how many ways there are."""
    out_of = lcm(*(chance.denominator for _, chance in spread))
    return [(score, int(chance * out_of)) for score, chance in spread], out_of
