"""The scenario file of a battle on a table: sides, listed units, ground and objectives, set up as a state.

Systems subclass `BattleFile`, name their troops and their state, and say what else their files hold.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import ConfigDict, Field, ValidationError

from rules.core.data_files import ScenarioFile
from rules.core.listed import Choice, Scenario
from rules.core.model import Cite, Model
from rules.core.refused import Refused
from rules.core.scene import Ground, Point, TerrainPiece
from rules.core.state import Side

from . import table
from .battle import Edge, Objective, Place, TableState, U
from .troops import Troops
from .ways import Ways

S = TypeVar("S", bound=TableState[Any])


class ListedSide(Model):
    """A side of a scenario, the way its units face unless they say otherwise, and its edge of the table."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    id: str
    name: str
    facing: float
    home: Edge | None = None


class ListedUnit(Model):
    """A unit of a list: named troops, where they stand, and fields of the unit that differ from the troops'.

    Who goes with another unit stands where that unit does and gives no place. With `only` it takes the field when
    each choice named has one of the values given.
    """

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)

    id: str
    name: str
    side: str
    troops: str
    at: Point | None = None
    facing: float | None = None
    only: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    def chosen(self, choices: Mapping[str, str]) -> bool:
        """Whether it takes the field under these choices."""
        return all(choices[name] in values for name, values in self.only.items())

    def meets(self, other: "ListedUnit") -> bool:
        """Whether any choices bring both of them to the field."""
        return all(set(values) & set(other.only.get(name, values)) for name, values in self.only.items())

    def place(self, side_faces: float) -> Place | None:
        """Where it stands; None where it gives no place."""
        facing = side_faces if self.facing is None else self.facing
        return Place(x=self.at[0], y=self.at[1], facing=facing) if self.at else None


