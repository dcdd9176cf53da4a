"""Whither a stack goes: its formation's entry hex first, then an objective (TA-9.A, TA-9.B)."""

from collections.abc import Sequence

from rules.core.automaton.decisions import settled_by
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.ways import way_between
from rules.core.model import Cite
from rules.tanga.charts import Measure, Measures, Situation, priority, weigh
from rules.tanga.decisions import Decision, Question, RowOut
from rules.tanga.field import board_of
from rules.tanga.model import Arm, Formation, Kind, TangaState, TangaUnit
from rules.tanga.ways.prohibited import open_to

from .goals import goals, keeper

__all__ = ["builds", "keeper", "objective"]

CHART = "objective"
ENTRY = Cite(rule="TA-9.A")
OBJECTIVE = Cite(rule="TA-9.B")


def objective(state: TangaState, units: Sequence[TangaUnit]) -> Decision:
    """The hex a stack goes for; its own where it stays. `chosen` is None where it has nothing to go for.

    A battalion goes for its entry hex until the British have entered it; only companies G and H, and staffs, choose
    before that (TA-9.B). With the company that keeps a victory hex among them, the decision is that company's.
    """
    formation = state.formation(units[0].formation)
    situation = Situation(
        kind=formation.kind,
        letters=frozenset(unit.letter for unit in units if unit.arm is Arm.INFANTRY),
        objectives=frozenset(state.objectives),
        landed=formation.kind is Kind.BATTALION and not formation.entered,
    )
    hexes = goals(state, units, priority(CHART), situation)
    candidates = tuple(sorted({hex_ for found in hexes.values() for hex_ in found}))
    if not candidates:
        return _entry(state, units, formation) if situation.landed else _told(units, None, "no objective is left to it")
    here, open_ = units[0].at, open_to(state, units)
    assert here is not None
    measures: Measures = {
        **{measure: found.__contains__ for measure, found in hexes.items()},
        Measure.WAY: lambda hex_: _way(here, hex_, open_),
        Measure.NUMBER: lambda hex_: hex_,
    }
    chosen, rows = weigh(priority(CHART), candidates, measures, situation)
    assert chosen is not None
    title, taken = board_of(state).title(chosen), _taken(rows)
    decision = _told(units, chosen, f"{title}: row {taken.row}, {taken.text}; {settled_by(rows)}")
    if hexes.get(Measure.COMPANY_HOLDS) and (stays := keeper(state, here)):
        built = "its improved position stands" if here in state.improved else f"row {taken.row}, {taken.text}"
        decision = _told((stays,), chosen, f"{stays.name} keeps {title}: {built}")
    return decision.model_copy(update={"candidates": candidates, "rows": rows})


def builds(decision: Decision) -> bool:
    """Whether it stays by a row that has it build an improved position, once, where it is (TA-9.B rows 1 and 2)."""
    building = {row.row for row in priority(CHART).rows if row.builds}
    return decision.chart == CHART and any(not row.skipped and row.row in building for row in decision.rows)


def _taken(rows: Sequence[RowOut]) -> RowOut:
    """The row whose hexes were taken: the first that was not skipped."""
    return next(row for row in rows if not row.skipped)


def _way(here: Hex, there: Hex, open_: frozenset[Hex]) -> tuple[bool, int]:
    """Hexes of the shortest way; behind all that have one, those that no legitimate path leads to, by distance."""
    length = way_between(here, there, open_)
    return (True, here.distance(there)) if length is None else (False, length)


def _entry(state: TangaState, units: Sequence[TangaUnit], formation: Formation) -> Decision:
    """The entry hex comes before every objective (TA-9.A)."""
    if formation.entry is None:
        return _told(units, None, f"{formation.name} has no entry hex yet", ENTRY)
    why = f"{board_of(state).title(formation.entry)}: {formation.name} takes its entry hex before any objective"
    return _told(units, formation.entry, why, ENTRY).model_copy(update={"candidates": (formation.entry,)})


def _told(units: Sequence[TangaUnit], chosen: Hex | None, why: str, cite: Cite = OBJECTIVE) -> Decision:
    return Decision(
        question=Question.OBJECTIVE,
        chart=CHART if cite is OBJECTIVE else "",
        units=tuple(unit.id for unit in units),
        candidates=(),
        chosen=chosen,
        why=why,
        cite=cite,
    )
