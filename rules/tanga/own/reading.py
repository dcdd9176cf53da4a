"""Reading a player's scenario: refused with the place of what is wrong, and with what would be right there."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rules.core.documents import MOMENT, Fault, Reader, require
from rules.tanga.maps import OwnMap
from rules.tanga.model import Kind

from .counters import counter_faults
from .document import PATTERNS, OwnScenario
from .ground import map_faults, own_map


@cache
def _reader() -> Reader:
    return Reader(OwnScenario, PATTERNS, {"begins": MOMENT})


def read(document: bytes) -> tuple[OwnScenario, OwnMap]:
    """The scenario and its map, sound as a whole. Raises Refused with the places of the first faults."""
    scenario: OwnScenario = _reader().read(document)
    require(scenario.map.block_faults())
    entries = any(formation.kind is Kind.BATTALION for formation in scenario.formations)
    own = own_map(scenario, entries=entries)
    require(map_faults(own))
    require(counter_faults(scenario, own))
    require(_other_faults(scenario, own))
    return scenario, own


def schema() -> Mapping[str, Any]:
    """The JSON Schema of a scenario's document."""
    return _reader().schema


def _other_faults(scenario: OwnScenario, own: OwnMap) -> Iterator[Fault]:
    for kind, number in (scenario.needed.kinds if scenario.needed else {}).items():
        if number > len(own.victory.get(kind, ())):
            yield f"needed.{kind.replace(' ', '_')}", f"the map has {len(own.victory.get(kind, ()))} such hexes"
    for at, hex_ in enumerate(scenario.improved):
        if hex_ not in own.land:
            yield f"improved[{at}]", f"{hex_} is not on the land of the map"
