"""Questions asked without a game: a throwaway table of one unit, or two."""

from collections.abc import Mapping
from typing import Any

from rules.core.asking import OURS, throwaway, whole
from rules.core.ruleset import Refused

from .armies.scenarios import TROOPS
from .arms import CREWED, LEADERS
from .model import MagdalaState, MagdalaUnit

UNIT, TARGET, PARENT = "unit", "target", "parent"
DETACHMENT = "detachment"
MOST_LOSSES = 100
MOST_FIGURES = 500
MOST_CREW = 12


def unit(given: Mapping[str, Any], words: tuple[str, ...]) -> MagdalaUnit:
    """The troops asked about, with their losses; as a detachment if said so. Raises Refused, ValidationError."""
    losses = whole(given, "losses", 0, MOST_LOSSES) if "losses" in given else 0
    troop = TROOPS.named(str(given["troop"]))
    figures = max(int(troop.fields["figures"]), losses + 1)
    parent = PARENT if DETACHMENT in words else None
    return troop.unit(UNIT, troop.name, OURS, figures=figures, casualties=losses, parent=parent)


def fighters(given: Mapping[str, Any], name: str, number: str, unit_id: str, side: str) -> MagdalaUnit:
    """So many figures of the troops named, or their usual number. Raises Refused, ValidationError."""
    troop = TROOPS.named(str(given[name]))
    usual = troop.unit(unit_id, troop.name, side)
    if usual.troop in LEADERS:
        raise Refused(f"{troop.name} fights with the unit he is with, not alone. Name other troops.")
    most = MOST_CREW if usual.troop in CREWED else MOST_FIGURES
    figures = whole(given, number, 1, most) if number in given else usual.figures
    return troop.unit(unit_id, troop.name, side, figures=figures)


def table(*units: MagdalaUnit) -> MagdalaState:
    """A table without places. A detachment has its parent there."""
    first = units[0]
    parents = (first.model_copy(update={"id": PARENT, "parent": None}),) if first.parent else ()
    return throwaway(MagdalaState, *units, *parents, events=1)
