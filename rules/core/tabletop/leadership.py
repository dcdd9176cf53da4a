"""How leaders and attached pieces belong to units in a system."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Leading:
    """The leaders of a system: the id of their usual troops, and the field that links a leader and a unit."""

    troop: str
    field: str
    of_leader: bool
    """Whether the leader's `field` names the unit; otherwise the unit's `field` names its only leader."""
