"""Tables of battles: the table's terrain pieces, and the table edge of each power (CA-6.1, CA-6.2)."""

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
    """A table for battles on one kind of terrain."""

    terrain: str
    ground: str = ""
    """Colour of the ground; empty for the colour of the campaign's country."""
    lines: str
    """Terrain pieces, one a line."""


class BattleTables(Model):
    """The battle tables of all kinds of terrain."""

    table: tuple[BattleTable, ...]


@cache
def all_battle_tables() -> Sequence[BattleTable]:
    """Return all tables on which battles of a campaign can be fought."""
    return read_data_file(BattleTables, "rules.campaign", "tables.toml").table


def tables_for_terrain(terrain: str) -> Sequence[BattleTable]:
    """Return the tables for a terrain id; for terrain without tables, the tables of open ground."""
    tables = [table for table in all_battle_tables() if table.terrain == terrain]
    return tables or [table for table in all_battle_tables() if table.terrain == "open"]


def tables_for_battle(state: CampaignState, battle: Battle) -> Sequence[BattleTable]:
    """Return the possible tables of a battle; a die chooses one of them (CA-6.1)."""
    return tables_for_terrain(board_of(state).terrain[battle.at].id)


def table_edges_by_power(state: CampaignState, battle: Battle) -> Mapping[str, str]:
    """Return the table edge of each power; those of attacker and defender are opposite (CA-6.2)."""
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
