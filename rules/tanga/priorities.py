"""The card's priority charts: rows that exclude hexes, one after the other, until one hex is left (TA-0.3)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Self

from pydantic import model_validator

from rules.core.chart import Cell, Chart, Row
from rules.core.hexboard.hexes import Hex
from rules.core.model import CitedModel, Model

from .model import Kind
from .progress import RowEffect

NOBODY_PASSES = "nobody passes it"
ALL = "all"


class WantedValue(StrEnum):
    """Value that keeps a hex on a chart row: true, false, the least or the greatest."""

    YES = "yes"
    NO = "no"
    LEAST = "least"
    MOST = "most"


class Measure(StrEnum):
    """Property of a hex that a chart row compares. The code that decides gives a function for each measure."""

    MACHINE_GUN = "machine gun"
    COMBAT_FACTOR = "combat factor"
    BLACK_POWDER = "black powder"
    PROTECTION = "protection"
    COST = "cost"
    UNDER_FIRE = "under opportunity fire"
    FROM_ENEMY = "distance to the enemy"
    WAY = "way"
    NUMBER = "hex number"
    COMPANY_HOLDS = "company's victory hex"
    STAFF_HOLDS = "staff's beach hex"
    GERMANS_NEAR_BEACH = "Germans near a beach"
    BEACH = "beach"
    EMBANKMENT = "embankment"
    EUROPEAN_TOWN = "european town"
    KEY_BUILDING = "key building"


class TargetPurpose(StrEnum):
    """Purpose for which a target is chosen."""

    FIRE = "fire"
    MELEE = "melee"


Measures = Mapping[Measure, Callable[[Hex], Any]]
"""A function for each measure, which returns a hex's value: a bool for rows that want yes or no, else sortable."""


class Situation(Model):
    """Situation of the units for which a chart decides."""

    doing: TargetPurpose | None = None
    kind: Kind | None = None
    letters: frozenset[str] = frozenset()
    """Letters of the stack's companies."""
    objectives: frozenset[str] = frozenset()
    """Kinds of victory hexes that count in this game."""
    landed: bool = False
    """Whether the battalion has landed, but has not taken its entry hex."""


ANY_SITUATION = Situation()


class CardRow(CitedModel):
    """Row of a priority chart, which keeps some candidate hexes and excludes the others."""

    row: str
    words: str
    measure: Measure
    wants: WantedValue
    alternative: bool = False
    """Whether the row is one of the chart's alternatives. Only the first alternative that keeps a hex applies."""
    doing: TargetPurpose | None = None
    kind: Kind | None = None
    letters: tuple[str, ...] = ()
    scenarios: str = ""
    """The card's scenarios in which hexes of this kind are victory hexes, in words."""
    from_landing: bool = False
    """Whether the row applies before the entry hex is taken (TA-9.B)."""
    one: bool = False
    """Whether one held hex is enough: skip the row while other British hold one of its hexes (TA-9.B)."""
    builds: bool = False
    """Whether a stack that stays by this row builds an improved position (TA-9.B)."""

    def why_skipped(self, situation: Situation) -> str:
        """Return the reason why the row does not apply to the situation; empty if it applies."""
        if self.doing not in (None, situation.doing):
            return f"for {self.doing} only"
        if self.kind not in (None, situation.kind):
            return f"for a {self.kind} only"
        if self.letters and not (situation.letters and situation.letters <= set(self.letters)):
            return f"for companies {' and '.join(self.letters)} only"
        if self.scenarios and self.measure not in situation.objectives:
            return "no victory hexes of this scenario"
        return "the entry hex is not taken yet" if situation.landed and not self.from_landing else ""

    @property
    def scope(self) -> str:
        """Return what the row is limited to, in the card's words: `scenario 1, 2, 3`. Empty for an unlimited row."""
        letters = f"companies {' and '.join(self.letters)}" if self.letters else ""
        return self.doing or self.kind or letters or self.scenarios

    def candidates_left(self, candidates: Sequence[Hex], measure: Callable[[Hex], Any]) -> list[Hex]:
        """Return the candidates that the row keeps, by `measure`."""
        pairs = [(measure(hex_), hex_) for hex_ in candidates]
        if self.wants in (WantedValue.YES, WantedValue.NO):
            return [hex_ for value, hex_ in pairs if bool(value) is (self.wants is WantedValue.YES)]
        best = (min if self.wants is WantedValue.LEAST else max)(value for value, _ in pairs)
        return [hex_ for value, hex_ in pairs if value == best]


class CardChart(CitedModel):
    """A priority chart of the card. Its last row, by hex number, distinguishes any two hexes (TA-0.3)."""

    id: str
    title: str
    note: str = ""
    rows: tuple[CardRow, ...]

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        if not self.rows or self.rows[-1].measure != Measure.NUMBER:
            raise ValueError(f"chart {self.id}: its last row must be by the {Measure.NUMBER}, or candidates could tie")
        if len({row.row for row in self.rows}) < len(self.rows):
            raise ValueError(f"chart {self.id}: a row appears twice")
        return self

    def printed_table(self) -> Chart:
        """Return the priority chart as a printed table."""
        rows = tuple(
            Row(label=row.row, rule=row.rule, mark=row.mark, cells=(Cell(text=row.words), Cell(text=row.scope or ALL)))
            for row in self.rows
        )
        fields = self.model_dump(include={"id", "title", "rule", "mark", "note"})
        return Chart(head="Row", columns=("hex", "for"), rows=rows, **fields)


def apply_chart(
    chart: CardChart, candidates: Iterable[Hex], measures: Measures, situation: Situation = ANY_SITUATION
) -> tuple[Hex | None, tuple[RowEffect, ...]]:
    """Apply a chart's rows until one candidate remains. Return this candidate, or None, and what each row did.

    Rows that do not apply in `situation`, or would exclude all candidates, are skipped. Raises KeyError if `measures`
    lacks a row's measure.
    """
    remaining = sorted(set(candidates))
    trace: list[RowEffect] = []

    def add_effect(row: CardRow, out: tuple[Hex, ...] = (), skipped: str = "") -> None:
        trace.append(RowEffect(row=row.row, text=row.words, cite=row.cite, out=out, skipped=skipped))

    open_alternatives = any(row.alternative for row in chart.rows)
    for row in chart.rows if remaining else ():
        if row.alternative and not open_alternatives:
            continue
        if len(remaining) == 1 and not open_alternatives:
            break
        if unfit := row.why_skipped(situation):
            add_effect(row, skipped=unfit)
        elif survivors := row.candidates_left(remaining, measures[row.measure]):
            add_effect(row, out=tuple(hex_ for hex_ in remaining if hex_ not in survivors))
            open_alternatives = open_alternatives and not row.alternative
            remaining = survivors
        else:
            add_effect(row, skipped=NOBODY_PASSES)
    return (remaining[0] if remaining else None), tuple(trace)
