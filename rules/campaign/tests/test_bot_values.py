"""The values by which the bot judges the orders of its command, and the orders that it tries."""

from typing import Any

import pytest

from rules.campaign import candidates, values
from rules.campaign.columns import Column, Pace
from rules.campaign.intelligence import EnemySize, Sighting
from rules.campaign.model import Battle, CampaignState
from rules.campaign.options import Knowledge
from rules.campaign.orders import MOVE
from rules.campaign.scouting_reports import suggest_scouting_reports, value_of_missing_reports
from rules.core.tests.scripted import ScriptedDice

from .country import BLUE, OPEN, RED, country, hex_at, make_map
from .dispatch_desk import campaign, seen_on
from .test_bot_estimates import armies, sighted

ODDS = 40**2 / (40**2 + 20**2)
"""The chance of 40 figures against 20."""


def begun(*lines: str, points: tuple[str, ...] = (), **fields: Any) -> CampaignState:
    """A country in which both powers began with 100 figures."""
    return armies(country(make_map(OPEN), *lines, points=points, **fields))


def test_points_held_count_by_the_chance_to_keep_them() -> None:
    points = ("Base 0101 blue base 4", "Town 0907 red town 3", "Well 0300 - well 2")
    state = begun("blue foot 0101:20", points=points)
    assert values.worth_of_held_points(state, BLUE) == pytest.approx(5)
    threatened = sighted(state, h0101=(20, 0))
    assert values.worth_of_held_points(threatened, BLUE) == pytest.approx(5 * 0.5)
    assert values.worth_of_held_points(state, RED) == 0, "a command without a column looks after nothing"


def test_a_point_is_looked_after_by_the_command_with_the_nearest_column() -> None:
    lines = ("blue foot 0103", "green foot 0303", "green foot 0100", "red foot 0203")
    state = begun(
        *lines, points=("Well 0203 blue well", "Camp 0907 red base", "Town 0700 - town"), blues=(BLUE, "green")
    )
    guardians = [values.find_guarding_command(state, point) for point in state.points.values()]
    assert guardians == [BLUE, RED, ""]
    nearer = state.changed("blue-foot", at=hex_at("0107"))
    assert values.find_guarding_command(nearer, nearer.points["Well"]) == "green"


def test_points_to_take_count_by_the_chance_the_days_and_their_holder() -> None:
    points = ("Town 0503 red town 3", "Well 0907 - well 2", "Own 0000 blue town 9")
    state = sighted(begun("blue foot 0103:40 attack to:0503", points=points), h0503=(20, 0))
    prevails = 40**2 / (40**2 + (1.2 * 20) ** 2)
    assert values.worth_of_points_to_take(state, BLUE) == pytest.approx(3 * prevails * 0.9)
    with_enemy = sighted(begun("blue foot 0103:40 to:0503", points=points), h0503=(20, 0))
    assert values.worth_of_points_to_take(with_enemy, BLUE) == 0, "who does not attack takes nothing from enemies"
    free = sighted(begun("blue foot 0503:40 to:0907", points=points))
    days = 1.5
    assert free.unit("blue-foot").orders.way
    assert values.worth_of_points_to_take(free, BLUE) == pytest.approx(2 * 0.7 * 0.9**days)
    both = sighted(begun("blue foot 0103:20 to:0907", "blue horse 0907:20", points=points))
    assert values.worth_of_points_to_take(both, BLUE) == pytest.approx(2 * 0.7), "one is there already"
    home = sighted(begun("blue foot 0103:20 to:0000", points=points))
    assert values.worth_of_points_to_take(home, BLUE) == 0
    late = sighted(begun("blue foot 0103:20 to:0907", points=points, turn=14))
    assert values.worth_of_points_to_take(late, BLUE) == 0


def test_enemies_to_beat_count_by_the_odds_and_no_more_than_those_who_attack() -> None:
    state = sighted(begun("blue foot 0103:40 attack to:0503"), h0503=(20, 0))
    assert values.worth_of_enemies_to_beat(state, BLUE) == pytest.approx(6 * (2 * ODDS - 1) * 20 / 100 * 0.9)
    assert values.worth_of_enemies_to_beat(sighted(state, h0503=(40, 0)), BLUE) == 0, "the odds are even"
    assert values.worth_of_enemies_to_beat(sighted(begun("blue foot 0103:40 to:0503"), h0503=(20, 0)), BLUE) == 0
    later = sighted(begun("blue foot 0103:40 attack to:0503", turn=14), h0503=(20, 0))
    assert values.worth_of_enemies_to_beat(later, BLUE) == 0, "the campaign ends before"
    last = sighted(begun("blue foot 0103:40 attack to:0503", turn=13), h0503=(20, 0))
    assert values.worth_of_enemies_to_beat(last, BLUE) > 0


