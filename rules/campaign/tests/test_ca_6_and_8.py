"""After a battle, replacements, points and the end (CA-6, CA-8)."""

import pytest

from rules.campaign.battles import BattleOutcome, end_battle
from rules.campaign.columns import Arrival
from rules.campaign.day import find_verdict, held_value_by_power
from rules.campaign.model import CampaignState
from rules.core.automaton.own_dice import SeededDice
from rules.core.play import Play
from rules.core.refusal import Refused
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, at, country, day, make_map, ordered
from .country import hex_at as hex_
from .worlds import SYSTEM


def after_battle(state: CampaignState, field: str, **lost: int) -> CampaignState:
    """End the only battle with these losses by column."""
    (battle,) = state.battles.values()
    losses = {column.replace("_", "-"): (count,) for column, count in lost.items()}
    play = Play(state, ScriptedDice(()))
    end_battle(play, battle, BattleOutcome(field=field, lost=losses))
    return play.state


def battle(*extra_lines: str) -> CampaignState:
    """Return a battle of two columns, the red one defending."""
    lines = ["blue foot 0203 attack via:0204 came:0202,0201", "red foot 0204 came:0205,0206", *extra_lines]
    return day(country(make_map(OPEN), *lines))[0]


def test_6_6_half_or_a_third_comes_back() -> None:
    state = after_battle(battle(), "red", blue_foot=10, red_foot=10)
    assert (state.unit("blue-foot").figures, state.unit("red-foot").figures) == (24 - 10 + 3, 24 - 10 + 5)
    state = after_battle(battle(), "", blue_foot=10, red_foot=10)
    assert [column.figures for column in state.columns] == [19, 19]


def test_6_6_a_unit_with_none_left_is_removed() -> None:
    state = country(make_map(OPEN), "blue foot 0203:2 attack via:0204", "red foot 0204:2")
    state = after_battle(day(state)[0], "red", blue_foot=2)
    assert [column.id for column in state.columns] == ["red-foot"]


def test_6_6_a_destroyed_gun_stays_destroyed() -> None:
    state = battle()
    guns = tuple(unit.model_copy(update={"troop": "krupp-gun"}) for unit in state.unit("red-foot").troops)
    state = state.changed("red-foot", troops=guns)
    assert after_battle(state, "red", red_foot=23).unit("red-foot").figures == 1 + 11
    assert "red-foot" not in after_battle(state, "red", red_foot=24).units


def test_6_7_who_lost_the_field_goes_back_two_hexes() -> None:
    state = after_battle(battle(), "blue")
    assert (at(state, "blue-foot"), at(state, "red-foot")) == ("0204", "0206")
    state = after_battle(battle(), "red")
    assert (at(state, "blue-foot"), at(state, "red-foot")) == ("0202", "0204")


def test_6_7_if_nobody_held_it_the_attacker_goes_back_one() -> None:
    state = after_battle(battle(), "")
    assert (at(state, "blue-foot"), at(state, "red-foot")) == ("0203", "0204")
    assert state.battles == {}


def test_6_7_who_cannot_go_back_surrenders() -> None:
    ring = [f"blue foot {label}" for label in ("0103", "0104", "0203", "0205", "0303", "0304")]
    state = country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204:30", *ring)
    state = after_battle(day(state)[0], "blue")
    assert all(column.side == "blue" for column in state.columns)


def test_6_8_no_replacements_near_the_enemy_or_out_of_supply() -> None:
    near = country(make_map(OPEN), "blue foot 0203 rest", "red foot 0204", points=["Home 0203 blue base"])
    far = country(make_map(OPEN), "blue foot 0203 rest", "red foot 0807")
    for state in (near, far):
        weak = state.unit("blue-foot").troops[0].model_copy(update={"figures": 10})
        assert day(state.changed("blue-foot", troops=(weak,)))[0].unit("blue-foot").figures == 10


def test_8_1_a_point_is_held_by_those_who_were_alone_there_last() -> None:
    state = country(make_map(OPEN), "blue foot 0203 via:0204", "red foot 0807", points=["Well 0204 red well 3"])
    state, lines = day(state)
    assert state.points["Well"].holder == "blue"
    assert "Well: the Blue take it (CA-8.1)" in lines
    state, _ = day(ordered(state, "blue-foot", way=(hex_("0203"),)))
    assert state.points["Well"].holder == "blue"


def test_8_1_an_open_battle_changes_nothing() -> None:
    lines = ["blue foot 0203 attack via:0204", "red foot 0204"]
    state, _ = day(country(make_map(OPEN), *lines, points=["Well 0204 red well 3"]))
    assert state.points["Well"].holder == "red"


def test_8_2_points_held_at_the_last_two_days_ends_count() -> None:
    lines = ["blue foot 0203 via:0204", "red foot 0807"]
    state = country(make_map(OPEN), *lines, points=["Well 0204 - well 5", "Town 0807 red town 1"], days=3)
    state, _ = day(state)
    assert held_value_by_power(state) == {"blue": 0, "red": 0}
    state, _ = day(state)
    assert held_value_by_power(state) == {"blue": 5, "red": 1}
    state, _ = day(state)
    assert state.over is not None
    assert (state.over.winner, state.over.why) == ("blue", "The points held are worth 5 (Blue) to 1 (Red).")


