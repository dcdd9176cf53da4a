"""How leaders and attached pieces belong to units in a system."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Leading:
    """The leaders of a system: the id of their usual troops, and the field that links a leader and a unit."""

    troop: str
    field: str
    of_leader: bool
    """Whether the leader's `field` names the unit; otherwise the unit's `field` names its only leader."""

    def pairs(self, units: Iterable[Any]) -> Iterator[tuple[str, str]]:
        """Yield pairs of ids: a leader or attached piece, and its unit."""
        for unit in units:
            other = getattr(unit, self.field)
            if other is not None:
                yield (unit.id, other) if self.of_leader else (other, unit.id)
