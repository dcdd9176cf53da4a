"""What the words of a conduct chart's cell mean (BE-6)."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import groupby

from pydantic import Field, model_validator

from rules.core.chart import Chart
from rules.core.model import Model
from rules.core.throws import Spread
from rules.empire.model import Arm, Conduct, EmpireUnit, Weapon
from rules.empire.tables import value

from .readers import Reader, charts_of, readers

ON_MULES = (Weapon.MOUNTAIN_GUN, Weapon.MAXIM)


class Result(Model):
    """A result in the words of the chart: a move in inches, with or without a rally, or what befalls the shaken."""

    words: str
    rally: bool = False
    hold: bool = False
    recoil: bool = False
    destroyed: bool = False
    foot: int | None = None
    mounted: int | None = None
    free_change: bool = False
    """No penalty for changing formation or facing."""
    fanatic: tuple[Conduct, ...] = ()
    """Classes that are in fanatic charge by it."""
    free_mounting: tuple[Conduct, ...] = ()
    """Classes that mount or dismount without penalty by it."""

    @model_validator(mode="after")
    def _says_one_thing(self) -> "Result":
        moves = self.foot is not None and self.mounted is not None
        if (self.foot is None) is not (self.mounted is None) or [moves, self.hold, self.recoil].count(True) != 1:
            raise ValueError(f"{self.words!r} is one of three: a move of foot and mounted, a hold, or a recoil")
        if (self.rally and not moves) or (self.destroyed and not self.recoil):
            raise ValueError(f"{self.words!r}: who rallies has a move, and the destroyed recoil")
        return self

    @property
    def moves(self) -> bool:
        """Whether it gives a move, be it of no inches: the unit is steady, or rallies."""
        return self.foot is not None

    def inches(self, unit: EmpireUnit) -> int:
        """How far it lets that unit move; a crew as far as ever, and nobody who has no move."""
        if unit.is_crew:
            return gun_move(unit) if self.moves else 0
        return (self.mounted if unit.arm is Arm.MOUNTED else self.foot) or 0


def gun_move(unit: EmpireUnit) -> int:
    """Inches of a crew's full move, limbered or not: it needs no test while it is steady (BE-6)."""
    row = "mountain guns and Maxims" if unit.weapon in ON_MULES else "guns and carriage machine guns"
    return value("gun-moves", row, "limbered" if unit.limbered else "unlimbered")


class _Results(Model):
    results: tuple[Result, ...] = Field(alias="result")


def load_results(text: str, charts: Iterable[Chart]) -> Mapping[str, Result]:
    """The results of a TOML text by their words. Raises ValueError unless it has those of the charts, each once."""
    listed = _Results.model_validate(tomllib.loads(text)).results
    found = {result.words: result for result in listed}
    printed = {cell.text for chart in charts for row in chart.rows for cell in row.cells}
    amiss = {
        "given twice": {each.words for each in listed if listed.count(each) > 1 or found[each.words] != each},
        "in no chart": found.keys() - printed,
        "missing": printed - found.keys(),
    }
    for what, words in amiss.items():
        if words:
            raise ValueError(f"conduct_results.toml, {what}: {sorted(words)}")
    return found


@cache
def results() -> Mapping[str, Result]:
    """The results of every conduct chart by their words."""
    text = (files("rules.empire") / "data" / "conduct_results.toml").read_text(encoding="utf-8")
    return load_results(text, charts_of(readers()))


def read(reader: Reader, score: int) -> Result:
    """What a score reads on that column of its chart."""
    chart = reader.table
    return results()[chart.cell(chart.band(score), reader.column).text]


@dataclass(frozen=True)
class Reading:
    """A result with the scores that read it and its exact chance."""

    scores: str
    result: Result
    chance: Fraction


def readings(reader: Reader, spread: Spread) -> Iterable[Reading]:
    """Each distinct result of the column from top to bottom, also those that cannot come."""
    chart = reader.table
    for words, rows in groupby(chart.rows, key=lambda row: chart.cell(row, reader.column).text):
        chance = sum((share for score, share in spread if read(reader, score).words == words), Fraction(0))
        yield Reading(" and ".join(row.label for row in rows), results()[words], chance)
