"""Throws against a factor: its parts, the chances and the dice (TA-H.5, TA-H.7)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Modifier, Step
from rules.core.throws import Distribution, dice_sum_distribution
from rules.core.wording import join_with_and
from rules.tanga.field import board_of
from rules.tanga.model import TangaState, TangaUnit

DIE_SIDES = 6
HITS = Cite(rule="TA-H.5", mark=Mark.HOUSE)
COVER = Cite(rule="TA-H.2", mark=Mark.HOUSE)
HIT_WORDS = ("no hit", "hit", "2 hits")
"""Words by number of hits."""


@dataclass(frozen=True)
class Factor:
    """The maximum score with which a throw of dice succeeds, as a sum of parts."""

    text: str
    start: int
    cite: Cite
    modifiers: tuple[Modifier, ...] = ()
    dice: int = 2
    double: int = 0
    """Maximum score of a throw that succeeds twice, such as two hits, if the factor is not lower."""

    @property
    def total(self) -> int:
        """Return the score that the dice must not exceed."""
        return self.start + int(sum(part.value for part in self.modifiers))

    @property
    def step(self) -> Step:
        """Return the report step with the factor's total and parts."""
        start, score = Fraction(self.start), Fraction(self.total)
        return Step(text=self.text, cite=self.cite, start=start, modifiers=self.modifiers, score=score)

    @property
    def distribution(self) -> Distribution:
        """Return the probability of each result: 0 fails, 1 succeeds, 2 succeeds twice."""
        shares = [Fraction(0)] * 3
        for score, chance in dice_sum_distribution(self.dice, DIE_SIDES):
            shares[self._count_successes(score)] += chance
        return tuple(enumerate(shares))

    @property
    def chance(self) -> Fraction:
        """Return the probability of success."""
        return 1 - self.distribution[0][1]

    def _count_successes(self, score: int) -> int:
        return 0 if score > self.total else 2 if score <= self.double else 1

    def throw(
        self, play: Play[TangaState], label: str, side: str, words: Sequence[str], hope: str, *, against: str = ""
    ) -> int:
        """Throw for a side, report the throw, and return its result: 0, 1 or 2 successes.

        The report reads `2D6 [3][4] = 7 against TCF 8: hit (72.2% to hit)`. `words` are the verdicts by result,
        `against` is the factor's name.
        """
        throw = play.throw(self.dice, DIE_SIDES, label, side=side)
        result, total = self._count_successes(throw.total), Fraction(throw.total)
        throw_step = Step(
            text=label,
            cite=self.cite,
            throws=(throw,),
            start=total,
            score=total,
            needed=f"against {against}{self.total}",
            against=Fraction(self.total),
            chance=self.chance,
            hope=hope,
            verdict=words[result],
        )
        play.say(self.step, throw_step)
        return result


def nonzero_modifiers(cite: Cite, *rows: tuple[int, str]) -> tuple[Modifier, ...]:
    """Return a modifier for each pair of value and reason whose value is not 0."""
    return tuple(Modifier(value=Fraction(value), reason=reason, cite=cite) for value, reason in rows if value)


def protection_modifiers(state: TangaState, hex_: Hex) -> tuple[Modifier, ...]:
    """Return the nonzero deductions from a factor for a hex's terrain and improved position (TA-H.2)."""
    terrain = board_of(state).terrain[hex_]
    bonus = state.options.improved_protection if hex_ in state.improved else 0
    return (
        *nonzero_modifiers(terrain.cite, (-terrain.protection, terrain.name)),
        *nonzero_modifiers(COVER, (-bonus, "improved position")),
    )


def full_names(units: Iterable[TangaUnit]) -> str:
    """Return the units' names, joined by commas and `and`."""
    return join_with_and(unit.name for unit in units)
