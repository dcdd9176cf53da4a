"""Reader of a player's own scenario file: faults, each with path and reason, and the game's initial state."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rules.core.catalog import Scenario
from rules.core.dice import Dice
from rules.core.documents import MOMENT, DocumentReader, FaultInWords, require_no_faults
from rules.core.hexboard import map_document
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_document import hexes_of_blocks
from rules.core.model import Cite, Mark
from rules.core.own_battles import NOT_WRITTEN, OwnBattles
from rules.core.refusal import Refused
from rules.tanga.combat.reveal import WITH_MARKERS
from rules.tanga.maps import Beach, OwnMap, board_of_map, house_map
from rules.tanga.model import GERMAN, NO_COMBAT_UNITS, Arm, Condition, Formation, Hours, Kind, TangaState, TangaUnit
from rules.tanga.options import TangaOptions
from rules.tanga.scenarios import deal_markers, make_initial_state, place_at_start, require_no_choices, scenario_entry

from .document import MOST_UNITS, PATTERNS, OwnFormation, OwnScenario, OwnUnit

TOTALS = range(2, 13)
"""Possible totals of 2D6 (TA-9.A)."""


@cache
def document_reader() -> DocumentReader:
    """Return the reader of scenario documents."""
    return DocumentReader(OwnScenario, PATTERNS, {"begins": MOMENT})


def read_scenario(document: bytes) -> tuple[OwnScenario, OwnMap]:
    """Return a document's scenario and map. Raises Refused with the first faults and their paths."""
    scenario: OwnScenario = document_reader().read(document)
    require_no_faults(scenario.map.block_faults())
    own = _make_map(scenario)
    require_no_faults(map_faults(own))
    require_no_faults(_counter_faults(scenario, own))
    require_no_faults(_victory_and_improvement_faults(scenario, own))
    return scenario, own


def set_up_scenario(document: bytes, choices: Mapping[str, str], dice: Dice) -> TangaState:
    """Return the initial state of a document's scenario. Raises Refused for faults, before any die is thrown."""
    scenario, own = read_scenario(document)
    require_no_choices(scenario.title, choices)
    first = scenario.begins
    state = make_initial_state(
        (_make_formation(formation, order) for order, formation in enumerate(scenario.formations, start=1)),
        (unit for formation in scenario.formations for unit in _make_units(formation, scenario, own)),
        scenario=scenario.id,
        turns=scenario.turns,
        hours=Hours(first=first, minutes=scenario.minutes, turns_a_day=scenario.turns_a_day) if first else None,
        options=TangaOptions(**dict(scenario.options)),
        objectives=dict.fromkeys(own.victory, 0) if scenario.needed is None else scenario.needed.kinds,
        improved=tuple(sorted(set(scenario.improved))),
        own=own,
    )
    hidden = (formation.id for formation in scenario.formations if formation.hidden_gun)
    return deal_markers(state, dice, hidden)


class OwnScenarios(OwnBattles[TangaState]):
    """Scenarios that players write as files."""

    set_up = staticmethod(set_up_scenario)

    def read(self, document: bytes) -> Scenario:
        """Return a document's scenario as an entry of `/scenario list`. Raises Refused with the first faults."""
        return scenario_entry(read_scenario(document)[0])

    def shipped_file(self, scenario: str) -> None:
        """Return None, because the house game's scenarios are not written as players' files."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of a scenario file."""
        return document_reader().schema

    def write(self, *_: object) -> bytes:
        """Raise Refused, because a game of Tanga cannot be saved as a scenario file."""
        raise Refused(NOT_WRITTEN.format(system="Tanga 1914"))


def _make_map(scenario: OwnScenario) -> OwnMap:
    """Return the scenario's map, with the card's entry hexes if battalions need some and the map has none."""
    part = scenario.map
    card = house_map().entries if any(formation.kind is Kind.BATTALION for formation in scenario.formations) else {}
    return OwnMap(
        title=scenario.title,
        beaches=tuple(Beach(letter=letter, beach=own.beach, head=own.head) for letter, own in part.beaches.items()),
        entries=card if part.entries is None else part.entries,
        victory={kind: hexes_of_blocks(blocks) for kind, blocks in part.victory.kinds.items()},
        station=part.station,
        west_edge=hexes_of_blocks(part.west_edge),
        **part.map_spec_fields(Cite(rule="TA-H", mark=Mark.HOUSE)),
    )


