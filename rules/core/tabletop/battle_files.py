"""The scenario file of a battle on a table: sides, listed units, ground and objectives, set up as a state.

Systems subclass `BattleFile`, name their troops and their state, and say what else their files hold.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar

from pydantic import Field, ValidationError
from typing_extensions import override

from rules.core.catalog import Choice, Scenario
from rules.core.data_files import ScenarioFile
from rules.core.documents import Text
from rules.core.faults import Fault
from rules.core.fields import unit_type
from rules.core.model import PUBLIC, UMPIRE, Cite, Path
from rules.core.refusal import Refused
from rules.core.scene import Ground, Point, TerrainPiece
from rules.core.state import Side

from . import battle_reader, hidden_units, markers, positions, table
from .battle import Objective, SettingUp, TableState, U
from .leadership import Leading
from .listed_markers import marker_faults, with_listed_markers
from .listed_units import ListedDummy, ListedSide, ListedUnit, OneLine
from .troops import Troops
from .validation import LEAST_TABLE, MOST_POINTS, MOST_TABLE, MOST_TERRAIN, MOST_UNITS
from .ways import Ways

S = TypeVar("S", bound=TableState[Any])

MOST_TURNS = 99
MOST_SIDES = 2
MOST_CHOICES = 10
MOST_OBJECTIVES = 20
Table = Annotated[float, Field(ge=LEAST_TABLE, le=MOST_TABLE)]
"""Inches of a table's side."""