def test_8_2_a_difference_below_the_margin_is_a_draw() -> None:
    points = ["Well 0203 blue well 3", "Town 0807 red town 1"]
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0807", points=points, days=2, margin=3)
    state, _ = day(day(state)[0])
    assert state.over is not None
    assert state.over.winner is None


def test_8_3_all_the_points_that_the_file_names() -> None:
    points = ["Well 0204 - well", "Town 0203 blue town"]
    lines = ["blue foot 0203 via:0204", "red foot 0807"]
    state, _ = day(country(make_map(OPEN), *lines, points=points, sudden={"blue": ("Well", "Town")}))
    assert state.over is not None
    assert (state.over.winner, state.over.why) == ("blue", "The Blue hold Well, Town.")


def test_8_3_less_than_half_of_the_figures() -> None:
    state = country(make_map(OPEN), "blue foot 0203:24", "red foot 0807:24")
    powers = tuple(
        power.model_copy(update={"began_with": figures}) for power, figures in zip(state.powers, (48, 49), strict=True)
    )
    assert find_verdict(state.model_copy(update={"powers": (powers[0], state.powers[1])})) is None
    verdict = find_verdict(state.model_copy(update={"powers": powers}))
    assert verdict is not None
    assert verdict.winner == "blue"


def test_8_4_reinforcements_wait_until_no_enemy_is_there() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0807", "red foot 0204")
    late = state.unit("blue-foot").model_copy(
        update={"id": "late", "name": "late", "at": None, "arrives": Arrival(day=2, at=hex_("0204"))}
    )
    state, _ = day(state.with_unit(late))
    assert state.unit("late").at is None
    state, lines = day(ordered(state, "red-foot-2", way=(hex_("0205"),)))
    assert at(state, "late") == "0204"
    assert "late: arrives in 0204 (CA-8.4)" in lines


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"battle": "0204", "field": "greens"}, "Nobody is called"),
        ({"battle": "0207", "field": "red"}, "No battle is open in 0207. Open are: 0204."),
        ({"battle": "0204", "field": "red", "lost": "foot"}, "is no loss"),
        ({"battle": "0204", "field": "red", "lost": "Hussars 4"}, "No unit of this battle is called"),
    ],
)
def test_6_5_wrong_results_are_refused(arguments: dict[str, str], why: str) -> None:
    with pytest.raises(Refused) as refused:
        SYSTEM.act(battle(), SYSTEM.parse("battle_result", arguments), ScriptedDice(()))
    assert why in str(refused.value)


def test_6_5_the_umpire_enters_a_result() -> None:
    lines = ["blue mixed 0203 attack via:0204 came:0202,0201", "red guns 0204 came:0205,0206"]
    state, _ = day(country(make_map(OPEN), *lines))
    arguments = {"battle": "", "field": "Blue", "lost": "foot 7; mounted: 3, wheeled all"}
    after, report = SYSTEM.act(state, SYSTEM.parse("battle_result", arguments), ScriptedDice(()))
    assert [unit.figures for unit in after.unit("blue-mixed").troops] == [24 - 7 + 3, 24 - 3 + 1]
    assert after.unit("red-guns").figures == 8
    assert report.headline == "Battle in 0204: the Blue held the field."
    assert report.units == (), "not everybody knows the columns"


def test_6_5_the_last_day_waits_for_its_battles() -> None:
    lines = ["blue foot 0203 attack via:0204 came:0202,0201", "red foot 0204 came:0205,0206", "blue foot 0003 via:0004"]
    state = country(make_map(OPEN), *lines, points=["Well 0204 red well 3", "Home 0700 blue base 1"], days=1)
    state, report = SYSTEM.act(state, SYSTEM.parse("turn_next", {}), SeededDice("last"))
    assert (state.over, state.turn, state.acting_sides) == (None, 1, ())
    assert report.headline == "Day 1, the last, is over."
    for kind, args in (
        ("turn_next", {}),
        ("unready", {"side": "blue"}),
        ("move", {"unit": "blue-foot-2", "to": "0005"}),
    ):
        with pytest.raises(Refused):
            SYSTEM.act(state, SYSTEM.parse(kind, args), ScriptedDice(()))
    ended, _ = SYSTEM.act(state, SYSTEM.parse("battle_result", {"battle": "", "field": "blue"}), ScriptedDice(()))
    assert ended.points["Well"].holder == "blue"
    assert ended.over is not None


def test_options_may_differ_for_a_power() -> None:
    values = {"days_held": 1, "too_strong": 2}
    state = country(make_map(OPEN), "blue foot 0203:20 attack via:0204", "red foot 0204:10", values=values)
    state, lines = day(state)
    assert "Battle in 0204: the Red are overrun (CA-5.4)" in lines
    state = country(make_map(OPEN), "blue foot 0203 via:0204", points=["Well 0204 - well 5"], values=values)
    assert held_value_by_power(day(state)[0])["blue"] == 5


def test_1_2_the_day_can_end_if_the_last_command_that_was_waited_for_lost_its_columns() -> None:
    ring = [f"blue foot {label}" for label in ("0103", "0104", "0203", "0205", "0303", "0304")]
    state, _ = day(country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204:30", *ring))
    state, _ = SYSTEM.act(state, SYSTEM.parse("turn_next", {"side": "blue"}), ScriptedDice(()))
    state, _ = SYSTEM.act(state, SYSTEM.parse("battle_result", {"battle": "", "field": "blue"}), ScriptedDice(()))
    assert (state.units_of("red"), state.acting_sides) == ((), ("blue",))
