"""Units set down by hand: brought on, put where the words of a move say, and whether there is room for them."""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError

from rules.core.parsing import what_is_invalid
from rules.core.refused import Refused
from rules.core.umpire import AddUnit
from rules.core.wording import inches

from . import table
from .battle import Place, TableState, U
from .place import Destination, Spot, parse
from .placement import Placement, placed
from .table import Base
from .troops import Troops
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


def brought_on(troops: Troops[U], action: AddUnit, unit_id: str, figures: str = "figures") -> U:
    """The unit of named troops that the umpire adds, so many of what the field `figures` counts. Raises Refused."""
    given: dict[str, Any] = {} if action.figures is None else {figures: action.figures}
    if action.x is not None and action.y is not None:
        given["place"] = Place(x=action.x, y=action.y, facing=action.facing % 360)
    try:
        return troops.named(action.troop).unit(unit_id, action.name, action.side, **given)
    except ValidationError as error:
        raise Refused(f"{what_is_invalid(error)} Change it and try again.") from None


def has_room(placement: Placement[U], state: TableState[U], unit: U, others: Iterable[U]) -> None:
    """Whether the unit stands on the table, and on none of the others. Raises Refused."""
    here = placement.base(unit)
    if here is None:
        return
    if not table.on_table(here, state.width, state.height):
        size = f"{inches(state.width)} by {inches(state.height)}"
        raise Refused(f"{unit.name} would stand off the table, which is {size}. Choose another place.")
    for other in others:
        there = placement.base(other)
        if other.id != unit.id and there is not None and table.overlapping(here, there):
            raise Refused(f"{unit.name} would stand on {other.name}. Choose another place.")
