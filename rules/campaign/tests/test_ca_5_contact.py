"""Contact: crossings, going back, getting away, battles, and who marches to the guns (CA-5)."""

import pytest

from rules.campaign.day import play_day
from rules.core.model import UMPIRE
from rules.core.play import Play
from rules.core.state import Side
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, at, country, day, hex_at, make_map, with_terrain
from .worlds import SYSTEM


@pytest.mark.parametrize(("die", "crosses", "place"), [(3, "Red", "0203"), (4, "Blue", "0204")])
def test_5_1_one_power_stays_where_both_would_cross(die: int, crosses: str, place: str) -> None:
    state = country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204 attack via:0203")
    state, lines = day(state, die)
    stays = {"Red": "Blue", "Blue": "Red"}[crosses]
    assert f"Enemies between 0203 and 0204: the {stays} stay, the others cross (CA-5.1)" in lines
    assert at(state, "blue-foot") == at(state, "red-foot") == place


def test_5_2_if_nobody_attacks_those_who_entered_go_back() -> None:
    fog = with_terrain("f", "0203", "0204", "0205")
    state = country(make_map(fog), "blue foot 0203 via:0204", "red foot 0205 via:0204")
    state, _ = day(state)
    assert (at(state, "blue-foot"), at(state, "red-foot")) == ("0203", "0205")


def test_5_2_both_go_back_from_a_hex_that_both_entered() -> None:
    state = country(make_map(OPEN), "blue foot 0202 via:0203", "red foot 0204 via:0203", supply_days=6)
    state, lines = day(state)
    assert (at(state, "blue-foot"), at(state, "red-foot")) == ("0202", "0204")
    assert all("Battle" not in line for line in lines)


@pytest.mark.parametrize(("die", "place"), [(1, "0203"), (2, "0202")])
def test_5_3_avoiding_horse_gets_away_from_foot(die: int, place: str) -> None:
    state = country(make_map(OPEN), "blue horse 0203 avoid came:0202", "red foot 0204 attack via:0203")
    state, lines = day(state, die)
    assert at(state, "blue-horse") == place
    verdict = "gets away from the enemy" if die == 2 else "is caught by the enemy"
    assert f"blue horse: getting away: {verdict} (CA-5.3)" in lines
    assert any("Battle" in line for line in lines) is (die == 1)


def test_5_3_if_all_get_away_the_others_march_on() -> None:
    state = country(make_map(OPEN), "blue horse 0203 avoid came:0303", "red foot 0204 attack via:0203,0202,0201")
    state, _ = day(state, 6)
    assert at(state, "red-foot") == "0201"


def test_5_4_five_times_the_figures_need_no_table() -> None:
    state = country(make_map(OPEN), "blue foot 0203:20 attack via:0204", "red foot 0204:4 came:0205,0206")
    state, lines = day(state)
    assert "Battle in 0204: the Red are overrun (CA-5.4)" in lines
    assert state.battles == {}
    assert at(state, "red-foot") == "0206"
    assert state.unit("red-foot").figures == 2
    state = country(make_map(OPEN), "blue foot 0203:19 attack via:0204", "red foot 0204:4")
    assert day(state)[0].battles


def test_5_4_nobody_is_overrun_through_the_hex_that_the_stronger_came_from() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203:20 attack via:0204", "red foot 0204:4 came:0203,0202"))
    assert at(state, "red-foot") == "0003", "by 0103, and on from there"
    surrounded = with_terrain(
        "~", *(neighbour.label for neighbour in hex_at("0204").neighbours() if neighbour.label != "0203")
    )
    state, lines = day(country(make_map(surrounded), "blue foot 0203:20 attack via:0204", "red foot 0204:4"))
    assert "red foot: cannot go back, and surrenders (CA-6.7)" in lines


