"""What is wrong with the formations and counters of a player's scenario, each with its place."""

from collections import Counter
from collections.abc import Iterator

from rules.core.documents import Fault
from rules.core.hexboard.hexes import Hex
from rules.tanga.combat.reveal import WITH_MARKERS
from rules.tanga.maps import OwnMap
from rules.tanga.model import NO_COMBAT_UNITS, Arm, Condition, Kind

from .document import MOST_UNITS, OwnFormation, OwnScenario, OwnUnit


def counter_faults(scenario: OwnScenario, own: OwnMap) -> Iterator[Fault]:
    """Faults of the formations, one by one, then of what stands in one hex."""
    if sum(len(formation.units) for formation in scenario.formations) > MOST_UNITS:
        yield "formations", f"they have {MOST_UNITS} counters at most"
        return
    kinds = {formation.kind is Kind.COMPANY for formation in scenario.formations}
    if len(kinds) < 2:
        yield "formations", "there are British (battalion, staff) and Germans (company)"
    yield from _twice(scenario)
    for number, formation in enumerate(scenario.formations):
        place = f"formations[{number}]"
        yield from _coming(place, formation, scenario, own)
        yield from _beach(place, formation, own)
        if formation.kind is Kind.BATTALION:
            yield from _guns(place, formation)
        elif formation.hidden_gun:
            yield f"{place}.hidden_gun", "only a battalion's MG begins under a marker"
        for at, unit in enumerate(formation.units):
            yield from _unit(f"{place}.units[{at}]", unit, formation, own)
    yield from _stacks(scenario)


def _twice(scenario: OwnScenario) -> Iterator[Fault]:
    """Ids and names that come twice, whatever their case."""
    ids, units, names, staffs = set[str](), set[str](), set[str](), set[str]()
    for number, formation in enumerate(scenario.formations):
        place = f"formations[{number}]"
        yield from _seen(f"{place}.id", formation.id, ids)
        yield from _seen(f"{place}.name", formation.name, names)
        if formation.kind is Kind.STAFF and formation.beach:
            yield from _seen(f"{place}.beach", formation.beach, staffs)
        for at, unit in enumerate(formation.units):
            yield from _seen(f"{place}.units[{at}].id", unit_id(formation, unit), units)
            yield from _seen(f"{place}.units[{at}].name", unit.name, names)


def _seen(place: str, what: str, seen: set[str]) -> Iterator[Fault]:
    if what.casefold() in seen:
        yield place, f"“{what}” comes twice"
    seen.add(what.casefold())


def unit_id(formation: OwnFormation, unit: OwnUnit) -> str:
    """The id of a counter in the game, as `13-a`."""
    return f"{formation.id}-{unit.id}".lower()


def waiting(formation: OwnFormation) -> tuple[OwnUnit, ...]:
    """Counters that start neither on the map nor under a marker."""
    return tuple(unit for unit in formation.units if unit.at is None and not is_hidden(formation, unit))


def is_hidden(formation: OwnFormation, unit: OwnUnit) -> bool:
    """Whether it starts under a marker (TA-1)."""
    return formation.hidden_gun and unit.arm is Arm.MACHINE_GUN


def _coming(place: str, formation: OwnFormation, scenario: OwnScenario, own: OwnMap) -> Iterator[Fault]:
    """When and where those come who are not on the map (TA-3, TA-H.11)."""
    if formation.arrives > scenario.turns:
        yield f"{place}.arrives", f"the last turn is {scenario.turns}"
    off = waiting(formation)
    german = formation.kind is Kind.COMPANY
    if formation.by_train and not german:
        yield f"{place}.by_train", "only Germans come by train"
    if not off:
        if formation.arrives > 1:
            yield f"{place}.arrives", "all of it is on the map already"
        return
    if german and len(off) < len(formation.units):
        on_its_way = formation.units.index(off[0])
        yield f"{place}.units[{on_its_way}].at", "a German company starts on the map as a whole, or arrives as a whole"
    if german and formation.by_train and own.station is None:
        yield "map.station", f"{formation.name} comes by train: give the station's hex"
    if german and not formation.by_train and not own.west_edge:
        yield "map.west_edge", f"{formation.name} marches on there: give its hexes"
    if not german and not own.beaches:
        yield "map.beaches", f"{formation.name} has to land: give at least one beach"


