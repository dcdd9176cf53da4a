"""Dice against a factor: what it is made of, its chances and the throw, of one description (TA-H.5, TA-H.7)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Modifier, Step
from rules.core.throws import Spread, sums
from rules.core.wording import in_a_row
from rules.tanga.field import board_of
from rules.tanga.model import TangaState, TangaUnit

SIDES = 6
HITS = Cite(rule="TA-H.5", mark=Mark.HOUSE)
COVER = Cite(rule="TA-H.2", mark=Mark.HOUSE)
HIT_WORDS = ("no hit", "hit", "2 hits")
"""By number of hits."""


@dataclass(frozen=True)
class Factor:
    """What dice must not exceed, with all that went into it; `total` may fall below 0, and then nothing does it."""

    text: str
    start: int
    cite: Cite
    modifiers: tuple[Modifier, ...] = ()
    dice: int = 2
    double: int = 0
    """Dice at or under it do so twice, where they do not exceed the factor."""

    @property
    def total(self) -> int:
        """What the dice are compared with."""
        return self.start + int(sum(part.value for part in self.modifiers))

    @property
    def step(self) -> Step:
        """The sum, part by part."""
        start, score = Fraction(self.start), Fraction(self.total)
        return Step(text=self.text, cite=self.cite, start=start, modifiers=self.modifiers, score=score)

    @property
    def spread(self) -> Spread:
        """The chance of each result: 0 for too much, 1, or 2 for so little that it counts twice."""
        found = [Fraction(0)] * 3
        for thrown, chance in sums(self.dice, SIDES):
            found[self._result(thrown)] += chance
        return tuple(enumerate(found))

    @property
    def chance(self) -> Fraction:
        """The chance not to exceed it."""
        return 1 - self.spread[0][1]

    def _result(self, thrown: int) -> int:
        return 0 if thrown > self.total else 2 if thrown <= self.double else 1

    def throw(
        self, play: Play[TangaState], label: str, side: str, words: Sequence[str], hope: str, *, against: str = ""
    ) -> int:
        """A side's throw after what it is against: `2D6 [3][4] = 7 against TCF 8: hit (72.2% to hit)`. The result.

        `words` has the verdict of each result; `against` says what the factor is, where that is more than a number.
        """
        throw = play.throw(self.dice, SIDES, label, side=side)
        result, total = self._result(throw.total), Fraction(throw.total)
        thrown = Step(
            text=label,
            cite=self.cite,
            throws=(throw,),
            start=total,
            score=total,
            needed=f"against {against}{self.total}",
            chance=self.chance,
            hope=hope,
            verdict=words[result],
        )
        play.say(self.step, thrown)
        return result


def weighed(cite: Cite, *rows: tuple[int, str]) -> tuple[Modifier, ...]:
    """A modifier for each value with its reason; none of 0."""
    return tuple(Modifier(value=Fraction(value), reason=reason, cite=cite) for value, reason in rows if value)


def cover(state: TangaState, hex_: Hex) -> tuple[Modifier, ...]:
    """What the terrain of a hex and an improved position in it take off, each by itself; none of nothing (TA-H.2)."""
    terrain = board_of(state).terrain[hex_]
    bonus = state.options.improved_protection if hex_ in state.improved else 0
    return (*weighed(terrain.cite, (-terrain.protection, terrain.name)), *weighed(COVER, (-bonus, "improved position")))


def named(units: Iterable[TangaUnit]) -> str:
    """Their names in a row."""
    return in_a_row(unit.name for unit in units)


def strike(play: Play[TangaState], factor: Factor, who: str, called: str, side: str) -> int:
    """A side throws 2D6 at a factor; returns the hits."""
    return factor.throw(play, who, side, HIT_WORDS, "to hit", against=f"{called} ")
