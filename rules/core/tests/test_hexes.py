"""Hexes: numbers, distances, exact sight, reach and paths, compared with shapely and networkx."""

from itertools import groupby, pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError
from shapely import LineString, Point, Polygon, STRtree

from rules.core.hexboard.hexes import (
    Hex,
    Hexside,
    cheapest_path,
    has_line_of_sight,
    hexes_between,
    hexes_in_radius,
    path_lengths_from,
    reachable_hexes,
)
from rules.core.model import Model

HEXES = st.builds(Hex.at, st.integers(0, 99), st.integers(0, 99))
NEAR = st.builds(Hex.at, st.integers(20, 47), st.integers(1, 22))
FIELD = tuple(Hex.at(column, row) for column in range(10, 17) for row in range(1, 7))
GROUND = st.fixed_dictionaries({hex_: st.sampled_from((1, 1, 1, 2, 3, None)) for hex_ in FIELD})
RANKS = st.fixed_dictionaries({hex_: st.integers(0, 3) for hex_ in FIELD})
ON_FIELD = st.sampled_from(FIELD)


def parse_hexes(text: str) -> tuple[Hex, ...]:
    """Parse `2411 2412` into hexes."""
    return tuple(map(Hex.from_label, text.split()))


def format_groups(groups) -> str:
    """Format the hexes crossed by a line as `2411 2510/2511`."""
    return " ".join("/".join(map(str, group)) for group in groups)


class Marked(Model):
    at: Hex
    losses: dict[Hex, int] = Field(default_factory=dict)


@given(HEXES)
def test_a_number_is_column_then_row(hex_: Hex) -> None:
    assert str(hex_) == hex_.label == f"{hex_.column:02}{hex_.row:02}"
    assert Hex.from_label(hex_.label) == Hex.at(hex_.column, hex_.row) == hex_


@pytest.mark.parametrize("text", ["", "241", "24111", "24 1", " 2411", "-411", "+411", "２４１１", "2411\n"])
def test_only_four_digits_are_a_number(text: str) -> None:
    with pytest.raises(ValueError, match="four digits, column then row"):
        Hex.from_label(text)


@pytest.mark.parametrize("hex_", [Hex.at(-1, 5), Hex.at(5, -1), Hex.at(100, 5), Hex.at(5, 100)])
def test_a_hex_off_every_map_has_no_number(hex_: Hex) -> None:
    with pytest.raises(ValueError, match=f"column {hex_.column}, row {hex_.row} is off every map"):
        str(hex_)
    with pytest.raises(ValueError, match="off every map"):
        Marked(at=hex_).model_dump_json()


def test_hexes_are_kept_as_their_numbers() -> None:
    marked = Marked.model_validate({"at": "2411", "losses": {"2412": 1, Hex.at(25, 1): 2}})
    assert marked.losses == {Hex.at(24, 12): 1, Hex.at(25, 1): 2}
    assert marked.model_dump() == {"at": "2411", "losses": {"2412": 1, "2501": 2}}
    assert marked.model_dump_json() == '{"at":"2411","losses":{"2412":1,"2501":2}}'
    assert Marked.model_validate_json(marked.model_dump_json()) == marked
    for mode in ("validation", "serialization"):
        assert Marked.model_json_schema(mode=mode)["properties"]["at"]["pattern"] == "^[0-9]{4}$"


@pytest.mark.parametrize("value", ["24x1", 2411, (24, -1), [24, -1], None])
def test_nothing_else_is_read_as_a_hex(value) -> None:
    with pytest.raises(ValidationError, match="four digits, column then row, such as 2411"):
        Marked.model_validate({"at": value})


def test_odd_columns_sit_half_a_hex_lower() -> None:
    assert Hex.from_label("2411").neighbours() == parse_hexes("2310 2311 2410 2412 2510 2511")
    assert Hex.from_label("2511").neighbours() == parse_hexes("2411 2412 2510 2512 2611 2612")


def test_the_entry_hexes_are_a_chain_of_neighbours() -> None:
    for hex_, next_hex in pairwise(parse_hexes("2516 2515 2514 2513 2512 2511 2411 2410 2309 2209 2208")):
        assert next_hex in hex_.neighbours()


@pytest.mark.parametrize(("a", "b", "far"), [("2516", "2208", 10), ("3906", "2516", 17), ("3805", "2309", 15)])
def test_distances_across_the_map(a: str, b: str, far: int) -> None:
    assert Hex.from_label(a).distance(Hex.from_label(b)) == far


@given(HEXES, HEXES, HEXES)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert (a.distance(b) == 0) == (a == b)
    assert a.distance(b) == b.distance(a)
    assert a.distance(c) <= a.distance(b) + b.distance(c)
    assert a == b or min(neighbour.distance(b) for neighbour in a.neighbours()) == a.distance(b) - 1


