"""State of a game on a table in inches: places, ground, objectives, and units."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import NounForm
from rules.core.memo import cache_by_identity
from rules.core.model import Model
from rules.core.scene import Ground, Point, TerrainPiece
from rules.core.state import Named, State, Unit

from . import squares
from .options import TableOptions
from .place import parse_spot

SET_UP = "Set-up"
POSITIONS, KEPT, NONE = "positions", "kept", "none"
"""Name of the choice that decides whether a game keeps positions, and its two values."""
CACHE_SIZE = 64
"""Maximum number of states whose unit groups are cached."""


class Place(Model):
    """A unit's place: its centre in inches from the table's north-west corner, and its facing in degrees from north."""

    x: float
    y: float
    facing: float = 0.0

    @property
    def point(self) -> Point:
        """Return the centre as a point of the table."""
        return (self.x, self.y)

    @property
    def spot_in_words(self) -> str:
        """Return the place rounded to a part of a square and a compass direction: `C2 NW facing south`."""
        return f"{squares.spot_name(self.point)} facing {squares.direction_name(self.facing)}"

    def in_words(self) -> str:
        """Return the place in words and in exact numbers: `C2 NW facing south (26.5,14 facing 168.9°)`."""
        x, y, facing = (f"{round(number, 3):g}" for number in (self.x, self.y, self.facing))
        return f"{self.spot_in_words} ({x},{y} facing {facing}°)"

    @classmethod
    def from_words(cls, words: str) -> Self:
        """Return the place that words such as `30,12` or `C2 NW facing south` name, by default facing north.

        Raises Refused if the words name no place, or a place relative to a unit.
        """
        spot = parse_spot(words)
        x, y = spot.at
        return cls(x=x, y=y, facing=spot.facing or 0.0)


class Edge(StrEnum):
    """Compass edge of a table."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


class Objective(Model):
    """Named ground that a side must hold as the last turn ends (house): the circle of `within` inches around `at`."""

    side: str
    name: str
    at: Point
    within: float = Field(gt=0)


class SettingUp(Model):
    """Set-up before the battle, during which units and ground may be changed freely.

    The units `in_ambush`, by id, stay hidden when the battle begins.
    """

    in_ambush: tuple[str, ...] = ()


class TableUnit(Unit):
    """A unit of a table game. `place` is None if the unit is off the table or the game keeps no positions."""

    place: Place | None = None

    @property
    def on_table(self) -> bool:
        """Whether the unit takes part in play: not destroyed, gone or in reserve."""
        return True

    @property
    def parent_id(self) -> str | None:
        """Return the id of the parent unit of a detachment; None for any other unit."""
        return None


class Marker(Unit):
    """A counter that everyone sees, and that may conceal a hidden unit of its side.

    `unit` is the id of the hidden unit, or `""` for a dummy. `moved_in` is the turn of the marker's last move.
    """

    place: Place
    unit: str = ""
    moved_in: int = 0

    @property
    @override
    def noun(self) -> NounForm:
        """Return how words agree with the marker's name: as with one thing."""
        return NounForm.THING

    @property
    def letter(self) -> str:
        """Return the marker's letter or letters: `B` for Marker B."""
        return self.name.rpartition(" ")[2]


U = TypeVar("U", bound=TableUnit)


