"""What every game on a table in inches remembers: places, ground, objectives, and units that may stand on it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Generic, TypeVar

from pydantic import Field

from rules.core.model import Model
from rules.core.scene import Ground, Point, TerrainPiece
from rules.core.state import State, Unit


class Place(Model):
    """Where a unit stands: its centre in inches from the north-west corner, facing in degrees from north."""

    x: float
    y: float
    facing: float = 0.0

    @property
    def point(self) -> Point:
        """Its point of the table."""
        return (self.x, self.y)


class Edge(StrEnum):
    """An edge of the table."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


class Objective(Model):
    """Ground a side must hold when the last turn ends (house): inches from a point, and its name."""

    side: str
    name: str
    at: Point
    within: float = Field(gt=0)


class TableUnit(Unit):
    """A unit that has a place on the table, or none where the umpire runs the figures."""

    place: Place | None = None

    @property
    def on_table(self) -> bool:
        """Still in the game."""
        return True


U = TypeVar("U", bound=TableUnit)


class TableState(State, Generic[U]):
    """A game on a table of so many inches."""

    units: Mapping[str, U] = Field(default_factory=dict)
    width: float = 72.0
    height: float = 48.0
    ground: Ground = Ground.DESERT
    terrain: tuple[TerrainPiece, ...] = ()
    turn_limit: int | None = None
    objectives: tuple[Objective, ...] = ()

    def unit(self, unit_id: str) -> U:
        """The unit of that id. Raises KeyError."""
        return self.units[unit_id]

    def of_side(self, side: str) -> tuple[U, ...]:
        """Units of a side still on the table."""
        return tuple(unit for unit in self.units.values() if unit.side == side and unit.on_table)

    @property
    def all_placed(self) -> bool:
        """Whether the table knows where everybody stands, so that nobody need say what is near."""
        return all(unit.place is not None for unit in self.units.values() if unit.on_table)

    def enemies(self, side: str) -> tuple[U, ...]:
        """Units of other sides still on the table."""
        return tuple(unit for unit in self.units.values() if unit.side != side and unit.on_table)