@given(NEAR, st.integers(0, 8))
def test_a_disk_contains_every_hex_within_its_radius(centre: Hex, radius: int) -> None:
    lengths = path_lengths_from([centre], hexes_in_radius(centre, radius + 1))
    around = [hex_ for hex_, length in lengths.items() if length <= radius]
    assert hexes_in_radius(centre, radius) == tuple(sorted(around, key=lambda hex_: (hex_.column, hex_.row)))
    assert sum(lengths[hex_] == radius for hex_ in around) == (6 * radius or 1)


@pytest.mark.parametrize(
    ("a", "b", "crossed"),
    [
        ("2411", "2411", ""),
        ("2411", "2412", ""),
        ("2411", "2414", "2412 2413"),
        ("2411", "2611", "2510/2511"),
        ("2611", "2411", "2510/2511"),
        ("2411", "2811", "2510/2511 2611 2710/2711"),
        ("2411", "2512", "2412/2511"),
        ("2411", "2711", "2511 2611"),
        ("2411", "2812", "2511 2611 2612 2711"),
    ],
)
def test_hexes_crossed_by_a_line(a: str, b: str, crossed: str) -> None:
    assert format_groups(hexes_between(Hex.from_label(a), Hex.from_label(b))) == crossed


def plane(hex_: Hex) -> tuple[int, int]:
    """Return a hex's centre, east and south, in half hexsides and half heights: every corner is at whole numbers."""
    return 3 * hex_.column, 2 * hex_.row + hex_.column % 2


def outline(hex_: Hex) -> Polygon:
    x, y = plane(hex_)
    return Polygon([(x + 2, y), (x + 1, y + 1), (x - 1, y + 1), (x - 2, y), (x - 1, y - 1), (x + 1, y - 1)])


MAP = tuple(Hex.at(column, row) for column in range(19, 49) for row in range(24))
OUTLINES = [outline(hex_) for hex_ in MAP]
TREE = STRtree(OUTLINES)
CROSSED, ALONG = "T********", "F1*******"
"""DE-9IM patterns: the line crosses the hex's inside; or runs along its edge."""


