"""The map that a player's scenario describes: its blocks spread out into hexes, and what is wrong with it."""

import re
from collections.abc import Iterable, Iterator, Mapping

from rules.core.hexboard.hex_scene import HexLine
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_file import hexes_in
from rules.core.hexboard.map_spec import Fault, Terrain
from rules.core.model import Cite, Mark
from rules.core.scene import Feature
from rules.tanga.maps import Beach, OwnMap, house_map

from .document import MOST_HEXES, MapPart, OwnLine, OwnScenario

BOX = Cite(rule="TA-H", mark=Mark.HOUSE)
"""A number that the player's own box gives."""
MOST_COST = MOST_PROTECTION = 12
TOTALS = range(2, 13)
"""What 2D6 fall (TA-9.A)."""
_NUMBERED = re.compile(r"(roads|railways|across)\.(\d+)$")
"""Places in a list."""


def block_faults(part: MapPart) -> Iterator[Fault]:
    """Blocks that are none, or have a hex of another; a map that is too large."""
    found: dict[Hex, str] = {}
    for block in part.hexes:
        yield from _spread(f"map.hexes.{block}", block, found)
        if len(found) > MOST_HEXES:
            yield "map.hexes", f"a map has {MOST_HEXES} hexes at most"
            return
    for kind, blocks in part.victory.kinds.items():
        yield from _listed(f"map.victory.{kind.replace(' ', '_')}", blocks)
    yield from _listed("map.west_edge", part.west_edge)


def _listed(place: str, blocks: Iterable[str]) -> Iterator[Fault]:
    found: dict[Hex, str] = {}
    for number, block in enumerate(blocks):
        yield from _spread(f"{place}[{number}]", block, found)


def _spread(place: str, block: str, found: dict[Hex, str]) -> Iterator[Fault]:
    """Puts the hexes of a block to those found, each with its block."""
    hexes = tuple(hexes_in(block))
    if not hexes:
        yield place, "a block goes from its north-west hex to its south-east hex, as 2608-2617"
    for hex_ in hexes:
        if hex_ in found:
            yield place, f"{hex_} is in “{found[hex_]}” already"
            return
        found[hex_] = block


def own_map(scenario: OwnScenario, *, entries: bool) -> OwnMap:
    """The map of a scenario without block faults; where none are given, with the `entries` of the card or without."""
    part = scenario.map
    card = house_map().entries if entries else {}
    return OwnMap(
        title=scenario.title,
        terrains=tuple(
            Terrain(
                id=key,
                name=terrain.name or key,
                ground=terrain.drawn,
                cost=terrain.cost,
                protection=terrain.protection,
                blocks=terrain.blocks_sight,
                cite=BOX,
            )
            for key, terrain in part.terrain.items()
        ),
        road_cost=part.road_cost,
        hexside=part.hexside,
        hexes={hex_: terrain for block, terrain in part.hexes.items() for hex_ in hexes_in(block)},
        beaches=tuple(Beach(letter=letter, beach=one.beach, head=one.head) for letter, one in part.beaches.items()),
        entries=card if part.entries is None else part.entries,
        victory={kind: _hexes(blocks) for kind, blocks in part.victory.kinds.items()},
        names=part.names,
        station=part.station,
        west_edge=_hexes(part.west_edge),
        roads=_lines(part.roads, Feature.ROAD),
        railways=_lines(part.railways, Feature.RAILWAY),
    )


def _hexes(blocks: Iterable[str]) -> tuple[Hex, ...]:
    return tuple(hexes_in(" ".join(blocks)))


def _lines(lines: Iterable[OwnLine], feature: Feature) -> tuple[HexLine, ...]:
    return tuple(HexLine(feature=feature, hexes=line.hexes, name=line.name or "") for line in lines)


def map_faults(own: OwnMap) -> Iterator[Fault]:
    """What is wrong with a map of a player's own, in a document or in a state from outside."""
    if len(own.hexes) > MOST_HEXES:
        yield "map.hexes", f"a map has {MOST_HEXES} hexes at most"
        return
    for terrain in own.terrains:
        if terrain.cost is not None and not 1 <= terrain.cost <= MOST_COST:
            yield f"map.terrain.{terrain.id}", f"entering it costs 1 to {MOST_COST} MF, or null for never"
        if not 0 <= terrain.protection <= MOST_PROTECTION:
            yield f"map.terrain.{terrain.id}", f"its protection is 0 to {MOST_PROTECTION}"
    for place, why in own.faults():
        yield _NUMBERED.sub(r"\1[\2]", f"map.{place}"), why
    yield from _missing_entries(own.entries)


def _missing_entries(entries: Mapping[int, Hex]) -> Iterator[Fault]:
    if entries and (missing := [str(total) for total in TOTALS if total not in entries]):
        yield "map.entries", f"2D6 also fall {', '.join(missing)}: each total needs its hex"
