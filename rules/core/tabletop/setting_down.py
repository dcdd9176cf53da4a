"""Units brought on by hand, and whether there is room for them."""

from typing import Any

from pydantic import ValidationError

from rules.core.parsing import what_is_invalid
from rules.core.refused import Refused
from rules.core.umpire import AddUnit
from rules.core.wording import inches

from . import table
from .battle import Place, TableState, U
from .troops import Troops
from .ways import Ways


def brought_on(troops: Troops[U], action: AddUnit, unit_id: str, figures: str = "figures") -> U:
    """The unit of named troops that the umpire adds, so many of what the field `figures` counts. Raises Refused."""
    given: dict[str, Any] = {} if action.figures is None else {figures: action.figures}
    if action.x is not None and action.y is not None:
        given["place"] = Place(x=action.x, y=action.y, facing=action.facing % 360)
    try:
        return troops.named(action.troop).unit(unit_id, action.name, action.side, **given)
    except ValidationError as error:
        raise Refused(f"{what_is_invalid(error)} Change it and try again.") from None


def has_room(ways: Ways[U], state: TableState[U], unit: U) -> None:
    """Whether the unit stands on the table and, where it takes ground, on no other that does. Raises Refused."""
    here = ways.placement.base(unit)
    if here is None:
        return
    if not table.on_table(here, state.width, state.height):
        size = f"{inches(state.width)} by {inches(state.height)}"
        raise Refused(f"{unit.name} would stand off the table, which is {size}. Choose another place.")
    for other in state.units.values() if unit.on_table and ways.takes_ground(unit) else ():
        there = ways.placement.base(other) if other.on_table and ways.takes_ground(other) else None
        if other.id != unit.id and there is not None and table.overlapping(here, there):
            raise Refused(f"{unit.name} would stand on {other.name}. Choose another place.")
