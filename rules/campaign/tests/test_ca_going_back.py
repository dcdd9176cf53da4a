"""Going back one hex, ways by land and sea, and marches that are foreseen (CA-2.2 to CA-2.4, CA-5.2, CA-6.7)."""

from collections.abc import Sequence

import pytest

from rules.campaign.columns import Pace
from rules.campaign.forecast import describe_stop, forecast_march
from rules.campaign.going_back import barred_hexes, find_hex_to_go_back_to, go_back
from rules.campaign.ground import board_of
from rules.campaign.model import Battle, CampaignState
from rules.campaign.ways import Travel, costs_to_reach, find_way, held_ports, quickest_way
from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.core.tests.scripted import ScriptedDice

from .country import BLUE, OPEN, country, hex_at, make_map, with_terrain


def back(state: CampaignState, *barred: str) -> str:
    """Return where Blue's first column goes back to; empty if it cannot."""
    hex_ = find_hex_to_go_back_to(state, state.columns_of(BLUE)[0], frozenset(map(hex_at, barred)))
    return "" if hex_ is None else hex_.label


def labels(hexes: Sequence[Hex] | None) -> list[str]:
    return [hex_.label for hex_ in hexes or ()]


def test_back_by_the_way_it_came_else_to_the_nearest_other_point_of_its_power() -> None:
    points = ["Here 0304 blue town", "Near 0307 blue well", "Far 0700 blue base", "Nobodys 0303 - well"]
    state = country(make_map(OPEN), "blue foot 0304 came:0303,0302", points=points)
    assert back(state) == "0303"
    assert back(state, "0303") == "0305", "towards Near, three hexes away"
    assert back(state, "0303", "0307") == "0404", "Near is barred, and Far is left"
    alone = country(make_map(OPEN), "blue foot 0304", points=points[:1])
    assert back(alone) == "0204", "of hexes that cost as much the lower number"


def test_of_two_points_as_far_away_the_lower_number() -> None:
    points = ["East 0604 blue town", "West 0004 blue town"]
    assert back(country(make_map(OPEN), "blue foot 0304", points=points)) == "0204"


def test_without_a_point_the_cheapest_hex_beside_it() -> None:
    rough = make_map(with_terrain("M", "0204", "0205", "0303", "0404", "0305", on=with_terrain("s", "0405")))
    assert back(country(rough, "blue foot 0304")) == "0405"
    ring = ("0204", "0205", "0303", "0305", "0404", "0405")
    assert back(country(make_map(OPEN), "blue foot 0304"), *ring) == ""
    points = ["Far 0700 blue base"]
    assert back(country(make_map(OPEN), "blue foot 0304", points=points), *ring) == ""
    assert back(country(make_map(with_terrain("~", *ring)), "blue foot 0304")) == ""


def test_who_is_not_on_the_map_goes_nowhere() -> None:
    state = country(make_map(OPEN), "blue foot 0304")
    off = state.unit("blue-foot").model_copy(update={"at": None})
    assert find_hex_to_go_back_to(state, off, frozenset()) is None


def test_barred_are_enemies_battles_and_where_enemies_of_the_contact_came_from() -> None:
    lines = ("blue foot 0304", "blue horse 0305", "red foot 0304", "red horse 0207")
    fight = Battle(id="battle", at=hex_at("0605"), day=1, columns=())
    state = country(make_map(OPEN), *lines, battles={"battle": fight})
    blue, horse, red = (state.unit(column_id) for column_id in ("blue-foot", "blue-horse", "red-foot"))
    came = {"red-foot": hex_at("0404"), "blue-horse": hex_at("0306"), "red-horse": hex_at("0107")}
    barred = barred_hexes(state, blue, (blue, horse, red), came)
    assert {hex_.label for hex_ in barred} == {"0304", "0207", "0605", "0404"}


def test_who_goes_back_forgets_its_way_and_its_works() -> None:
    state = country(make_map(OPEN), "blue foot 0304 via:0404 came:0303,0302").changed("blue-foot", days_dug=2)
    play = Play(state, ScriptedDice(()))
    before = state.unit("blue-foot")
    assert go_back(play, before, frozenset())
    column = play.state.unit("blue-foot")
    assert (labels([column.at] if column.at else []), labels(column.way_back)) == (["0303"], ["0302"])
    assert (column.orders.way, column.days_dug) == ((), 0)
    assert go_back(play, before, frozenset()), "from where it stands now"
    assert play.state.unit("blue-foot").at == hex_at("0302")
    assert not go_back(play, before, frozenset(hex_at("0302").neighbours()))


STRAIT = make_map(with_terrain("~", *(f"04{row:02}" for row in range(8))))
PORTS = ["Here 0303 blue port", "There 0503 blue port+town", "Third 0903 blue port", "Away 0703 red port"]


def test_ways_go_by_sea_between_own_ports_for_a_days_points() -> None:
    state = country(STRAIT, "blue foot 0203", points=PORTS)
    column = state.unit("blue-foot")
    assert {hex_.label for hex_ in held_ports(state, BLUE)} == {"0303", "0503", "0903"}
    assert labels(find_way(state, column, hex_at("0203"), hex_at("0603"), frozenset())) == ["0303", "0503", "0603"]
    assert labels(find_way(state, column, hex_at("0203"), hex_at("0803"), frozenset()))[:2] == ["0303", "0903"]
    assert find_way(state, column, hex_at("0203"), hex_at("0603"), frozenset(), by_road=True) is None
    assert find_way(state, column, hex_at("0203"), hex_at("0603"), frozenset((hex_at("0303"),))) is None
    assert labels(find_way(state, column, hex_at("0203"), hex_at("0303"), frozenset((hex_at("0303"),)))) == ["0303"]
    strait = country(STRAIT, "blue foot 0203", points=[PORTS[0]])
    assert find_way(strait, strait.unit("blue-foot"), hex_at("0203"), hex_at("0603"), frozenset()) is None


