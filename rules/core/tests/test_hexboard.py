"""Maps, stacks and paths of a made-up hex game: meadow, pond and wood, with at most three units in a hex."""

import pickle
import tomllib
from dataclasses import replace
from functools import lru_cache

import pytest
from pydantic import Field

from rules.core.hexboard.board import Board, terrain_chart
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_file import TerrainKinds, read_map
from rules.core.hexboard.map_spec import MapSpec
from rules.core.hexboard.stacks import (
    CACHED_STACKS,
    HexState,
    HexUnit,
    distance_to_side,
    group_in_stacks,
    hexes_barred_by,
    hexes_of_side,
    is_next_to,
    is_seen_from_any,
    unit_hex,
    units_at,
)
from rules.core.hexboard.ways import (
    Approach,
    Journey,
    adjacent_hexes,
    distance_to_nearest,
    hexes_within_steps,
    hexes_without,
    path_length_between,
)
from rules.core.model import Cite
from rules.core.refusal import NoPlace, Refused
from rules.core.state import Side

KINDS = TerrainKinds.model_validate(
    tomllib.loads("""
road_cost = 1
hexside = "both"
cite = { rule = "X-1" }
terrain = [
  { id = "pond", name = "pond", letter = "~", ground = "sea", protection = 0, blocks = false },
  { id = "meadow", name = "meadow", letter = ".", ground = "open", cost = 1, protection = 0, blocks = false },
  { id = "wood", name = "wood", letter = "w", ground = "bush", cost = 3, protection = 2, blocks = true },
]
""")
)
TEXT = """
columns 01-05
01  .  .
01 .  .  .
02  w  .
02 .  ~  .
03  .  .
03 .  w  .
name 0101: Mill
road: 0201 0202
camp north: 0101 0301
"""


class Camps(MapSpec):
    """A map with camps."""

    camps: dict[str, tuple[Hex, ...]] = Field(default_factory=dict)


def camp(text, label, labels):
    return text.set_entry("camps", label, tuple(map(Hex.from_label, labels.split())))


def read(text: str = TEXT) -> Camps:
    return read_map(text, "test.txt", Camps, KINDS, {"camp": camp})


def h(label: str) -> Hex:
    return Hex.from_label(label)


