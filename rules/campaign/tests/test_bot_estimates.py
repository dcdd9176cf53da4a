"""What a command of the bot expects: fighting worths, days of marches, and the worth and dangers of points."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.campaign import estimates
from rules.campaign.columns import Column, Task
from rules.campaign.intelligence import EnemySize, Sighting
from rules.campaign.model import CampaignState

from .country import BLUE, OPEN, RED, country, hex_at, make_map, ordered, with_terrain

GOAL = hex_at("0503")


def armies(state: CampaignState, blue: int = 100, red: int = 100, **changed: Any) -> CampaignState:
    """Return the state with the figures with which both powers began, and Blue with more changes."""
    blue_power, red_power = state.powers
    blue_power = blue_power.model_copy(update={"began_with": blue, **changed})
    return state.model_copy(update={"powers": (blue_power, red_power.model_copy(update={"began_with": red}))})


def sighted(state: CampaignState, **sightings: tuple[int, int]) -> CampaignState:
    """Return the state in which Blue has sighted figures in hexes, so many days ago: `h0503=(40, 0)`."""
    by_hex = {hex_at(label[1:]): _sighting(state.turn - ago, figures) for label, (figures, ago) in sightings.items()}
    return state.model_copy(update={"sightings": {BLUE: by_hex, RED: {}}})


def _sighting(day: int, figures: int) -> Sighting:
    return Sighting(day=day, distance=1, size=EnemySize.FORCE, figures=figures)


def mine(state: CampaignState) -> tuple[Column, ...]:
    return state.columns_of(BLUE)


@pytest.mark.parametrize(
    ("own", "enemy", "prevails"), [(2, 1, 0.8), (3, 1, 0.9), (1, 1, 0.5), (1, 3, 0.1), (5, 0, 1), (0, 0, 1)]
)
def test_the_chance_to_prevail(own: float, enemy: float, prevails: float) -> None:
    assert estimates.chance_to_beat(own, enemy) == pytest.approx(prevails)


@pytest.mark.parametrize(
    ("orders", "goal"),
    [({}, "0503"), ({"task": Task.REST}, "0203"), ({"task": Task.SCOUT}, "0503"), ({"way": ()}, "0203")],
)
def test_the_goal_of_a_column(orders: Mapping[str, Any], goal: str) -> None:
    state = ordered(country(make_map(OPEN), "blue foot 0203 to:0503"), "blue-foot", **orders)
    assert estimates.march_goal(state.unit("blue-foot")) == hex_at(goal)


def test_a_columns_worth_counts_its_troops_and_a_powers_what_it_began_with() -> None:
    state = armies(country(make_map(OPEN), "blue mixed 0203:10"), worth=1.5, worths={"mounted": 4})
    assert estimates.fighting_worth(state, state.unit("blue-mixed")) == 10 * 1.5 + 10 * 4
    assert estimates.starting_worth(state, BLUE) == 150
    assert estimates.starting_worth(state, RED) == 100
    assert estimates.starting_worth(armies(state, red=0), RED) == 1


def test_an_attack_counts_half_of_those_who_can_join_it() -> None:
    lines = (
        "blue foot 0303:40 attack to:0503",
        "blue foot 0103:8 to:0503",
        "blue foot 0502:20",
        "blue foot 0907:30",
        "blue foot 0504:90 to:0907",
    )
    state = country(make_map(OPEN), *lines)
    assert estimates.strength_for_goal(state, mine(state), GOAL) == 40 + 8 + 0.5 * 20
    assert estimates.strength_for_goal(state, mine(state), GOAL, attacking=True) == 40 + 0.5 * 20
    assert estimates.strength_for_goal(state, mine(state)[2:], GOAL) == 0, "who only could join goes nowhere alone"
    just_a_day = country(make_map(OPEN), "blue foot 0303:40 to:0503", "blue foot 0103:20")
    assert estimates.strength_for_goal(just_a_day, mine(just_a_day), GOAL) == 40 + 0.5 * 20


def test_a_defence_counts_works_and_less_of_those_who_come_later() -> None:
    lines = ("blue foot 0503:10", "blue foot 0103:20 to:0503", "blue foot 0700:99", "blue foot 0503:10 to:0603")
    state = country(make_map(OPEN), *lines, points=["Well 0503 blue well", "Fort 0700 blue fort"])
    assert estimates.defence_strength(state, mine(state), state.points["Well"]) == pytest.approx(10 + 0.9 * 20)
    assert estimates.defence_strength(state, mine(state), state.points["Fort"]) == pytest.approx(1.7 * 99)
    to_fort = country(make_map(OPEN), "blue foot 0703:10 to:0700", points=["Fort 0700 blue fort"])
    assert estimates.defence_strength(to_fort, mine(to_fort), to_fort.points["Fort"]) == pytest.approx(10 * 0.9**0.75)


@pytest.mark.parametrize(("line", "days"), [("foot 0103", 1), ("horse 0203", 0.5), ("guns 0203", 1), ("foot 0503", 0)])
def test_the_days_of_a_march(line: str, days: float) -> None:
    state = country(make_map(OPEN), f"blue {line}")
    assert estimates.days_to_goal(state, mine(state)[0], GOAL) == days


def test_a_passage_by_sea_is_taken_for_a_day() -> None:
    strait = make_map(with_terrain("~", *(f"03{row:02}" for row in range(8))))
    ports = ["Here 0203 blue port", "There 0403 blue port"]
    sails = country(strait, "blue foot 0203 to:0403", points=ports)
    assert estimates.days_to_goal(sails, mine(sails)[0], hex_at("0403")) == 1
    stays = country(strait, "blue foot 0203", points=ports)
    assert estimates.days_to_goal(stays, mine(stays)[0], hex_at("0403")) == 0


def test_the_worth_of_a_point() -> None:
    points = ["Well 0503 - well 3", "Base 0600 red base 4", "Depot 0700 red depot 0", "Town 0800 red town 2"]
    state = country(make_map(OPEN), "blue foot 0203", points=points, sudden={BLUE: ("Town",)})
    worth = {key: estimates.point_worth(state, point) for key, point in state.points.items()}
    assert worth == {"Well": 3, "Base": 5, "Depot": 1, "Town": 4}
    assert estimates.is_decisive(state, state.points["Town"], BLUE)
    assert not estimates.is_decisive(state, state.points["Town"], RED)


@pytest.mark.parametrize(
    ("holder", "days", "share"), [(RED, 4, 1), ("", 4, 1), (RED, 4.5, 0.5), ("", 4.5, 0), (RED, 5, 0.5), (RED, 5.5, 0)]
)
def test_a_point_counts_for_who_takes_it_in_time(holder: str, days: float, share: float) -> None:
    state = country(make_map(OPEN), "blue foot 0203", points=[f"Well 0503 {holder or '-'} well"], turn=5, days=10)
    assert estimates.share_of_worth_gained(state, BLUE, state.points["Well"], days) == share


def test_enemies_near_a_place_count_less_by_age_and_distance() -> None:
    state = armies(country(make_map(OPEN), "blue foot 0103", turn=3))
    assert estimates.enemy_worth_near(sighted(state, h0503=(40, 0)), BLUE, GOAL) == 40
    assert estimates.enemy_worth_near(sighted(state, h0503=(40, 2)), BLUE, GOAL) == pytest.approx(40 * 0.7**2)
    assert estimates.enemy_worth_near(sighted(state, h0505=(40, 0)), BLUE, GOAL) == 20
    assert estimates.enemy_worth_near(sighted(state, h0506=(40, 0)), BLUE, GOAL) == pytest.approx(16)
    assert estimates.enemy_worth_near(sighted(state, h0507=(40, 0)), BLUE, GOAL) == 0
    strong = state.model_copy(update={"powers": (state.powers[0], state.powers[1].model_copy(update={"worth": 2.0}))})
    assert estimates.enemy_worth_near(sighted(strong, h0503=(40, 0)), BLUE, GOAL) == 80


@pytest.mark.parametrize(("size", "figures"), [(EnemySize.PARTY, 20), (EnemySize.FORCE, 70), (EnemySize.ARMY, 200)])
def test_the_figures_of_enemies_seen_from_afar(size: EnemySize, figures: int) -> None:
    assert estimates.estimated_figures(Sighting(day=1, distance=2, size=size)) == figures
    assert estimates.estimated_figures(Sighting(day=1, distance=1, size=size, figures=50)) == 50


def test_where_nobody_looks_the_enemys_points_are_thought_to_be_guarded_by_their_value() -> None:
    points = ["Town 0503 red town 3", "Well 0800 red well 0", "Ours 0100 blue town 9", "Nobodys 0700 - well 5"]
    state = armies(country(make_map(OPEN), "blue foot 0103", points=points))
    assert estimates.enemy_worth_near(state, BLUE, GOAL) == pytest.approx(0.7 * 100 * 3 / 4)
    assert estimates.enemy_worth_near(state, BLUE, hex_at("0800")) == pytest.approx(0.7 * 100 * 1 / 4)
    for place in ("0100", "0700", "0300"):
        assert estimates.enemy_worth_near(state, BLUE, hex_at(place)) == 0
    for label, feared in (("0403", 0), ("0503", 0), ("0303", 52.5)):
        watches = armies(country(make_map(OPEN), f"blue foot {label}", points=points))
        assert estimates.enemy_worth_near(watches, BLUE, GOAL) == pytest.approx(feared)


@pytest.mark.parametrize(("point", "factor"), [("red fort", 1.7), ("red well", 1.2), ("- fort", 1), ("blue fort", 1)])
def test_who_defends_a_point_counts_for_more(point: str, factor: float) -> None:
    state = country(make_map(OPEN), "blue foot 0103", points=[f"Place 0503 {point}"])
    assert estimates.enemy_worth_at_goal(sighted(state, h0503=(40, 0)), BLUE, GOAL) == pytest.approx(40 * factor)
    assert estimates.enemy_worth_at_goal(sighted(state, h0303=(40, 0)), BLUE, hex_at("0303")) == 40


def test_a_held_point_is_threatened_from_farther_away() -> None:
    state = armies(country(make_map(OPEN), "blue foot 0103", points=["Well 0100 blue well"]))
    threats = [
        estimates.sighted_threat(sighted(state, **{f"h{label}": (40, 0)}), BLUE, state.points["Well"])
        for label in ("0100", "0103", "0904", "0905")
    ]
    assert threats == [40, 20, pytest.approx(40 / (1 + 8 / 3)), 0]


def fear(*points: str, sudden: Mapping[str, tuple[str, ...]] | None = None) -> float:
    """Return what Blue fears for the first of these points."""
    state = armies(country(make_map(OPEN), "blue foot 0103", points=points, sudden=sudden or {}))
    return estimates.assumed_threat(state, BLUE, next(iter(state.points.values())))


def test_enemies_are_feared_to_come_from_the_nearest_of_their_points() -> None:
    assert fear("Well 0100 blue well", "Camp 0103 red base") == pytest.approx(0.15 * 100 / 2)
    assert fear("Well 0100 blue well", "Camp 0103 red base", "Far 0106 red base") == pytest.approx(7.5)
    assert fear("Well 0100 blue well", "Camp 0103 - base", "Own 0102 blue base") == 0
    assert fear("Well 0000 blue well", "Camp 0800 red base") == pytest.approx(15 / (1 + 8 / 3))
    assert fear("Well 0000 blue well", "Camp 0900 red base") == 0
    assert fear("Well 0000 blue well", "Camp 0900 red base", sudden={RED: ("Well",)}) == 15
    assert fear("Well 0000 blue well", "Camp 0900 red base", sudden={BLUE: ("Well",)}) == 0


def test_the_chance_to_keep_a_point_is_that_of_the_greater_danger() -> None:
    points = ["Well 0100 blue well", "Camp 0103 red base"]
    state = armies(country(make_map(OPEN), "blue foot 0100:15", points=points))
    well = state.points["Well"]
    feared = 1 - 0.35 * (1 - 0.8)
    assert estimates.chance_to_keep_point(state, BLUE, well, 15) == pytest.approx(feared)
    assert estimates.chance_to_keep_point(sighted(state, h0100=(15, 0)), BLUE, well, 15) == pytest.approx(0.5)
    assert estimates.chance_to_keep_point(sighted(state, h0100=(1, 0)), BLUE, well, 15) == pytest.approx(feared)


@pytest.mark.parametrize(
    ("line", "points", "dry"),
    [
        ("0103 supply:3 to:0503", (), 0),
        ("0103 supply:1 to:0503", (), 2),
        ("0103 supply:1", (), 1),
        ("0103 supply:0 to:0503", ("Well 0503 - well",), 1),
        ("0103 supply:0 to:0503", ("Town 0503 red town",), 1),
        ("0103 supply:0 to:0503", ("Depot 0503 blue depot",), 1),
        ("0103 supply:0 to:0503", ("Depot 0503 red depot",), 3),
        ("0103 supply:2 to:0503", ("Well 0503 - well",), 0),
    ],
)
def test_days_without_supply_on_the_way_and_at_the_goal(line: str, points: tuple[str, ...], dry: float) -> None:
    state = country(make_map(OPEN), f"blue foot {line}", points=points)
    assert estimates.days_without_supply(state, mine(state)[0]) == dry
