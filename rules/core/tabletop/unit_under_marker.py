"""Permissions of units under markers or hidden off the table (house)."""

from typing import Any

from rules.core.refusal import Refused, passes_check
from rules.core.state import Action

from . import markers
from .battle import Marker, TableState
from .hidden_units import Hide, Unhide, is_off_table
from .place import Towards, parse

MOVES = ("move", "deploy")
"""Kinds of action by which a unit is moved."""
COMES_OUT = (
    "{unit:lie} under {marker.name}, and {unit:they go} where it goes: move {marker.name}. Fire or a charge (“towards” "
    "an enemy) brings {unit:them} out; /unit unhide shows {unit:them}."
)
OFF = "{unit:are} hidden off the table. The umpire brings {unit:them} on: /umpire set, field place."
NO_UNIT = "{marker.name} is a marker, and there may be nothing under it: that can be done with units alone."


def require_free(state: TableState[Any], action: Action) -> None:
    """Raise Refused for actions impossible under a marker or off the table, and for markers in place of units."""
    if not (state.markers or state.hidden):
        return
    fields = (field for field in action.refers_to if field != "unit" or action.by_unit)
    named = (str(getattr(action, field, None) or "") for field in fields)
    marker = next((state.markers[name] for name in named if name in state.markers), None)
    if marker is not None:
        raise Refused(NO_UNIT.format(marker=marker))
    unit = state.hidden.get(action.unit or "")
    if unit is None or action.umpire_only or action.kind in (Hide.kind, Unhide.kind):
        return
    if is_off_table(state, unit):
        raise Refused(OFF.format(unit=unit))
    over = markers.marker_over(state, unit.id)
    if over is not None and action.kind in MOVES and not is_deed(state, unit, action):
        raise Refused(COMES_OUT.format(unit=unit, marker=over))


def is_free(state: TableState[Any], action: Action) -> bool:
    """Whether the action passes `require_free`."""
    return passes_check(require_free, state, action)


def is_deed(state: TableState[Any], unit: Any, action: Action) -> bool:
    """Whether the action reveals its unit: an attack, a charge, or a move towards an enemy."""
    if getattr(action, "target", None) is not None:
        return True
    to = getattr(action, "to", None)
    if action.kind != "move" or to is None:
        return False
    enemies = {each.id: each.name for each in state.enemies(unit.side)}
    try:
        goal = parse(to, enemies)
    except Refused:
        return False
    return isinstance(goal, Towards) and goal.inches is None


def stays_under(marker: Marker | None, before: Any, after: Any, action: Action) -> None:
    """Raises Refused where the umpire would move a unit from under a marker, which everyone sees."""
    away = marker is not None and after is not None and after.place != before.place
    if marker is not None and away and action.umpire_only:
        raise Refused(f"{before:lie} under {marker.name}. Move {marker.name} with it, or /unit unhide it first.")
