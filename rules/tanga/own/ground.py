"""The map that a player's scenario describes, and what is wrong with it."""

from collections.abc import Iterator

from rules.core.documents import Fault
from rules.core.hexboard import map_document
from rules.core.hexboard.map_document import hexes_of
from rules.core.model import Cite, Mark
from rules.tanga.maps import Beach, OwnMap, house_map

from .document import OwnScenario

BOX = Cite(rule="TA-H", mark=Mark.HOUSE)
"""A number that the player's own box gives."""
TOTALS = range(2, 13)
"""What 2D6 fall (TA-9.A)."""


def own_map(scenario: OwnScenario, *, entries: bool) -> OwnMap:
    """The map of a scenario without block faults; where none are given, with the `entries` of the card or without."""
    part = scenario.map
    card = house_map().entries if entries else {}
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
