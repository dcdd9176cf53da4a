"""How a system has somebody lead a unit, or go with it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Leading:
    """Who leads where nothing else is said: his troops, and the field by which he and the unit are together."""

    troop: str
    field: str
    of_leader: bool
    """Whether it is the leader's field that names the unit, or the unit's that names him: then it has one at most."""
