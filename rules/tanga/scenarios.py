"""Forces of `data/forces.toml` (TA-2, TA-8, TA-H.10), and scenarios of `scenarios/*.toml` (TA-H.11)."""

import tomllib
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from rules.core.catalog import Scenario
from rules.core.data_files import ScenarioFile, ScenarioFiles
from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark, Model
from rules.core.play import Play
from rules.core.refusal import Refused
from rules.core.state import Named, Side

from .combat.reveal import deal_gun_markers
from .maps import house_board
from .model import BRITISH, GERMAN, Arm, Formation, Hours, Kind, Phase, TangaState, TangaUnit
from .options import TangaOptions

HERE = files("rules.tanga")
LISTS = Cite(rule="TA-H.11", mark=Mark.HOUSE)
SIDES = (Side(id=BRITISH, name="British", index=0), Side(id=GERMAN, name="Germans", index=1))


class Force(Model):
    """A formation with its counters, off the map. Scenario files name a counter by its key in `units`."""

    formation: Formation
    units: Mapping[str, TangaUnit]


class _FormationEntry(Model):
    """A formation of forces.toml: field values for its infantry, and the fields of its other counters."""

    id: str
    name: str
    short: str
    kind: Kind
    fbn: int
    beach: str = ""
    infantry: Mapping[str, Any] = Field(default_factory=dict)
    units: tuple[Mapping[str, Any], ...]


class _ForcesFile(Model):
    """Contents of forces.toml: field values by arm, infantry names by formation kind and key, and formations."""

    arms: Mapping[Arm, Mapping[str, Any]]
    infantry: Mapping[Kind, Mapping[str, str]]
    formations: tuple[_FormationEntry, ...]

    def forces(self) -> Iterable[Force]:
        """Yield each formation with its counters; number the formations of each side."""
        places = Counter[str]()
        for formation in self.formations:
            side = GERMAN if formation.kind is Kind.COMPANY else BRITISH
            places[side] += 1
            fields = formation.model_dump(exclude={"infantry", "units"})
            rows: list[Mapping[str, Any]] = []
            for key, name in self.infantry.get(formation.kind, {}).items():
                letter = key if formation.kind is Kind.BATTALION else ""
                rows.append({"key": key, "name": name, "arm": Arm.INFANTRY, "letter": letter, **formation.infantry})
            rows.extend(formation.units)
            units = {row["key"]: self._make_unit(formation, side, **row) for row in rows}
            yield Force(formation=Formation(**fields, side=side, order=places[side]), units=units)

    def _make_unit(self, entry: _FormationEntry, side: str, key: str, name: str, arm: str, **extra: Any) -> TangaUnit:
        """Return a counter off the map. Its id joins formation and key: `13-rajputs-a`."""
        full_name = name.format(name=entry.name, short=entry.short)
        fields = {**self.arms[Arm(arm)], **extra, "arm": Arm(arm), "name": full_name}
        return TangaUnit(id=f"{entry.id}-{key.lower()}", side=side, formation=entry.id, **fields)


def read_forces(text: str) -> Mapping[str, Force]:
    """Return formations by id, read from TOML. Raises ValueError for a fault, and for an id or name given twice."""
    by_id: dict[str, Force] = {}
    names = set[str]()
    for force in _ForcesFile.model_validate(tomllib.loads(text)).forces():
        formation = force.formation
        if formation.id in by_id:
            raise ValueError(f"forces.toml, {formation.id}: two formations have that id")
        for name in (formation.name, *(unit.name for unit in force.units.values())):
            if name in names:
                raise ValueError(f"forces.toml, {formation.id}: “{name}” appears twice")
            names.add(name)
        by_id[formation.id] = force
    return by_id


@cache
def house_forces() -> Mapping[str, Force]:
    """Return all formations of the house game by id: the British in the sequence of play, then the Germans."""
    return read_forces((HERE / "data" / "forces.toml").read_text(encoding="utf-8"))


class FormationSetUp(Model):
    """A formation in a scenario file."""

    id: Named
    at: Mapping[Hex, str] = Field(default_factory=dict)
    """Keys of the counters that start in a hex, such as `A B L1`, by hex. All other counters come later."""
    arrives: int = Field(default=1, ge=1)
    by_train: bool = False

    @property
    def hexes(self) -> Mapping[str, Hex]:
        """Return each placed counter's hex, by key."""
        return {key: hex_ for hex_, keys in self.at.items() for key in keys.split()}


