"""What every question asked without a game is made of: a throwaway table, named troops."""

from typing import Any

from rules.core import asking
from rules.core.asking import OURS
from rules.core.refused import Refused

from .model import EmpireState, EmpireUnit
from .options import EmpireOptions, Theatre
from .phases import Phase
from .tables import TROOPS


def throwaway(phase: Phase, *units: EmpireUnit, theatre: Theatre = Theatre.ALL_TYPES, **more: Any) -> EmpireState:
    """A table without places in that phase, ours to move. `more` are further fields of the state."""
    options = EmpireOptions(theatre=theatre)
    return asking.throwaway(EmpireState, *units, first=OURS, phase=phase.value, options=options, **more)


def fighter(words: str, unit_id: str = "unit", side: str = OURS, **more: Any) -> EmpireUnit:
    """A unit of the troops so called; `more` are further fields of it. Raises Refused, also on a piece of its own."""
    troop = TROOPS.named(words)
    found: EmpireUnit = troop.unit(unit_id, troop.name, side, **more)
    if found.is_piece:
        raise Refused(f"{troop.name}: neither fires nor fights, but goes with a unit. Name troops that fight.")
    return found
