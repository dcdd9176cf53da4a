"""The ground: kinds of terrain with their effects, wire, lines of sight, and hexes closed to units (GW-7)."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import ClassVar, TypeAlias

from rules.core.chart import Cell, Chart, Row
from rules.core.data_files import read_data_file
from rules.core.hexboard import board, map_file
from rules.core.hexboard.hexes import Hex, Hexside, has_line_of_sight
from rules.core.hexboard.map_file import TerrainKinds, parse_hex_blocks
from rules.core.hexboard.map_spec import MapSpec, Terrain
from rules.core.model import Cite, Mark, Model
from rules.core.wording import count_of

from .model import Arm, GreatWarState, GreatWarUnit

TERRAIN = Cite(rule="GW-7", mark=Mark.FOUND)
WIRE = Cite(rule="GW-7", mark=Mark.HOUSE)
WIRE_FEWER = 1
"""Number of dice that soldiers on wire lose."""


class Protection(Model):
    """Dice that soldiers in the terrain ignore: `soldiers` always, `flags` if their owner chooses."""

    soldiers: int = 0
    flags: int = 0


class GreatWarTerrain(Terrain):
    """A kind of terrain with its effects in the rules (GW-7)."""

    protection: int = 0
    stops: bool = False
    """Whether a unit that enters the terrain ends its move there, and gains no ground that turn."""
    dice_fewer: int = 0
    """Number of dice that a unit loses in the turn in which it enters the terrain."""
    tanks_battle: bool = True
    """Whether tanks may battle in the turn of entering."""
    soldiers_battle: bool = True
    """Whether soldiers in the terrain may battle."""
    for_vehicles: bool = True
    """Whether tanks and field artillery may enter the terrain (GW-3.2)."""
    shelters: bool = False
    """Whether soldiers in the terrain may ignore flags in close combat with a tank (GW-5.2)."""
    ranged: Protection = Protection()
    close: Protection = Protection()


class GreatWarTerrainKinds(TerrainKinds):
    """The kinds of terrain, as their data file lists them."""

    terrain_type: ClassVar[type[Terrain]] = GreatWarTerrain


class GreatWarMap(MapSpec):
    """A map: its ground and where wire lies as the game begins."""

    terrains: tuple[GreatWarTerrain, ...]
    wire: tuple[Hex, ...] = ()


Board: TypeAlias = board.Board[GreatWarMap, GreatWarTerrain]


@cache
def terrain_kinds() -> GreatWarTerrainKinds:
    """Return the kinds of terrain. Raises ValidationError if their file is wrong."""
    return read_data_file(GreatWarTerrainKinds, "rules.great_war", "terrain.toml")


@cache
def terrain_named(terrain: str) -> GreatWarTerrain:
    """Return the terrain by id. Raises StopIteration for unknown ids."""
    return next(kind for kind in terrain_kinds().terrains if kind.id == terrain and isinstance(kind, GreatWarTerrain))


def terrain_chart() -> Chart:
    """Return the chart of terrain and wire effects."""
    kinds_ = (kind for kind in terrain_kinds().terrains if isinstance(kind, GreatWarTerrain))
    rows = [Row(label=kind.name, rule="GW-7", mark=kind.cite.mark, cells=_terrain_cells(kind)) for kind in kinds_]
    fewer = f"soldiers on it {WIRE_FEWER} die fewer"
    wire = ("soldiers stop; a tank removes it", fewer, "", "", "clear")
    rows.append(Row(label="wire", rule="GW-7", mark=Mark.HOUSE, cells=tuple(Cell(text=text or "—") for text in wire)))
    return Chart(
        id="terrain",
        title="Terrain",
        rule="GW-7",
        mark=Mark.FOUND,
        head="Terrain",
        columns=("move", "battle", "from afar they ignore", "close by they ignore", "sight"),
        rows=tuple(rows),
        note="They are soldiers: tanks take no protection from terrain. Any unit blocks sight, too (house).",
    )


def _terrain_cells(kind: GreatWarTerrain) -> tuple[Cell, ...]:
    stops = "stops" if kind.stops else ""
    move = "nobody" if kind.cost is None else stops if kind.for_vehicles else f"no tanks, no field artillery; {stops}"
    fewer = f"{kind.dice_fewer} die fewer in the turn it is entered" if kind.dice_fewer else ""
    tanks = "" if kind.tanks_battle else "no tank in the turn it enters"
    battle = fewer or tanks or ("" if kind.soldiers_battle else "no soldiers")
    ignored = (_protection_in_words(kind.ranged), _protection_in_words(kind.close))
    return tuple(Cell(text=text or "—") for text in (move, battle, *ignored, "blocks" if kind.blocks else "clear"))


def _protection_in_words(by: Protection) -> str:
    flags = f"may {count_of(by.flags, 'flag')}" if by.flags else ""
    return ", ".join(filter(None, (count_of(by.soldiers, "soldier") if by.soldiers else "", flags)))


def read_map(text: str, name: str) -> GreatWarMap:
    """Return the map written in `text`. Raises ValueError naming the file `name` and the line of the first fault."""
    statements: Mapping[str, map_file.StatementParser] = {
        "wire": lambda text, _, rest: text.set_field("wire", tuple(parse_hex_blocks(rest))),
    }
    return map_file.read_map(text, name, GreatWarMap, terrain_kinds(), statements)


@cache
def board_named(name: str) -> Board:
    """Return the board of the map in the data file `name`.txt."""
    file = files("rules.great_war") / "data" / f"{name}.txt"
    return Board(read_map(file.read_text(encoding="utf-8"), file.name))


def board_of(state: GreatWarState) -> Board:
    """Return the board of hexes on which the game is played."""
    return board_named(state.map)


def terrain_of(state: GreatWarState, unit: GreatWarUnit) -> GreatWarTerrain:
    """Return the terrain under a unit. Without a map, return countryside."""
    return board_of(state).terrain[unit.at] if unit.at is not None and state.map else terrain_named("countryside")


def last_entered_terrain(state: GreatWarState, unit: GreatWarUnit) -> GreatWarTerrain | None:
    """Return the terrain that the unit last entered this turn, or None. Hexes of a retreat do not count."""
    hex_ = unit.this_turn.entered
    return board_of(state).terrain[hex_] if hex_ is not None and state.map else None


def can_enter_hex(state: GreatWarState, arm: Arm, hex_: Hex) -> bool:
    """Whether a unit of that arm may enter a hex: the hex is on the map, passable and empty (GW-1.2, GW-3.2)."""
    return hex_ not in state.stacks.by_hex and can_enter_terrain(board_of(state).terrain.get(hex_), arm)


def can_enter_terrain(terrain: GreatWarTerrain | None, arm: Arm) -> bool:
    """Whether an arm may enter terrain (GW-3.2): no arm enters water, and tanks and field artillery no fords either."""
    if terrain is None or terrain.cost is None:
        return False
    return terrain.for_vehicles or not (arm.is_tank or arm is Arm.FIELD_ARTILLERY)


def must_stop_in(state: GreatWarState, arm: Arm, hex_: Hex) -> bool:
    """Whether terrain or wire ends the arm's move in the hex. Wire stops only soldiers (GW-7, GW-3.1)."""
    return board_of(state).terrain[hex_].stops or (hex_ in state.wire and not arm.is_tank)


def is_in_sight(state: GreatWarState, start: Hex, end: Hex) -> bool:
    """Whether no blocking terrain and no unit lies on the line between two hexes' centres (GW-7)."""
    blocking, occupied = board_of(state).hexes_blocking_sight, state.stacks.by_hex
    return has_line_of_sight(start, end, lambda hex_: hex_ in blocking or hex_ in occupied, Hexside.BOTH)