def _beach(place: str, formation: OwnFormation, own: OwnMap) -> Iterator[Fault]:
    letters = {beach.letter for beach in own.beaches}
    if formation.beach and formation.kind is Kind.COMPANY:
        yield f"{place}.beach", "only the British land"
    elif formation.beach and formation.beach not in letters:
        yield f"{place}.beach", f"the map has no beach {formation.beach}"
    elif formation.kind is Kind.STAFF and not formation.beach and waiting(formation):
        yield f"{place}.beach", "a staff that has to land names its beach"


def _guns(place: str, formation: OwnFormation) -> Iterator[Fault]:
    """A battalion has one MG at most, and one that is not on the map begins under a marker (TA-1)."""
    guns = [at for at, unit in enumerate(formation.units) if unit.arm is Arm.MACHINE_GUN]
    if len(guns) > 1:
        yield f"{place}.units[{guns[1]}]", "a battalion has one MG"
    if not formation.hidden_gun:
        if guns and formation.units[guns[0]].at is None:
            yield f"{place}.units[{guns[0]}].at", "an MG that starts off the map begins under a marker: set hidden_gun"
        return
    if not guns:
        yield f"{place}.hidden_gun", "there is no MG among its units"
    elif formation.units[guns[0]].at is not None:
        yield f"{place}.units[{guns[0]}].at", "it begins under a marker: give it no hex"
    letters = {unit.letter for unit in formation.units if unit.arm is Arm.INFANTRY}
    if missing := [letter for letter in WITH_MARKERS if letter not in letters]:
        yield f"{place}.hidden_gun", f"its markers need companies {', '.join(missing)}"


def _unit(place: str, unit: OwnUnit, formation: OwnFormation, own: OwnMap) -> Iterator[Fault]:
    yield from _letter(f"{place}.letter", unit, formation)
    if unit.headquarters and formation.kind is not Kind.STAFF:
        yield f"{place}.headquarters", "only a staff has an HQ company"
    if unit.rounds is not None and unit.arm is not Arm.ARTILLERY:
        yield f"{place}.rounds", "only artillery's rounds are counted"
    if unit.rounds_full is not None and (unit.rounds is None or unit.rounds > unit.rounds_full):
        yield f"{place}.rounds", "it starts with so many rounds, or fewer, as when full"
    if unit.at is not None and unit.at not in own.land:
        yield f"{place}.at", f"{unit.at} is not on the land of the map"
    if unit.condition is Condition.ELIMINATED or (unit.condition is Condition.DISRUPTED and unit.at is None):
        yield f"{place}.condition", "a counter starts in good order, or disrupted on the map"


def _letter(place: str, unit: OwnUnit, formation: OwnFormation) -> Iterator[Fault]:
    if formation.kind is not Kind.BATTALION or unit.arm is not Arm.INFANTRY:
        if unit.letter:
            yield place, "only a battalion's infantry has a letter"
    elif not unit.letter:
        yield place, "a battalion's company has a letter, A to H"
    elif any(one.letter == unit.letter for one in formation.units if one is not unit):
        yield place, f"two companies of {formation.name} have the letter {unit.letter}"


def _stacks(scenario: OwnScenario) -> Iterator[Fault]:
    """One formation to a hex, and no more combat units than may stack (TA-H.3)."""
    holder: dict[Hex, OwnFormation] = {}
    combat, most = Counter[Hex](), scenario.options.stack_limit
    for number, formation in enumerate(scenario.formations):
        for at, unit in enumerate(formation.units):
            if unit.at is None:
                continue
            place, there = f"formations[{number}].units[{at}].at", holder.setdefault(unit.at, formation)
            if there is not formation:
                yield place, f"{unit.at} is held by {there.name}: a hex is one formation's"
            combat[unit.at] += unit.arm not in NO_COMBAT_UNITS
            if combat[unit.at] == most + 1:
                yield place, f"more combat units are in {unit.at} than may stack ({most})"
