"""What every game on a table in inches remembers: places, ground, objectives, and units that may stand on it."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import ClassVar, Generic, NamedTuple, Self, TypeVar

from pydantic import Field
from typing_extensions import override

from rules.core.agreement import Noun
from rules.core.memo import cache_by_identity
from rules.core.model import Model
from rules.core.scene import Ground, Point, TerrainPiece
from rules.core.state import Named, State, Unit

from . import squares
from .options import TableOptions
from .place import alone

SET_UP = "Set-up"
POSITIONS, KEPT, NONE = "positions", "kept", "none"
"""Id of the choice whether a game keeps positions, and its values."""
LATEST = 64
"""Number of positions whose units on the table are cached."""


class Place(Model):
    """Where a unit stands: its centre in inches from the north-west corner, facing in degrees from north."""

    x: float
    y: float
    facing: float = 0.0

    @property
    def point(self) -> Point:
        """Its point of the table."""
        return (self.x, self.y)

    @property
    def spoken(self) -> str:
        """Return the nearest described place: `C2 NW facing south`."""
        return f"{squares.spot(self.point)} facing {squares.direction(self.facing)}"

    def in_words(self) -> str:
        """Return the exact description: `C2 NW facing south (26.5,14 facing 168.9°)`."""
        x, y, facing = (f"{round(number, 3):g}" for number in (self.x, self.y, self.facing))
        return f"{self.spoken} ({x},{y} facing {facing}°)"

    @classmethod
    def of_words(cls, words: str) -> Self:
        """Return the place of words like `30,12` or `C2 NW facing south`, facing north by default. Raises Refused.

        Raises Refused where they name no place, or one only from where a unit stands.
        """
        spot = alone(words)
        x, y = spot.at
        return cls(x=x, y=y, facing=spot.facing or 0.0)


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


class SettingUp(Model):
    """The battle has not begun: units and ground are put on, moved and taken off freely.

    Those `in_ambush`, by id, stay hidden when it begins.
    """

    in_ambush: tuple[str, ...] = ()


class TableUnit(Unit):
    """A unit with a place on the table, or without one if figures stand on a real table."""

    place: Place | None = None

    @property
    def on_table(self) -> bool:
        """Still in the game."""
        return True

    def rested(self) -> Self:
        """Return the unit as its next turn begins: it remembers nothing of the last."""
        told = type(self).model_fields.get("this_turn")
        return self if told is None else self.model_copy(update={"this_turn": told.get_default()})


class Marker(Unit):
    """What shows where a side may have troops: everyone sees it, and its side alone what lies under it.

    That is a hidden `unit` of the side (its id), or nothing; then it is a dummy. `moved_in` is the turn in which it
    last moved.
    """

    place: Place
    unit: str = ""
    moved_in: int = 0

    @property
    @override
    def noun(self) -> Noun:
        """Return the grammatical number: a marker is singular."""
        return Noun.THING

    @property
    def letter(self) -> str:
        """`B` of Marker B."""
        return self.name.rpartition(" ")[2]


U = TypeVar("U", bound=TableUnit)


class TableState(State, Generic[U]):
    """State of a game on a table, with its size in inches.

    Units that are `hidden` stand apart from the others (`rules.core.tabletop.hidden_units`). `letters` are how many
    letters of markers have been given: to everyone's knowledge under no name, in a set-up in secret by each side.

    `title` is that of a battle that does not ship; `document` its file, while choices of it are open.
    """

    deed_counters: ClassVar[tuple[str, ...]] = ()
    """Names of the fields that count actions or follow from such a count, for example `("events", "document")`.

    An action that other sides do not notice leaves these fields unchanged: a counter that goes up would give it away.
    """
    reserved = re.compile(r"marker [a-z]{1,2}", re.IGNORECASE)

    units: Mapping[str, U] = Field(default_factory=dict)
    hidden: Mapping[str, U] = Field(default_factory=dict)
    markers: Mapping[str, Marker] = Field(default_factory=dict)
    letters: Mapping[str, int] = Field(default_factory=dict)
    width: float = 72.0
    height: float = 48.0
    ground: Ground = Ground.DESERT
    terrain: tuple[TerrainPiece, ...] = ()
    turn_limit: int | None = None
    objectives: tuple[Objective, ...] = ()
    home_edges: Mapping[str, Edge] = Field(default_factory=dict)
    """Each side's edge by side id: for deployment, and in some systems for retreat."""
    setting_up: SettingUp | None = None
    title: Named = ""
    document: str = ""

    @property
    def keeps_positions(self) -> bool:
        """Whether the table knows the units' places; else people measure on a real table."""
        return self.choices.get(POSITIONS) != NONE

    @property
    @override
    def last_turn(self) -> int | None:
        """Return the turn limit, or None."""
        return self.turn_limit

    @property
    @override
    def is_being_set_up(self) -> bool:
        """Whether set-up is in progress."""
        return self.setting_up is not None

    @override
    def title_of(self, turn: str) -> str:
        """Return the title of the turn; `Set-up` while the battle is being set up."""
        return SET_UP if self.is_being_set_up else super().title_of(turn)

    @property
    @override
    def may_hide(self) -> bool:
        """As its options say, and while units are put on in secret."""
        in_secret = isinstance(self.options, TableOptions) and self.options.deploy_in_secret
        return self.hides_troops or (in_secret and self.setting_up is not None)

    @property
    def hides_troops(self) -> bool:
        """Whether its options let units be hidden."""
        return isinstance(self.options, TableOptions) and self.options.hidden_troops

    @property
    @override
    def every_unit(self) -> Mapping[str, U]:
        """Return visible and hidden units."""
        return {**self.units, **self.hidden}

    def unit(self, unit_id: str) -> U:
        """Return the unit of that id. Raises KeyError."""
        return self.units[unit_id]

    def of_side(self, side: str) -> tuple[U, ...]:
        """Return the side's units on the table."""
        return _muster(self.units).own.get(side, ())

    @property
    def all_placed(self) -> bool:
        """Whether the table knows where everybody stands, so that nobody need say what is near.

        Who is hidden may be off the table.
        """
        return _all_placed(self.units, self.hidden)

    def enemies(self, side: str) -> tuple[U, ...]:
        """Return other sides' units on the table."""
        found = _muster(self.units)
        return found.others.get(side, found.everyone)

    @property
    def all_on_table(self) -> tuple[U, ...]:
        """Return all units on the table."""
        return _muster(self.units).everyone


class Muster(NamedTuple, Generic[U]):
    """Groups of units: all, the units of each side, and the enemies of each side."""

    everyone: tuple[U, ...]
    own: Mapping[str, tuple[U, ...]]
    others: Mapping[str, tuple[U, ...]]


def mustered(units: Iterable[U]) -> Muster[U]:
    """Group units by their sides."""
    everyone = tuple(units)
    sides = dict.fromkeys(unit.side for unit in everyone)
    own = {side: tuple(unit for unit in everyone if unit.side == side) for side in sides}
    others = {side: tuple(unit for unit in everyone if unit.side != side) for side in sides}
    return Muster(everyone, own, others)


def _standing(units: Mapping[str, U]) -> Muster[U]:
    return mustered(unit for unit in units.values() if unit.on_table)


_muster = cache_by_identity(_standing, LATEST)


def _are_placed(units: Mapping[str, TableUnit], hidden: Mapping[str, TableUnit]) -> bool:
    seen = (unit for unit in units.values() if unit.on_table and unit.id not in hidden)
    return all(unit.place is not None for unit in seen)


_all_placed = cache_by_identity(_are_placed, LATEST)
