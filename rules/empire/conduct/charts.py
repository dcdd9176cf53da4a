"""The conduct charts: who reads which column, and what the words of a cell mean (BE-6)."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Literal

from pydantic import Field, model_validator

from rules.core.chart import Chart
from rules.core.model import Cite, Mark, Model
from rules.empire.model import Arm, Conduct, EmpireState, EmpireUnit, Nation, Weapon
from rules.empire.options import Theatre
from rules.empire.tables import TABLES, value

STEADY, SHAKEN = "steady", "shaken"


class Reader(Model):
    """The classes that read a column of a chart, in one theatre and state; where nations are named, of these alone."""

    theatre: Theatre
    state: Literal["steady", "shaken"]
    classes: tuple[Conduct, ...]
    nations: tuple[Nation, ...] = ()
    chart: str
    column: str
    mark: Mark = Mark.TEXT

    @property
    def table(self) -> Chart:
        """The chart itself. Raises KeyError."""
        return TABLES.charts[self.chart]

    @property
    def cite(self) -> Cite:
        """The rule of the chart, marked as a ruling where the source does not name the class."""
        return Cite(rule=self.table.rule, mark=self.mark)

    def read(self, score: int) -> "Result":
        """What a score reads in the column."""
        return results()[self.table.read(score, self.column)]


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


class _Readers(Model):
    listed: tuple[Reader, ...] = Field(alias="reader")


class _Results(Model):
    listed: tuple[Result, ...] = Field(alias="result")


ByWhom = Mapping[tuple[Theatre, str, Conduct], Reader]


def load_readers(text: str) -> ByWhom:
    """The readers of a TOML text. Raises ValueError where one is given twice, is missing, or reads no such column."""
    found: dict[tuple[Theatre, str, Conduct], Reader] = {}
    for reader in _Readers.model_validate(tomllib.loads(text)).listed:
        if reader.chart not in TABLES.charts or reader.column not in reader.table.columns:
            raise ValueError(f"conduct_columns.toml: there is no column {reader.column!r} in {reader.chart!r}")
        for who in ((reader.theatre, reader.state, conduct) for conduct in reader.classes):
            if who in found:
                raise ValueError(f"conduct_columns.toml: {', '.join(who)} reads two columns")
            found[who] = reader
    for state, conduct in product((STEADY, SHAKEN), Conduct):
        if (Theatre.ALL_TYPES, state, conduct) not in found:
            raise ValueError(f"conduct_columns.toml: {conduct}, {state}, reads no column of the charts of all types")
    read = {(reader.chart, reader.column) for reader in found.values()}
    unread = {(chart.id, column) for chart in charts_of(found) for column in chart.columns} - read
    if unread:
        raise ValueError(f"conduct_columns.toml: nobody reads {sorted(unread)}")
    return found


def charts_of(by_whom: ByWhom) -> Iterable[Chart]:
    """Every chart that somebody reads, once."""
    return {reader.chart: reader.table for reader in by_whom.values()}.values()


def load_results(text: str) -> Mapping[str, Result]:
    """The results of a TOML text by their words. Raises ValueError unless it has those of the charts, each once."""
    listed = _Results.model_validate(tomllib.loads(text)).listed
    words = [result.words for result in listed]
    printed = {cell.text for chart in charts_of(readers()) for row in chart.rows for cell in row.cells}
    amiss = {
        "given twice": {each for each in words if words.count(each) > 1},
        "in no chart": {*words} - printed,
        "missing": printed - {*words},
    }
    for what, which in amiss.items():
        if which:
            raise ValueError(f"conduct_results.toml, {what}: {sorted(which)}")
    return dict(zip(words, listed, strict=True))


def _data(name: str) -> str:
    return (files("rules.empire") / "data" / name).read_text(encoding="utf-8")


@cache
def readers() -> ByWhom:
    """Who reads which column, by theatre, state and class."""
    return load_readers(_data("conduct_columns.toml"))


@cache
def results() -> Mapping[str, Result]:
    """The results of every conduct chart by their words."""
    return load_results(_data("conduct_results.toml"))


def reader_of(state: EmpireState, unit: EmpireUnit) -> Reader:
    """What the unit reads: its theatre's chart where that names it, else the one of all types (BE-6a, ruling)."""
    options, steadiness = state.options, SHAKEN if unit.shaken else STEADY
    of_all = readers()[Theatre.ALL_TYPES, steadiness, unit.conduct]
    if options.theatre is Theatre.ALL_TYPES:
        return of_all
    own = readers().get((options.theatre, steadiness, unit.conduct)) if options.theatre_charts_win else None
    if own is not None and (not own.nations or unit.nation in own.nations or not options.theatre_names_nations):
        return own
    return of_all.model_copy(update={"mark": Mark.RULING})


def gun_move(unit: EmpireUnit) -> int:
    """Inches of a crew's full move, limbered or not: it needs no test while it is steady (BE-6)."""
    on_mules = unit.weapon in (Weapon.MOUNTAIN_GUN, Weapon.MAXIM)
    row = "mountain guns and Maxims" if on_mules else "guns and carriage machine guns"
    return value("gun-moves", row, "limbered" if unit.limbered else "unlimbered")