def test_points_of_a_way_to_the_nearest_goal() -> None:
    board = board_of(country(make_map(with_terrain("s", "0203"))))
    travel = Travel(board, Pace.FOOT)
    goals = (hex_at("0202"), hex_at("0207"))
    costs = costs_to_reach(goals, travel)
    assert [costs[hex_at(label)] for label in ("0202", "0203", "0204", "0206")] == [0, 1, 3, 1]
    assert {hex_.label for hex_ in costs_to_reach(goals[:1], travel, 1)} == {
        "0202",
        *(neighbour.label for neighbour in hex_at("0202").neighbours()),
    }
    assert labels(quickest_way(hex_at("0204"), hex_at("0202"), travel)) == ["0103", "0102", "0202"]
    assert quickest_way(hex_at("0204"), hex_at("0202"), Travel(board, Pace.FOOT, frozenset((hex_at("0202"),)))) is None


def test_by_sea_from_port_to_port_but_not_to_the_next_hex() -> None:
    board = board_of(country(make_map(OPEN)))
    ports = frozenset(map(hex_at, ("0203", "0204", "0503")))
    travel = Travel(board, Pace.FOOT, ports=ports, by_sea=4)
    steps = dict(travel.steps_from(hex_at("0203")))
    assert (steps[hex_at("0503")], steps[hex_at("0204")]) == (4, 1)
    assert dict(travel.steps_into(hex_at("0203")))[hex_at("0503")] == 4
    closed = Travel(board, Pace.FOOT, frozenset((hex_at("0503"),)), ports, 4)
    assert hex_at("0503") not in dict(closed.steps_from(hex_at("0203")))
    assert not [*closed.steps_into(hex_at("0503"))]


@pytest.mark.parametrize(
    ("line", "fields", "march"),
    [
        ("foot 0303 via:0503,0603", {}, [("0503", 1, 12), ("0603", 2, 3)]),
        ("foot 0203 via:0303,0503", {}, [("0303", 1, 3), ("0503", 2, 12)]),
        ("foot 0203 wait:3 via:0303", {}, [("0303", 3, 3)]),
        ("foot 0203 wait:1 via:0303", {}, [("0303", 1, 3)]),
        ("foot 0203 rest via:0303", {}, []),
        ("foot 0203 dig via:0303", {}, []),
        ("foot 0203 scout via:0303", {}, [("0303", 1, 4)]),
        ("foot 0203 forced via:0303", {}, [("0303", 1, 2)]),
        ("foot 0203 via:0303,0403", {}, [("0303", 1, 3)]),
        (
            "foot 0200 via:0201,0202,0203,0204,0205",
            {"turn": 14},
            [("0201", 14, 3), ("0202", 14, 6), ("0203", 14, 9), ("0204", 14, 12)],
        ),
        ("foot 0203 wait:15 via:0303", {"turn": 14}, []),
    ],
)
def test_a_march_as_it_is_foreseen(line: str, fields: dict[str, int], march: list[tuple[str, int, int]]) -> None:
    state = country(STRAIT, f"blue {line}", points=PORTS, **fields)
    arrivals = forecast_march(state, state.unit("blue-foot"))
    assert [(arrival.hex.label, arrival.day, arrival.impulse) for arrival in arrivals] == march


def test_a_dear_hex_is_entered_at_the_days_end_and_cheap_ones_as_points_allow() -> None:
    name = make_map(with_terrain("M", "0202", "0203", on=with_terrain("s", "0205")))
    state = country(name, "blue guns 0200 via:0201,0104,0204,0205")
    assert (
        forecast_march(country(name, "blue guns 0201 via:0202"), country(name, "blue guns 0201 via:0202").columns[0])
        == ()
    )
    foot = country(name, "blue foot 0201 via:0202,0203,0204,0205", points=[])
    arrivals = forecast_march(foot, foot.unit("blue-foot"))
    assert [(arrival.hex.label, arrival.day, arrival.impulse) for arrival in arrivals] == [
        ("0202", 1, 9),
        ("0203", 2, 9),
        ("0204", 2, 12),
        ("0205", 3, 6),
    ]
    assert forecast_march(state, state.unit("blue-guns").model_copy(update={"at": None})) == ()


@pytest.mark.parametrize(
    ("line", "battles", "stop"),
    [
        ("horse 0201 via:0202,0203,0204", {}, "It stops before 0204 if the enemy stays near."),
        ("horse 0201 avoid via:0202,0203,0204", {}, "It stops before 0204 if the enemy stays near."),
        ("horse 0201 attack via:0202,0203,0204,0205", {}, ""),
        ("horse 0201 via:0202,0203", {}, ""),
        ("foot 0201 via:0202,0203,0204", {}, ""),
        ("horse 0201 attack via:0202,0203", {"battle": "0203"}, "It stops before 0203 while a battle is fought there."),
    ],
)
def test_what_the_command_knows_to_stop_a_march(line: str, battles: dict[str, str], stop: str) -> None:
    fights = {
        battle_id: Battle(id=battle_id, at=hex_at(place), day=1, columns=()) for battle_id, place in battles.items()
    }
    state = country(make_map(OPEN), f"blue {line}", "blue horse 0405", "red foot 0205", battles=fights)
    column = state.columns_of(BLUE)[0]
    assert hex_at("0205") in state.sightings[BLUE]
    assert describe_stop(state, column, forecast_march(state, column)) == stop
    assert not describe_stop(state.model_copy(update={"turn": 2, "battles": {}}), column, forecast_march(state, column))
