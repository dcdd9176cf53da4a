"""The army lists of the appendix as scenarios (MM-A): read from data, checked, and set on the table."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from pydantic import ConfigDict, Field, ValidationError

from rules.core import scenario_files
from rules.core.battle import Edge, Objective, Place
from rules.core.model import Cite, Mark, Model
from rules.core.ruleset import Choice, Refused, Scenario
from rules.core.scene import Ground, Point, TerrainPiece
from rules.core.state import Side
from rules.magdala.model import MagdalaState, MagdalaUnit, ThisTurn
from rules.magdala.options import MagdalaOptions

from .roster import SINGLE_FIGURES
from .troops import troops

LISTS = Cite(rule="MM-A", mark=Mark.TEXT)


class ScenarioSide(Model):
    """A side of a scenario, the edge it retreats to, and the way its units face unless they say otherwise."""

    id: str
    name: str
    home: Edge
    facing: float


class ListedUnit(Model):
    """A unit of a list: named troops, where they stand, and fields of the unit that differ from the troops'.

    A leader with a unit stands where the unit does and gives no place. With `only` it takes the field when each
    choice named has one of the values given.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

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

    def unit(self, side_faces: float) -> MagdalaUnit:
        """The unit, deployed. Raises ValidationError on a field that a unit has not."""
        facing = side_faces if self.facing is None else self.facing
        place = Place(x=self.at[0], y=self.at[1], facing=facing) if self.at else None
        unit = troops()[self.troops].unit(self.id, self.name, self.side, place=place, **(self.model_extra or {}))
        start = {"this_turn": ThisTurn(figures_at_start=unit.figures), "ammunition_full": unit.ammunition}
        return unit.model_copy(update=start)


class BattleScenario(Model):
    """A scenario file."""

    id: str
    title: str
    briefing: str
    turns: int
    first: str
    ground: Ground
    width: float = 72.0
    height: float = 48.0
    options: MagdalaOptions = MagdalaOptions()
    sides: tuple[ScenarioSide, ...]
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
                raise Refused(f"{self.title} has no choice “{name[:40]}”. {offered}", LISTS)
        settled = {}
        for choice in self.choices:
            value = given.get(choice.name, choice.default)
            match = next((option for option in choice.options if option.casefold() == value.casefold()), None)
            if match is None:
                raise Refused(f"“{value[:40]}” is no {choice.name}. Choose one of: {', '.join(choice.options)}.", LISTS)
            settled[choice.name] = match
        return settled

    def setup(self, given: Mapping[str, str]) -> MagdalaState:
        """The table before the first move. Raises Refused as `choose` does."""
        choices = self.choose(given)
        faces = {side.id: side.facing for side in self.sides}
        units = {line.id: line.unit(faces[line.side]) for line in self.units if line.chosen(choices)}
        for unit in list(units.values()):
            if unit.general is not None:
                units[unit.general] = units[unit.general].model_copy(update={"place": unit.place})
        return MagdalaState(
            scenario=self.id,
            choices=choices,
            sides=tuple(Side(id=side.id, name=side.name, index=index) for index, side in enumerate(self.sides)),
            active=self.first,
            units=units,
            options=self.options,
            width=self.width,
            height=self.height,
            ground=self.ground,
            terrain=self.terrain,
            turn_limit=self.turns,
            objectives=self.objectives,
            home_edges={side.id: side.home for side in self.sides},
        )


def faults(scenario: BattleScenario) -> Iterable[str]:
    """What is wrong in a scenario file beyond its shape, each with its place."""
    sides = {side.id for side in scenario.sides}
    choices = {choice.name: choice.options for choice in scenario.choices}
    names = {unit.id for unit in scenario.units}
    if scenario.first not in sides:
        yield f"first: there is no side {scenario.first!r}"
    for choice in scenario.choices:
        if choice.default not in choice.options:
            yield f"choice {choice.name}: the default {choice.default!r} is none of its options"
    for objective in scenario.objectives:
        if objective.side not in sides:
            yield f"objective {objective.name}: there is no side {objective.side!r}"
    if len(names) < len(scenario.units):
        yield "unit: two units have the same id"
    for unit in scenario.units:
        yield from (f"unit {unit.id}: {fault}" for fault in _unit_faults(unit, sides, choices, names))


def _unit_faults(
    unit: ListedUnit, sides: set[str], choices: Mapping[str, tuple[str, ...]], names: set[str]
) -> Iterable[str]:
    if unit.side not in sides:
        yield f"there is no side {unit.side!r}"
    for name, values in unit.only.items():
        for value in values:
            if value not in choices.get(name, ()):
                yield f"only: there is no choice {name} = {value!r}"
    if unit.troops not in troops():
        yield f"no troops are called {unit.troops!r}"
        return
    try:
        made = unit.unit(0.0)
    except ValidationError as error:
        first = error.errors()[0]
        yield f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        return
    if made.general is not None and made.general not in names:
        yield f"general: there is no unit {made.general!r}"
    if made.place is None and made.troop not in SINGLE_FIGURES:
        yield "at: it stands nowhere"


def read_scenario(text: str, name: str) -> BattleScenario:
    """The scenario of a TOML text. Raises ValueError naming the file and the place of the first fault."""
    return scenario_files.read(text, name, BattleScenario, faults)


@cache
def scenarios() -> Mapping[str, BattleScenario]:
    """Every scenario by id, in the order of the appendix. Raises ValueError on the first fault of a file."""
    return scenario_files.read_all(files("rules.magdala") / "scenarios", read_scenario)
