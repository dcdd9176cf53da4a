"""The hexes that each row of the Objective chart has for a stack (TA-9.B rows 1 to 7)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from rules.core.hexboard.hexes import Hex
from rules.tanga.charts import CardChart, Measure, Situation
from rules.tanga.field import acting_order, barred_by, board_of, hexes_of, units_at
from rules.tanga.model import BRITISH, GERMAN, Arm, TangaState, TangaUnit
from rules.tanga.ways.prohibited import may_stay


def goals(
    state: TangaState, units: Sequence[TangaUnit], chart: CardChart, situation: Situation
) -> Mapping[Measure, frozenset[Hex]]:
    """The hexes of each row that applies; without those where there is no room among friends (TA-9.5)."""
    board, held = board_of(state), hexes_of(state, GERMAN)
    found: Mapping[Measure, Callable[[], Iterable[Hex]]] = {
        Measure.COMPANY_HOLDS: lambda: _kept(state, units),
        Measure.STAFF_HOLDS: lambda: _beach_to_build_in(state, units),
        Measure.GERMANS_NEAR_BEACH: lambda: near_a_beach(state),
        Measure.BEACH: lambda: board.beach_hexes,
    }
    return {
        row.measure: frozenset(
            hex_
            for hex_ in (found[row.measure]() if row.measure in found else _victory(state, units, row.measure, row.one))
            if hex_ == units[0].at or hex_ in held or may_stay(state, units, hex_)
        )
        for row in chart.rows
        if row.alternative and not row.unfit(situation)
    }


def keeper(state: TangaState, hex_: Hex) -> TangaUnit | None:
    """The one company that stays in a victory hex and builds there: the first in acting order (TA-9.B row 1)."""
    if not any(hex_ in board_of(state).victory.get(kind, ()) for kind in state.objectives):
        return None
    companies = (unit for unit in units_at(state, hex_) if unit.side == BRITISH and unit.arm is Arm.INFANTRY)
    return min((unit for unit in companies if unit.is_good), key=lambda unit: acting_order(state, unit), default=None)


def near_a_beach(state: TangaState) -> frozenset[Hex]:
    """Hexes with German combat units within so many hexes of a beach hex (TA-9.B row 3)."""
    beaches, most = board_of(state).beach_hexes, state.options.near_a_beach
    return frozenset(at for at in barred_by(state, GERMAN) if any(at.distance(beach) <= most for beach in beaches))


def _kept(state: TangaState, units: Sequence[TangaUnit]) -> Iterable[Hex]:
    """Its own hex, if the company that stays there is among them."""
    here = units[0].at
    if here is not None and (stays := keeper(state, here)) and any(unit.id == stays.id for unit in units):
        yield here


def _beach_to_build_in(state: TangaState, units: Sequence[TangaUnit]) -> Iterable[Hex]:
    """A staff's own hex, if it is a beach without an improved position and there is infantry to build one."""
    here = units[0].at
    builders = any(unit.arm is Arm.INFANTRY for unit in units)
    if here is not None and builders and here in board_of(state).beach_hexes and here not in state.improved:
        yield here


def _victory(state: TangaState, units: Sequence[TangaUnit], kind: str, one: bool) -> Collection[Hex]:
    """Victory hexes that no other good-order British unit holds; none while they hold any, if one is enough."""
    ours = {unit.id for unit in units}
    every = board_of(state).victory.get(kind, frozenset())
    free = [hex_ for hex_ in every if not any(_holds(unit) and unit.id not in ours for unit in units_at(state, hex_))]
    return free if len(free) == len(every) or not one else ()


def _holds(unit: TangaUnit) -> bool:
    return unit.side == BRITISH and unit.is_good and unit.is_combat
