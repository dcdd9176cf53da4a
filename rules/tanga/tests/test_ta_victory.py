"""Tests of victory (TA-H.11) and of the time of day (TA-H.0)."""

import pytest

from rules.core.tests.scripted import ScriptedDice
from rules.tanga import victory
from rules.tanga.descriptions import clock_in_words
from rules.tanga.scenarios import SCENARIOS, set_up_house_scenario
from rules.tanga.tests.field import state_of

ASSAULT = {"embankment": 1, "european town": 2}


def test_ta_h_11_an_embankment_hex_and_two_of_the_town_win_for_the_british():
    state = state_of("13 A 2610", "13 B 2309", "61 A 2208", objectives=ASSAULT)
    assert victory.final_verdict(state).winner == "british"
    assert victory.final_verdict(state).why == (
        "The British hold 1 embankment hex (1 needed), 2 European town hexes (2 needed)."
    )


@pytest.mark.parametrize(
    "lines",
    [
        ("13 A 2309", "61 A 2208", "17.FK 1 2710"),  # no embankment hex
        ("13 A 2610", "61 A 2208", "17.FK 1 2710"),  # one town hex
        ("13 A 2610", "13 B 2309", "61 A 2308"),  # 2308 is outside the town
        ("13 A 2610", "13 B 2309", "61 A 2208 disrupted"),  # disrupted units hold nothing
        ("13 A 2610", "13 B 2309", "61 L1 2208"),  # lone leaders hold nothing either
        ("13 A 2610", "13 B 2309", "61 A 2309"),  # two units in one hex hold one hex
    ],
)
def test_ta_h_11_germans_win_otherwise(lines):
    assert victory.final_verdict(state_of(*lines, objectives=ASSAULT)).winner == "german"


def test_ta_h_1_a_key_building_in_the_town_counts_as_town_too():
    state = state_of("13 A 2109", objectives={"european town": 1, "key building": 1})
    assert victory.final_verdict(state).winner == "british"
    assert [hex_.label for hex_ in victory.held_hexes(state, "key building")] == ["2109"]


def test_a_game_without_objectives_is_drawn():
    assert victory.final_verdict(state_of("13 A 2109")).winner is None
    assert victory.tally_held_hexes(state_of("13 A 2109")) == ""
    none_needed = state_of("13 A 2109", objectives={"embankment": 0})
    assert (victory.final_verdict(none_needed).winner, victory.tally_held_hexes(none_needed)) == (None, "")


def test_ta_h_11_hexes_held_are_counted_by_kind() -> None:
    state = state_of("13 A 2610", objectives={"european town": 1, "embankment": 1, "key building": 0})
    assert victory.tally_held_hexes(state) == (
        "The British hold 0 European town hexes (1 needed), 1 embankment hex (1 needed)."
    )
    assert [(holding.name, holding.number) for holding in victory.list_holdings(state)] == [("embankment hex", 1)]


@pytest.mark.parametrize(
    ("scenario", "needed"),
    [
        ("initial-assault", ASSAULT),
        ("invasion", {"european town": 6}),
        ("big-push", {"european town": 6}),
        ("campaign", {"key building": 5}),
    ],
)
def test_ta_h_11_objectives_of_the_british(scenario, needed):
    assert SCENARIOS.all[scenario].objectives == needed


@pytest.mark.parametrize(
    ("scenario", "turn", "time"),
    [
        ("initial-assault", 1, "3 November 1914, 05:00"),
        ("initial-assault", 10, "3 November 1914, 14:00"),
        ("invasion", 12, "2 November 1914, 17:00"),
        ("invasion", 13, "3 November 1914, 06:00"),
        ("big-push", 5, "4 November 1914, 15:00"),
        ("big-push", 12, "4 November 1914, 16:45"),
        ("campaign", 48, "5 November 1914, 17:00"),
    ],
)
def test_ta_h_0_turn_is_an_hour_or_a_quarter_in_the_big_push(scenario, turn, time):
    state = set_up_house_scenario(scenario, {}, ScriptedDice([1] * 8))
    assert clock_in_words(state.model_copy(update={"turn": turn})) == time


def test_ta_h_0_a_game_may_have_no_clock():
    assert clock_in_words(state_of()) == ""
