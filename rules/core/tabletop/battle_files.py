"""The scenario file of a battle on a table, which creates the first state.

Each system subclasses `BattleFile`, names its troops and its type of state, and adds fields of its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, ClassVar, Generic, Self

from pydantic import Field, ValidationError
from typing_extensions import override

from rules.core.catalog import Scenario, ScenarioChoice
from rules.core.data_files import ScenarioFile
from rules.core.documents import Text
from rules.core.faults import Fault
from rules.core.fields import unit_type
from rules.core.model import PUBLIC, UMPIRE, Cite, Path
from rules.core.refusal import Refused
from rules.core.scene import Ground, Point, TerrainPiece
from rules.core.state import Side

from . import battle_reader, hidden_units, markers, positions, table
from .battle import Objective, S, SettingUp, U
from .leadership import Leadership
from .listed_markers import add_listed_markers, marker_faults
from .listed_units import ListedDummy, ListedSide, ListedUnit, OneLine
from .troops import Troops
from .validation import LEAST_TABLE, MOST_POINTS, MOST_TABLE, MOST_TERRAIN, MOST_UNITS
from .ways import Ways

MOST_TURNS = 99
MOST_SIDES = 2
MOST_CHOICES = 10
MOST_OBJECTIVES = 20
TableInches = Annotated[float, Field(ge=LEAST_TABLE, le=MOST_TABLE)]
"""The width or height of a table, in inches."""


class BattleFile(ScenarioFile, Generic[U, S]):
    """A scenario file of a table system. Class variables and methods let a system adapt the file to its units."""

    troops: ClassVar[Troops[Any]]
    state_type: ClassVar[type[Any]]
    ways: ClassVar[Ways[Any]]
    lists_rule: ClassVar[Cite]
    """Rule cited by refusals of choices."""
    unsaved_fields: ClassVar[tuple[str, ...]] = ("this_turn",)
    """Unit fields that a saved file leaves out, because they last only for a turn or a melee."""

    strength_fields: ClassVar[tuple[str, ...]] = ("figures",)
    """Name of the field that counts a unit's strength, as a tuple with one item."""

    first_fields: ClassVar[tuple[str, ...]] = ("active",)
    """State fields with the side that moves first. The file of a saved table takes the side from the first field."""

    initial_fields: ClassVar[Mapping[str, Any]] = {}
    """Initial values of state fields that only this system has."""

    leading: ClassVar[Leadership | None] = None
    """Leaders of the system and their links to units; None if the system has no leaders."""

    extra_line_fields: ClassVar[tuple[str, ...]] = ()
    """Unit fields that army lines may set, beside the fields of the system's troops."""

    title: Annotated[OneLine, Field(max_length=80)]
    briefing: Text = ""
    turns: int = Field(ge=1, le=MOST_TURNS)
    first: str
    ground: Ground
    width: TableInches = 72.0
    height: TableInches = 48.0
    set_up: bool = False
    """Whether the game begins with a set-up, during which players may change the deployment."""
    options: Any = None
    sides: tuple[ListedSide, ...] = Field(min_length=MOST_SIDES, max_length=MOST_SIDES)
    choices: tuple[ScenarioChoice, ...] = Field(default=(), max_length=MOST_CHOICES)
    objectives: tuple[Objective, ...] = Field(default=(), max_length=MOST_OBJECTIVES)
    terrain: tuple[TerrainPiece, ...] = Field(default=(), max_length=MOST_TERRAIN)
    units: tuple[ListedUnit, ...] = Field(default=(), max_length=MOST_UNITS)
    dummies: tuple[ListedDummy, ...] = Field(default=(), max_length=MOST_SIDES * markers.MOST_MARKERS)

    @classmethod
    @override
    def read(cls, text: str) -> Self:
        """Return the battle of a TOML or JSON text. Raises ValueError with every fault."""
        try:
            return battle_reader.read(cls, text.encode())
        except Refused as refused:
            raise ValueError(str(refused)) from None

    @classmethod
    def unit_type(cls) -> type[Any]:
        """Return the type of units in `state_type`."""
        return unit_type(cls.state_type)

    @property
    def catalogue_entry(self) -> Scenario:
        """Return the catalogue entry that `/scenario list` shows."""
        return Scenario(
            id=self.id,
            title=self.title,
            briefing=self.briefing.strip(),
            sides=tuple(side.name for side in self.sides),
            choices=self.choices,
            turns=self.turns,
        )

    def choices_with_defaults(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return the chosen or default option of every choice, by the choice's name.

        Raises Refused on an unknown choice or option.
        """
        names = [choice.name for choice in self.choices]
        for name in options:
            if name not in names:
                listing = f"Its choices: {', '.join(names)}." if names else "It leaves nothing to choose."
                raise Refused(f"{self.title} has no choice “{name[:40]}”. {listing}", self.lists_rule)
        settled = {}
        for choice in self.choices:
            value = options.get(choice.name, choice.default)
            match = next((option for option in choice.options if option.casefold() == value.casefold()), None)
            if match is None:
                listing = ", ".join(choice.options)
                raise Refused(f"“{value[:40]}” is no {choice.name}. Choose one of: {listing}.", self.lists_rule)
            settled[choice.name] = match
        return settled

    def setup(self, options: Mapping[str, str]) -> S:
        """Return the state before the first action. In a game without positions, units have no place.

        Raises Refused on an unknown choice or option.
        """
        keeps_positions, choices = positions.split_off_positions_choice(options)
        state = self._build_state(self.choices_with_defaults(choices))
        return state if keeps_positions else positions.remove_positions(state)

    def _build_state(self, choices: dict[str, str]) -> S:
        """Return the state with the units that these choices select."""
        units = {line.id: self.make_unit(line) for line in self.units if line.is_chosen_by(choices)}
        lines = [line for line in self.units if line.id in units]
        ambush = tuple(line.id for line in lines if line.hidden)
        state: S = self.state_type(
            scenario=self.id,
            choices=choices,
            sides=tuple(Side(id=side.id, name=side.name, index=index) for index, side in enumerate(self.sides)),
            units=self.place_attached_units(units),
            width=self.width,
            height=self.height,
            ground=self.ground,
            terrain=self.terrain,
            turn_limit=self.turns,
            objectives=self.objectives,
            setting_up=SettingUp(in_ambush=ambush) if self.set_up else None,
            home_edges={side.id: side.home for side in self.sides if side.home is not None},
            **({} if self.options is None else {"options": self.options}),
            **dict.fromkeys(self.first_fields, self.first),
            **self.initial_fields,
        )
        if not (ambush or self.dummies):
            return state
        options = state.options.model_copy(update={"hidden_troops": True})
        hidden = hidden_units.hide_units(state.model_copy(update={"options": options}), ambush)
        return add_listed_markers(hidden, lines, self.dummies, self.default_facing)

    def default_facing(self, side: str) -> float:
        """Return the default facing of the side's units in degrees; 0 for an unknown side."""
        return next((battle_side.facing for battle_side in self.sides if battle_side.id == side), 0.0)

    def make_unit(self, line: ListedUnit) -> U:
        """Make the unit that a line describes, at its place. Raises ValidationError on an unknown or invalid field."""
        field_values = {**(line.model_extra or {}), "place": line.place(self.default_facing(line.side))}
        unit: U = self.troops.all[line.troops].make_unit(line.id, line.name, line.side, **field_values)
        return self.fill_derived_fields(unit)

    @classmethod
    def fill_derived_fields(cls, unit: U) -> U:
        """Return the unit with missing derived fields filled in, such as its initial strength."""
        return unit

    @classmethod
    def reset_for_new_battle(cls, unit: U) -> U:
        """Return the unit for a new battle, without its temporary conditions in the present battle."""
        return unit

    @classmethod
    def has_strength(cls, unit: U) -> bool:
        """Whether the unit counts towards its army's strength; leaders do not."""
        return cls.leading is None or not cls.leading.is_piece(unit)

    @classmethod
    def is_saved(cls, unit: U) -> bool:
        """Whether the file of a saved table includes the unit."""
        return unit.on_table

    @classmethod
    def has_saved_place(cls, unit: U) -> bool:
        """Whether the file of a saved table gives the unit's place. Attached and reserve units have none."""
        is_attached = cls.leading and cls.leading.of_leader and getattr(unit, cls.leading.field) is not None
        return unit.on_table and not is_attached

    def place_attached_units(self, units: Mapping[str, U]) -> Mapping[str, U]:
        """Return the units by id, with each attached unit at the place of its host."""
        return units

    def faults(self) -> Iterable[str]:
        """Yield the faults of the file in words."""
        yield from (fault.what for fault in self.located_faults())

    def located_faults(self) -> Iterable[Fault]:
        """Yield the faults with their positions in the file. The table is checked only if no entry has a fault."""
        yield from tuple(self.entry_faults()) or self.table_faults()

    def entry_faults(self) -> Iterable[Fault]:
        """Yield faults in the names and values of sides, choices, objectives, markers and single units."""
        sides = {side.id for side in self.sides}
        named_sides: tuple[tuple[Path, str, str], ...] = (
            (("first",), "first", self.first),
            *((("objectives", at, "side"), f"objective {o.name}", o.side) for at, o in enumerate(self.objectives)),
            *((("units", at, "side"), f"unit {unit.id}", unit.side) for at, unit in enumerate(self.units)),
            *((("dummies", at, "side"), f"dummy {at + 1}", dummy.side) for at, dummy in enumerate(self.dummies)),
        )
        for path, place, side_id in named_sides:
            if side_id not in sides:
                yield Fault(path, f"{place}: there is no side {side_id!r}")
        for at, choice in enumerate(self.choices):
            if choice.default not in choice.options:
                why = f"choice {choice.name}: the default {choice.default!r} is none of its options"
                yield Fault(("choices", at, "default"), why)
        for at, side in enumerate(self.sides):
            if side.id in (UMPIRE, PUBLIC):
                yield Fault(("sides", at, "id"), f"side {side.id}: this id is reserved; choose another")
        yield from _repeated_id_faults("sides", "side", [side.id for side in self.sides])
        yield from _repeated_id_faults("units", "unit", [unit.id for unit in self.units])
        for at, unit in enumerate(self.units):
            for field, why in self._unit_line_faults(unit):
                yield Fault(("units", at, field), f"unit {unit.id}: {field}: {why}")
        yield from marker_faults(self.units, self.dummies)

    def table_faults(self) -> Iterable[Fault]:
        """Yield faults of terrain and places: wrong numbers of points, things off the table, and overlaps.

        Units that no choices bring into the same battle may overlap.
        """
        for at, piece in enumerate(self.terrain):
            place, name = ("terrain", at, "points"), f"terrain {piece.name or piece.feature.value}"
            if not 0 < len(piece.points) <= MOST_POINTS:
                yield Fault(place, f"{name}: points: there are 1 to {MOST_POINTS} of them")
            if not all(self.is_on_table(point) for point in piece.points):
                yield Fault(place, f"{name}: it reaches off the table")
        for at, objective in enumerate(self.objectives):
            if not self.is_on_table(objective.at):
                yield Fault(("objectives", at), f"objective {objective.name}: it lies off the table")
        for at, dummy in enumerate(self.dummies):
            if not self.is_on_table(dummy.at):
                yield Fault(("dummies", at, "at"), f"dummy {at + 1}: it lies off the table")
        standing = [
            (at, line, base, self.ways.takes_ground(unit))
            for at, line in enumerate(self.units)
            if not line.marker and (base := self.ways.placement.base(unit := self.make_unit(line))) is not None
        ]
        for at, line, base, _ in standing:
            if not table.is_on_table(base, self.width, self.height):
                yield Fault(("units", at, "at"), f"unit {line.id}: it stands off the table")
        solid = [(at, line, base) for at, line, base, takes_ground in standing if takes_ground]
        for (_, first, first_base), (at, second, second_base) in combinations(solid, 2):
            if table.are_overlapping(first_base, second_base) and first.can_both_take_part(second):
                yield Fault(("units", at, "at"), f"unit {second.id}: it stands on {first.id}")

    def is_on_table(self, point: Point) -> bool:
        """Whether a point lies on the table."""
        return 0 <= point[0] <= self.width and 0 <= point[1] <= self.height

    def unit_faults(self, unit: U) -> Iterable[tuple[str, str]]:
        """Yield each fault of a valid unit as a field and a reason. By default, only a missing place is a fault."""
        if unit.place is None and self.has_strength(unit):
            yield "at", "it has no place"

    def _unit_line_faults(self, line: ListedUnit) -> Iterable[tuple[str, str]]:
        """Yield each fault in a unit's line as a field and a reason."""
        choices = {choice.name: choice.options for choice in self.choices}
        for name, values in line.only.items():
            for value in values:
                if value not in choices.get(name, ()):
                    yield "only", f"there is no choice {name} = {value!r}"
        if line.troops not in self.troops.all:
            yield "troops", f"no troops are called {line.troops!r}{self.troops.suggest_ids(line.troops)}"
            return
        try:
            unit = self.make_unit(line)
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
            given = line.model_extra or {}
            errors_in_line = [detail for detail in errors if detail["loc"] and detail["loc"][0] in given]
            for detail in errors_in_line or errors:
                why = battle_reader.describe_unit_fault(detail, self.unit_type())
                yield ".".join(map(str, detail["loc"])), why
            return
        references = ((field, getattr(unit, field)) for field in unit.refers_to)
        ids = (None, *(other_line.id for other_line in self.units))
        yield from ((field, f"there is no unit {name!r}") for field, name in references if name not in ids)
        is_off_table = line.hidden and unit.place is None
        yield from (fault for fault in self.unit_faults(unit) if not (is_off_table and fault[0] == "at"))
        if unit.name and self.state_type.is_reserved(unit.name):
            yield "name", "only markers are called so"


def _repeated_id_faults(list_name: str, noun: str, ids: Sequence[str]) -> Iterable[Fault]:
    """Yield a fault for each entry with the id of an earlier entry."""
    for at, entry_id in enumerate(ids):
        if entry_id in ids[:at]:
            yield Fault((list_name, at, "id"), f"{noun} {entry_id}: two have the same id")