@pytest.mark.parametrize(
    ("red", "defender"),
    [("red foot 0204", "red"), ("red foot 0205 attack via:0204", ""), ("red horse 0205 attack via:0204", "")],
)
def test_5_5_who_defends(red: str, defender: str) -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 attack via:0204", red))
    assert [battle.defender for battle in state.battles.values()] == [defender]


def test_5_6_attackers_next_to_the_battle_march_to_the_guns() -> None:
    lines = [
        "blue foot 0203 attack via:0204",
        "red foot 0204",
        "blue foot 0303 attack",
        "blue foot 0304",
        "blue guns 0105 attack",
    ]
    state, _ = day(country(make_map(OPEN), *lines), 5)
    (battle,) = state.battles.values()
    assert battle.columns == ("blue-foot", "red-foot", "blue-foot-2")
    assert battle.late == {"blue-foot-2": 4}
    assert at(state, "blue-foot-2") == "0204"
    assert at(state, "blue-foot-3") == "0304"


def test_5_6_wheels_arrive_later() -> None:
    lines = ["blue foot 0203 attack via:0204", "red foot 0204", "blue guns 0303 attack"]
    state, _ = day(country(make_map(OPEN), *lines), 5)
    (battle,) = state.battles.values()
    assert battle.late == {"blue-guns": 5}


def test_5_8_the_columns_of_a_battle_are_not_free_and_others_go_on() -> None:
    lines = [
        "blue foot 0203 attack via:0204",
        "red foot 0204",
        "blue foot 0206 via:0205,0204",
        "blue foot 0703 via:0704",
    ]
    state, report_lines = day(country(make_map(OPEN), *lines))
    assert (
        "blue foot 2: stops before 0204: a battle is fought there (CA-5.8)" in report_lines
        or at(state, "blue-foot-2") == "0206"
    )
    assert at(state, "blue-foot-3") == "0704"
    state, _ = day(state)
    assert at(state, "blue-foot") == "0204"


def test_5_1_crossings_are_told_to_those_who_know_the_columns() -> None:
    lines = ["blue foot 0203 attack via:0204", "red foot 0204 attack via:0203"]
    state = country(make_map(OPEN), *lines, knowledge="own")
    green = Side(id="green", name="Green", index=2)
    powers = (state.powers[0].model_copy(update={"commands": ("blue", "green")}), state.powers[1])
    play = Play(state.model_copy(update={"sides": (*state.sides, green), "powers": powers}), ScriptedDice((3,)))
    play_day(play)
    throw_step, public_step = (step for step in play.report.steps if step.cite.rule == "CA-5.1")
    assert public_step.only_for == {"blue", "red"}
    assert public_step.verdict == "on a 3, the Blue stay, the others cross"
    assert (throw_step.only_for, throw_step.throws[0].side) == (frozenset(), UMPIRE), (
        "its number counts what others hide"
    )
    assert not public_step.throws


def test_2_5_a_contact_ends_the_days_march_even_if_the_column_would_fall_back() -> None:
    narrow = with_terrain("~", "0102", "0103", "0302", "0303")
    lines = ["blue foot 0202 back:0200 via:0203", "red foot 0204 via:0203", "blue foot 0205 attack via:0204"]
    state, report_lines = day(country(make_map(narrow), *lines))
    assert "red foot: meets enemies and cannot go back (CA-5.2)" in report_lines
    assert at(state, "blue-foot") == "0202", "put back, and next to an enemy whom it had not seen before"


def test_5_6_enemies_do_not_know_when_a_column_comes_to_the_table() -> None:
    lines = ["blue foot 0203 attack via:0204", "red foot 0204", "blue foot 0303 attack"]
    state, _ = day(country(make_map(OPEN), *lines), 5)
    late = {
        viewer: [dict(battle.late) for battle in SYSTEM.view(state, viewer).battles.values()]
        for viewer in ("blue", "red")
    }
    assert late == {"blue": [{"blue-foot-2": 4}], "red": [{}]}
