"""The map as the rules read it: terrain, beaches, entry hexes, objectives, sight (TA-H.1, TA-H.2, TA-H.4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rules.core.hexboard.hex_scene import HexBoard, HexGround
from rules.core.hexboard.hexes import Hex, Hexside, sees
from rules.core.model import Cite, Model


class Terrain(Model):
    """A kind of terrain. `cost` is the MF of entering it, None where nobody may; `protection` as in TA-0.2."""

    id: str
    name: str
    ground: HexGround
    cost: int | None
    protection: int
    blocks: bool
    """It blocks the sight of what lies beyond (TA-H.4)."""
    cite: Cite
    letter: str = ""
    """What stands for it in a map's text."""


class Beach(Model):
    """A landing beach: its letter, beach hex and beachhead hex (TA-3)."""

    letter: str
    beach: Hex
    head: Hex


@dataclass(frozen=True, eq=False)
class Board:
    """A map. Boards are made once and kept; compare them by `key`."""

    key: str
    terrain: Mapping[Hex, Terrain]
    """Of every hex of the map, sea included."""
    roads: frozenset[Hex]
    """Hexes entered for `road_cost` whatever they are covered with."""
    road_cost: int
    beaches: Mapping[str, Beach]
    """By letter."""
    entries: Mapping[int, Hex]
    """The entry hex of each total of 2D6 (TA-9.A)."""
    victory: Mapping[str, frozenset[Hex]]
    """Victory hexes by kind: `embankment`, `european town`, `key building`."""
    names: Mapping[Hex, str]
    """Places by hex."""
    station: Hex | None
    """Where trains arrive."""
    west_edge: tuple[Hex, ...]
    """Where Germans march on, by row."""
    drawn: HexBoard
    """The same as a picture's board."""
    hexside: Hexside = Hexside.BOTH
    _seen: dict[tuple[Hex, Hex], bool] = field(default_factory=dict, repr=False)

    @cached_property
    def land(self) -> frozenset[Hex]:
        """Hexes a unit may stand in."""
        return frozenset(hex_ for hex_, terrain in self.terrain.items() if terrain.cost is not None)

    @cached_property
    def landing(self) -> frozenset[Hex]:
        """Beach and beachhead hexes, prohibited to whoever has left them but staff (TA-3)."""
        return frozenset(hex_ for beach in self.beaches.values() for hex_ in (beach.beach, beach.head))

    @cached_property
    def beach_hexes(self) -> frozenset[Hex]:
        """The beach hexes alone."""
        return frozenset(beach.beach for beach in self.beaches.values())

    @cached_property
    def blocking(self) -> frozenset[Hex]:
        """Hexes that block sight."""
        return frozenset(hex_ for hex_, terrain in self.terrain.items() if terrain.blocks)

    def cost(self, hex_: Hex) -> int | None:
        """MF of entering a hex; None where nobody may, or it is off the map."""
        terrain = self.terrain.get(hex_)
        if terrain is None or terrain.cost is None:
            return None
        return min(terrain.cost, self.road_cost) if hex_ in self.roads else terrain.cost

    def protection(self, hex_: Hex) -> int:
        """What the terrain of a hex takes off an attacker's factor; raises KeyError off the map."""
        return self.terrain[hex_].protection

    def sees(self, one: Hex, other: Hex) -> bool:
        """Whether each hex is in the other's line of sight (TA-H.4)."""
        pair = (one, other) if one <= other else (other, one)
        if pair not in self._seen:
            self._seen[pair] = sees(*pair, self.blocking.__contains__, self.hexside)
        return self._seen[pair]

    def title(self, hex_: Hex) -> str:
        """`2109 (Kaiser Hotel)`: the hex with its name, if it has one."""
        name = self.names.get(hex_)
        return f"{hex_.label} ({name})" if name else hex_.label
