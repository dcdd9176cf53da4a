"""A player's own scenario: read, refused with the place of what is wrong and what would be right there, and set up."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rules.core.dice import Dice
from rules.core.documents import MOMENT, Fault, Reader, require
from rules.core.hexboard import map_document
from rules.core.hexboard.map_document import hexes_of
from rules.core.listed import Scenario
from rules.core.model import Cite, Mark
from rules.tanga.maps import Beach, OwnMap, board_from, house_map
from rules.tanga.model import Formation, Hours, Kind, TangaState, TangaUnit
from rules.tanga.options import TangaOptions
from rules.tanga.setup import as_listed, begun, dealt, require_no_choices, set_up

from .counters import counter_faults
from .document import PATTERNS, OwnFormation, OwnScenario

BOX = Cite(rule="TA-H", mark=Mark.HOUSE)
"""A number that the player's own box gives."""
TOTALS = range(2, 13)
"""What 2D6 fall (TA-9.A)."""


@cache
def _reader() -> Reader:
    return Reader(OwnScenario, PATTERNS, {"begins": MOMENT})


def schema() -> Mapping[str, Any]:
    """The JSON Schema of a scenario's document."""
    return _reader().schema


def read(document: bytes) -> tuple[OwnScenario, OwnMap]:
    """The scenario and its map, sound as a whole. Raises Refused with the places of the first faults."""
    scenario: OwnScenario = _reader().read(document)
    require(scenario.map.block_faults())
    own = _map(scenario)
    require(map_faults(own))
    require(counter_faults(scenario, own))
    require(_other_faults(scenario, own))
    return scenario, own


def listed(document: bytes) -> Scenario:
    """The scenario of a document as lists show it. Raises Refused with the place of what is wrong."""
    scenario, _ = read(document)
    return as_listed(scenario)


def setup_own(document: bytes, choices: Mapping[str, str], dice: Dice) -> TangaState:
    """The state that a document's scenario starts from. Raises Refused before anything is thrown."""
    scenario, own = read(document)
    require_no_choices(scenario.title, choices)
    hidden = (formation.id for formation in scenario.formations if formation.hidden_gun)
    return dealt(_state(scenario, own), hidden, dice)


def _map(scenario: OwnScenario) -> OwnMap:
    """The map of a scenario without block faults; where a battalion is and no entries are given, with the card's."""
    part = scenario.map
    card = house_map().entries if any(one.kind is Kind.BATTALION for one in scenario.formations) else {}
    return OwnMap(
        title=scenario.title,
        beaches=tuple(Beach(letter=letter, beach=one.beach, head=one.head) for letter, one in part.beaches.items()),
        entries=card if part.entries is None else part.entries,
        victory={kind: hexes_of(blocks) for kind, blocks in part.victory.kinds.items()},
        station=part.station,
        west_edge=hexes_of(part.west_edge),
        **part.said(BOX),
    )


def map_faults(own: OwnMap) -> Iterator[Fault]:
    """What is wrong with a map of a player's own, in a document or in a state from outside."""
    yield from map_document.map_faults(own)
    if own.entries and (missing := [str(total) for total in TOTALS if total not in own.entries]):
        yield "map.entries", f"2D6 also fall {', '.join(missing)}: each total needs its hex"


def _other_faults(scenario: OwnScenario, own: OwnMap) -> Iterator[Fault]:
    for kind, number in (scenario.needed.kinds if scenario.needed else {}).items():
        if number > len(own.victory.get(kind, ())):
            yield f"needed.{kind.replace(' ', '_')}", f"the map has {len(own.victory.get(kind, ()))} such hexes"
    for at, hex_ in enumerate(scenario.improved):
        if hex_ not in own.land:
            yield f"improved[{at}]", f"{hex_} is not on the land of the map"


def _state(scenario: OwnScenario, own: OwnMap) -> TangaState:
    """The game before the MG markers are dealt."""
    first = scenario.begins
    return begun(
        (_formation(one, order) for order, one in enumerate(scenario.formations, start=1)),
        (unit for formation in scenario.formations for unit in _units(formation, scenario, own)),
        scenario=scenario.id,
        turns=scenario.turns,
        hours=Hours(first=first, minutes=scenario.minutes, turns_a_day=scenario.turns_a_day) if first else None,
        options=TangaOptions(**dict(scenario.options)),
        objectives=dict.fromkeys(own.victory, 0) if scenario.needed is None else scenario.needed.kinds,
        improved=tuple(sorted(set(scenario.improved))),
        own=own,
    )


def _formation(one: OwnFormation, order: int) -> Formation:
    told = one.model_dump(exclude={"beach", "hidden_gun", "units"})
    return Formation(**told, side=one.side, order=order, beach=one.beach or "")


def _units(formation: OwnFormation, scenario: OwnScenario, own: OwnMap) -> Iterator[TangaUnit]:
    for unit in formation.units:
        told = unit.model_dump() | {"id": formation.unit_id(unit), "side": formation.side, "formation": formation.id}
        full = unit.rounds if unit.rounds_full is None else unit.rounds_full
        made = TangaUnit(**told | {"rounds_full": full}, fires_within=scenario.options.standing_within)
        yield set_up(made, unit.at, board_from(own).landing)