def map_faults(own: OwnMap) -> Iterator[FaultInWords]:
    """Yield the faults of a player's own map, from a document or from a loaded state."""
    yield from map_document.map_faults(own)
    if own.entries and (missing := [str(total) for total in TOTALS if total not in own.entries]):
        yield "map.entries", f"2D6 also fall {', '.join(missing)}: each total needs its hex"


def _victory_and_improvement_faults(scenario: OwnScenario, own: OwnMap) -> Iterator[FaultInWords]:
    """Yield faults in the numbers of victory hexes that the British need, and in improved positions."""
    for kind, number in (scenario.needed.kinds if scenario.needed else {}).items():
        if number > len(own.victory.get(kind, ())):
            yield f"needed.{kind.replace(' ', '_')}", f"the map has {len(own.victory.get(kind, ()))} such hexes"
    for at, hex_ in enumerate(scenario.improved):
        if hex_ not in own.land:
            yield f"improved[{at}]", f"{hex_} is not on the land of the map"


def _counter_faults(scenario: OwnScenario, own: OwnMap) -> Iterator[FaultInWords]:
    """Yield the faults of formations and their counters, then of stacks."""
    if sum(len(formation.units) for formation in scenario.formations) > MOST_UNITS:
        yield "formations", f"they have {MOST_UNITS} counters at most"
        return
    if len({formation.side for formation in scenario.formations}) < 2:
        yield "formations", "there are British (battalion, staff) and Germans (company)"
    yield from _duplicate_faults(scenario)
    for number, formation in enumerate(scenario.formations):
        place = f"formations[{number}]"
        yield from _arrival_faults(place, formation, scenario, own)
        if formation.kind is Kind.BATTALION:
            yield from _gun_faults(place, formation)
        elif formation.hidden_gun:
            yield f"{place}.hidden_gun", "only a battalion's MG begins under a marker"
        for at, unit in enumerate(formation.units):
            yield from _unit_faults(f"{place}.units[{at}]", unit, formation, own)
    yield from _stack_faults(scenario)


def _conditional_faults(place: str, *rows: tuple[object, str, str]) -> Iterator[FaultInWords]:
    """Yield a fault of a field in `place` for each row (condition, field, reason) whose condition is true."""
    return ((f"{place}.{field}", why) for wrong, field, why in rows if wrong)


def _duplicate_faults(scenario: OwnScenario) -> Iterator[FaultInWords]:
    """Yield a fault for each id or name that occurs twice, ignoring case."""
    seen = set[tuple[str, str]]()
    for number, formation in enumerate(scenario.formations):
        place = f"formations[{number}]"
        rows = [(".id", "formation", formation.id), (".name", "name", formation.name)]
        if formation.kind is Kind.STAFF and formation.beach:
            rows.append((".beach", "beach", formation.beach))
        for at, unit in enumerate(formation.units):
            rows.append((f".units[{at}].id", "unit", formation.unit_id(unit)))
            rows.append((f".units[{at}].name", "name", unit.name))
        for suffix, kind, name in rows:
            if (kind, name.casefold()) in seen:
                yield place + suffix, f"“{name}” appears twice"
            seen.add((kind, name.casefold()))


def _arrival_faults(place: str, formation: OwnFormation, scenario: OwnScenario, own: OwnMap) -> Iterator[FaultInWords]:
    """Yield faults in the arrival time and place of units off the map (TA-3, TA-H.11)."""
    off, name, beach = formation.units_off_map, formation.name, formation.beach
    german, train = formation.side == GERMAN, formation.by_train
    no_such = all(other.letter != beach for other in own.beaches)
    in_part = formation.units.index(off[0]) if german and 0 < len(off) < len(formation.units) else None
    yield from _conditional_faults(
        place,
        (formation.arrives > scenario.turns, "arrives", f"the last turn is {scenario.turns}"),
        (train and not german, "by_train", "only Germans come by train"),
        (not off and formation.arrives > 1, "arrives", "all of it is on the map already"),
        (in_part is not None, f"units[{in_part}].at", "a German company starts on the map as a whole, or arrives so"),
        (beach and german, "beach", "only the British land"),
        (beach and not german and no_such, "beach", f"the map has no beach {beach}"),
        (off and formation.kind is Kind.STAFF and not beach, "beach", "a staff that has to land names its beach"),
    )
    yield from _conditional_faults(
        "map",
        (off and german and train and own.station is None, "station", f"{name} comes by train: give the station's hex"),
        (off and german and not train and not own.west_edge, "west_edge", f"{name} marches on there: give its hexes"),
        (off and not german and not own.beaches, "beaches", f"{name} has to land: give at least one beach"),
    )


