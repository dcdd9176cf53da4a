"""A map with cached lookups for rules: terrain, land, roads, lines of sight."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from rules.core import naming
from rules.core.chart import Cell, Chart, Row
from rules.core.model import Cite
from rules.core.refusal import NoPlace
from rules.core.typed_text import simplify_signs

from .hex_scene import HexBoard, HexCell
from .hexes import Hex, has_line_of_sight
from .map_spec import M, MapSpec, Terrain

T = TypeVar("T", bound=Terrain)

LEADING_PREPOSITION = re.compile(r"^(?:to|at|in)\s+", re.IGNORECASE)
BRACKETED_NAME = re.compile(r"\s*\([^()]*\)")
"""Matches the bracketed name that `Board.title` writes after a hex number."""
_MOST_HEXES_IN_TEXT = 120
"""Maximum number of hexes that a text may name."""


@dataclass(frozen=True, eq=False)
class Board(Generic[M, T]):
    """A map with cached lookups for rules. Systems add the contents of their maps, and create one board per map."""

    spec: M
    _sight_by_pair: dict[tuple[Hex, Hex], bool] = field(default_factory=dict, repr=False)

    @cached_property
    def terrain(self) -> Mapping[Hex, T]:
        """Return the terrain of every hex of the map, including sea."""
        kinds: dict[str, Any] = {terrain.id: terrain for terrain in self.spec.terrains}
        return {hex_: kinds[terrain] for hex_, terrain in sorted(self.spec.hexes.items())}

    @cached_property
    def hex_board(self) -> HexBoard:
        """Return the map as data for drawing."""
        names, lines = self.spec.names, (*self.spec.roads, *self.spec.railways)
        cells = tuple(
            HexCell(hex=hex_, ground=terrain.ground, name=names.get(hex_, ""), letter=terrain.letter)
            for hex_, terrain in self.terrain.items()
        )
        terrain_ids = {terrain.id for terrain in self.terrain.values()}
        terrains = tuple(
            (kind.letter, kind.name) for kind in self.spec.terrains if kind.letter and kind.id in terrain_ids
        )
        return HexBoard(key=self.spec.key, cells=cells, lines=lines, names=self.spec.across, terrains=terrains)

    @cached_property
    def land(self) -> frozenset[Hex]:
        """Return the hexes in which a unit may stand."""
        return self.spec.land

    @cached_property
    def roads(self) -> frozenset[Hex]:
        """Return the hexes with a road."""
        return frozenset(hex_ for road in self.spec.roads for hex_ in road.hexes)

    @cached_property
    def victory_hexes(self) -> Mapping[str, frozenset[Hex]]:
        """Return the hexes that count for victory, by kind."""
        return {kind: frozenset(hexes) for kind, hexes in self.spec.victory.items()}

    @cached_property
    def hexes_blocking_sight(self) -> frozenset[Hex]:
        """Return the hexes that block sight."""
        return frozenset(hex_ for hex_, terrain in self.terrain.items() if terrain.blocks)

    @cached_property
    def _costs(self) -> Mapping[Hex, int]:
        """Return the cost (MF) of entering each land hex. In a road hex, the cost is at most the road cost."""
        costs = {hex_: terrain.cost for hex_, terrain in self.terrain.items() if terrain.cost is not None}
        return costs | {hex_: min(costs[hex_], self.spec.road_cost) for hex_ in self.roads & costs.keys()}

    def cost(self, hex_: Hex) -> int | None:
        """Return the cost (MF) of entering a hex, or None if it is impassable or off the map."""
        return self._costs.get(hex_)

    def protection(self, hex_: Hex) -> int:
        """Return what a hex's terrain subtracts from an attacker's factor. Raises KeyError off the map."""
        return self.terrain[hex_].protection

    def sees(self, a: Hex, b: Hex) -> bool:
        """Whether two hexes are in line of sight."""
        pair = (a, b) if a <= b else (b, a)
        if pair not in self._sight_by_pair:
            blocks = self.hexes_blocking_sight.__contains__
            self._sight_by_pair[pair] = has_line_of_sight(*pair, blocks, self.spec.hexside)
        return self._sight_by_pair[pair]

    def title(self, hex_: Hex) -> str:
        """Return a hex's number, followed by its name if it has one: `2109 (Kaiser Hotel)`."""
        name = self.spec.names.get(hex_)
        return f"{hex_.label} ({name})" if name else hex_.label

    def parse_hexes(self, text: str) -> tuple[Hex, ...]:
        """Return the hexes that a text names. Raises NoPlace if it names none.

        The text holds hex numbers in order, or the name or `title` of one hex.
        """
        text = simplify_signs(text).strip()
        text = BRACKETED_NAME.sub("", LEADING_PREPOSITION.sub("", text)) or text
        labels = naming.find_matches(text, {hex_.label: name for hex_, name in self.spec.names.items()})
        if len(labels) == 1:
            return (Hex.from_label(labels[0]),)
        words = re.findall(r"\w+", text)
        if len(words) > _MOST_HEXES_IN_TEXT:
            raise NoPlace(f"A way may have at most {_MOST_HEXES_IN_TEXT} hexes.")
        try:
            hexes = tuple(map(Hex.from_label, words))
        except ValueError:
            hexes = ()
        if not hexes or any(hex_ not in self.terrain for hex_ in hexes):
            why = f"“{text[:40]}” is no hex of this map. Write hex numbers, such as 2411, in order, or a place's name."
            raise NoPlace(why)
        return hexes


def terrain_chart(spec: MapSpec, cite: Cite) -> Chart:
    """Return a chart that shows the effects of each kind of terrain on the map."""
    rows = tuple(
        Row(
            label=terrain.name,
            rule=terrain.cite.rule,
            mark=terrain.cite.mark,
            cells=(
                Cell(text="never" if terrain.cost is None else str(terrain.cost), value=terrain.cost),
                Cell(text=str(terrain.protection), value=terrain.protection),
                Cell(text="yes" if terrain.blocks else "no"),
            ),
        )
        for terrain in spec.terrains
    )
    return Chart(
        id="terrain",
        title="Terrain",
        rule=cite.rule,
        mark=cite.mark,
        head="Terrain",
        columns=("MF to enter", "protection", "blocks sight"),
        rows=rows,
        note=f"Along a road a hex costs {spec.road_cost} at most. An improved position adds to protection.",
    )