class BattleFile(ScenarioFile, Generic[U, S]):
    """A scenario file."""

    troops: ClassVar[Troops[Any]]
    state_type: ClassVar[type[Any]]
    ways: ClassVar[Ways[Any]]
    lists: ClassVar[Cite]
    """The rule that refusals cite."""

    title: str
    briefing: str
    turns: int
    first: str
    ground: Ground
    width: float = 72.0
    height: float = 48.0
    options: Any = None
    sides: tuple[ListedSide, ...]
    choices: tuple[Choice, ...] = ()
    objectives: tuple[Objective, ...] = ()
    terrain: tuple[TerrainPiece, ...] = ()
    units: tuple[ListedUnit, ...]

    @property
    def listed(self) -> Scenario:
        """As `/scenario list` shows it."""
        return Scenario(
            id=self.id,
            title=self.title,
            briefing=self.briefing.strip(),
            sides=tuple(side.name for side in self.sides),
            choices=self.choices,
            turns=self.turns,
        )

    def choose(self, given: Mapping[str, str]) -> dict[str, str]:
        """Every choice settled, by what is given or the default. Raises Refused on a name or value not offered."""
        names = [choice.name for choice in self.choices]
        for name in given:
            if name not in names:
                offered = f"Its choices: {', '.join(names)}." if names else "It leaves nothing to choose."
                raise Refused(f"{self.title} has no choice “{name[:40]}”. {offered}", self.lists)
        settled = {}
        for choice in self.choices:
            value = given.get(choice.name, choice.default)
            match = next((option for option in choice.options if option.casefold() == value.casefold()), None)
            if match is None:
                offered = ", ".join(choice.options)
                raise Refused(f"“{value[:40]}” is no {choice.name}. Choose one of: {offered}.", self.lists)
            settled[choice.name] = match
        return settled

    def setup(self, given: Mapping[str, str]) -> S:
        """The table before the first move. Raises Refused as `choose` does."""
        choices = self.choose(given)
        units = {line.id: self.made(line) for line in self.units if line.chosen(choices)}
        state: S = self.state_type(
            scenario=self.id,
            choices=choices,
            sides=tuple(Side(id=side.id, name=side.name, index=index) for index, side in enumerate(self.sides)),
            active=self.first,
            units=self.together(units),
            width=self.width,
            height=self.height,
            ground=self.ground,
            terrain=self.terrain,
            turn_limit=self.turns,
            objectives=self.objectives,
            home_edges={side.id: side.home for side in self.sides if side.home is not None},
            **({} if self.options is None else {"options": self.options}),
            **self.further(),
        )
        return state

    def made(self, line: ListedUnit) -> U:
        """A listed unit, deployed. Raises ValidationError on a field that a unit has not."""
        faces = next((side.facing for side in self.sides if side.id == line.side), 0.0)
        more = {**(line.model_extra or {}), "place": line.place(faces)}
        unit: U = self.troops.all[line.troops].unit(line.id, line.name, line.side, **more)
        return self.drawn_up(unit)

    def drawn_up(self, unit: U) -> U:
        """The unit as it begins the game."""
        return unit

    def together(self, units: Mapping[str, U]) -> Mapping[str, U]:
        """The units of a table, those who go with another at its place."""
        return units

    def further(self) -> Mapping[str, Any]:
        """What else the state holds."""
        return {}

    def faults(self) -> Iterable[str]:
        """What is wrong in the file beyond its shape, each with its place; of the table where the lists are right."""
        yield from tuple(self.list_faults()) or self.table_faults()

    def list_faults(self) -> Iterable[str]:
        """What is wrong with sides, choices, objectives and each unit by itself."""
        sides = {side.id for side in self.sides}
        named = (
            ("first", self.first),
            *((f"objective {each.name}", each.side) for each in self.objectives),
            *((f"unit {each.id}", each.side) for each in self.units),
        )
        yield from (f"{place}: there is no side {side!r}" for place, side in named if side not in sides)
        for choice in self.choices:
            if choice.default not in choice.options:
                yield f"choice {choice.name}: the default {choice.default!r} is none of its options"
        if len({unit.id for unit in self.units}) < len(self.units):
            yield "unit: two units have the same id"
        for unit in self.units:
            yield from (f"unit {unit.id}: {fault}" for fault in self._faults_of(unit))

    def table_faults(self) -> Iterable[str]:
        """Terrain and objectives off the table, and units that stand off it or, by any choices, on one another."""
        for piece in self.terrain:
            if not all(self.on_the_table(point) for point in piece.points):
                yield f"terrain {piece.name or piece.feature.value}: it reaches off the table"
        for objective in self.objectives:
            if not self.on_the_table(objective.at):
                yield f"objective {objective.name}: it lies off the table"
        units = [(line, self.made(line)) for line in self.units]
        standing = [(line, unit, here) for line, unit in units if (here := self.ways.placement.base(unit)) is not None]
        for line, _, here in standing:
            if not table.on_table(here, self.width, self.height):
                yield f"unit {line.id}: it stands off the table"
        solid = [(line, here) for line, unit, here in standing if self.ways.takes_ground(unit)]
        for (one, here), (other, there) in combinations(solid, 2):
            if table.overlapping(here, there) and one.meets(other):
                yield f"unit {other.id}: it stands on {one.id}"

    def on_the_table(self, point: Point) -> bool:
        """Whether a point lies on the table."""
        return 0 <= point[0] <= self.width and 0 <= point[1] <= self.height

    def unit_faults(self, unit: U) -> Iterable[str]:  # noqa: ARG002
        """What is wrong with a unit that could be made."""
        return ()

    def _faults_of(self, line: ListedUnit) -> Iterable[str]:
        choices = {choice.name: choice.options for choice in self.choices}
        for name, values in line.only.items():
            for value in values:
                if value not in choices.get(name, ()):
                    yield f"only: there is no choice {name} = {value!r}"
        if line.troops not in self.troops.all:
            yield f"no troops are called {line.troops!r}"
            return
        try:
            made = self.made(line)
        except ValidationError as error:
            first = error.errors()[0]
            yield f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
            return
        named = ((field, getattr(made, field)) for field in made.refers_to)
        ids = (None, *(other.id for other in self.units))
        yield from (f"{field}: there is no unit {name!r}" for field, name in named if name not in ids)
        yield from self.unit_faults(made)