class BattleFile(ScenarioFile, Generic[U, S]):
    """A scenario file."""

    troops: ClassVar[Troops[Any]]
    state_type: ClassVar[type[Any]]
    ways: ClassVar[Ways[Any]]
    lists: ClassVar[Cite]
    """The rule that refusals cite."""
    passing: ClassVar[tuple[str, ...]] = ("this_turn",)
    """Fields of a unit that a file does not tell: what passes with the turn, and melees under way."""

    counted: ClassVar[tuple[str, ...]] = ("figures",)
    """Unit fields for initial strength."""

    leading: ClassVar[Leading | None] = None
    """How somebody leads a unit; None where nobody does."""

    of_its_own: ClassVar[tuple[str, ...]] = ()
    """Fields that an army's lines may say of a unit, beside those that its troops have."""

    title: Annotated[OneLine, Field(max_length=80)]
    briefing: Text = ""
    turns: int = Field(ge=1, le=MOST_TURNS)
    first: str
    ground: Ground
    width: Table = 72.0
    height: Table = 48.0
    set_up: bool = False
    """Whether the game opens with its set-up, before the battle begins."""
    options: Any = None
    sides: tuple[ListedSide, ...] = Field(min_length=MOST_SIDES, max_length=MOST_SIDES)
    choices: tuple[Choice, ...] = Field(default=(), max_length=MOST_CHOICES)
    objectives: tuple[Objective, ...] = Field(default=(), max_length=MOST_OBJECTIVES)
    terrain: tuple[TerrainPiece, ...] = Field(default=(), max_length=MOST_TERRAIN)
    units: tuple[ListedUnit, ...] = Field(default=(), max_length=MOST_UNITS)
    dummies: tuple[ListedDummy, ...] = Field(default=(), max_length=MOST_SIDES * markers.MOST_MARKERS)

    @classmethod
    @override
    def read(cls, text: str) -> Self:
        """Return the battle of a TOML text. Raises ValueError with every fault."""
        try:
            return battle_reader.read(cls, text.encode())
        except Refused as refused:
            raise ValueError(str(refused)) from None

    @classmethod
    def unit_type(cls) -> type[Any]:
        """Return the type of the units of `state_type`."""
        return unit_type(cls.state_type)

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
        """Return every choice settled, by the given option or the default. Raises Refused on an unknown option."""
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
        """Return the table before the first move; without positions no unit is placed.

        Raises Refused as `choose` does.
        """
        kept, lists = positions.split_choices(given)
        state = self._laid_out(self.choose(lists))
        return state if kept else positions.without_places(state)

    def _laid_out(self, choices: dict[str, str]) -> S:
        """Return the table with the units that these choices select."""
        units = {line.id: self.made(line) for line in self.units if line.chosen(choices)}
        lines = [line for line in self.units if line.id in units]
        ambush = tuple(line.id for line in lines if line.hidden)
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
            setting_up=SettingUp(in_ambush=ambush) if self.set_up else None,
            home_edges={side.id: side.home for side in self.sides if side.home is not None},
            **({} if self.options is None else {"options": self.options}),
            **self.further(),
        )
        if not (ambush or self.dummies):
            return state
        return with_listed_markers(hidden_units.hide_units(_hiding(state), ambush), lines, self.dummies, self.faces)

    def faces(self, side: str) -> float:
        """Return the way the units of that side (by its id) face unless they say otherwise."""
        return next((each.facing for each in self.sides if each.id == side), 0.0)

    def made(self, line: ListedUnit) -> U:
        """Return a listed unit, deployed. Raises ValidationError on a field that a unit has not."""
        more = {**(line.model_extra or {}), "place": line.place(self.faces(line.side))}
        unit: U = self.troops.all[line.troops].make_unit(line.id, line.name, line.side, **more)
        return self.drawn_up(unit)

    def drawn_up(self, unit: U) -> U:
        """Return the unit as it begins the game."""
        return self.as_listed(unit)

    @classmethod
    def as_listed(cls, unit: U) -> U:
        """Return the listed unit with derived fields; explicitly given fields stay unchanged."""
        return unit

    @classmethod
    def enlisted(cls, unit: U) -> U:
        """Return the unit for an army on another table, without effects of this table's ground."""
        return unit

    @classmethod
    def may_be_with(cls, leader: U, unit: U) -> bool:  # noqa: ARG003
        """Whether `leader` may lead `unit` or accompany it."""
        return True

    @classmethod
    def has_strength(cls, unit: U) -> bool:  # noqa: ARG003
        """Whether the unit counts in its army's strength; leaders do not."""
        return True

    @classmethod
    def keeps(cls, unit: U) -> bool:
        """Whether a saved table includes the unit."""
        return unit.on_table

    @classmethod
    def gives_place(cls, unit: U) -> bool:  # noqa: ARG003
        """Whether its line says where it stands."""
        return True

    @classmethod
    def begins(cls, state: S) -> str:
        """Return the id of the side with the first turn."""
        return state.active

    def together(self, units: Mapping[str, U]) -> Mapping[str, U]:
        """Return the units, with attached units moved to their host's place."""
        return units

    def further(self) -> Mapping[str, Any]:
        """Return what else the state holds."""
        return {}

    def faults(self) -> Iterable[str]:
        """Yield content faults of the file, each with its path."""
        yield from (fault.what for fault in self.placed_faults())

    def placed_faults(self) -> Iterable[Fault]:
        """Yield faults with their file positions; table faults only for valid lists."""
        yield from tuple(self.list_faults()) or self.table_faults()

    def list_faults(self) -> Iterable[Fault]:
        """Yield what is wrong with sides, choices, objectives and each unit by itself."""
        sides = {side.id for side in self.sides}
        named: tuple[tuple[Path, str, str], ...] = (
            (("first",), "first", self.first),
            *((("objectives", at, "side"), f"objective {o.name}", o.side) for at, o in enumerate(self.objectives)),
            *((("units", at, "side"), f"unit {each.id}", each.side) for at, each in enumerate(self.units)),
            *((("dummies", at, "side"), f"dummy {at + 1}", each.side) for at, each in enumerate(self.dummies)),
        )
        for path, place, given in named:
            if given not in sides:
                yield Fault(path, f"{place}: there is no side {given!r}")
        for at, choice in enumerate(self.choices):
            if choice.default not in choice.options:
                why = f"choice {choice.name}: the default {choice.default!r} is none of its options"
                yield Fault(("choices", at, "default"), why)
        for at, side in enumerate(self.sides):
            if side.id in (UMPIRE, PUBLIC):
                yield Fault(("sides", at, "id"), f"side {side.id}: nobody's side is called so; choose another id")
        yield from _repeated("sides", "side", [side.id for side in self.sides])
        yield from _repeated("units", "unit", [unit.id for unit in self.units])
        for at, unit in enumerate(self.units):
            for field, why in self._faults_of(unit):
                yield Fault(("units", at, field), f"unit {unit.id}: {field}: {why}")
        yield from marker_faults(self.units, self.dummies)

    def table_faults(self) -> Iterable[Fault]:
        """Yield terrain, objectives and units off the table, and units overlapping under any choices."""
        for at, piece in enumerate(self.terrain):
            place, name = ("terrain", at, "points"), f"terrain {piece.name or piece.feature.value}"
            if not 0 < len(piece.points) <= MOST_POINTS:
                yield Fault(place, f"{name}: points: there are 1 to {MOST_POINTS} of them")
            if not all(self.on_the_table(point) for point in piece.points):
                yield Fault(place, f"{name}: it reaches off the table")
        for at, objective in enumerate(self.objectives):
            if not self.on_the_table(objective.at):
                yield Fault(("objectives", at), f"objective {objective.name}: it lies off the table")
        for at, dummy in enumerate(self.dummies):
            if not self.on_the_table(dummy.at):
                yield Fault(("dummies", at, "at"), f"dummy {at + 1}: it lies off the table")
        standing = [
            (at, line, here, self.ways.takes_ground(unit))
            for at, line in enumerate(self.units)
            if not line.marker and (here := self.ways.placement.base(unit := self.made(line))) is not None
        ]
        for at, line, here, _ in standing:
            if not table.on_table(here, self.width, self.height):
                yield Fault(("units", at, "at"), f"unit {line.id}: it stands off the table")
        solid = [(at, line, here) for at, line, here, takes_ground in standing if takes_ground]
        for (_, one, here), (at, other, there) in combinations(solid, 2):
            if table.overlapping(here, there) and one.meets(other):
                yield Fault(("units", at, "at"), f"unit {other.id}: it stands on {one.id}")

    def on_the_table(self, point: Point) -> bool:
        """Whether a point lies on the table."""
        return 0 <= point[0] <= self.width and 0 <= point[1] <= self.height

    def unit_faults(self, unit: U) -> Iterable[tuple[str, str]]:
        """Yield faults of a valid unit: field and reason."""
        raise NotImplementedError

    def _faults_of(self, line: ListedUnit) -> Iterable[tuple[str, str]]:
        choices = {choice.name: choice.options for choice in self.choices}
        for name, values in line.only.items():
            for value in values:
                if value not in choices.get(name, ()):
                    yield "only", f"there is no choice {name} = {value!r}"
        if line.troops not in self.troops.all:
            yield "troops", f"no troops are called {line.troops!r}{self.troops.suggest(line.troops)}"
            return
        try:
            made = self.made(line)
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
            given = [each for each in errors if each["loc"][:1] != () and each["loc"][0] in (line.model_extra or {})]
            for each in given or errors:
                yield (
                    ".".join(str(part) for part in each["loc"]),
                    battle_reader.why_of_unit(each, type(self).unit_type()),
                )
            return
        named = ((field, getattr(made, field)) for field in made.refers_to)
        ids = (None, *(other.id for other in self.units))
        yield from ((field, f"there is no unit {name!r}") for field, name in named if name not in ids)
        off = line.hidden and made.place is None
        yield from (each for each in self.unit_faults(made) if not (off and each[0] == "at"))
        if made.name and self.state_type.is_reserved(made.name):
            yield "name", "only markers are called so"


def _hiding(state: S) -> S:
    """Return the state with hidden troops allowed."""
    return state.model_copy(update={"options": state.options.model_copy(update={"hidden_troops": True})})


def _repeated(where: str, noun: str, ids: Sequence[str]) -> Iterable[Fault]:
    """Ids that come twice, at the place of the second."""
    for at, each in enumerate(ids):
        if each in ids[:at]:
            yield Fault((where, at, "id"), f"{noun} {each}: two have the same id")