def test_map_has_common_parts_and_those_of_its_system() -> None:
    spec = read()
    assert spec.names == {h("0101"): "Mill"}
    assert spec.camps == {"north": (h("0101"), h("0301"))}
    assert Camps.model_validate_json(spec.model_dump_json()) == spec


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("river: 0101", r"test.txt, line \d+: a line says camp, name, water, across, victory, road, railway, then"),
        ("name 0101: Inn", r"line \d+: 0101 appears twice"),
        ("road: 0301 0302", r"line \d+: 0302 is not on the land"),
        ("road: 0101 0501", r"line \d+: 0101 and 0501 are not neighbours"),
        ("name 0909: Inn", r"line \d+: 0909 is off the map"),
    ],
)
def test_fault_of_a_map_is_reported_with_its_line(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read(f"{TEXT}{line}\n")


def test_terrain_costs_what_it_declares_and_less_on_a_road() -> None:
    board = Board(read())
    assert [board.cost(h(hex_)) for hex_ in ("0101", "0202", "0303", "0302", "0909")] == [1, 1, 3, None, None]
    assert board.protection(h("0303")) == 2
    assert not board.sees(h("0201"), h("0203"))
    assert board.sees(h("0301"), h("0303")), "a pond hides nothing"
    assert is_seen_from_any(board, h("0201"), frozenset({h("0203"), h("0101")}))
    assert board.title(h("0101")) == "0101 (Mill)"
    chart = terrain_chart(read(), Cite(rule="X-2"))
    assert [(row.label, *((cell.text, cell.value) for cell in row.cells)) for row in chart.rows] == [
        ("pond", ("never", None), ("0", 0), ("no", None)),
        ("meadow", ("1", 1), ("0", 0), ("no", None)),
        ("wood", ("3", 3), ("2", 2), ("yes", None)),
    ]


def test_a_board_is_made_once_for_equal_maps() -> None:
    board_from = lru_cache(Board)
    assert board_from(read()) is board_from(read())
    assert board_from(read()) is not board_from(read(TEXT.replace("Mill", "Inn")))


class Man(HexUnit):
    sleeps: bool = False

    @property
    def bars_enemies(self) -> bool:
        return not self.sleeps


class Game(HexState):
    units: dict[str, Man] = Field(default_factory=dict)


MEN = {
    man.id: man
    for man in (
        Man(id="a", name="A", side="red", at=h("0101")),
        Man(id="b", name="B", side="red", at=h("0101"), sleeps=True),
        Man(id="c", name="C", side="blue", at=h("0103"), sleeps=True),
        Man(id="d", name="D", side="blue"),
    )
}


def game() -> Game:
    sides = tuple(Side(id=side, name=side, index=place) for place, side in enumerate(("red", "blue")))
    return Game(ruleset="x", scenario="x", sides=sides, active="red", units=MEN)


def test_stacks_tell_who_stands_where_and_who_keeps_the_enemy_out() -> None:
    stacks = game().stacks
    assert [man.id for man in stacks.by_hex[h("0101")]] == ["a", "b"]
    assert stacks.hexes == {"red": frozenset({h("0101")}), "blue": frozenset({h("0103")})}
    assert stacks.barred == {"red": frozenset({h("0101")}), "blue": frozenset()}
    assert group_in_stacks((), ("red",)).hexes == {"red": frozenset()}
    state = game()
    assert (unit_hex(MEN["c"]), units_at(state, h("0103")), units_at(state, h("0301"))) == (h("0103"), (MEN["c"],), ())
    assert (hexes_of_side(state, "blue"), hexes_of_side(state, "green")) == ({h("0103")}, frozenset())
    assert (hexes_barred_by(state, "red"), hexes_barred_by(state, "green")) == ({h("0101")}, frozenset())
    assert [distance_to_side(state, h("0201"), side) for side in ("red", "blue", "green")] == [1, 3, None]
    assert [is_next_to(state, h("0102"), side) for side in ("red", "blue", "green")] == [True, True, False]
    assert not is_next_to(state, h("0101"), "red"), "its own hex is not next to it"


def test_lookups_belong_to_the_units_of_one_state() -> None:
    state = game()
    stacks = state.stacks
    assert state.model_copy(update={"turn": 2}).stacks is stacks
    assert state.model_copy(update={"units": {}}).stacks.by_hex == {}
    assert CACHED_STACKS not in pickle.loads(pickle.dumps(state)).__dict__


def test_paths_use_open_hexes_only() -> None:
    land = read().land
    assert path_length_between(h("0301"), h("0303"), land) == 3, "round the pond"
    assert path_length_between(h("0301"), h("0301"), land) == 0
    assert path_length_between(h("0301"), h("0302"), land) == 1, "into the pond"
    assert path_length_between(h("0301"), h("0303"), frozenset()) is None
    assert set(hexes_within_steps(h("0101"), 1, land)) == {
        h("0101"),
        *(near for near in h("0101").neighbours() if near in land),
    }
    assert distance_to_nearest(h("0101"), frozenset({h("0103"), h("0501")})) == 2
    assert distance_to_nearest(h("0101"), frozenset()) == 0
    assert adjacent_hexes(frozenset({h("0302")})) == frozenset(h("0302").neighbours())
    assert hexes_without(land, frozenset({h("0101")})) == land - {h("0101")}


def approach_path(*way: str, goal: str, budget: int = 9, full: str = "") -> Approach:
    spec = read()
    full_hexes = frozenset(map(h, full.split()))
    board = Board(spec)
    return Approach(
        path=tuple(map(h, way)),
        goal=h(goal),
        budget=budget,
        open=spec.land,
        cost=lambda hex_: board.cost(hex_) or 1,
        has_space=lambda hex_: hex_ not in full_hexes,
        may_step=lambda _here, _hex: True,
        may_end=lambda hex_: hex_ not in full_hexes,
    )


def test_approach_steps_nearer_where_it_can_safely_stay_or_go_on() -> None:
    assert approach_path("0101", goal="0103").allowed_steps(lambda _: True) == (h("0102"),)
    assert approach_path("0101", goal="0103", full="0102").allowed_steps(lambda _: True) == (h("0102"),)
    assert approach_path("0101", goal="0103", full="0102", budget=1).allowed_steps(lambda _: True) == (h("0202"),), (
        "a step aside"
    )
    assert approach_path("0201", "0101", goal="0103", full="0102", budget=1).allowed_steps(lambda _: True) == (
        h("0202"),
    )
    assert approach_path("0202", "0101", goal="0103", full="0102", budget=1).allowed_steps(lambda _: True) == (), (
        "it was there"
    )
    assert h("0102") not in approach_path("0101", goal="0103", full="0102").allowed_steps(lambda _: False)
    assert approach_path("0101", goal="0103", full="0102 0103").allowed_steps(lambda _: True) == (h("0202"),), (
        "nothing beyond but aside"
    )
    assert approach_path("0103", goal="0103").allowed_steps(lambda _: True) == ()


def test_step_over_budget_is_not_taken() -> None:
    approach = approach_path("0203", goal="0303", budget=2)
    assert approach.nearer_neighbours == (h("0303"),)
    assert approach.affordable_steps == approach.allowed_steps(lambda _: True) == ()


def test_approach_without_a_path_takes_the_closest_hex_with_room() -> None:
    split = read().land - {h("0201"), h("0202"), h("0203")}  # the west is cut off
    east = {"path": (h("0503"),), "goal": h("0101"), "open": split}
    approach = replace(approach_path("0503", goal="0101"), **east)
    assert (approach.distance_left, approach.nearer_neighbours) == (
        path_length_between(h("0503"), h("0301"), split),
        (h("0403"), h("0502")),
    )
    crowded = replace(approach_path("0503", goal="0101", full="0301"), **east)
    assert (crowded.distance_left, crowded.nearer_neighbours) == (1, (h("0403"),)), "as near as any with room"
    alone = replace(approach, path=(h("0101"),), goal=h("0503"), open=frozenset({h("0101")}), has_space=lambda _: False)
    assert (alone.distance_left, alone.nearer_neighbours) == (0, ())


def test_unit_in_a_closed_hex_counts_from_the_nearest_open_one() -> None:
    approach = replace(approach_path("0302", goal="0101"), open=read().land)  # in the pond
    assert (approach.distance_left, approach.nearer_neighbours) == (2, (h("0202"),))


def journey(*full: str, left: int = 3) -> Journey:
    board, full_hexes = Board(read()), frozenset(map(h, full))
    return Journey(
        who=MEN["a"],
        start=h("0101"),
        left=left,
        cost=board.cost,
        has_space=lambda hex_: hex_ not in full_hexes,
        full="one is there",
        title=board.title,
        cite=Cite(rule="X-3"),
        bars=lambda hex_: ("it is a pond" if hex_ in board.terrain else "the map ends there", Cite(rule="X-4")),
    )


def test_journey_ends_in_a_hex_with_room_within_its_budget() -> None:
    assert journey(left=0).possible_end_hexes == ()
    assert journey(left=1).possible_end_hexes == (h("0102"), h("0201"), h("0202"))
    assert journey("0201", left=1).possible_end_hexes == (h("0102"), h("0202"))
    assert journey().path_through((h("0201"), h("0301"))) == (h("0201"), h("0301"))
    assert journey("0201").path_through((h("0201"), h("0301"))) == (h("0201"), h("0301")), "it may pass"


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("0101", r"^A are in 0101 \(Mill\) already\. \(X-3\)$"),
        ("0302", r"^A cannot enter 0302: it is a pond\. \(X-4\)$"),
        ("0303", "^0303 costs 5 MF, and 3 are left. In reach: 0102, 0103, 0201, 0203, 0301, 0401"),
        ("0202", "^0202 has no room: one is there. Choose another"),
    ],
)
def test_a_journey_that_cannot_be_made_is_refused(to: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        journey("0202").path_through((h(to),))


def test_hexes_are_named_by_number_or_place_and_nothing_else() -> None:
    board = Board(read())
    assert board.parse_hexes("mill") == (h("0101"),)
    assert board.parse_hexes("0102, 0203") == (h("0102"), h("0203"))
    for nothing in ("", "over there", "0909", "0101 0909", "0101 there"):
        with pytest.raises(NoPlace, match="is no hex of this map"):
            board.parse_hexes(nothing)
