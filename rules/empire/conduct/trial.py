"""A conduct roll: the same object throws it and reckons its exact chances (BE-6)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from rules.core.dice import Dice
from rules.core.report import Modifier, Step
from rules.empire.model import EmpireState, EmpireUnit

from .modifiers import modifiers
from .readers import Reader, reader_of
from .results import Result, results

SIDES = 6


@dataclass(frozen=True)
class Reading:
    """A result with the scores that read it and its exact chance."""

    scores: str
    result: Result
    chance: Fraction


@dataclass(frozen=True)
class Trial:
    """A D6 with its modifiers, read on a column of a chart."""

    unit: EmpireUnit
    reader: Reader
    modifiers: tuple[Modifier, ...]

    def score(self, natural: int) -> int:
        """The roll, modified."""
        return natural + int(sum(modifier.value for modifier in self.modifiers))

    def result(self, score: int) -> Result:
        """What a score reads."""
        chart = self.reader.table
        return results()[chart.cell(chart.band(score), self.reader.column).text]

    @property
    def spread(self) -> tuple[tuple[int, Fraction], ...]:
        """Every score that can come, with its chance."""
        return tuple((self.score(natural), Fraction(1, SIDES)) for natural in range(1, SIDES + 1))

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Each distinct result of the column from top to bottom, also those that cannot come."""
        chart = self.reader.table
        alike = groupby(chart.rows, key=lambda row: chart.cell(row, self.reader.column).text)
        return tuple(self._reading(words, " and ".join(row.label for row in rows)) for words, rows in alike)

    def _reading(self, words: str, scores: str) -> Reading:
        chance = sum((share for score, share in self.spread if self.result(score).words == words), Fraction(0))
        return Reading(scores, results()[words], chance)

    def throw(self, dice: Dice) -> tuple[int, Result, tuple[Step, ...]]:
        """Throws it: the score, what it reads, and the steps that show both with every chance."""
        thrown = dice.throw(1, SIDES, f"{self.unit.name}: conduct", side=self.unit.side)
        score = self.score(thrown.total)
        result = self.result(score)
        sum_ = {"throws": (thrown,), "start": Fraction(thrown.total), "score": Fraction(score)}
        return score, result, (self.step.model_copy(update=sum_), *self.steps(result))

    @property
    def step(self) -> Step:
        """The sum before it is thrown."""
        title = f"{self.reader.table.title}, {self.reader.column}"
        return Step(text=title, cite=self.reader.cite, modifiers=self.modifiers)

    def steps(self, read: Result | None = None) -> Iterable[Step]:
        """A line for each distinct result with its chance; the one that was read is marked."""
        for reading in self.readings:
            yield Step(
                text=f"Score {reading.scores}: {reading.result.words}",
                cite=self.reader.cite,
                chance=reading.chance,
                verdict="this is read" if reading.result == read else "",
            )


def trial(state: EmpireState, unit: EmpireUnit, said: Iterable[str] = ()) -> Trial:
    """The roll of a unit as it stands, with what is said of the moment."""
    return Trial(unit, reader_of(state, unit), modifiers(state, unit, said))
