"""The scenarios of `scenarios/*.toml` (TA-H.11): read, checked, and set up."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from pydantic import Field

from rules.core import scenario_files
from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.listed import Scenario
from rules.core.model import Cite, Mark, Model
from rules.core.play import Play
from rules.core.refused import Refused
from rules.core.state import Named, Side

from .combat.reveal import deal
from .forces import Force, forces
from .maps import house_board
from .model import BRITISH, GERMAN, Formation, Hours, Kind, Phase, TangaState, TangaUnit
from .options import TangaOptions

LISTS = Cite(rule="TA-H.11", mark=Mark.HOUSE)
SIDES = (Side(id=BRITISH, name="British", index=0), Side(id=GERMAN, name="Germans", index=1))


class Placed(Model):
    """A formation of a scenario: its counters by hex, as `A B L1`; those named in none are aboard or on their way."""

    id: Named
    at: Mapping[Hex, str] = Field(default_factory=dict)
    arrives: int = Field(default=1, ge=1)
    by_train: bool = False

    @property
    def hexes(self) -> Mapping[str, Hex]:
        """Where each counter stands, by its key; raises ValueError on one that stands twice."""
        found: dict[str, Hex] = {}
        for hex_, keys in self.at.items():
            for key in keys.split():
                if key in found:
                    raise ValueError(f"{key} stands in {found[key]} and in {hex_}")
                found[key] = hex_
        return found


class TangaScenario(Model):
    """A scenario file."""

    id: Named
    title: Named
    briefing: str
    turns: int = Field(ge=1, le=99)
    hours: Hours
    objectives: Mapping[str, int]
    formations: tuple[Placed, ...]

    @property
    def listed(self) -> Scenario:
        """As `/scenario list` shows it."""
        sides = tuple(side.name for side in SIDES)
        return Scenario(id=self.id, title=self.title, briefing=self.briefing.strip(), sides=sides, turns=self.turns)

    def state(self) -> TangaState:
        """The game before the MG markers are dealt."""
        options = TangaOptions()
        units = {unit.id: unit for placed in self.formations for unit in _units(placed, options)}
        return TangaState(
            ruleset="tanga",
            scenario=self.id,
            sides=SIDES,
            active=BRITISH,
            phase=Phase.BRITISH.value,
            units=units,
            options=options,
            formations={placed.id: _formation(placed) for placed in self.formations},
            turns=self.turns,
            hours=self.hours,
            objectives=self.objectives,
        )


def _formation(placed: Placed) -> Formation:
    return forces()[placed.id].formation.model_copy(update={"arrives": placed.arrives, "by_train": placed.by_train})


def _units(placed: Placed, options: TangaOptions) -> Iterable[TangaUnit]:
    hexes, landing = placed.hexes, house_board().landing
    for key, unit in forces()[placed.id].units.items():
        at = hexes.get(key)
        inland = at is not None and at not in landing
        update = {"at": at, "inland": inland, "fires_within": options.standing_within}
        yield unit.model_copy(update=update)


def faults(scenario: TangaScenario) -> Iterable[str]:
    """What is wrong in a scenario file beyond its shape, each with its place."""
    board = house_board()
    for kind, number in scenario.objectives.items():
        if not 1 <= number <= len(board.victory.get(kind, ())):
            yield f"objectives: the map has no {number} victory hexes of the kind {kind!r}"
    taken: dict[Hex, str] = {}
    for placed in scenario.formations:
        force = forces().get(placed.id)
        if force is None:
            yield f"formations: there is none called {placed.id!r}"
            continue
        yield from (f"{placed.id}: {fault}" for fault in _misplaced(placed, force, scenario.turns))
        for hex_ in placed.at:
            if hex_ in taken:
                yield f"{placed.id}: {hex_} is {taken[hex_]}'s"
            taken[hex_] = placed.id
    if len({placed.id for placed in scenario.formations}) < len(scenario.formations):
        yield "formations: one comes twice"


def _misplaced(placed: Placed, force: Force, turns: int) -> Iterable[str]:
    try:
        hexes = placed.hexes
    except ValueError as error:
        yield str(error)
        return
    hidden = {"MG"} if force.formation.kind is Kind.BATTALION else set[str]()
    asked = force.units.keys() - hidden
    for key in hexes.keys() - asked:
        yield f"it has no counter {key!r} to set down"
    if hexes and (missing := asked - hexes.keys()):
        yield f"{', '.join(sorted(missing))}: it stands nowhere"
    if placed.arrives > turns:
        yield f"it arrives in turn {placed.arrives}, after the last"
    for hex_ in placed.at:
        there = [force.units[key] for key, at in hexes.items() if at == hex_ and key in force.units]
        if hex_ not in house_board().land:
            yield f"{hex_} is no land hex"
        if sum(unit.is_combat for unit in there) > TangaOptions().stack_limit:
            yield f"more stand in {hex_} than may"


def read_scenario(text: str, name: str) -> TangaScenario:
    """The scenario of a TOML text. Raises ValueError naming the file and the place of the first fault."""
    return scenario_files.read(text, name, TangaScenario, faults)


@cache
def scenarios() -> Mapping[str, TangaScenario]:
    """Every scenario by id, in order. Raises ValueError on the first fault of a file."""
    return scenario_files.read_all(files("rules.tanga") / "scenarios", read_scenario)


def listed() -> Mapping[str, Scenario]:
    """Every scenario as lists show it."""
    return {key: scenario.listed for key, scenario in scenarios().items()}


def setup(scenario: str, choices: Mapping[str, str], dice: Dice) -> TangaState:
    """The state a scenario starts from, its MG markers dealt unseen (TA-1). Raises Refused on an unknown one."""
    found = scenarios().get(scenario)
    if found is None:
        raise Refused(f"There is no scenario “{scenario[:40]}”. There are: {', '.join(scenarios())}.", LISTS)
    if choices:
        raise Refused(f"{found.title} leaves nothing to choose. Leave out “{next(iter(choices))[:40]}”.", LISTS)
    play = Play(found.state(), dice)
    for formation in play.state.formations.values():
        if formation.kind is Kind.BATTALION:
            deal(play, formation.id)
    return play.state
