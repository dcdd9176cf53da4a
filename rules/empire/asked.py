"""What every question asked without a game is made of: a throwaway table, named troops, whole numbers."""

from collections.abc import Mapping
from typing import Any

from rules.core.ruleset import Refused
from rules.core.state import Side

from .armies.troops import troop_of
from .model import EmpireState, EmpireUnit, Theatre
from .phases import Phase

OURS, THEIRS = "ours", "theirs"
SIDES = (Side(id=OURS, name="Ours", index=0), Side(id=THEIRS, name="Theirs", index=1))


def throwaway(phase: Phase, *units: EmpireUnit, theatre: Theatre = Theatre.ALL_TYPES, **more: Any) -> EmpireState:
    """A table without places in that phase, ours to move. `more` are further fields of the state."""
    return EmpireState(
        scenario="",
        sides=SIDES,
        active=OURS,
        first=OURS,
        phase=phase.value,
        theatre=theatre,
        units={unit.id: unit for unit in units},
        events=1,
        **more,
    )


def whole(given: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """The whole number given under that name. Raises Refused on anything else, or out of bounds."""
    said = given[name]
    try:
        value = int(said)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None or isinstance(said, bool) or (isinstance(said, float) and said != value):
        raise Refused(f"{name}: “{str(said)[:20]}” is no whole number. Give {low} to {high}.")
    if not low <= value <= high:
        raise Refused(f"{name}: {value} is out of bounds. Give {low} to {high}.")
    return value


def fighter(words: str, unit_id: str = "unit", side: str = OURS, **more: Any) -> EmpireUnit:
    """A unit of the troops so called; `more` are further fields of it. Raises Refused, also on a piece of its own."""
    troop = troop_of(words)
    found: EmpireUnit = troop.unit(unit_id, troop.name, side, **more)
    if found.is_piece:
        raise Refused(f"{troop.name}: neither fires nor fights, but goes with a unit. Name troops that fight.")
    return found