class TangaScenario(ScenarioFile):
    """A scenario file."""

    title: Named
    briefing: Annotated[str, StringConstraints(strip_whitespace=True)]
    turns: int = Field(ge=1, le=99)
    hours: Hours
    objectives: Mapping[str, int]
    formations: tuple[FormationSetUp, ...]

    def state(self) -> TangaState:
        """Return the initial state, before MG markers are dealt."""
        landing = house_board().landing_hexes
        formations: list[Formation] = []
        units: list[TangaUnit] = []
        for placed in self.formations:
            force, hexes = house_forces()[placed.id], placed.hexes
            fields = {"arrives": placed.arrives, "by_train": placed.by_train}
            formations.append(force.formation.model_copy(update=fields))
            units += (place_at_start(unit, hexes.get(key), landing) for key, unit in force.units.items())
        return make_initial_state(
            formations, units, scenario=self.id, turns=self.turns, hours=self.hours, objectives=self.objectives
        )

    def faults(self) -> Iterable[str]:
        """Yield the faults of the file's content, each with its path in the file."""
        for kind, number in self.objectives.items():
            if not 1 <= number <= len(house_board().victory_hexes.get(kind, ())):
                yield f"objectives: the map has no {number} victory hexes of the kind {kind!r}"
        holders: dict[Hex, str] = {}
        for placed in self.formations:
            force = house_forces().get(placed.id)
            if force is None:
                yield f"formations: there is none called {placed.id!r}"
                continue
            yield from (f"{placed.id}: {fault}" for fault in _placement_faults(placed, force, self.turns))
            for hex_ in placed.at:
                if holders.setdefault(hex_, placed.id) != placed.id:
                    yield f"{placed.id}: {hex_} is {holders[hex_]}'s"
        if len({placed.id for placed in self.formations}) < len(self.formations):
            yield "formations: one appears twice"


def place_at_start(unit: TangaUnit, at: Hex | None, landing: Container[Hex]) -> TangaUnit:
    """Return the counter placed at its starting hex, or off the map. Landing hexes are not inland (TA-3)."""
    return unit.model_copy(update={"at": at, "inland": at is not None and at not in landing})


def make_initial_state(formations: Iterable[Formation], units: Iterable[TangaUnit], **fields: Any) -> TangaState:
    """Return the initial state of a game, before MG markers are dealt."""
    return TangaState(
        ruleset="tanga",
        sides=SIDES,
        active=BRITISH,
        phase=Phase.BRITISH.value,
        formations={formation.id: formation for formation in formations},
        units={unit.id: unit for unit in units},
        **fields,
    )


def deal_markers(state: TangaState, dice: Dice, formations: Iterable[str] | None = None) -> TangaState:
    """Return the state after MG markers were dealt in secret to the formations, by default to all (TA-1)."""
    play = Play(state, dice)
    for formation in state.formations if formations is None else formations:
        deal_gun_markers(play, formation)
    return play.state


def require_no_choices(title: str, choices: Mapping[str, str]) -> None:
    """Raise Refused if any choice is given."""
    if choices:
        raise Refused(f"{title} leaves nothing to choose. Leave out “{next(iter(choices))[:40]}”.", LISTS)


def scenario_entry(scenario: Model) -> Scenario:
    """Return a scenario's entry of `/scenario list`."""
    fields = scenario.model_dump(include={"id", "title", "briefing", "turns"})
    return Scenario(sides=tuple(side.name for side in SIDES), **fields)


def _placement_faults(placed: FormationSetUp, force: Force, turns: int) -> Iterable[str]:
    """Yield faults in the starting hexes and the arrival of a scenario's formation."""
    hexes, counters = placed.hexes, force.units.keys() - ({"MG"} if force.formation.kind is Kind.BATTALION else set())
    for key, times in Counter(" ".join(placed.at.values()).split()).items():
        if times > 1:
            yield f"{key} stands in {times} hexes"
    for key in hexes.keys() - counters:
        yield f"it has no counter {key!r} to set down"
    if hexes and (missing := counters - hexes.keys()):
        yield f"{', '.join(sorted(missing))}: no hex is given"
    if placed.arrives > turns:
        yield f"it arrives in turn {placed.arrives}, after the last"
    for hex_ in placed.at:
        if hex_ not in house_board().land:
            yield f"{hex_} is no land hex"
        combat = sum(unit.is_combat for key, unit in force.units.items() if hexes.get(key) == hex_)
        if combat > TangaOptions().stack_limit:
            yield f"more stand in {hex_} than may"


SCENARIOS = ScenarioFiles("rules.tanga", TangaScenario)


def set_up_house_scenario(scenario: str, choices: Mapping[str, str], dice: Dice) -> TangaState:
    """Return a scenario's initial state. Raises Refused for an unknown scenario."""
    match = SCENARIOS.all.get(scenario)
    if match is None:
        raise Refused(f"There is no scenario “{scenario[:40]}”. There are: {', '.join(SCENARIOS.all)}.", LISTS)
    require_no_choices(match.title, choices)
    return deal_markers(match.state(), dice)
