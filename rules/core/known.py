"""Finding the unit that an order names."""

from rules.core.tabletop.battle import TableState, U

from . import naming
from .refused import Refused


def known(state: TableState[U], unit: str | None, what: str = "unit") -> U:
    """The unit of that id, on the table or not. Raises Refused with the nearest names."""
    if not unit:
        raise Refused(f"Name a {what}.")
    if unit not in state.units:
        near = naming.nearest(unit, {each.id: each.name for each in state.units.values()})
        hint = f" The nearest: {', '.join(near)}." if near else ""
        raise Refused(f"There is no {what} “{unit[:40]}” on this table.{hint}")
    return state.units[unit]