def _gun_faults(place: str, formation: OwnFormation) -> Iterator[FaultInWords]:
    """Yield faults in a battalion's MGs: several MGs, or an MG neither on the map nor under a marker (TA-1)."""
    guns, hidden = [at for at, unit in enumerate(formation.units) if unit.arm is Arm.MACHINE_GUN], formation.hidden_gun
    letters = {unit.letter for unit in formation.units if unit.arm is Arm.INFANTRY}
    missing = ", ".join(letter for letter in WITH_MARKERS if letter not in letters)
    yield from _conditional_faults(
        place,
        (len(guns) > 1, f"units[{guns[1] if len(guns) > 1 else 0}]", "a battalion has one MG"),
        (hidden and not guns, "hidden_gun", "there is no MG among its units"),
        (hidden and missing, "hidden_gun", f"its markers need companies {missing}"),
    )
    for at in guns[:1]:
        on_map = formation.units[at].at is not None
        off_map = "an MG that starts off the map begins under a marker: set hidden_gun"
        yield from _conditional_faults(
            f"{place}.units[{at}]",
            (not on_map and not hidden, "at", off_map),
            (on_map and hidden, "at", "it begins under a marker: give it no hex"),
        )


def _unit_faults(place: str, unit: OwnUnit, formation: OwnFormation, own: OwnMap) -> Iterator[FaultInWords]:
    """Yield faults in a counter's letter, rounds, hex or condition."""
    company = formation.kind is Kind.BATTALION and unit.arm is Arm.INFANTRY
    shared = unit.letter and any(other.letter == unit.letter for other in formation.units if other is not unit)
    rounds, full = unit.rounds, unit.rounds_full
    overfull = full is not None and (rounds is None or rounds > full)
    cannot_start = unit.condition is Condition.ELIMINATED or (unit.condition is Condition.DISRUPTED and unit.at is None)
    yield from _conditional_faults(
        place,
        (unit.letter and not company, "letter", "only a battalion's infantry has a letter"),
        (company and not unit.letter, "letter", "a battalion's company has a letter, A to H"),
        (company and shared, "letter", f"two companies of {formation.name} have the letter {unit.letter}"),
        (unit.headquarters and formation.kind is not Kind.STAFF, "headquarters", "only a staff has an HQ company"),
        (rounds is not None and unit.arm is not Arm.ARTILLERY, "rounds", "only artillery's rounds are counted"),
        (overfull, "rounds", "it starts with so many rounds, or fewer, as when full"),
        (unit.at is not None and unit.at not in own.land, "at", f"{unit.at} is not on the land of the map"),
        (cannot_start, "condition", "a counter starts in good order, or disrupted on the map"),
    )


def _stack_faults(scenario: OwnScenario) -> Iterator[FaultInWords]:
    """Yield a fault for each hex with two formations, or with more combat units than may stack (TA-H.3)."""
    holder: dict[Hex, OwnFormation] = {}
    combat, most = Counter[Hex](), scenario.options.stack_limit
    for number, formation in enumerate(scenario.formations):
        for at, unit in enumerate(formation.units):
            if unit.at is None:
                continue
            place, occupant = f"formations[{number}].units[{at}].at", holder.setdefault(unit.at, formation)
            if occupant is not formation:
                yield place, f"{unit.at} is held by {occupant.name}: a hex is one formation's"
            combat[unit.at] += unit.arm not in NO_COMBAT_UNITS
            if combat[unit.at] == most + 1:
                yield place, f"more combat units are in {unit.at} than may stack ({most})"


def _make_formation(own_formation: OwnFormation, order: int) -> Formation:
    """Return the game's formation, made from a formation of the file."""
    fields = own_formation.model_dump(exclude={"beach", "hidden_gun", "units"})
    return Formation(**fields, side=own_formation.side, order=order, beach=own_formation.beach or "")


def _make_units(formation: OwnFormation, scenario: OwnScenario, own: OwnMap) -> Iterator[TangaUnit]:
    """Yield the game's units, made from the counters of a formation of the file."""
    for unit in formation.units:
        fields = unit.model_dump() | {"id": formation.unit_id(unit), "side": formation.side, "formation": formation.id}
        full = unit.rounds if unit.rounds_full is None else unit.rounds_full
        counter = TangaUnit(**fields | {"rounds_full": full}, fires_within=scenario.options.standing_within)
        yield place_at_start(counter, unit.at, board_of_map(own).landing_hexes)
