"""Who reads which column of which conduct chart: by theatre, state and class (BE-6)."""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import product

from pydantic import Field

from rules.core.chart import Chart
from rules.core.model import Cite, Mark, Model
from rules.empire.model import Conduct, EmpireState, EmpireUnit, Nation
from rules.empire.options import Theatre
from rules.empire.tables import TABLES


class Steadiness(StrEnum):
    """In which of its two states a unit tests."""

    STEADY = "steady"
    SHAKEN = "shaken"


class Reader(Model):
    """The classes that read a column of a chart, in one theatre and state; where nations are named, of these alone."""

    theatre: Theatre
    state: Steadiness
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

    def names(self, unit: EmpireUnit) -> bool:
        """Whether the heading of the chart names the unit's nation, or no nation at all."""
        return not self.nations or unit.nation in self.nations


class _Readers(Model):
    readers: tuple[Reader, ...] = Field(alias="reader")


ByWhom = Mapping[tuple[Theatre, Steadiness, Conduct], Reader]


def load_readers(text: str) -> ByWhom:
    """The readers of a TOML text. Raises ValueError where one is given twice, is missing, or reads no such column."""
    found: dict[tuple[Theatre, Steadiness, Conduct], Reader] = {}
    for reader in _Readers.model_validate(tomllib.loads(text)).readers:
        if reader.chart not in TABLES.charts or reader.column not in reader.table.columns:
            raise ValueError(f"conduct_columns.toml: there is no column {reader.column!r} in {reader.chart!r}")
        for conduct in reader.classes:
            who = (reader.theatre, reader.state, conduct)
            if who in found:
                raise ValueError(f"conduct_columns.toml: {', '.join(who)} reads two columns")
            found[who] = reader
    for state, conduct in product(Steadiness, Conduct):
        if (Theatre.ALL_TYPES, state, conduct) not in found:
            raise ValueError(f"conduct_columns.toml: {conduct}, {state}, reads no column of the charts of all types")
    unread = {(chart.id, column) for chart in charts_of(found) for column in chart.columns}
    unread -= {(reader.chart, reader.column) for reader in found.values()}
    if unread:
        raise ValueError(f"conduct_columns.toml: nobody reads {sorted(unread)}")
    return found


def charts_of(by_whom: ByWhom) -> tuple[Chart, ...]:
    """Every chart that somebody reads, once."""
    return tuple({reader.chart: reader.table for reader in by_whom.values()}.values())


@cache
def readers() -> ByWhom:
    """The readers of the game."""
    return load_readers((files("rules.empire") / "data" / "conduct_columns.toml").read_text(encoding="utf-8"))


def steadiness(unit: EmpireUnit) -> Steadiness:
    """Steady or shaken."""
    return Steadiness.SHAKEN if unit.shaken else Steadiness.STEADY


def reader_of(state: EmpireState, unit: EmpireUnit) -> Reader:
    """What the unit reads: its theatre's chart where that names it, else the one of all types (BE-6a, ruling)."""
    options = state.options
    of_all = readers()[Theatre.ALL_TYPES, steadiness(unit), unit.conduct]
    if options.theatre is Theatre.ALL_TYPES:
        return of_all
    in_theatre = readers().get((options.theatre, steadiness(unit), unit.conduct))
    if in_theatre is None or not options.theatre_charts_win:
        return _by_ruling(of_all)
    named = in_theatre.names(unit) or not options.theatre_names_nations
    return in_theatre if named else _by_ruling(of_all)


def _by_ruling(reader: Reader) -> Reader:
    return reader.model_copy(update={"mark": Mark.RULING})
