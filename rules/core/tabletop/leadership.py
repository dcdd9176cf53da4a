"""How a system has somebody lead a unit, or go with it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Leading:
    """Default leadership of a system: leader's troops, and the linking field."""

    troop: str
    field: str
    of_leader: bool
    """Whether the leader's field names the unit; otherwise the unit's field names its only leader."""
