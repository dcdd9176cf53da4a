"""Maps of campaigns: their own statements, their faults and limits, and the umpire's paint in words (CA-2.2)."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.campaign.columns import Pace
from rules.campaign.ground import board_of, shipped_map_names
from rules.campaign.maps import Crossing, CrossingKind, River, find_exceeded_limits, own_map_faults, read_own_map
from rules.campaign.model import CampaignState
from rules.core.dice import NoDice
from rules.core.hexboard.hex_scene import HexLine, HexName
from rules.core.hexboard.hexes import Hex
from rules.core.refusal import Refused
from rules.core.scene import Feature

from .country import MAPS, OPEN, country, hex_at, make_map, with_terrain
from .worlds import SYSTEM

SPEC = MAPS[make_map(OPEN)].spec
TEXT = "columns 00-03\n00 . .\n00 . .\n01 . .\n01 . .\n"


def faults(*lines: str) -> list[str]:
    """Return the faults of a small map with these lines, each with its line."""
    return [f"{fault.line}: {fault.why}" for fault in read_own_map(TEXT + "\n".join(lines))[1]]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("river: 0000", "a hexside is written as two hexes, such as 0305/0306; '0000' is none"),
        ("river: 0000/0001 0000/0101", "0000 and 0101 are not neighbours on the map"),
        ("river: 0001/0002", "0001 and 0002 are not neighbours on the map"),
        ("ford: 0000/0001 0100/0101", "a ford must lie on exactly one hexside"),
        ("bridge: 0000/0001 0100/0101", "a bridge must lie on exactly one hexside"),
        ("bridge: 0000/0001", "no river runs between 0000 and 0001"),
        ("telegraph: 0000 0101", "0000 and 0101 are not neighbours on the map"),
        ("telegraph: 0001 0002", "0001 and 0002 are not neighbours on the map"),
    ],
)
def test_a_fault_of_a_map_is_told(line: str, why: str) -> None:
    assert any(why in fault for fault in faults(line)), faults(line)


def test_rivers_crossings_and_telegraphs_are_read() -> None:
    spec, line_faults = read_own_map(
        f"{TEXT}river Blue: 0000/0001 0001/0100\nford Old: 0001/0000\ntelegraph: 0000 0100 0200\n"
    )
    assert spec is not None
    assert not line_faults
    assert [(river.name, len(river.sides)) for river in spec.rivers] == [("Blue", 2)]
    assert [(crossing.kind, crossing.name) for crossing in spec.crossings] == [("ford", "Old")]
    assert [[hex_.label for hex_ in line] for line in spec.telegraphs] == [["0000", "0100", "0200"]]


def test_a_map_has_a_thousand_lines() -> None:
    assert not read_own_map(TEXT + "#\n" * (1000 - 5))[1]
    ((line, why),) = read_own_map(TEXT + "#\n" * (1000 - 4))[1]
    assert (line, why) == (0, "a map may have at most 1,000 lines")


HERE, THERE = hex_at("0000"), hex_at("0001")
FAR = [Hex.from_label(f"{number:04}") for number in range(2000)]
ROADS = HexLine(feature=Feature.ROAD, hexes=(HERE, THERE))
WIDE = SPEC.terrains[0]


def limits(**parts: Any) -> list[tuple[str, str]]:
    """Return the limits that a map with these parts exceeds."""
    bare: dict[str, Any] = {"hexes": {}, "terrains": (), "names": {}}
    return [*find_exceeded_limits(SPEC.model_copy(update={**bare, **parts}))]


@pytest.mark.parametrize(
    ("part", "most", "thing"),
    [
        ("hexes", 1600, None),
        ("names", 200, None),
        ("terrains", 40, WIDE),
        ("across", 40, HexName(hex=HERE, name="Sea")),
        ("roads", 60, ROADS),
        ("railways", 40, ROADS),
        ("rivers", 60, River(sides=((HERE, THERE),))),
        ("crossings", 200, Crossing(kind=CrossingKind.FORD, side=(HERE, THERE))),
        ("telegraphs", 40, (HERE, THERE)),
    ],
)
def test_each_part_of_a_map_has_a_limit(part: str, most: int, thing: object) -> None:
    def parts(number: int) -> object:
        return dict.fromkeys(FAR[:number], "open") if thing is None else (thing,) * number

    assert limits(**{part: parts(most)}) == []
    assert limits(**{part: parts(most + 1)}) == [(part, f"a map may have at most {most:,}")]


def test_a_campaigns_map_has_no_victory_hexes() -> None:
    assert limits(victory={"port": (HERE,)}) == [("victory", "a map may have at most 0")]


@pytest.mark.parametrize(("cost", "is_allowed"), [(0, False), (1, True), (12, True), (13, False), (None, True)])
def test_terrain_costs_one_to_twelve_points(cost: int | None, is_allowed: bool) -> None:
    faults_found = limits(terrains=(WIDE.model_copy(update={"cost": cost}),))
    assert faults_found == ([] if is_allowed else [("terrain open", "entering it costs 1 to 12 points")])


@pytest.mark.parametrize("name", ["x" * 41, "two\nlines"])
@pytest.mark.parametrize(
    "parts",
    [
        lambda name: {"names": {HERE: name}},
        lambda name: {"roads": (ROADS.model_copy(update={"name": name}),)},
        lambda name: {"railways": (ROADS.model_copy(update={"name": name}),)},
        lambda name: {"rivers": (River(name=name, sides=((HERE, THERE),)),)},
        lambda name: {"crossings": (Crossing(kind=CrossingKind.FORD, side=(HERE, THERE), name=name),)},
        lambda name: {"across": (HexName(hex=HERE, name=name),)},
    ],
)
def test_names_are_one_line_of_forty_characters(name: str, parts: Callable[[str], dict[str, Any]]) -> None:
    assert limits(**parts(name)) == [(f"name {name[:40]!r}", "a name is one line of at most 40 characters")]
    assert limits(**parts("x" * 40)) == []


def test_roads_and_rivers_have_three_thousand_hexes_at_most() -> None:
    road = ROADS.model_copy(update={"hexes": (HERE,) * 1500})
    river = River(sides=((HERE, THERE),) * 1500)
    assert limits(roads=(road,), railways=(road,), rivers=(river, river)) == []
    assert limits(roads=(road, ROADS), railways=(road,)) == [
        ("roads", "all roads and railways together may have at most 3,000 hexes")
    ]
    third_river = River(sides=((HERE, THERE),))
    assert limits(rivers=(river, river, third_river)) == [
        ("rivers", "all rivers together may have at most 3,000 hexsides")
    ]


def test_a_map_from_outside_is_checked_for_its_limits_first() -> None:
    off = {hex_at("0909"): "Nowhere"}
    assert [why for _, why in own_map_faults(SPEC.model_copy(update={"names": off}))] != []
    both = SPEC.model_copy(update={"names": {**off, HERE: "x" * 41}})
    assert [why for _, why in own_map_faults(both)] == ["a name is one line of at most 40 characters"]
    assert [*own_map_faults(SPEC)] == []


def test_the_maps_of_the_game_are_found_by_name() -> None:
    assert shipped_map_names() == ("lindenmark", "suakin", "zululand")


@pytest.mark.parametrize(
    ("pace", "place", "why"),
    [
        (Pace.FOOT, "9999", "it is off the map"),
        (Pace.MOUNTED, "0303", "it is sea"),
        (Pace.WHEELED, "0102", "wheels enter forest by road only"),
        (Pace.FOOT, "0102", ""),
        (Pace.WHEELED, "0103", ""),
        (Pace.WHEELED, "0204", "wheels cross rivers at fords and bridges only"),
        (Pace.FOOT, "0204", ""),
        (Pace.WHEELED, "0202", ""),
    ],
)
def test_why_a_pace_cannot_enter_a_hex(pace: Pace, place: str, why: str) -> None:
    ground = with_terrain("f", "0102", "0103", on=with_terrain("~", "0303"))
    name = make_map(ground, "road: 0203 0103", "river: 0203/0204 0203/0202", "ford: 0203/0202")
    assert board_of(country(name)).why_barred(hex_at("0203"), hex_at(place), pace) == why


PAINTED = make_map(with_terrain("h", "0404"), "road west: 0101 0201 0301 0401", "river Blue: 0305/0306")


def paint(what: str, at: str, name: str = "") -> tuple[CampaignState, str]:
    state = country(PAINTED, "blue foot 0203", "red foot 0806", points=["Well 0303 blue well"])
    after, report = SYSTEM.act(state, SYSTEM.parse("paint", {"what": what, "at": at, "name": name}), NoDice())
    return after, report.headline


@pytest.mark.parametrize(
    ("what", "at", "name", "text"),
    [
        ("road", "0505 0605", "", "a road: 0505 to 0605, 2 hexes"),
        ("road", "0505 0705", "East", "a road East: 0505 to 0705, 3 hexes"),
        ("no road", "0201", "", "no road: 0201"),
        ("river", "0505/0506, 0506/0606", "Red", "river Red: 0505/0506, 0506/0606"),
        ("river", "0505/0506; 0506/0505", "", "river: 0506/0505"),
        ("ford", "0305/0306", "", "ford: 0305/0306"),
        ("f", "0501-0504; 0601-0604 0601", "", "forest: 0501, 0502, 0503, 0504, 0601, 0602, 0603, 0604"),
        ("f", "0501-0504, 0601-0605", "", "forest: 0501, 0502, 0503, 0504, 0601, 0602, 0603, 0604 and 1 more"),
    ],
)
def test_paint_is_told_in_words(what: str, at: str, name: str, text: str) -> None:
    assert paint(what, at, name)[1] == f"The umpire paints {text}."


@pytest.mark.parametrize(
    ("what", "at", "name", "why"),
    [
        ("forest", " ", "", "Name the hexes."),
        ("river", "", "", "Name the hexsides, each by its two hexes, such as 1406/1407."),
        ("ford", "0305/0307", "", "0305 and 0307 are not neighbours on the map."),
        ("river", "0907/0908", "", "0907 and 0908 are not neighbours on the map."),
        ("road", "0505", "", "A road needs at least two hexes."),
        ("sea", "0303", "", "Well lies in 0303: its hex must stay land."),
        ("road", "0404 0907", "x" * 40, ""),
    ],
)
def test_paint_that_says_too_little_is_refused(what: str, at: str, name: str, why: str) -> None:
    if not why:
        assert paint(what, at, name)
        return
    with pytest.raises(Refused) as refused:
        paint(what, at, name)
    assert refused.value.why == why


def test_paint_keeps_within_the_limits_of_maps() -> None:
    state = country(PAINTED, "blue foot 0203", "red foot 0806")
    spec = board_of(state).spec
    large_map = spec.model_copy(
        update={"roads": (ROADS.model_copy(update={"hexes": (hex_at("0101"), hex_at("0201"))}),) * 60}
    )
    full = state.model_copy(update={"own_map": large_map, "map": ""})
    with pytest.raises(Refused, match="roads: a map may have at most 60."):  # noqa: RUF043
        SYSTEM.act(full, SYSTEM.parse("paint", {"what": "road", "at": "0505 0605", "name": ""}), NoDice())


def test_a_crossing_replaces_the_one_that_is_there() -> None:
    with_ford, _ = paint("ford", "0305/0306", "Old ford")
    bridge = SYSTEM.parse("paint", {"what": "bridge", "at": "0306/0305", "name": ""})
    after, _ = SYSTEM.act(with_ford, bridge, NoDice())
    assert [(crossing.kind, crossing.name) for crossing in board_of(with_ford).spec.crossings] == [("ford", "Old ford")]
    assert [(crossing.kind, crossing.name) for crossing in board_of(after).spec.crossings] == [("bridge", "")]


def test_a_river_is_not_painted_twice_on_a_hexside() -> None:
    after, _ = paint("river", "0306/0305, 0306/0406", "Red")
    assert [(river.name, len(river.sides)) for river in board_of(after).spec.rivers] == [("Blue", 1), ("Red", 1)]
    with pytest.raises(Refused, match="The map is like that already"):
        paint("river", "0306/0305", "Red")


def test_a_cut_road_goes_on_behind_the_gap() -> None:
    name = make_map(OPEN, "road west: 0101 0201 0301 0401 0501 0601 0701")
    state = country(name, "blue foot 0203", "red foot 0806")
    after, _ = SYSTEM.act(state, SYSTEM.parse("paint", {"what": "no road", "at": "0301", "name": ""}), NoDice())
    roads = [(road.name, [hex_.label for hex_ in road.hexes]) for road in board_of(after).spec.roads]
    assert roads == [("", ["0101", "0201"]), ("west", ["0401", "0501", "0601", "0701"])]
