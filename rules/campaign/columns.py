"""Columns of a campaign: their units, standing orders, and records of the day."""

from collections.abc import Container
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import NounForm
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import HexUnit, unit_hex
from rules.core.model import Model
from rules.core.state import Named

MOST_LISTED = 999
Figures: TypeAlias = Annotated[int, Field(ge=0, le=9999)]


class Pace(StrEnum):
    """Pace of a unit. A column marches at the pace of its slowest unit (CA-2.1)."""

    FOOT = "foot"
    MOUNTED = "mounted"
    WHEELED = "wheeled"


def slowest_pace(paces: Container[Pace]) -> Pace | None:
    """Return the slowest of `paces`; None if `paces` is empty."""
    return next((pace for pace in (Pace.WHEELED, Pace.FOOT, Pace.MOUNTED) if pace in paces), None)


class Stance(StrEnum):
    """A column's conduct towards enemies in its way (CA-1.4)."""

    ATTACK = "attack"
    HOLD = "hold"
    AVOID = "avoid"


class ConductOnSight(StrEnum):
    """A column's conduct on sight of an approaching enemy (CA-1.5)."""

    CARRY_ON = "carry on"
    HALT = "halt"
    FALL_BACK = "fall back"


class Task(StrEnum):
    """A column's task for the day (CA-1.6)."""

    NONE = "none"
    FORCE = "force the march"
    SCOUT = "scout"
    DIG_IN = "dig in"
    REST = "rest"
    WAIT = "wait"

    @property
    def stays(self) -> bool:
        """Whether a column with this task stays in place."""
        return self in (Task.DIG_IN, Task.REST, Task.WAIT)


class Orders(Model):
    """A column's standing orders (CA-1.3)."""

    way: tuple[Hex, ...] = ()
    """Hexes of the march still ahead, the next hex first."""
    stance: Stance = Stance.HOLD
    on_sight: ConductOnSight = ConductOnSight.CARRY_ON
    refuge: Hex | None = None
    """Hex to which the column falls back on sight of enemies (CA-1.5)."""
    task: Task = Task.NONE
    until: int = Field(default=0, ge=0)
    """The day on which a waiting column marches again."""


class ColumnUnit(Model):
    """A unit of a column: figures of one troop of the battle system, at the start of the campaign and now."""

    name: Named
    troop: Named
    pace: Pace
    start: Figures = Field(ge=1)
    figures: Figures
    stragglers: Figures = 0
    """Figures lost on forced marches that return when the column rests (CA-2.6)."""


class ColumnDay(Model):
    """Record of a column's day since the march began."""

    points: int = Field(default=0, ge=0)
    is_forced: bool = False
    """Whether the column began the day with a forced march."""
    entered: tuple[Hex, ...] = ()
    """Hexes that the column marched into, in order."""
    by_road: bool = True
    """Whether every step today followed a road."""
    is_stopped: bool = False
    has_turned: bool = False
    """Whether the column fell back today on sight of enemies."""
    met_enemies: bool = False
    """Whether the column met enemies in a hex today."""
    nearest: int | None = None
    """Distance in hexes to the nearest enemy in sight when the day's march began; None without one."""
    stood: Hex | None = None
    """The column's hex when the day's march began."""
    lost: int = Field(default=0, ge=0, le=99999)
    """Figures lost in battles since the last day ended."""


class Arrival(Model):
    """The day and the hex of a reinforcement (CA-8.4)."""

    day: int = Field(ge=1)
    at: Hex


class Column(HexUnit):
    """A column: units that march together in one hex. Its side is its command."""

    troops: tuple[ColumnUnit, ...]
    listed: int = MOST_LISTED
    """Position in the campaign's file; split-off columns follow all listed columns."""
    orders: Orders = Orders()
    way_back: tuple[Hex, ...] = ()
    """Hexes that the column left on its march, newest first; a hex entered again is removed."""
    has_wagon: bool = False
    supply: int = Field(default=0, ge=0)
    """Days of supply that the column carries."""
    days_dug: int = Field(default=0, ge=0)
    """Number of whole days of digging in at the present hex."""
    arrives: Arrival | None = None
    """Day and hex of a reinforcement's arrival; None after arrival."""
    today: ColumnDay = ColumnDay()

    def way_back_after_step(self, next_hex: Hex) -> tuple[Hex, ...]:
        """Return the hexes of the way back after a step into `next_hex`, the nearest first."""
        return (unit_hex(self), *(hex_ for hex_ in self.way_back if hex_ not in (self.at, next_hex)))

    @property
    def figures(self) -> int:
        """Return the figures of all units."""
        return sum(unit.figures for unit in self.troops)

    @property
    def paces(self) -> frozenset[Pace]:
        """Return the paces of the column's units; a wagon counts as wheeled."""
        wagon = {Pace.WHEELED} if self.has_wagon else set[Pace]()
        return frozenset({unit.pace for unit in self.troops} | wagon)

    @property
    def pace(self) -> Pace:
        """Return the pace at which the column marches (CA-2.1)."""
        return slowest_pace(self.paces) or Pace.FOOT

    @property
    @override
    def noun(self) -> NounForm:
        """Return the grammatical form of a column's name, which is always the singular."""
        return NounForm.THING
