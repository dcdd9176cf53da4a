"""The bot as a command: it judges by what it has sighted, and leaves undone what no sensible commander would do."""

import pytest

from rules.campaign.columns import Arrival, Stance, Task
from rules.campaign.estimates import enemy_worth_near, march_goal, sighted_threat
from rules.campaign.intelligence import EnemySize, Sighting
from rules.campaign.model import CampaignState
from rules.campaign.ruleset import Campaign
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.core.hexboard.hexes import Hex

from .country import BLUE, OPEN, RED, at, country, day, make_map

GOAL = Hex.from_label("0503")
SYSTEM = Campaign()


def command(state: CampaignState, side: str = BLUE, seed: str = "orders") -> CampaignState:
    """Return the state after the bot wrote a command's orders and is ready. Both powers began with 200 figures."""
    powers = tuple(power.model_copy(update={"began_with": 200}) for power in state.powers)
    state = state.model_copy(update={"powers": powers})
    chooser = DecisionMaker(SYSTEM, side, Level.EASY, seed)
    while side in state.acting_sides:
        thought = chooser.decide(state)
        assert thought is not None
        state, _ = SYSTEM.act(state, thought.action, SeededDice("none is thrown"))
    return state


def goal(state: CampaignState, column_id: str) -> str:
    """Return the number of the hex in which a column's orders end."""
    return march_goal(state.unit(column_id)).label


def sighted(state: CampaignState, size: EnemySize, place: str, days_ago: int = 0) -> CampaignState:
    """Return the state in which Blue has sighted enemies of a size in a hex."""
    sighting = Sighting(day=max(state.turn - days_ago, 1), distance=2, size=size)
    return state.model_copy(update={"sightings": {BLUE: {Hex.from_label(place): sighting}, RED: {}}})


def test_a_command_fears_what_it_has_sighted_itself() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0803", points=["Well 0503 blue well 3"])
    army = {GOAL: Sighting(day=1, distance=2, size=EnemySize.ARMY)}
    power = state.powers[0].model_copy(update={"commands": (BLUE, "second"), "chief": "second"})
    informed = state.model_copy(update={"powers": (power, state.powers[1]), "sightings": {BLUE: army, RED: {}}})
    assert enemy_worth_near(informed, BLUE, GOAL) == 200
    assert sighted_threat(informed, BLUE, informed.points["Well"]) == 200
    assert enemy_worth_near(informed, "second", GOAL) == 0


def test_an_army_takes_a_point_that_nobody_guards() -> None:
    state = country(make_map(OPEN), "blue foot 0203:100", "red foot 0907:40", points=["Well 0503 - well 3"])
    assert goal(command(state), "blue-foot") == "0503"


def test_nobody_attacks_at_hopeless_odds() -> None:
    state = country(make_map(OPEN), "blue foot 0303:20", "red foot 0503:200", points=["Well 0503 red well 3"])
    after = command(sighted(state, EnemySize.ARMY, "0503"))
    assert goal(after, "blue-foot") != "0503"
    assert after.unit("blue-foot").orders.stance is not Stance.ATTACK


def test_a_strong_column_attacks_a_weak_one() -> None:
    state = country(make_map(OPEN), "blue foot 0303:150", "red foot 0503:20", points=["Well 0503 red well 3"])
    after = command(sighted(state, EnemySize.PARTY, "0503"))
    assert goal(after, "blue-foot") == "0503"
    assert after.unit("blue-foot").orders.stance is Stance.ATTACK


def test_two_columns_attack_together_what_neither_could_beat_alone() -> None:
    lines = ("blue foot 0302:70", "blue foot 0304:70", "red foot 0503:70")
    state = country(make_map(OPEN), *lines, points=["Town 0503 red town+depot 6"])
    after = command(sighted(state, EnemySize.FORCE, "0503"))
    assert {goal(after, "blue-foot"), goal(after, "blue-foot-2")} == {"0503"}


def test_a_threatened_base_is_not_left_for_a_small_point() -> None:
    lines = ("blue foot 0203:60", "red foot 0403:60")
    points = ["Base 0203 blue base 5", "Well 0007 - well 1"]
    assert (
        goal(command(sighted(country(make_map(OPEN), *lines, points=points), EnemySize.FORCE, "0403")), "blue-foot")
        == "0203"
    )


def test_a_base_far_from_every_enemy_does_not_hold_an_army_back() -> None:
    points = ["Base 0003 blue base 4", "Town 0503 - town 3", "Far 0907 red base 4"]
    state = country(make_map(OPEN), "blue foot 0003:100", "red foot 0907:60", points=points)
    assert goal(command(state), "blue-foot") != "0003"


def test_a_base_under_threat_is_relieved() -> None:
    lines = ("blue foot 0203:10", "blue foot 0703:120", "red foot 0204:60")
    state = country(make_map(OPEN), *lines, points=["Base 0203 blue base 5", "Well 0907 - well 1"])
    assert goal(command(sighted(state, EnemySize.FORCE, "0204")), "blue-foot-2") in ("0203", "0204")


def test_a_column_without_supply_goes_where_it_is_supplied() -> None:
    points = ["Base 0003 blue base 4", "Far 0907 red base 1"]
    state = country(make_map(OPEN), "blue foot 0503:60 supply:0", "red foot 0907:60", points=points, supply_reach=2)
    assert goal(command(state), "blue-foot") == "0003"


def test_a_weak_column_in_a_quiet_depot_rests() -> None:
    points = ["Base 0003 blue base 4"]
    state = country(make_map(OPEN), "blue foot 0003:60", "red foot 0907:60", points=points)
    unit = state.unit("blue-foot").troops[0].model_copy(update={"figures": 20})
    after = command(state.changed("blue-foot", troops=(unit,)))
    assert after.unit("blue-foot").orders.task is Task.REST


def test_a_reinforcement_marches_to_the_front() -> None:
    points = ["Base 0003 blue base 2", "Town 0503 red town 5"]
    state = country(make_map(OPEN), "blue foot 0103:30", "blue foot 0003:130", "red foot 0503:40", points=points)
    arrives = Arrival(day=2, at=Hex.from_label("0003"))
    waiting = state.changed("blue-foot-2", at=None, arrives=arrives)
    came, _ = day(sighted(waiting, EnemySize.FORCE, "0503"))
    assert at(came, "blue-foot-2") == "0003"
    assert goal(command(sighted(came, EnemySize.FORCE, "0503")), "blue-foot-2") == "0503"


def test_a_point_that_cannot_count_any_more_is_left_alone() -> None:
    state = country(make_map(OPEN), "blue foot 0203:60", "red foot 0907:60", points=["Well 0503 - well 4"], turn=14)
    assert goal(command(state), "blue-foot") == "0203"


def test_why_names_what_an_order_gains() -> None:
    state = country(make_map(OPEN), "blue foot 0203:100", "red foot 0907:40", points=["Well 0503 - well 3"])
    thought = DecisionMaker(SYSTEM, BLUE, Level.EASY, "why").decide(state)
    assert thought is not None
    assert thought.best[0].brings["points to take"] > 1


@pytest.mark.parametrize("level", Level)
def test_each_level_gives_the_same_orders_from_the_same_seed(level: Level) -> None:
    state = country(make_map(OPEN), "blue foot 0203:100", "red foot 0907:40", points=["Well 0503 - well 3"])
    first, second = (DecisionMaker(SYSTEM, BLUE, level, "seed").decide(state) for _ in range(2))
    assert first == second
