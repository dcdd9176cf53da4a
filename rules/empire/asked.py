"""What every question asked without a game is made of: a throwaway table, named troops."""

from typing import Any

from rules.core.ruleset import Refused
from rules.core.state import Side

from .armies.scenarios import TROOPS
from .model import EmpireState, EmpireUnit
from .options import EmpireOptions, Theatre
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
        options=EmpireOptions(theatre=theatre),
        units={unit.id: unit for unit in units},
        **more,
    )


def fighter(words: str, unit_id: str = "unit", side: str = OURS, **more: Any) -> EmpireUnit:
    """A unit of the troops so called; `more` are further fields of it. Raises Refused, also on a piece of its own."""
    troop = TROOPS.named(words)
    found: EmpireUnit = troop.unit(unit_id, troop.name, side, **more)
    if found.is_piece:
        raise Refused(f"{troop.name}: neither fires nor fights, but goes with a unit. Name troops that fight.")
    return found
