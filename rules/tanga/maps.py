"""Which map a game is played on: the house map, or that of the player's own box."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files

from rules.core.hexboard.hex_scene import HexBoard, HexCell

from .board import Board
from .map_file import read_map
from .map_spec import MapSpec
from .model import TangaState

HOUSE_MAP = "tanga.txt"
_BOARDS_KEPT = 64


def board_of(state: TangaState) -> Board:
    """The map of a game; made once and kept."""
    return house_board() if state.own is None else board_from(state.own)


@cache
def house_map() -> MapSpec:
    """The house map (TA-H.1). Raises ValueError naming the line of its first fault."""
    return read_map((files("rules.tanga") / "data" / HOUSE_MAP).read_text(encoding="utf-8"), HOUSE_MAP)


@cache
def house_board() -> Board:
    """The board of the house map."""
    return board_from(house_map())


@dataclass(frozen=True)
class _Keyed:
    """A map that is known again by its key alone."""

    key: str
    spec: MapSpec = field(compare=False, repr=False)


def board_from(spec: MapSpec) -> Board:
    """The board of a map; made once for equal maps."""
    return _made(_Keyed(spec.key, spec))


@lru_cache(maxsize=_BOARDS_KEPT)
def _made(keyed: _Keyed) -> Board:
    spec = keyed.spec
    terrains = {terrain.id: terrain for terrain in spec.terrains}
    covered = {hex_: terrains[terrain] for hex_, terrain in sorted(spec.hexes.items())}
    lines = (*spec.roads, *spec.railways)
    cells = tuple(HexCell(hex=at, ground=on.ground, name=spec.names.get(at, "")) for at, on in covered.items())
    return Board(
        key=spec.key,
        terrain=covered,
        roads=frozenset(hex_ for road in spec.roads for hex_ in road.hexes),
        road_cost=spec.road_cost,
        beaches={beach.letter: beach for beach in spec.beaches},
        entries=spec.entries,
        victory={kind: frozenset(hexes) for kind, hexes in spec.victory.items()},
        names=spec.names,
        station=spec.station,
        west_edge=spec.west_edge,
        drawn=HexBoard(key=spec.key, cells=cells, lines=lines, names=spec.across),
        hexside=spec.hexside,
    )
