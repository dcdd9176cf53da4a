"""Where words put a unit on a table in inches: by hand, in the words of a move, whatever lies between."""

from collections.abc import Callable, Iterable
from typing import Any

from rules.core.refused import Refused

from .battle import Place, TableState, U
from .place import Destination, Spot, parse
from .placement import Placement, placed
from .table import Base
from .ways import Way

WayOf = Callable[[Any, U, Base, Destination], Way]
"""The way of a unit from its base, in a state of its system (`Ways.way`)."""


def set_down(placement: Placement[U], way_of: WayOf[U], state: TableState[U], unit_id: str, words: str) -> Place:
    """The place meant: a point, a square, so far on, into contact with another unit, or turned on the spot.

    A unit set down at a point keeps its facing, unless another is said. Raises Refused, NoPlace.
    """
    unit = state.unit(unit_id)
    others = {other.id: other.name for other in state.units.values() if other.on_table and other.id != unit_id}
    destination = parse(words, others)
    if isinstance(destination, Spot):
        kept = unit.place.facing if unit.place is not None else 0.0
        x, y = destination.at
        return Place(x=x, y=y, facing=kept if destination.facing is None else destination.facing)
    here = placement.base(unit)
    if here is None:
        raise Refused(f"{unit.name} stands nowhere to go on from. Name a point, as “30,12”.")
    way = way_of(state, unit, here, destination)
    return placed(way.at(way.wanted))


def towards_each(state: TableState[U], unit_id: str, plan: Callable[[str], object]) -> Iterable[str]:
    """`towards` every other unit that a unit may go towards, which `plan` refuses where it may not."""
    for other in state.units.values():
        to = f"towards {other.name}"
        if other.id == unit_id or not other.on_table:
            continue
        try:
            plan(to)
        except Refused:
            continue
        yield to
