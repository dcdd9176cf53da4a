"""Supply: who is in it, how long it lasts, and what hunger costs (CA-4)."""

import pytest

from rules.campaign.supply import is_apparently_supplied, supplied_hexes

from .country import BLUE, OPEN, country, day, make_map, with_terrain
from .worlds import SYSTEM


def in_supply(name: str, *lines: str, points: list[str]) -> bool:
    """Return whether the first blue column is in supply."""
    state = country(name, *lines, points=points)
    return state.columns_of(BLUE)[0].at in supplied_hexes(state, BLUE)


@pytest.mark.parametrize(("place", "is_supplied"), [("0200", True), ("0207", True), ("0907", False)])
def test_4_1_within_eight_points_at_foot_costs(place: str, is_supplied: bool) -> None:
    assert in_supply(make_map(OPEN), f"blue guns {place}", points=["Depot 0200 blue depot"]) is is_supplied


def test_4_1_rough_ground_is_longer() -> None:
    rough = with_terrain("M", "0201", "0101", "0301", "0100", "0300")
    assert in_supply(make_map(OPEN), "blue foot 0205", points=["Depot 0200 blue depot"])
    assert in_supply(make_map(rough), "blue foot 0205", points=["Depot 0200 blue depot"])
    wall = with_terrain("M", *(f"0{column}0{row}" for column in range(10) for row in (2, 3)))
    assert not in_supply(make_map(wall), "blue foot 0205", points=["Depot 0200 blue depot"])


def test_4_1_the_enemy_bars_the_way_and_the_depot() -> None:
    pass_ = with_terrain("~", *(f"0{column}03" for column in range(10) if column != 4))
    points = ["Depot 0401 blue depot"]
    assert in_supply(make_map(pass_), "blue foot 0405", points=points)
    assert not in_supply(make_map(pass_), "blue foot 0405", "red foot 0403", points=points)
    assert not in_supply(make_map(OPEN), "blue foot 0405", "red foot 0401", points=points)


@pytest.mark.parametrize(
    ("kind", "holder", "is_supplied"), [("base", "blue", True), ("base", "red", False), ("town", "blue", False)]
)
def test_4_1_bases_and_depots_of_its_power(kind: str, holder: str, is_supplied: bool) -> None:
    assert in_supply(make_map(OPEN), "blue foot 0203", points=[f"Place 0203 {holder} {kind}"]) is is_supplied


def test_4_1_supply_is_filled_up() -> None:
    points = ["Depot 0203 blue depot"]
    state = country(make_map(OPEN), "blue foot 0203 supply:1", "blue foot 0203 supply:1 wagon", points=points)
    state, _ = day(state)
    assert [column.supply for column in state.columns] == [6, 12]


@pytest.mark.parametrize(("kind", "expected"), [("town", 3), ("well", 3), ("port", 2)])
def test_4_2_a_town_or_well_feeds(kind: str, expected: int) -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 supply:3", points=[f"Place 0203 - {kind}"]))
    assert state.unit("blue-foot").supply == expected


@pytest.mark.parametrize(
    ("die", "figures", "expected"), [(3, 24, 22), (4, 24, 24), (1, 5, 4), (2, 5, 5), (1, 1, 1), (1, 2, 1), (3, 13, 11)]
)
def test_4_3_hunger(die: int, figures: int, expected: int) -> None:
    state, _ = day(country(make_map(OPEN), f"blue foot 0203:{figures} supply:0"), die)
    assert state.unit("blue-foot").figures == expected


def test_4_3_nobody_hungers_at_a_well() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 supply:0", points=["Well 0203 - well"]))
    assert state.unit("blue-foot").figures == 24


def test_4_5_columns_in_battle_use_no_supply() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 supply:3 attack via:0204", "red foot 0204 supply:3"))
    assert [column.supply for column in state.columns] == [3, 3]


def test_4_4_a_command_sees_supply_by_what_it_knows() -> None:
    pass_ = make_map(with_terrain("~", *(f"0{column}03" for column in range(10) if column != 4)))
    lines = ["blue horse 0405", "red foot 0403"]
    state = country(pass_, *lines, points=["Depot 0401 blue depot"])
    column = state.unit("blue-horse")
    assert not is_apparently_supplied(SYSTEM.view(state, BLUE), column)
    tomorrow = state.model_copy(update={"turn": state.turn + 1})
    assert is_apparently_supplied(SYSTEM.view(tomorrow, BLUE), column), "it saw them yesterday, not now"
    unseen = state.model_copy(update={"sightings": {BLUE: {}}})
    assert is_apparently_supplied(SYSTEM.view(unseen, BLUE), column)
    assert column.at not in supplied_hexes(unseen, BLUE), "that no convoy came it learns at the day's end"
    (card,) = SYSTEM.roster(unseen, BLUE)
    assert dict(card.details)["Supply"] == "6 days of 6, in supply as far as it knows"
    (card,) = SYSTEM.roster(state, BLUE)
    assert dict(card.details)["Supply"] == "6 days of 6, no way to a depot"


def test_4_4_a_command_does_not_know_the_supply_of_anothers_column() -> None:
    state = country(make_map(OPEN), "blue foot 0405", "green foot 0406", blues=(BLUE, "green"), knowledge="own")
    supplies = {card.id: dict(card.details)["Supply"] for card in SYSTEM.roster(state, BLUE)}
    assert supplies == {"blue-foot": "6 days of 6, no way to a depot", "green-foot": "6 days of 6, carried"}
