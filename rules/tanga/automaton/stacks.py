"""Who moves together: one leader, two infantry and one MG to a stack (TA-9)."""

from collections.abc import Container, Iterable

from rules.tanga.field import of_formation, units_at
from rules.tanga.model import Arm, TangaState, TangaUnit

from .goals import keeper
from .stepped import in_order

MOST = {Arm.INFANTRY: 2, Arm.MACHINE_GUN: 1, Arm.LEADER: 1, Arm.COMMANDER: 1}
"""Of each arm to a stack; artillery goes by itself."""


def ready(state: TangaState, formation: str, without: Container[str] = ()) -> list[TangaUnit]:
    """Combat units of a formation in good order on the map, in acting order (TA-2)."""
    good = (one for one in of_formation(state, formation) if one.is_good and one.is_combat and one.id not in without)
    return in_order(state, good)


def stack_of(state: TangaState, lead: TangaUnit, without: Container[str] = ()) -> tuple[TangaUnit, ...]:
    """The lead and those of its hex and formation that go with it, in acting order."""
    if lead.at is None or lead.arm is Arm.ARTILLERY:
        return (lead,)
    there = (
        one
        for one in units_at(state, lead.at)
        if one.formation == lead.formation and one.is_good and one.id not in without and one.id != lead.id
    )
    return _fitting((lead, *in_order(state, there)))


def _fitting(units: Iterable[TangaUnit]) -> tuple[TangaUnit, ...]:
    stack: list[TangaUnit] = []
    for unit in units:
        if sum(_arm(other) is _arm(unit) for other in stack) < MOST.get(unit.arm, 0):
            stack.append(unit)
    return tuple(stack)


def _arm(unit: TangaUnit) -> Arm:
    return Arm.LEADER if unit.is_leader else unit.arm


def garrisons(state: TangaState, unit: TangaUnit) -> bool:
    """Whether a unit is the company that stays in a victory hex, its entry hex being taken (TA-9.B row 1)."""
    stays = keeper(state, unit.at) if unit.at is not None and state.formation(unit.formation).entered else None
    return stays is not None and stays.id == unit.id


def mf_left(units: Iterable[TangaUnit]) -> int:
    """MF left to the slowest (TA-9.5)."""
    return max(0, min((unit.mf - unit.moved for unit in units), default=0))


def has_leader(state: TangaState, unit: TangaUnit) -> bool:
    """Whether a leader or command officer is with a unit on the map."""
    return unit.at is not None and any(one.is_leader and one.side == unit.side for one in units_at(state, unit.at))
