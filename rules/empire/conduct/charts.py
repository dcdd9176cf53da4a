"""The conduct charts: who reads which column, and what the words of a cell mean (BE-6)."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from rules.core.chart import Chart
from rules.core.data_files import read_as
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
    """A result in the words of the chart: a move in inches, by which the shaken rally, a recoil, or neither: a hold."""

    words: str
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

    @property
    def moves(self) -> bool:
        """Whether it gives a move, be it of no inches: the unit is steady, or rallies."""
        return self.foot is not None

    def inches(self, unit: EmpireUnit) -> int:
        """How far it lets that unit move; a crew as far as ever, and nobody who has no move."""
        if unit.is_crew:
            return gun_move(unit) if self.moves else 0
        return (self.mounted if unit.arm is Arm.MOUNTED else self.foot) or 0


class _File(Model):
    reader: tuple[Reader, ...] = ()
    result: tuple[Result, ...] = ()


@cache
def readers() -> Mapping[tuple[Theatre, str, Conduct], Reader]:
    """Who reads which column, by theatre, state and class."""
    listed = read_as(_File, "rules.empire", "conduct_columns.toml").reader
    return {(each.theatre, each.state, conduct): each for each in listed for conduct in each.classes}


@cache
def results() -> Mapping[str, Result]:
    """The results of every conduct chart by their words."""
    return {each.words: each for each in read_as(_File, "rules.empire", "conduct_results.toml").result}


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
