"""A test against a score: the same object throws it and reckons its exact chance (MM-4.6, MM-5, MM-6)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from types import MappingProxyType

from rules.core.dice import Dice
from rules.core.model import Cite, Model, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.report import Modifier, Step
from rules.magdala.tables import SIDES


@cache
def totals(dice: int) -> Mapping[int, Fraction]:
    """The exact chance of every total of so many six-sided dice."""
    found: dict[int, Fraction] = {}
    for faces in product(range(1, SIDES + 1), repeat=dice):
        found[sum(faces)] = found.get(sum(faces), Fraction(0)) + Fraction(1, SIDES**dice)
    return MappingProxyType(found)


class Trial(Model):
    """`dice` D6 with their modifiers pass on a score of `needs` or more, or a roll of `always` before adjustment."""

    text: str
    cite: Cite
    dice: int
    modifiers: tuple[Modifier, ...]
    needs: int
    always: int | None = None
    against: str
    hope: str
    passed: str
    failed: str

    def score(self, natural: int) -> Fraction:
        """The roll, adjusted."""
        return natural + sum((modifier.value for modifier in self.modifiers), Fraction(0))

    def saved(self, natural: int) -> bool:
        """Whether the roll passes only because it always does (MM-5.5)."""
        return self.always is not None and natural >= self.always and self.score(natural) < self.needs

    def passes(self, natural: int) -> bool:
        """Whether that roll passes."""
        return self.score(natural) >= self.needs or self.saved(natural)

    @property
    def chance(self) -> Fraction:
        """The exact chance to pass."""
        return sum((chance for natural, chance in totals(self.dice).items() if self.passes(natural)), Fraction(0))

    def throw(self, dice: Dice, side: Viewer) -> tuple[bool, Step]:
        """Throws it for a side: whether it passed, and the sum."""
        thrown = dice.throw(self.dice, SIDES, self.text, side=side)
        passed = self.passes(thrown.total)
        verdict = self.passed if passed else self.failed
        if self.saved(thrown.total) and not any(modifier.secret for modifier in self.modifiers):
            verdict += f", as a roll of {self.always} or more always does"
        sum_ = {"throws": (thrown,), "start": Fraction(thrown.total), "score": self.score(thrown.total)}
        return passed, self._step.model_copy(update={**sum_, "verdict": verdict})

    def odds(self) -> Odds:
        """The chances, with the spread of the adjusted score."""
        good = [self.score(natural) for natural in totals(self.dice) if self.passes(natural)]
        return Odds(
            question=self.text,
            steps=(self._step,),
            outcomes=(
                Outcome(label=self.passed, chance=self.chance, good=True),
                Outcome(label=self.failed, chance=1 - self.chance, good=False),
            ),
            spread=tuple((int(self.score(natural)), chance) for natural, chance in sorted(totals(self.dice).items())),
            spread_of="score",
            pass_from=int(min(good)) if good else None,
        )

    @property
    def _step(self) -> Step:
        return Step(
            text=self.text,
            cite=self.cite,
            modifiers=self.modifiers,
            needed=self.against,
            chance=self.chance,
            hope=self.hope,
        )