def hexes_crossed_by_shapely(a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """Return `between` calculated from the outlines of the hexes. Corners are whole numbers, so shapely is exact."""
    line = LineString([plane(a), plane(b)])
    rows = []
    for number in sorted(TREE.query(line, "intersects")):
        hex_, shape = MAP[number], OUTLINES[number]
        inside, along = line.relate_pattern(shape, CROSSED), line.relate_pattern(shape, ALONG)
        if hex_ not in (a, b) and (inside or along):
            middle = line.project(Point(line.intersection(shape).interpolate(0.5, normalized=True)))
            rows.append((round(middle, 6), hex_, inside))
    groups = tuple(tuple(group) for _, group in groupby(sorted(rows), key=lambda row: row[0]))
    assert all(len(group) == (1 if group[0][2] else 2) for group in groups)
    return tuple(tuple(hex_ for _, hex_, _ in group) for group in groups)


@pytest.mark.parametrize("start", ["2411", "2511", "2001", "4722"])
def test_every_line_from_a_hex_crosses_the_hexes_of_shapely(start: str) -> None:
    a = Hex.from_label(start)
    for b in MAP:
        if a != b and 20 <= b.column <= 47 and 1 <= b.row <= 22:
            assert hexes_between(a, b) == hexes_crossed_by_shapely(a, b), f"{a} to {b}"


@given(NEAR, NEAR)
def test_any_line_crosses_the_hexes_of_shapely_both_ways(a: Hex, b: Hex) -> None:
    assert hexes_between(a, b) == hexes_between(b, a)[::-1]
    if a != b:
        assert hexes_between(a, b) == hexes_crossed_by_shapely(a, b)


def test_a_hex_touched_at_a_corner_is_not_crossed() -> None:
    a, b, *touched = parse_hexes("2411 2814 2512 2712")
    line = LineString([plane(a), plane(b)])
    assert all(line.touches(outline(corner)) for corner in touched)
    assert format_groups(hexes_between(a, b)) == "2511 2612 2613 2713"
    assert has_line_of_sight(a, b, touched.__contains__, Hexside.EITHER)


@pytest.mark.parametrize(
    ("blocking", "both", "either", "neither"),
    [
        ("", True, True, True),
        ("2510", True, False, True),
        ("2511", True, False, True),
        ("2510 2511", False, False, True),
    ],
)
def test_sight_along_a_hexside(blocking: str, both: bool, either: bool, neither: bool) -> None:
    a, b = parse_hexes("2411 2611")
    answers = [has_line_of_sight(a, b, parse_hexes(blocking).__contains__, policy) for policy in Hexside]
    assert answers == [both, either, neither]


@pytest.mark.parametrize("policy", Hexside)
def test_a_hex_on_the_line_stops_sight_and_the_ends_do_not(policy: Hexside) -> None:
    a, b = parse_hexes("2411 2811")
    assert not has_line_of_sight(a, b, parse_hexes("2611").__contains__, policy)
    assert has_line_of_sight(a, b, parse_hexes("2411 2811").__contains__, policy)
    assert has_line_of_sight(a, a, parse_hexes("2411").__contains__, policy)


@given(NEAR, NEAR, st.integers(2, 9), st.sampled_from(Hexside))
def test_sight_is_the_same_both_ways(a: Hex, b: Hex, sparse: int, policy: Hexside) -> None:
    def blocks(hex_: Hex) -> bool:
        return (hex_.q * 31 + hex_.r * 17) % sparse == 0

    assert has_line_of_sight(a, b, blocks, policy) == has_line_of_sight(b, a, blocks, policy)


def test_paths_go_round_closed_hexes() -> None:
    start, goal = parse_hexes("1203 1403")
    wall = set(parse_hexes("1301 1302 1303 1304"))
    ground = {hex_: None if hex_ in wall else 1 for hex_ in FIELD}
    lengths = path_lengths_from([start], {hex_ for hex_ in FIELD if hex_ not in wall})
    assert lengths[start] == 0
    assert lengths[goal] == 6
    assert reachable_hexes(start, 6, ground.get)[goal] == 6
    assert goal not in reachable_hexes(start, 5, ground.get)
    assert cheapest_path(start, goal, ground.get, str) == parse_hexes("1204 1205 1305 1405 1404 1403")


@pytest.mark.parametrize("first", ["1202", "1302"])
def test_the_callers_order_settles_ties(first: str) -> None:
    start, goal = parse_hexes("1203 1301")
    assert cheapest_path(start, goal, dict.fromkeys(FIELD, 1).get, lambda hex_: str(hex_) != first) == parse_hexes(
        f"{first} 1301"
    )


def test_hex_numbers_settle_remaining_ties() -> None:
    start, goal = parse_hexes("1203 1403")
    assert cheapest_path(start, goal, dict.fromkeys(FIELD, 1).get, lambda hex_: 0) == parse_hexes("1302 1403")


def test_ends_of_a_way() -> None:
    start, end = parse_hexes("1203 1204")
    level = dict.fromkeys(FIELD, 1)
    assert cheapest_path(start, start, level.get, str) == ()
    assert cheapest_path(start, end, {end: 1}.get, str) == (end,)
    assert cheapest_path(start, end, {start: 1}.get, str) is None
    assert cheapest_path(start, Hex.at(16, 6), {Hex.at(16, 6): 1}.get, str) is None
    assert cheapest_path(start, Hex.at(30, 6), level.get, str) is None
    assert path_lengths_from([start], ()) == reachable_hexes(start, 9, {}.get) == {start: 0}


@pytest.mark.parametrize("price", [0, -1])
def test_every_hex_costs_something(price: int) -> None:
    with pytest.raises(ValueError, match="a hex costs at least 1"):
        reachable_hexes(Hex.at(12, 3), 2, dict.fromkeys(FIELD, price).get)


def step_graph(ground) -> nx.DiGraph:
    """Return a graph of steps, weighted by the cost of the entered hex. The start may be a closed hex."""
    steps = nx.DiGraph()
    steps.add_nodes_from(FIELD)
    for hex_ in FIELD:
        for neighbour in hex_.neighbours():
            if ground.get(neighbour) is not None:
                steps.add_edge(hex_, neighbour, weight=ground[neighbour])
    return steps


@given(GROUND, st.sets(ON_FIELD, min_size=1, max_size=3))
def test_distances_match_networkx(ground, starts) -> None:
    plain = step_graph({hex_: None if price is None else 1 for hex_, price in ground.items()})
    least = nx.multi_source_dijkstra_path_length(plain, starts)
    for order in (sorted(starts), sorted(starts, reverse=True)):
        assert path_lengths_from(order, {hex_ for hex_ in FIELD if ground[hex_] is not None}) == least


@given(GROUND, ON_FIELD, st.integers(0, 12))
def test_reach_matches_networkx(ground, start: Hex, budget: int) -> None:
    assert reachable_hexes(start, budget, ground.get) == nx.single_source_dijkstra_path_length(
        step_graph(ground), start, budget
    )


@given(GROUND, RANKS, ON_FIELD, ON_FIELD)
def test_path_is_the_first_of_the_cheapest(ground, ranks, start: Hex, goal: Hex) -> None:
    steps = step_graph(ground)
    if not nx.has_path(steps, start, goal):
        assert cheapest_path(start, goal, ground.get, ranks.get) is None
        return
    cheapest = [tuple(path[1:]) for path in nx.all_shortest_paths(steps, start, goal, weight="weight")]
    first = min(cheapest, key=lambda path: ([ranks[hex_] for hex_ in path], path))
    assert cheapest_path(start, goal, ground.get, ranks.get) == first
