"""Kinds of throws. Each class evaluates thrown dice and computes exact chances, so that the two cannot differ."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, lcm

from .dice import Throw
from .report import Modifier

Distribution = tuple[tuple[int, Fraction], ...]
"""Pairs of a score (or number of hits) and its exact chance, lowest score first; the chances add up to 1."""


def chance_of_at_least(distribution: Distribution, least: int) -> Fraction:
    """Return the total chance of scores from `least` upwards."""
    return sum((chance for score, chance in distribution if score >= least), Fraction(0))


@lru_cache(maxsize=256)
def dice_sum_distribution(dice: int, sides: int) -> Distribution:
    """Return the distribution of the sum of `dice` dice of `sides` sides."""
    die = tuple((face, Fraction(1, sides)) for face in range(1, sides + 1))
    return sum_distribution(*[die] * dice)


@lru_cache(maxsize=1024)
def _chance_of_sum_from(dice: int, sides: int, least: int) -> Fraction:
    return chance_of_at_least(dice_sum_distribution(dice, sides), least)


@dataclass(frozen=True)
class ScoreThrow:
    """A throw that passes with an adjusted sum of `needed` or more, or with an unadjusted sum of `always` or more."""

    dice: int
    sides: int
    needed: int
    modifiers: tuple[Modifier, ...] = ()
    always: int | None = None

    @cached_property
    def adjustment(self) -> int:
        """Return the sum of all modifiers."""
        return int(sum((modifier.value for modifier in self.modifiers), Fraction(0)))

    @property
    def distribution(self) -> Distribution:
        """Return the chance of each adjusted score."""
        sums = dice_sum_distribution(self.dice, self.sides)
        return tuple((total + self.adjustment, chance) for total, chance in sums)

    @property
    def chance(self) -> Fraction:
        """Return the chance to pass."""
        return _chance_of_sum_from(self.dice, self.sides, self.least - self.adjustment)

    @property
    def least(self) -> int:
        """Return the lowest adjusted score that passes, even if no dice give it."""
        return self.needed if self.always is None else min(self.needed, self.always + self.adjustment)

    @property
    def pass_from(self) -> int | None:
        """Return the lowest passing score that the dice can give, or None."""
        return next((score for score, _ in self.distribution if score >= self.least), None)

    def score(self, throw: Throw) -> int:
        """Return the adjusted score of `throw`."""
        return throw.total + self.adjustment

    def passes(self, throw: Throw) -> bool:
        """Whether `throw` passes."""
        return self.score(throw) >= self.least

    def passes_unadjusted(self, throw: Throw) -> bool:
        """Whether `throw` passes only because its unadjusted sum reaches `always`."""
        return self.passes(throw) and self.score(throw) < self.needed


@dataclass(frozen=True)
class Volley:
    """Dice thrown together; each die hits by itself if it shows at least `needed`."""

    dice: int
    sides: int
    needed: int

    @property
    def chance_per_die(self) -> Fraction:
        """Return the chance that one die hits."""
        return Fraction(min(max(self.sides + 1 - self.needed, 0), self.sides), self.sides)

    @property
    def distribution(self) -> Distribution:
        """Return the distribution of hits."""
        hit = self.chance_per_die
        shares = (comb(self.dice, n) * hit**n * (1 - hit) ** (self.dice - n) for n in range(self.dice + 1))
        return tuple((n, share) for n, share in enumerate(shares) if share)

    @property
    def chance(self) -> Fraction:
        """Return the chance that at least one die hits."""
        return 1 - (1 - self.chance_per_die) ** self.dice

    def count_hits(self, throw: Throw) -> int:
        """Return the number of hits in `throw`."""
        return sum(face >= self.needed for face in throw.dice)


def difference_distribution(ours: Distribution, theirs: Distribution) -> Distribution:
    """Return the distribution of a score of `ours` minus an independent score of `theirs`."""
    return sum_distribution(ours, tuple((-score, chance) for score, chance in theirs))


def sum_distribution(*distributions: Distribution) -> Distribution:
    """Return the distribution of the sum of independent scores, one from each of `distributions`."""
    counts, out_of = Counter({0: 1}), 1
    for distribution in distributions:
        ways, of = _combinations_by_score(distribution)
        further: Counter[int] = Counter()
        for score, number in counts.items():
            for addend, times in ways:
                further[score + addend] += number * times
        counts, out_of = further, out_of * of
    return tuple((score, Fraction(number, out_of)) for score, number in sorted(counts.items()))


def _combinations_by_score(distribution: Distribution) -> tuple[list[tuple[int, int]], int]:
    """Return the number of equally likely combinations for each score, and the number of all combinations."""
    out_of = lcm(*(chance.denominator for _, chance in distribution))
    return [(score, int(chance * out_of)) for score, chance in distribution], out_of
