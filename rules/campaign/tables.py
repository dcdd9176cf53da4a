"""The table of a battle: its ground by the hex's terrain, and the edge of each power (CA-6.1, CA-6.2)."""

from collections.abc import Mapping, Sequence
from functools import cache

from rules.core.data_files import read_data_file
from rules.core.hexboard.hexes import Hex
from rules.core.model import Model

from .ground import board_of
from .model import Battle, CampaignState

NORTH, EAST, SOUTH, WEST = "north", "east", "south", "west"
OPPOSITE = {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST}


class BattleTable(Model):
    """A table for battles on one kind of terrain: terrain pieces as lines of text, and the colour of its ground.

    The default of `ground` is the colour of the campaign's country.
    """

    terrain: str
    ground: str = ""
    lines: str


class BattleTables(Model):
    """The battle tables of all kinds of terrain."""

    table: tuple[BattleTable, ...]


@cache
def all_tables() -> Sequence[BattleTable]:
    """Return all shipped battle tables."""
    return read_data_file(BattleTables, "rules.campaign", "tables.toml").table


def tables_of(terrain: str) -> Sequence[BattleTable]:
    """Return the tables for a terrain id; for terrain without tables, those of open ground."""
    tables = [table for table in all_tables() if table.terrain == terrain]
    return tables or [table for table in all_tables() if table.terrain == "open"]


def tables_for(state: CampaignState, battle: Battle) -> Sequence[BattleTable]:
    """Return the possible tables of a battle, of which a die chooses one (CA-6.1)."""
    return tables_of(board_of(state).terrain[battle.at].id)


def edges_of(state: CampaignState, battle: Battle) -> Mapping[str, str]:
    """Return the table edge of each power; the defender's edge is opposite the attacker's (CA-6.2).

    Without a defender, powers that came from one direction get opposite edges.
    """
    edges: dict[str, str] = {}
    for column in battle.columns:
        source = battle.edges.get(column)
        if source is not None and column in state.units:
            edges.setdefault(state.power_of(state.units[column].side).id, edge_towards(battle.at, source))
    first = state.enemy_of(battle.defender).id if battle.defender else state.powers[0].id
    second = state.enemy_of(first).id
    edge = edges.get(first) or OPPOSITE[edges.get(second, NORTH)]
    second_edge = edges.get(second, OPPOSITE[edge])
    return {first: edge, second: OPPOSITE[edge] if battle.defender or second_edge == edge else second_edge}


def edge_towards(hex_: Hex, source: Hex) -> str:
    """Return the edge of the table that faces the neighbouring hex `source`: north, south, east or west."""
    if source.column == hex_.column:
        return NORTH if source.row < hex_.row else SOUTH
    return EAST if source.column > hex_.column else WEST
