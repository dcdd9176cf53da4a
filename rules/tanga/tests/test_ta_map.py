"""Tests of the house map (TA-H.1), its terrain (TA-H.2) and lines of sight (TA-H.4), and of reading map files."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.hexboard.hexes import Hex, path_lengths_from
from rules.tanga.field import board_of
from rules.tanga.maps import TangaMap, board_of_map, house_board, house_map, read_map
from rules.tanga.tests.field import hex_at, hex_labels, hexes, state_of

BOARD = house_board()
ENTRY_CHAIN = "2516 2515 2514 2513 2512 2511 2411 2410 2309 2209 2208"


def hexes_of(terrain: str) -> set[Hex]:
    return {hex_ for hex_, kind in BOARD.terrain.items() if kind.id == terrain}


def test_ta_0_1_the_entry_hexes_are_one_chain_of_neighbours():
    chain = hexes(ENTRY_CHAIN)
    assert [hex_.distance(following) for hex_, following in pairwise(chain)] == [1] * 10
    assert hex_at("2516").distance(hex_at("2208")) == 10


def test_ta_9_a_the_entry_hexes_by_2d6():
    table = {2: "2411", 3: "2410", 4: "2309", 5: "2209", 6: "2208", 7: "2516"}
    table |= {8: "2515", 9: "2514", 10: "2513", 11: "2512", 12: "2511"}
    assert {total: hex_.label for total, hex_ in BOARD.spec.entries.items()} == table


def test_ta_h_1_map_has_columns_15_to_42_and_rows_1_to_22():
    assert set(BOARD.terrain) == {Hex.at(column, row) for column in range(15, 43) for row in range(1, 23)}


def test_ta_h_1_land_is_connected():
    assert path_lengths_from([hex_at("2516")], BOARD.land).keys() == BOARD.land


@pytest.mark.parametrize("label", ["1506", "1907", "2307", "2706", "3703", "3803", "3902", "4003", "4104", "4122"])
def test_ta_h_1_the_bay_and_the_ocean(label):
    assert hex_at(label) in hexes_of("sea")


@pytest.mark.parametrize("label", ["1507", "1908", "2308", "2707", "3704", "4004", "4005", "3905"])
def test_ta_h_1_the_shore(label):
    assert hex_at(label) in BOARD.land


def test_ta_h_1_columns_41_and_42_are_ocean():
    assert all(hex_ in hexes_of("sea") for hex_ in BOARD.terrain if hex_.column >= 41)


def test_ta_h_1_shore_separates_water_and_land():
    for column in range(15, 41):
        land = [row for row in range(1, 23) if Hex.at(column, row) in BOARD.land]
        gaps = set(range(land[0], 23)) - set(land)
        assert not gaps or column >= 39, f"column {column}: water inland"


def test_ta_h_1_the_european_town():
    block = {Hex.at(column, row) for column in range(17, 23) for row in (8, 9, 10)} | {hex_at("2309"), hex_at("2310")}
    assert BOARD.victory_hexes["european town"] == block
    assert block - hexes_of("european-town") == set(hexes("1908 1909 2109"))
    assert hex_at("2308") not in block


def test_ta_h_1_the_native_town_reaches_row_16_and_ends_at_the_entry_chain():
    native = hexes_of("native-town")
    assert set(hexes("1711 1716 2216 2311 2410 2411 2511 2516")) <= native
    assert native & set(hexes("1717 2217 2517 2409 2510")) == set()
    assert max(hex_.row for hex_ in native) == 16


def test_ta_h_1_the_embankment_and_the_railway():
    embankment = {Hex.at(26, row) for row in range(8, 18)}
    assert hexes_of("embankment") == embankment == BOARD.victory_hexes["embankment"]
    (railway,) = house_map().railways
    assert hex_labels(railway.hexes[:10]) == hex_labels(embankment)
    assert railway.hexes[10:] == (
        *(Hex.at(column, 17) for column in range(25, 17, -1)),
        *(Hex.at(18, row) for row in range(16, 11, -1)),
    )


def test_ta_h_1_key_buildings_and_the_station():
    buildings = {"Customs House": "1909", "Kaiser Hotel": "2109", "Station": "1812"}
    buildings |= {"Hospital": "2707", "Red House": "3905", "Jetty": "1908"}
    assert {BOARD.spec.names[hex_at(label)]: label for label in buildings.values()} == buildings
    assert (
        hexes_of("key-building")
        == {hex_at(label) for label in buildings.values()}
        == BOARD.victory_hexes["key building"]
    )
    assert BOARD.spec.station == hex_at("1812")


def test_ta_h_1_strip_ditch_palms_plantation_and_bush():
    for hex_ in BOARD.land - hexes_of("key-building") - hexes_of("cultivation") - hexes_of("mangrove"):
        kind = BOARD.terrain[hex_].id
        if hex_.column in (27, 28):
            assert kind == "open"
        elif hex_.column == 30:
            assert kind == "ditch"
        elif hex_.row >= 15 and hex_.column not in range(17, 27):
            assert kind == "palms"
        elif hex_.column in range(31, 39) and hex_.row < 15:
            assert kind in ("plantation", "beach")
        elif hex_.column in (29, 39, 40):
            assert kind in ("bush", "beach")


def test_ta_3_beaches_and_beachheads():
    beach_hexes = {letter: (beach.beach.label, beach.head.label) for letter, beach in BOARD.beaches.items()}
    assert beach_hexes == {"A": ("4006", "3906"), "B": ("3903", "3904"), "C": ("3804", "3805")}
    assert hexes_of("beach") == BOARD.beach_hexes
    assert all(beach.beach.distance(beach.head) == 1 for beach in BOARD.beaches.values())


def test_ta_h_1_a_road_leads_from_ras_kasone_through_the_town():
    assert {hex_at("4004"), hex_at("3905"), hex_at("2309"), hex_at("1909")} <= BOARD.roads
    along = path_lengths_from([hex_at("4004")], BOARD.roads)
    assert along.keys() == BOARD.roads


def test_ta_h_11_the_west_edge_is_land_of_the_first_column_by_row():
    assert BOARD.spec.west_edge == tuple(sorted(BOARD.spec.west_edge))
    assert all(hex_.column == 15 and hex_ in BOARD.land for hex_ in BOARD.spec.west_edge)


@pytest.mark.parametrize(
    ("terrain", "cost", "protection", "blocks"),
    [
        ("open", 1, 0, False),
        ("beach", 1, 0, False),
        ("cultivation", 1, 1, False),
        ("palms", 2, 1, False),
        ("plantation", 2, 1, True),
        ("bush", 2, 1, True),
        ("ditch", 2, 1, False),
        ("mangrove", 3, 0, False),
        ("embankment", 2, 2, True),
        ("native-town", 2, 1, True),
        ("european-town", 2, 2, True),
        ("key-building", 2, 2, True),
        ("sea", None, 0, False),
    ],
)
def test_ta_h_2_terrain(terrain, cost, protection, blocks):
    somewhere = min(hexes_of(terrain) - BOARD.roads)
    assert BOARD.cost(somewhere) == cost
    assert BOARD.protection(somewhere) == protection
    assert (somewhere in BOARD.hexes_blocking_sight) is blocks


def test_ta_h_2_road_costs_1_and_keeps_the_cover():
    assert (BOARD.cost(hex_at("3407")), BOARD.protection(hex_at("3407"))) == (1, 1)
    assert (BOARD.cost(hex_at("2609")), BOARD.protection(hex_at("2609"))) == (1, 2)


@pytest.mark.parametrize(
    ("first", "second", "sees"),
    [
        ("2608", "2708", True),
        ("2713", "2813", True),
        ("2612", "2912", True),  # over the open strip
        ("2711", "2511", False),  # the embankment lies between
        ("3308", "3310", False),  # through the plantation
        ("2719", "3419", True),  # palms do not block
        ("2412", "2612", False),  # town
    ],
)
def test_ta_h_4_sight(first, second, sees):
    assert BOARD.sees(hex_at(first), hex_at(second)) is sees


@given(st.sampled_from(sorted(BOARD.land)), st.sampled_from(sorted(BOARD.land)))
def test_ta_h_4_sight_is_mutual_and_neighbours_see_each_other(first, second):
    assert BOARD.sees(first, second) == BOARD.sees(second, first)
    if first.distance(second) <= 1:
        assert BOARD.sees(first, second)


def test_game_uses_the_house_map_or_its_own_map():
    assert board_of(state_of()) is BOARD
    own = state_of(on={"2712": "bush"})
    assert board_of(own).terrain[hex_at("2712")].id == "bush"
    assert board_of(own).terrain[hex_at("2711")].id == "open"


def test_a_map_read_again_is_the_same_board():
    reloaded = TangaMap.model_validate_json(house_map().model_dump_json())
    assert board_of_map(reloaded) is BOARD


SMALL = """columns 15-18