def test_danger_counts_by_the_odds_of_those_who_come_in_time() -> None:
    lost = 12 * (1 - ODDS) * 40 / 100
    attack = sighted(begun("blue foot 0103:40 attack to:0503"), h0503=(20, 0))
    assert values.danger_to_columns(attack, BLUE) == pytest.approx(lost)
    for line in ("blue foot 0103:40 to:0503", "blue foot 0503:40 attack"):
        assert values.danger_to_columns(sighted(begun(line), h0503=(20, 0)), BLUE) == pytest.approx(0.4 * lost)
    assert values.danger_to_columns(sighted(begun("blue foot 0103:40 attack to:0503")), BLUE) == 0
    too_late = sighted(begun("blue foot 0403:40 attack to:0503", "blue guns 0103:40 attack to:0503"), h0503=(20, 0))
    together = 12 * (1 - 80**2 / (80**2 + 20**2)) * 40 / 100
    assert values.danger_to_columns(too_late, BLUE) == pytest.approx(lost + together)
    in_time = sighted(begun("blue foot 0403:40 attack to:0503", "blue foot 0103:40 attack to:0503"), h0503=(20, 0))
    assert values.danger_to_columns(in_time, BLUE) == pytest.approx(2 * together)


@pytest.mark.parametrize(
    ("turn", "holder", "value", "part"), [(8, RED, 3, 0.5), (7, RED, 3, 1), (8, BLUE, 3, 1), (8, RED, 0, 1)]
)
def test_who_is_behind_in_the_second_half_dares_more(turn: int, holder: str, value: int, part: float) -> None:
    points = (f"Town 0907 {holder} town {value}",)
    state = sighted(begun("blue foot 0103:40 attack to:0503", points=points, turn=turn), h0503=(20, 0))
    held_points = {key: point.model_copy(update={"held_days": 2}) for key, point in state.points.items()}
    state = state.model_copy(update={"points": held_points})
    assert values.danger_to_columns(state, BLUE) == pytest.approx(part * 12 * (1 - ODDS) * 40 / 100)


def test_thirst_counts_the_days_without_supply_by_the_share_of_the_power() -> None:
    assert values.cost_of_missing_supply(begun("blue foot 0103:40 supply:1"), BLUE) == pytest.approx(6 * 1 * 40 / 100)
    assert values.cost_of_missing_supply(begun("blue foot 0103:40 supply:2"), BLUE) == 0


@pytest.mark.parametrize(
    ("enemies", "right"), [(0, "hold"), (36, "attack"), (37, "hold"), (54, "hold"), (55, "avoid"), (90, "avoid")]
)
def test_the_right_stance_follows_from_the_odds(enemies: int, right: str) -> None:
    """Attack above 55%, avoid below 35%: with 40 figures against 36.2 and 54.5."""
    for stance in ("attack", "hold", "avoid"):
        state = sighted(begun(f"blue foot 0103:40 {stance}"), **({"h0103": (enemies, 0)} if enemies else {}))
        assert values.worth_of_conduct(state, BLUE) == (0.3 if stance == right else 0)


@pytest.mark.parametrize(
    ("line", "enemies", "worth"),
    [
        ("0103:40 rest", 0, 0.3),
        ("0103:40 rest supply:5", 0, 0.3 - 1),
        ("0103:40 rest", 50, 0.3 - 1),
        ("0103:40 dig", 0, 0.3 - 0.3),
        ("0103:40 dig", 50, 0.3 + 0.15),
        ("0103:40 dig avoid", 80, 0.3 + 0.15),
        ("0103:40 dig attack", 20, 0.3 - 0.3),
    ],
)
def test_tasks_that_suit(line: str, enemies: int, worth: float) -> None:
    state = sighted(begun(f"blue foot {line}"), **({"h0103": (enemies, 0)} if enemies else {}))
    assert values.worth_of_conduct(state, BLUE) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("figures", "stragglers", "back"), [(120, 0, 0), (110, 0, 0), (104, 0, 4), (60, 0, 10), (100, 20, 20), (60, 6, 16)]
)
def test_rest_is_worth_the_figures_that_come_back(figures: int, stragglers: int, back: int) -> None:
    state = begun("blue foot 0103:120 rest")
    unit = state.unit("blue-foot").troops[0].model_copy(update={"figures": figures, "stragglers": stragglers})
    assert values.worth_of_conduct(state.changed("blue-foot", troops=(unit,)), BLUE) == pytest.approx(
        0.3 + 12 * back / 100
    )


def test_columns_in_a_battle_and_reinforcements_are_not_judged() -> None:
    state = begun("blue foot 0103:40 supply:0", "blue foot 0203:40 supply:0")
    fight = Battle(id="battle", at=hex_at("0203"), day=1, columns=("blue-foot-2",))
    assert values.cost_of_missing_supply(
        state.model_copy(update={"battles": {"battle": fight}}), BLUE
    ) == pytest.approx(6 * 2 * 0.4)
    assert values.cost_of_missing_supply(state.changed("blue-foot-2", at=None), BLUE) == pytest.approx(6 * 2 * 0.4)


