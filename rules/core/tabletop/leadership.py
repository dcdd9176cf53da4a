"""The rules of a system that link leaders and attached pieces to units."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Leadership:
    """The leaders of a system.

    `troop` is the id of their usual troops. `field` is the unit field that links a leader and a unit.
    """

    troop: str
    field: str
    of_leader: bool
    """Whether `field` is the leader's and holds the unit's id. Otherwise the unit has it, with the leader's id."""
    is_piece: Callable[[Any], bool]
    """Whether a unit is a leader or another piece that accompanies units and has no strength."""

    def can_accompany(self, piece: Any, unit: Any) -> bool:
        """Whether the piece may lead the unit or accompany it."""
        return self.is_piece(piece) and not self.is_piece(unit)

    def leader_and_unit_ids(self, units: Iterable[Any]) -> Iterator[tuple[str, str]]:
        """Yield the id of each leader or attached piece, with the id of its unit."""
        for unit in units:
            partner = getattr(unit, self.field)
            if partner is not None:
                yield (unit.id, partner) if self.of_leader else (partner, unit.id)