class Arrival(Model, Generic[U]):
    """A unit that waits off the table, and enters it at `edge` during the battle.

    It enters once `turn` has begun, fewer than `at_most` units of its side stand on the table, and it has
    clearance.
    """

    unit: U
    edge: Edge
    turn: int = Field(default=0, ge=0, le=99)
    at_most: int = Field(default=99, ge=1, le=99)

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the fields. Pydantic makes this generic class at run time, so pickle cannot find it by name."""
        return _restore_arrival, (type(self.unit), dict(self))


def _restore_arrival(units: type[TableUnit], fields: Mapping[str, Any]) -> Arrival[Any]:
    arrival_type: type[Arrival[Any]] = Arrival.__class_getitem__(units)  # type: ignore[assignment]
    return arrival_type.model_construct(**fields)


class TableState(State, Generic[U]):
    """State of a game on a table of `width` by `height` inches.

    `units` leaves out `hidden` units and `arrivals`. With `hides_arrivals`, each side knows only its own. `letters`
    holds the number of the last marker letter used: for everyone under `""`, in a secret set-up under each side's
    id. A battle made by a player has its `title` here and, if it has choices, its file in `document`.
    """

    action_counters: ClassVar[tuple[str, ...]] = ()
    """Names of the fields that count actions or depend on such a count, for example `("events", "document")`.

    An action that other sides do not notice leaves these fields unchanged, because a rising counter would reveal it.
    """
    reserved = re.compile(r"marker [a-z]{1,2}", re.IGNORECASE)

    units: Mapping[str, U] = Field(default_factory=dict)
    hidden: Mapping[str, U] = Field(default_factory=dict)
    arrivals: Mapping[str, Arrival[U]] = Field(default_factory=dict)
    hides_arrivals: bool = False
    markers: Mapping[str, Marker] = Field(default_factory=dict)
    letters: Mapping[str, int] = Field(default_factory=dict)
    width: float = 72.0
    height: float = 48.0
    ground: Ground = Ground.DESERT
    terrain: tuple[TerrainPiece, ...] = ()
    turn_limit: int | None = None
    objectives: tuple[Objective, ...] = ()
    home_edges: Mapping[str, Edge] = Field(default_factory=dict)
    """Home edge of each side, by side id: for deployment, and in some systems for retreat."""
    setting_up: SettingUp | None = None
    title: Named = ""
    document: str = ""

    @property
    def keeps_positions(self) -> bool:
        """Whether the game keeps the units' places. Without positions, players measure on a real table."""
        return self.choices.get(POSITIONS) != NONE

    @property
    @override
    def last_turn(self) -> int | None:
        """Return the number of the last turn, or None without a turn limit."""
        return self.turn_limit

    @property
    @override
    def is_being_set_up(self) -> bool:
        """Whether the game is in its set-up, before the battle begins."""
        return self.setting_up is not None

    @override
    def title_of(self, turn: str) -> str:
        """Return the title of the turn; `Set-up` while the battle is being set up."""
        return SET_UP if self.is_being_set_up else super().title_of(turn)

    @property
    @override
    def can_have_hidden_units(self) -> bool:
        """Whether some units may be hidden now: by option, in a secret set-up, or until they arrive."""
        return self.hides_arrivals or self.can_hidden_units_act

    @property
    @override
    def can_hidden_units_act(self) -> bool:
        """Whether hidden units may act: by option during the whole game, or during a secret set-up."""
        secret_set_up = isinstance(self.options, TableOptions) and self.options.deploy_in_secret
        return self.hides_troops or (secret_set_up and self.setting_up is not None)

    @property
    def hides_troops(self) -> bool:
        """Whether the options allow hidden units."""
        return isinstance(self.options, TableOptions) and self.options.hidden_troops

    @property
    @override
    def every_unit(self) -> Mapping[str, U]:
        """Return all units by id: visible units, hidden units, and arrivals."""
        return {**self.units, **self.hidden, **{unit: arrival.unit for unit, arrival in self.arrivals.items()}}

    def unit(self, unit_id: str) -> U:
        """Return the visible unit with the id. Raises KeyError."""
        return self.units[unit_id]

    def units_of(self, side: str) -> tuple[U, ...]:
        """Return the side's visible units on the table."""
        return _group_on_table(self.units).own.get(side, ())

    @property
    def are_all_placed(self) -> bool:
        """Whether every visible unit on the table has a place, so that players need not state distances."""
        return _all_placed(self.units, self.hidden)

    def enemies(self, side: str) -> tuple[U, ...]:
        """Return the other sides' visible units on the table."""
        groups = _group_on_table(self.units)
        return groups.others.get(side, groups.everyone)

    @property
    def all_on_table(self) -> tuple[U, ...]:
        """Return all visible units on the table."""
        return _group_on_table(self.units).everyone


S = TypeVar("S", bound=TableState[Any])
"""Type of the states of a system on a table."""


class UnitsBySide(NamedTuple, Generic[U]):
    """All units, the units of each side, and the enemies of each side."""

    everyone: tuple[U, ...]
    own: Mapping[str, tuple[U, ...]]
    others: Mapping[str, tuple[U, ...]]


def group_by_side(units: Iterable[U]) -> UnitsBySide[U]:
    """Return the units grouped by side."""
    all_units = tuple(units)
    sides = dict.fromkeys(unit.side for unit in all_units)
    own = {side: tuple(unit for unit in all_units if unit.side == side) for side in sides}
    others = {side: tuple(unit for unit in all_units if unit.side != side) for side in sides}
    return UnitsBySide(all_units, own, others)


def _group_units_on_table(units: Mapping[str, U]) -> UnitsBySide[U]:
    return group_by_side(unit for unit in units.values() if unit.on_table)


_group_on_table = cache_by_identity(_group_units_on_table, CACHE_SIZE)


def _are_visible_units_placed(units: Mapping[str, TableUnit], hidden: Mapping[str, TableUnit]) -> bool:
    visible = (unit for unit in units.values() if unit.on_table and unit.id not in hidden)
    return all(unit.place is not None for unit in visible)


_all_placed = cache_by_identity(_are_visible_units_placed, CACHE_SIZE)