def tried(state: CampaignState, column: Column) -> list[str]:
    """Return what orders the bot tries for a column, in short."""
    orders = candidates.candidate_orders(state, column)
    return [" ".join(filter(None, (order.to, *order.circumstances))) for order in orders]


STAYS = ["attack no task stay", "hold no task stay", "avoid no task stay"]
TASKS = ["rest hold", "dig in hold"]


def test_the_bot_tries_to_stay_each_point_with_fit_stances_and_enemies() -> None:
    points = ("Own 0103 blue base", "Well 0303 - well", "Camp 0700 red base", "Town 0203 blue town")
    state = begun("blue foot 0103", points=points, turn=2)
    state = sighted(state, h0203=(20, 0), h0503=(20, 0), h0507=(20, 1))
    ways = [
        "0203 attack no task",
        "0203 hold no task",
        "0203 avoid no task",
        "0303 attack no task",
        "0303 hold no task",
        "0700 attack no task",
        "0503 attack no task",
    ]
    assert tried(state, state.unit("blue-foot")) == [*STAYS, *ways, *TASKS]
    for order in candidates.candidate_orders(state, state.unit("blue-foot")):
        MOVE.plan(state, order)
    quiet = sighted(state)
    assert "0203 attack no task" not in tried(quiet, quiet.unit("blue-foot"))


def test_the_bot_slips_away_to_the_three_nearest_points_and_hunts_in_the_three_nearest_hexes() -> None:
    points = ("A 0203 blue town", "B 0303 blue town", "C 0403 blue town", "D 0503 blue town")
    sightings = {f"h{label}": (20, 0) for label in ("0106", "0107", "0207", "0307")}
    state = sighted(begun("blue foot 0103", points=points), **sightings)
    orders = tried(state, state.unit("blue-foot"))
    assert [order[:4] for order in orders if order[:1].isdigit() and "avoid" in order] == ["0203", "0303", "0403"]
    hunted = [order[:4] for order in orders if order[:1].isdigit() and "attack" in order]
    assert hunted == ["0106", "0107", "0207"]
    fight = Battle(id="battle", at=hex_at("0106"), day=1, columns=())
    busy = state.model_copy(update={"battles": {"battle": fight}})
    assert "0106 attack no task" not in tried(busy, busy.unit("blue-foot"))
    far = sighted(begun("blue foot 0103"), h0903=(20, 0), h0907=(20, 0))
    assert [order[:4] for order in tried(far, far.unit("blue-foot"))][3:4] == ["0903"]


def test_the_bot_orders_no_column_in_battle_or_off_the_map() -> None:
    state = begun("blue foot 0103")
    fight = Battle(id="battle", at=hex_at("0103"), day=1, columns=("blue-foot",))
    assert not tried(state.model_copy(update={"battles": {"battle": fight}}), state.unit("blue-foot"))
    assert not tried(state, state.unit("blue-foot").model_copy(update={"at": None}))


@pytest.mark.parametrize(("die", "factor"), [(1, 0.75), (6, 1.25)])
def test_a_command_misjudges_the_enemy_by_a_quarter_at_most(die: int, factor: float) -> None:
    state = begun("blue foot 0103")
    guess = candidates.guess_enemy_worth(state, ScriptedDice((die,)))
    assert [power.worth for power in guess.powers] == [1, pytest.approx(factor)]
    with pytest.raises(AssertionError, match="1D6"):
        candidates.guess_enemy_worth(state, ScriptedDice((7,)))
    strong = state.powers[1].model_copy(update={"worth": 9.0})
    guess = candidates.guess_enemy_worth(
        state.model_copy(update={"powers": (state.powers[0], strong)}), ScriptedDice((6,))
    )
    assert guess.powers[1].worth == 10


def test_reports_are_worth_more_the_more_commands_know_nothing_of_new_enemies() -> None:
    lines = ("green horse 0103", "blue foot 0901", "red foot 0303:40")
    state = campaign(make_map(OPEN), *lines)
    assert value_of_missing_reports(state, "green") == pytest.approx(-0.2 * 2)
    assert value_of_missing_reports(state, "grey") == 0
    shared = campaign(make_map(OPEN), *lines, knowledge=Knowledge.SHARED)
    assert not [*suggest_scouting_reports(shared, "green")]


def test_a_report_names_the_three_largest_sightings() -> None:
    state = campaign(make_map(OPEN), "green horse 0103", "red foot 0907")
    counts = {"0300": 20, "0303": 50, "0306": 80}
    foot: dict[str, Any] = {"paces": frozenset((Pace.FOOT,)), "distance": 1}
    sightings = {
        hex_at(label): Sighting(day=1, size=EnemySize.FORCE, figures=figures, **foot)
        for label, figures in counts.items()
    }
    state = state.model_copy(update={"sightings": {"green": {hex_at("0500"): seen_on(1), **sightings}}})
    texts = {dispatch.text for dispatch in suggest_scouting_reports(state, "green")}
    assert texts == {"We see foot, about 80 in 0306, foot, about 50 in 0303 and foot, about 20 in 0300."}
