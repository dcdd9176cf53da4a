"""Create a map from a player's JSON description of the ground: blocks of hexes, roads and names."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from rules.core.documents import FaultInWords, Name
from rules.core.model import Cite, Model
from rules.core.scene import Feature

from .hex_scene import HexGround, HexLine
from .hexes import Hex, Hexside
from .map_file import parse_hex_blocks
from .map_spec import MapSpec, Terrain

MOST_HEXES = 2000
MOST_COST = MOST_PROTECTION = 12
_LIST_ITEM_PATH = re.compile(r"(roads|railways|across)\.(\d+)$")
"""Matches the path of an item in a list, such as `roads.2`."""
_TERRAIN = r"^[A-Za-z][A-Za-z _-]*$"
_BLOCK = r"^[0-9]{4}(-[0-9]{4})?$"
PATTERNS = {
    _TERRAIN: "a word of letters, such as bush",
    _BLOCK: "a hex, such as 2411, or a block of hexes, such as 2608-2617",
}
"""Description of the text that each pattern requires."""

TerrainId = Annotated[str, StringConstraints(max_length=24, pattern=_TERRAIN)]
Block = Annotated[str, StringConstraints(pattern=_BLOCK)]
"""A hex (`2411`), or all hexes from a north-west to a south-east corner (`2608-2617`)."""
Blocks = Annotated[tuple[Block, ...], Field(max_length=MOST_HEXES)]


class OwnTerrain(Model):
    """A kind of terrain in a player's map."""

    name: Name | None = Field(default=None, description="Its name in reports; left out: the word you call it by.")
    cost: int | None = Field(
        ge=1, le=MOST_COST, description="MF of entering such a hex; null where nobody may, as at sea."
    )
    protection: int = Field(default=0, ge=0, le=MOST_PROTECTION, description="What it takes off an attacker's factor.")
    blocks_sight: bool = Field(default=False, description="Whether nobody sees beyond it.")
    drawn: HexGround = Field(description="What it looks like on the bot's map.")


class OwnLine(Model):
    """A road or railway."""

    name: Name | None = Field(default=None, description="Its name, if it has one.")
    hexes: tuple[Hex, ...] = Field(min_length=2, max_length=200, description="Its hexes, each next to the one before.")


class GroundPart(Model):
    """The ground of your map; a system adds its own places."""

    terrain: Mapping[TerrainId, OwnTerrain] = Field(
        min_length=1, max_length=40, description="Kinds of terrain, by a word of your own."
    )
    hexes: Mapping[Block, TerrainId] = Field(
        min_length=1,
        max_length=MOST_HEXES,
        description=f"What lies in each hex, or block of hexes (`2608-2617`). Each once, {MOST_HEXES} at most.",
    )
    road_cost: int = Field(
        default=1, ge=1, le=MOST_COST, description="MF of entering a hex with a road, if that is less."
    )
    hexside: Hexside = Field(
        default=Hexside.BOTH, description="Which of two hexes must block a line of sight along their common side."
    )
    roads: tuple[OwnLine, ...] = Field(default=(), max_length=40, description="Roads.")
    railways: tuple[OwnLine, ...] = Field(default=(), max_length=40, description="Railway lines; they are only drawn.")
    names: Mapping[Hex, Name] = Field(default_factory=dict, max_length=200, description="Places by hex.")

    def block_faults(self) -> Iterator[FaultInWords]:
        """Yield faults of hex blocks: malformed blocks, overlapping hexes, too many hexes."""
        block_by_hex: dict[Hex, str] = {}
        for block in self.hexes:
            yield from _check_block(f"map.hexes.{block}", block, block_by_hex)
            if len(block_by_hex) > MOST_HEXES:
                yield "map.hexes", f"a map has {MOST_HEXES} hexes at most"
                return

    def map_spec_fields(self, cite: Cite) -> dict[str, Any]:
        """Return the fields of a `MapSpec` that the document gives. `cite` is the rule of all kinds of terrain."""
        return {
            "terrains": tuple(
                Terrain(
                    id=key,
                    name=terrain.name or key,
                    ground=terrain.drawn,
                    cost=terrain.cost,
                    protection=terrain.protection,
                    blocks=terrain.blocks_sight,
                    cite=cite,
                )
                for key, terrain in self.terrain.items()
            ),
            "road_cost": self.road_cost,
            "hexside": self.hexside,
            "hexes": {hex_: terrain for block, terrain in self.hexes.items() for hex_ in parse_hex_blocks(block)},
            "names": self.names,
            "roads": _make_hex_lines(self.roads, Feature.ROAD),
            "railways": _make_hex_lines(self.railways, Feature.RAILWAY),
        }


def block_list_faults(place: str, blocks: Iterable[str]) -> Iterator[FaultInWords]:
    """Yield faults of the list of hex blocks at `place`: malformed blocks, and blocks that share a hex."""
    block_by_hex: dict[Hex, str] = {}
    for number, block in enumerate(blocks):
        yield from _check_block(f"{place}[{number}]", block, block_by_hex)


def hexes_of_blocks(blocks: Iterable[str]) -> tuple[Hex, ...]:
    """Return every hex of the blocks."""
    return tuple(parse_hex_blocks(" ".join(blocks)))


def map_faults(spec: MapSpec) -> Iterator[FaultInWords]:
    """Yield the faults of a map from a player's document or from an imported state."""
    if len(spec.hexes) > MOST_HEXES:
        yield "map.hexes", f"a map has {MOST_HEXES} hexes at most"
        return
    for terrain in spec.terrains:
        if terrain.cost is not None and not 1 <= terrain.cost <= MOST_COST:
            yield f"map.terrain.{terrain.id}", f"entering it costs 1 to {MOST_COST} MF, or null for never"
        if not 0 <= terrain.protection <= MOST_PROTECTION:
            yield f"map.terrain.{terrain.id}", f"its protection is 0 to {MOST_PROTECTION}"
    for place, why in spec.faults():
        yield _LIST_ITEM_PATH.sub(r"\1[\2]", f"map.{place}"), why


def _check_block(place: str, block: str, block_by_hex: dict[Hex, str]) -> Iterator[FaultInWords]:
    """Store the hexes of a block in `block_by_hex`, and yield the faults of the block."""
    hexes = tuple(parse_hex_blocks(block))
    if not hexes:
        yield place, "a block goes from its north-west hex to its south-east hex, such as 2608-2617"
    for hex_ in hexes:
        if hex_ in block_by_hex:
            yield place, f"{hex_} is in “{block_by_hex[hex_]}” already"
            return
        block_by_hex[hex_] = block


def _make_hex_lines(lines: Iterable[OwnLine], feature: Feature) -> tuple[HexLine, ...]:
    return tuple(HexLine(feature=feature, hexes=line.hexes, name=line.name or "") for line in lines)
