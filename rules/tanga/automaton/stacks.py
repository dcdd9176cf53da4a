"""Stacks as they act: who moves together, in what order, what they are called, who has had his turn (TA-2, TA-9)."""

from collections.abc import Container, Iterable, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import units_at
from rules.core.play import Play
from rules.core.wording import in_a_row
from rules.tanga.field import acting_order, board_of, of_formation
from rules.tanga.in_words import short_name
from rules.tanga.model import BRITISH, Arm, TangaState, TangaUnit
from rules.tanga.progress import mark

MOST = {Arm.INFANTRY: 2, Arm.MACHINE_GUN: 1, Arm.LEADER: 1, Arm.COMMANDER: 1}
"""Of each arm to a stack; artillery goes by itself."""


def acted(play: Play[TangaState], units: Iterable[str]) -> None:
    """Those units have had their turn in this stage."""
    mark(play, acted=tuple(dict.fromkeys((*play.state.british.acted, *units))))


def in_order(state: TangaState, units: Iterable[TangaUnit]) -> list[TangaUnit]:
    """Units as they act, the lead first (TA-2)."""
    return sorted(units, key=lambda unit: acting_order(state, unit))


def ids(units: Iterable[TangaUnit]) -> tuple[str, ...]:
    """Their ids."""
    return tuple(unit.id for unit in units)


def names(state: TangaState, units: Iterable[TangaUnit]) -> str:
    """`A, B and Leader 1`: without the name of their formation."""
    return in_a_row(short_name(state, unit) for unit in units) or "nobody"


def does(state: TangaState, units: Sequence[TangaUnit], verb: str) -> str:
    """`A and B fire`, `A goes`."""
    ending = "" if len(units) != 1 else "es" if verb.endswith("o") else "s"
    return f"{names(state, units)} {verb}{ending}"


def ready(state: TangaState, formation: str, without: Container[str] = ()) -> list[TangaUnit]:
    """Combat units of a formation in good order on the map, in acting order (TA-2)."""
    good = (one for one in of_formation(state, formation) if one.is_good and one.is_combat and one.id not in without)
    return in_order(state, good)


def companions(state: TangaState, unit: TangaUnit, hex_: Hex | None = None) -> list[TangaUnit]:
    """Units of its formation in its hex, or in another, itself among them where it stands."""
    here = hex_ or unit.at
    return [one for one in units_at(state, here) if one.formation == unit.formation] if here else []


def stack_of(state: TangaState, lead: TangaUnit, without: Container[str] = ()) -> tuple[TangaUnit, ...]:
    """The lead and those of its hex and formation that go with it, in acting order (TA-9.1)."""
    stack = [lead]
    others = (one for one in companions(state, lead) if one.is_good and one.id not in without and one.id != lead.id)
    for unit in in_order(state, others) if lead.arm is not Arm.ARTILLERY else ():
        same = sum(other.is_leader if unit.is_leader else other.arm is unit.arm for other in stack)
        if same < MOST.get(unit.arm, 0):
            stack.append(unit)
    return tuple(stack)


def keeper(state: TangaState, hex_: Hex) -> TangaUnit | None:
    """The one company that stays in a victory hex and builds there: the first in acting order (TA-9.B row 1)."""
    if not any(hex_ in board_of(state).victory.get(kind, ()) for kind in state.objectives):
        return None
    companies = (unit for unit in units_at(state, hex_) if unit.side == BRITISH and unit.arm is Arm.INFANTRY)
    return next(iter(in_order(state, (unit for unit in companies if unit.is_good))), None)


def garrisons(state: TangaState, unit: TangaUnit) -> bool:
    """Whether a unit is the company that stays in a victory hex, its entry hex being taken (TA-9.B row 1)."""
    stays = keeper(state, unit.at) if unit.at is not None and state.formation(unit.formation).entered else None
    return stays is not None and stays.id == unit.id


def mf_left(units: Iterable[TangaUnit]) -> int:
    """MF left to the slowest (TA-9.5)."""
    return max(0, min((unit.mf - unit.moved for unit in units), default=0))
