"""The umpire paints the map before the first day ends: terrain, roads, rivers, fords and bridges."""

import random

import pytest

from rules.campaign.columns import Pace
from rules.campaign.ground import board_of
from rules.campaign.model import CampaignState
from rules.core.dice import NoDice
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.painting import StrokeTarget
from rules.core.model import UMPIRE
from rules.core.refusal import Refused

from .country import country, hex_at, make_map, with_terrain
from .worlds import SYSTEM

ROAD, RIVER = "road west road: 0101 0201 0301 0401", "river Blue River: 0305/0306 0306/0406"
MAP = make_map(with_terrain("h", "0404"), ROAD, RIVER)


def begun(*columns: str) -> CampaignState:
    """A country of open ground with a road, a river and a hill."""
    return country(MAP, *(columns or ("blue foot 0203", "red foot 0806")))


def painted(state: CampaignState, what: str, at: str, name: str = "") -> CampaignState:
    """The state after the umpire's paint, which the checks of imported games pass."""
    action = SYSTEM.parse("paint", {"what": what, "at": at, "name": name})
    assert SYSTEM.side_of(state, action) == UMPIRE
    after, _ = SYSTEM.act(state, action, NoDice())
    SYSTEM.require_valid_state(after)
    assert SYSTEM.state_type.model_validate_json(after.model_dump_json()) == after
    return after


def kind_of(state: CampaignState, label: str) -> str:
    return board_of(state).terrain[hex_at(label)].id


def cost(state: CampaignState, start: str, end: str, pace: Pace = Pace.FOOT) -> int | None:
    return board_of(state).step_cost(hex_at(start), hex_at(end), pace)


def test_terrain_is_painted_by_its_name_or_letter_and_costs_what_it_does() -> None:
    state = painted(begun(), "marsh", "0502 0503-0604")
    assert [kind_of(state, label) for label in ("0502", "0503", "0504", "0603", "0604", "0605")] == ["marsh"] * 5 + [
        "open"
    ]
    assert cost(state, "0501", "0502") == 3
    assert cost(state, "0501", "0502", Pace.WHEELED) is None
    assert kind_of(painted(state, "f", "0404"), "0404") == "forest"
    assert board_of(begun()).terrain[hex_at("0502")].id == "open"


def test_a_road_is_drawn_over_the_gaps_of_a_stroke() -> None:
    state = painted(painted(begun(), "mountain", "0505 0605 0705"), "road", "0404 0704", "hill road")
    road = board_of(state).spec.roads[-1]
    assert (road.name, road.hexes[0], road.hexes[-1]) == ("hill road", hex_at("0404"), hex_at("0704"))
    assert all(hex_.distance(following) == 1 for hex_, following in zip(road.hexes, road.hexes[1:], strict=False))
    assert {
        cost(state, str(hex_), str(following)) for hex_, following in zip(road.hexes, road.hexes[1:], strict=False)
    } == {1}


def test_a_road_is_taken_away_and_its_longest_piece_keeps_the_name() -> None:
    state = painted(begun(), "no road", "0201")
    assert [(road.name, len(road.hexes)) for road in board_of(state).spec.roads] == [("west road", 2)]
    state = painted(begun(), "sea", "0301")
    assert [(road.name, len(road.hexes)) for road in board_of(state).spec.roads] == [("west road", 2)]
    assert board_of(painted(begun(), "lake", "0201 0301")).spec.roads == ()


def test_rivers_have_crossings_and_are_taken_away_with_them() -> None:
    state = painted(begun(), "river", "0203/0204, 0204/0303", "Red River")
    assert cost(state, "0203", "0204") == 2
    assert cost(state, "0203", "0204", Pace.WHEELED) is None
    with_bridge = painted(painted(state, "ford", "0203/0204"), "bridge", "0204/0203")
    assert [crossing.kind for crossing in board_of(with_bridge).spec.crossings] == ["bridge"]
    assert cost(with_bridge, "0203", "0204", Pace.WHEELED) == 1
    dry = painted(with_bridge, "no river", "0203/0204 0305/0306")
    assert cost(dry, "0203", "0204") == 1
    assert [(river.name, len(river.sides)) for river in board_of(dry).spec.rivers] == [
        ("Blue River", 1),
        ("Red River", 1),
    ]
    assert board_of(dry).spec.crossings == ()


@pytest.mark.parametrize(
    ("what", "at", "name", "why"),
    [
        ("lava", "0101", "", "There is no paint called “lava”"),
        ("hills", "9999", "", "9999 is off the map"),
        ("hills", "0404", "", "The map is like that already"),
        ("hills", "nowhere", "", "is no hex of this map"),
        ("road", "0101", "", "at least two hexes"),
        ("road", "0105 0205", "West Road", "West Road appears twice"),
        ("road", "0105 0205", "x" * 41, "40 characters"),
        ("ford", "0101/0102", "", "No river runs between 0101 and 0102"),
        ("river", "0101/0103", "", "0101 and 0103 are not neighbours on the map"),
        ("river", "0101", "", "A hexside is written as two hexes"),
        ("no river", "0101/0102", "", "The map is like that already"),
    ],
)
def test_paint_that_does_not_hold_is_refused_with_the_reason(what: str, at: str, name: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        painted(begun(), what, at, name)


def test_a_point_keeps_its_land() -> None:
    state = SYSTEM.setup("suakin-1884", {}, NoDice())
    with pytest.raises(Refused, match="Suakin lies in 1406: its hex must stay land"):
        painted(state, "sea", "1406")
    assert kind_of(painted(state, "hills", "1406"), "1406") == "hills"


def test_the_map_stays_as_it_is_after_the_first_day() -> None:
    assert SYSTEM.paint_kinds(begun())
    state = begun().model_copy(update={"turn": 2})
    assert not SYSTEM.paint_kinds(state)
    with pytest.raises(Refused, match="The first day has ended"):
        painted(state, "hills", "0101")


def test_water_under_a_column_tells_nobody_and_it_marches_out() -> None:
    """An umpire who plays a side cannot find hidden columns by painting: the same is told, wherever they stand."""
    action = SYSTEM.parse("paint", {"what": "sea", "at": "0806 0706"})
    worlds = (begun("blue foot 0203", f"red foot {label}") for label in ("0806", "0306"))
    (first, first_report), (second, second_report) = (SYSTEM.act(state, action, NoDice()) for state in worlds)
    assert (first_report, first.own_map) == (second_report, second.own_map)
    state = painted(begun(), "sea", "0806")
    assert state.unit("red-foot").at == hex_at("0806")
    assert board_of(state).steps_from(Pace.FOOT)[hex_at("0806")]
    assert Hex.from_label("0806") not in board_of(state).land


@pytest.mark.parametrize("seed", range(3))
def test_random_strokes_leave_a_map_that_passes_every_check(seed: int) -> None:
    dice, state, stroke_count = random.Random(seed), SYSTEM.setup("zululand-1879", {}, NoDice()), 0
    hexes = sorted(board_of(state).terrain)
    for _ in range(40):
        kind, at = dice.choice(SYSTEM.paint_kinds(state)), dice.choice(hexes)
        near = [at, *(neighbour for neighbour in at.neighbours() if neighbour in board_of(state).terrain)]
        strokes = {
            StrokeTarget.SIDES: [f"{at}/{neighbour}" for neighbour in near[1:]],
            StrokeTarget.HEXES: near,
            StrokeTarget.WAY: (near[1], at, near[-1]),
        }
        try:
            state = painted(state, kind.word, " ".join(map(str, strokes[kind.stroke])))
            stroke_count += 1
        except Refused:
            continue
    assert stroke_count > 10
