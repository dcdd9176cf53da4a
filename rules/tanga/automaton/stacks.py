"""Stacks: units that move together, acting order, names, units that have acted (TA-2, TA-9)."""

from collections.abc import Container, Iterable, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import units_at
from rules.core.play import Play
from rules.core.wording import join_with_and
from rules.tanga.descriptions import short_name
from rules.tanga.field import acting_order_key, board_of, formation_units
from rules.tanga.model import BRITISH, Arm, TangaState, TangaUnit
from rules.tanga.progress import change_progress

MOST = {Arm.INFANTRY: 2, Arm.MACHINE_GUN: 1, Arm.LEADER: 1, Arm.COMMANDER: 1}
"""Maximum number of each arm in a stack; artillery moves alone."""


def mark_acted(play: Play[TangaState], units: Iterable[str]) -> None:
    """Mark units as having acted in this stage."""
    change_progress(play, acted=tuple(dict.fromkeys((*play.state.british.acted, *units))))


def sort_units(state: TangaState, units: Iterable[TangaUnit]) -> list[TangaUnit]:
    """Return the units sorted into acting order, the lead first (TA-2)."""
    return sorted(units, key=lambda unit: acting_order_key(state, unit))


def unit_ids(units: Iterable[TangaUnit]) -> tuple[str, ...]:
    """Return the units' ids."""
    return tuple(unit.id for unit in units)


def short_names(state: TangaState, units: Iterable[TangaUnit]) -> str:
    """Return the units' short names, without their formation: `A, B and Leader 1`."""
    return join_with_and(short_name(state, unit) for unit in units) or "nobody"


def names_with_verb(state: TangaState, units: Sequence[TangaUnit], verb: str) -> str:
    """Return the units' names with the verb: `A and B fire`, `A goes`."""
    ending = "" if len(units) != 1 else "es" if verb.endswith("o") else "s"
    return f"{short_names(state, units)} {verb}{ending}"


def good_order_units(state: TangaState, formation: str, without: Container[str] = ()) -> list[TangaUnit]:
    """Return a formation's good-order combat units on the map, except `without`, in acting order (TA-2)."""
    good = (unit for unit in formation_units(state, formation) if unit.is_in_good_order and unit.is_combat)
    return sort_units(state, (unit for unit in good if unit.id not in without))


def formation_stack(state: TangaState, unit: TangaUnit, hex_: Hex | None = None) -> list[TangaUnit]:
    """Return the units of a unit's formation that stand in `hex_`, by default in the unit's own hex."""
    place = hex_ or unit.at
    return [other for other in units_at(state, place) if other.formation == unit.formation] if place else []


def moving_stack(state: TangaState, lead: TangaUnit, without: Container[str] = ()) -> tuple[TangaUnit, ...]:
    """Return the lead unit and the units of its hex and formation that move along, in acting order (TA-9.1)."""
    stack = [lead]
    good = (unit for unit in formation_stack(state, lead) if unit.is_in_good_order and unit.id != lead.id)
    others = (unit for unit in good if unit.id not in without)
    for unit in sort_units(state, others) if lead.arm is not Arm.ARTILLERY else ():
        number = sum(other.is_leader if unit.is_leader else other.arm is unit.arm for other in stack)
        if number < MOST.get(unit.arm, 0):
            stack.append(unit)
    return tuple(stack)


def victory_hex_keeper(state: TangaState, hex_: Hex) -> TangaUnit | None:
    """Return the company that must stay in a victory hex and build there; None without one (TA-9.B row 1)."""
    if not any(hex_ in board_of(state).victory_hexes.get(kind, ()) for kind in state.objectives):
        return None
    companies = (unit for unit in units_at(state, hex_) if unit.side == BRITISH and unit.arm is Arm.INFANTRY)
    return next(iter(sort_units(state, (unit for unit in companies if unit.is_in_good_order))), None)


def must_hold_victory_hex(state: TangaState, unit: TangaUnit) -> bool:
    """Whether the unit must stay in its victory hex, because its formation has taken the entry hex (TA-9.B row 1)."""
    if unit.at is None or not state.formation(unit.formation).entered:
        return False
    keeper = victory_hex_keeper(state, unit.at)
    return keeper is not None and keeper.id == unit.id


def least_mf_left(units: Iterable[TangaUnit]) -> int:
    """Return the MF that the slowest of the units has left; 0 without units (TA-9.5)."""
    return max(0, min((unit.mf - unit.moved for unit in units), default=0))