01      ~     ~
01   .     .
02      b     K
02   .     m

beach A: 1501 1602
entry 7: 1702
victory key building: 1802
name 1802: Station
station: 1802
road: 1501 1502 1602
"""


def test_a_small_map_is_read():
    small = read_map(SMALL, "small.txt")
    assert {hex_.label: terrain for hex_, terrain in small.hexes.items() if hex_.row == 2} == {
        "1502": "open",
        "1602": "bush",
        "1702": "mangrove",
        "1802": "key-building",
    }
    assert small.entries == {7: hex_at("1702")}


@pytest.mark.parametrize(
    ("was", "now", "line", "why"),
    [
        ("02      b     K", "02      x     K", 5, "no terrain has the letter 'x'"),
        ("02      b     K", "02      b", 5, "row 02 has 1 hexes in even columns"),
        ("01   .     .", "01   ~     .", 8, "1501 is not on the land"),
        ("02   .     m", "02   .     ~", 9, "1702 is not on the land"),
        ("name 1802: Station", "name 1902: Station", 11, "1902 is off the map"),
        ("station: 1802", "station: 1801", 12, "1801 is not on the land"),
        ("station: 1802", "station: 18", 12, "four digits"),
        ("station: 1802", "harbour: 1802", 12, "harbour"),
        ("road: 1501 1502 1602", "road: 1501 1602 1802", 13, "1602 and 1802 are not neighbours"),
        ("station: 1802", "entry 7: 1802", 12, "7 appears twice"),
        ("station: 1802", "entry 8: 1702", 12, "entry 1702 appears twice"),
        ("station: 1802", "name 1502: Station", 12, "Station appears twice"),
        ("station: 1802", "beach A: 1501 1602", 12, "beach A appears twice"),
        ("victory key building: 1802", "victory castle: 1802", 10, "'castle' is none of them"),
    ],
)
def test_a_fault_of_a_map_names_its_line(was, now, line, why):
    assert was in SMALL
    with pytest.raises(ValueError, match=r"^small") as caught:
        read_map(SMALL.replace(was, now), "small.txt")
    assert str(caught.value).startswith(f"small.txt, line {line}: ")
    assert why in str(caught.value)


def test_land_that_cannot_be_reached_is_named_with_its_line():
    island = SMALL.replace("01      ~     ~", "01      .     ~").replace("01   .     .", "01   ~     ~")
    island = island.replace("02      b     K", "02      ~     K").replace("beach A: 1501 1602\n", "")
    with pytest.raises(ValueError, match=r"line \d+: \d{4} is land that cannot be reached from the rest"):
        read_map(island.replace("road: 1501 1502 1602\n", ""), "small.txt")


def test_missing_row_is_reported():
    with pytest.raises(ValueError, match="without a gap"):
        read_map(SMALL.replace("02  ", "03  "), "small.txt")
    with pytest.raises(ValueError, match="row 02 lacks the line of its odd columns"):
        read_map(SMALL.replace("02   .     m\n", ""), "small.txt")


def test_repeated_beach_or_hex_is_a_fault() -> None:
    first, second, *_ = house_map().beaches
    same_letter = house_map().model_copy(
        update={"beaches": (first, second.model_copy(update={"letter": first.letter}))}
    )
    assert [why for _, why in same_letter.faults()] == [f"beach {first.letter} appears twice"]
    same_head = house_map().model_copy(update={"beaches": (first, second.model_copy(update={"head": first.head}))})
    assert [why for _, why in same_head.faults()] == [f"{first.head.label} appears twice"]
