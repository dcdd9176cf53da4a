"""The table of a battle: its ground and its edges (CA-6.1, CA-6.2)."""

import pytest

from rules.campaign.maps import terrain_kinds
from rules.campaign.tables import edge_towards, table_edges_by_power, tables_for_battle, tables_for_terrain

from .country import OPEN, country, day, hex_at, make_map, with_terrain


def test_6_1_two_tables_for_each_kind_of_land() -> None:
    land = [terrain.id for terrain in terrain_kinds().terrains if terrain.cost is not None]
    assert [len(tables_for_terrain(terrain)) for terrain in land] == [2] * len(land)


def test_6_1_the_table_comes_from_the_hex() -> None:
    state, _ = day(country(make_map(with_terrain("s", "0204")), "blue foot 0203 attack via:0204", "red foot 0204"))
    (battle,) = state.battles.values()
    assert {table.terrain for table in tables_for_battle(state, battle)} == {"scrub"}


@pytest.mark.parametrize(
    ("source", "edge"),
    [("0402", "north"), ("0404", "south"), ("0502", "east"), ("0503", "east"), ("0302", "west"), ("0303", "west")],
)
def test_6_2_north_east_and_south_east_are_east(source: str, edge: str) -> None:
    assert hex_at("0403").distance(hex_at(source)) == 1
    assert edge_towards(hex_at("0403"), hex_at(source)) == edge


@pytest.mark.parametrize(
    ("blue", "red", "edges"),
    [
        ("blue foot 0203 attack via:0204", "red foot 0204", {"blue": "north", "red": "south"}),
        ("blue foot 0303 attack via:0204", "red foot 0204", {"blue": "east", "red": "west"}),
        ("blue foot 0203 attack via:0204", "red foot 0303 attack via:0204", {"blue": "north", "red": "east"}),
        ("blue foot 0203 attack via:0204", "red foot 0205 attack via:0204", {"blue": "north", "red": "south"}),
    ],
)
def test_6_2_each_power_enters_by_its_edge(blue: str, red: str, edges: dict[str, str]) -> None:
    state, _ = day(country(make_map(OPEN), blue, red))
    (battle,) = state.battles.values()
    assert table_edges_by_power(state, battle) == edges


def test_6_2_both_by_one_edge_the_second_comes_from_the_other() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0302 attack via:0203", "red foot 0303 attack via:0203"))
    (battle,) = state.battles.values()
    assert table_edges_by_power(state, battle) == {"blue": "east", "red": "west"}
