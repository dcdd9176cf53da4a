"""Restrictions on units under markers or hidden off the table (house)."""

from typing import Any

from rules.core.refusal import Refused, passes_check
from rules.core.state import Action

from . import markers
from .battle import Marker, TableState
from .hidden_units import Hide, Unhide, is_off_table
from .place import TowardsUnit, parse_destination

MOVES = ("move", "deploy")
"""Kinds of action that move a unit."""
COMES_OUT = (
    "{unit:lie} under {marker.name}, and {unit:they go} where it goes: move {marker.name}. Fire or a charge (“towards” "
    "an enemy) brings {unit:them} out; /unit unhide shows {unit:them}."
)
OFF = "{unit:are} hidden off the table. The umpire brings {unit:them} on: /umpire set, field place."
TO_COME = "{unit:have} yet to come to the table, and {unit:come} by {unit:themselves}."
NO_UNIT = "{marker.name} is a marker, and there may be nothing under it: that can be done with units alone."


def require_can_act(state: TableState[Any], action: Action) -> None:
    """Raise Refused if the acting unit is a marker, has not arrived, is off the table, or must stay under its marker.

    A hidden unit off the table can only be hidden, shown or changed by the umpire. A unit under a marker may move
    only if the move reveals it.
    """
    if not (state.markers or state.hidden or state.arrivals):
        return
    arrival = state.arrivals.get(action.unit or "")
    if arrival is not None:
        raise Refused(TO_COME.format(unit=arrival.unit))
    fields = (field for field in action.refers_to if field != "unit" or action.is_unit_action)
    ids = (str(getattr(action, field, None) or "") for field in fields)
    marker = next((state.markers[name] for name in ids if name in state.markers), None)
    if marker is not None:
        raise Refused(NO_UNIT.format(marker=marker))
    unit = state.hidden.get(action.unit or "")
    if unit is None or action.umpire_only or action.kind in (Hide.kind, Unhide.kind):
        return
    if is_off_table(state, unit):
        raise Refused(OFF.format(unit=unit))
    unit_marker = markers.marker_over_unit(state, unit.id)
    if unit_marker is not None and action.kind in MOVES and not reveals_unit(state, unit, action):
        raise Refused(COMES_OUT.format(unit=unit, marker=unit_marker))


def can_act(state: TableState[Any], action: Action) -> bool:
    """Whether `require_can_act` allows the action."""
    return passes_check(require_can_act, state, action)


def reveals_unit(state: TableState[Any], unit: Any, action: Action) -> bool:
    """Whether the action reveals a unit under a marker: an attack, or a full move towards an enemy."""
    if getattr(action, "target", None) is not None:
        return True
    to = getattr(action, "to", None)
    if action.kind != "move" or to is None:
        return False
    enemies = {enemy.id: enemy.name for enemy in state.enemies(unit.side)}
    try:
        goal = parse_destination(to, enemies)
    except Refused:
        return False
    return isinstance(goal, TowardsUnit) and goal.inches is None


def require_stays_under_marker(marker: Marker | None, before: Any, after: Any, action: Action) -> None:
    """Raise Refused if the umpire's action would move a unit away from its marker.

    Everyone sees the marker, so the move would be noticed. `after` is None if the unit was removed.
    """
    is_moved = after is not None and after.place != before.place
    if marker is not None and is_moved and action.umpire_only:
        raise Refused(f"{before:lie} under {marker.name}. Move {marker.name} with it, or /unit unhide it first.")
