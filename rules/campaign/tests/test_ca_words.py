"""What is told of a day: why columns stop, what they lose, how the campaign ends, and what the umpire is asked."""

from typing import Any

import pytest

from rules.campaign.battles import BattleOutcome, end_battle
from rules.campaign.columns import Arrival
from rules.campaign.day import find_verdict, held_value_by_power
from rules.campaign.model import Battle, CampaignState
from rules.campaign.news import gazette_lines, state_for_public_map
from rules.campaign.options import CampaignOptions
from rules.campaign.turn import TURN, TurnNext, sides_that_missed_day
from rules.core.play import Play
from rules.core.refusal import Refused
from rules.core.tests.scripted import ScriptedDice

from .country import BLUE, OPEN, RED, at, country, day, hex_at, make_map, with_terrain
from .worlds import SYSTEM


def told(name: str, *lines: str, dice: tuple[int, ...] = (), **fields: Any) -> list[str]:
    """Return what the steps of a day tell."""
    return day(country(name, *lines, **fields), *dice)[1]


def test_why_a_column_stops() -> None:
    marsh = make_map(with_terrain("m", "0204"))
    assert "blue guns: stops before 0204: wheels enter marsh by road only (CA-1.8)" in told(
        marsh, "blue guns 0203 via:0204"
    )
    assert "blue horse: stops before 0204: the enemy is near (CA-1.4)" in told(
        make_map(OPEN), "blue horse 0203 via:0204", "red foot 0205"
    )
    lines = ("blue foot 0203 attack via:0204", "red foot 0204", "blue foot 0206 via:0205,0204", "blue foot 0707")
    first, _ = day(country(make_map(OPEN), *lines[:2], "blue foot 0207 attack via:0206,0205,0204"))
    _, second = day(first)
    assert "blue foot 2: stops before 0204: a battle is fought there (CA-5.8)" in second


def test_a_column_falls_back_nowhere_if_no_way_is_left() -> None:
    lake = make_map(with_terrain("o", *(f"05{row:02}" for row in range(8))))
    state, steps = day(country(lake, "blue horse 0200 attack back:0803 via:0201,0202,0203,0204", "red foot 0205"))
    assert "blue horse: sees the enemy from 0203, and finds no way back to 0803 (CA-1.5)" in steps
    assert (at(state, "blue-horse"), state.unit("blue-horse").orders.way) == ("0203", ())


def test_supply_and_hunger_in_words() -> None:
    lines = (
        "blue foot 0203 supply:2",
        "blue horse 0203 supply:1",
        "blue guns 0203 supply:0",
        "blue mixed 0203 supply:0",
    )
    steps = told(make_map(OPEN), *lines, dice=(4, 1))
    assert "blue foot: no convoy came: supply for 1 more day (CA-4.2)" in steps
    assert "blue horse: no convoy came: supply for 0 more days (CA-4.2)" in steps
    assert "blue guns: without supply: has nothing to eat, but holds out (CA-4.3)" in steps
    assert "blue mixed: without supply: starves: 4 figures lost (CA-4.3)" in steps


def test_losses_and_figures_that_come_back_in_words() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204 came:0205,0206"))
    play = Play(state, ScriptedDice(()))
    (fight,) = state.battles.values()
    end_battle(play, fight, BattleOutcome(field=BLUE, lost={"blue-foot": (2,), "red-foot": (9,)}))
    steps = [f"{step.text}: {step.verdict} ({step.cite.rule})" for step in play.report.steps]
    assert steps == [
        "blue foot: 2 figures lost, 1 comes back (CA-6.6)",
        "red foot: 9 figures lost, 3 come back (CA-6.6)",
        "Battle in 0204: ends, the Blue hold the field (CA-6.7)",
    ]
    assert play.state.unit("blue-foot").today.lost == 1


def ends(state: CampaignState) -> tuple[str | None, str]:
    """Return who has won, and why."""
    verdict = find_verdict(state)
    assert verdict is not None
    return verdict.winner, verdict.why


def held(*points: str, began: tuple[int, int] = (24, 24), **fields: Any) -> CampaignState:
    """A last day with points held long enough."""
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0807", points=points, turn=14, **fields)
    powers = tuple(
        power.model_copy(update={"began_with": size}) for power, size in zip(state.powers, began, strict=True)
    )
    held_points = {key: point.model_copy(update={"held_days": 2}) for key, point in state.points.items()}
    return state.model_copy(update={"points": held_points, "powers": powers})


POINTS = ("Well 0203 blue well 5", "Town 0807 red town 2")


def test_8_2_the_end_by_points_in_words() -> None:
    assert ends(held(*POINTS)) == (BLUE, "The points held are worth 5 (Blue) to 2 (Red).")
    assert ends(held(*POINTS, margin=4)) == (None, "The points held are worth 5 (Blue) to 2 (Red): a draw.")
    even = ("Well 0203 blue well 5", "Town 0807 red town 5")
    assert ends(held(*even, margin=0)) == (None, "The points held are worth 5 (Blue) to 5 (Red): a draw.")
    red = ("Well 0203 blue well 1", "Town 0807 red town 5")
    assert ends(held(*red)) == (RED, "The points held are worth 1 (Blue) to 5 (Red).")
    assert find_verdict(held(*POINTS).model_copy(update={"turn": 13})) is None
    fight = Battle(id="battle", at=hex_at("0203"), day=14, columns=())
    assert find_verdict(held(*POINTS).model_copy(update={"battles": {"battle": fight}})) is None


def test_8_3_the_sudden_end_in_words() -> None:
    early = {"turn": 3}
    assert ends(held(*POINTS, began=(24, 49)).model_copy(update=early)) == (
        BLUE,
        "The Red have less than 50% of their figures left.",
    )
    assert find_verdict(held(*POINTS, began=(24, 48)).model_copy(update=early)) is None
    fewer = held(*POINTS, began=(24, 81)).model_copy(update={**early, "options": CampaignOptions(broken_below=30)})
    assert ends(fewer)[1] == "The Red have less than 30% of their figures left."
    both = held(*POINTS, began=(49, 49)).model_copy(update=early)
    assert ends(both) == (BLUE, "The points held are worth 5 (Blue) to 2 (Red)."), "both are broken"
    fight = Battle(id="battle", at=hex_at("0203"), day=3, columns=())
    assert ends(both.model_copy(update={"battles": {"battle": fight}}))[0] == BLUE
    state = held(*POINTS, sudden={RED: ("Town",)}).model_copy(update=early)
    assert ends(state) == (RED, "The Red hold Town.")
    either = held(*POINTS, began=(24, 49), sudden={RED: ("Town",)}).model_copy(update=early)
    assert ends(either)[1] == "The points held are worth 5 (Blue) to 2 (Red)."


def test_8_1_a_points_days_are_counted_for_its_holder() -> None:
    points = ["Well 0203 red well 3", "Town 0807 red town 1", "Home 0204 blue base 2"]
    lines = ("blue foot 0203", "red foot 0907")
    state = country(make_map(OPEN), *lines, points=points)
    days = {}
    for number in (1, 2):
        state, _ = day(state)
        days[number] = [(point.holder, point.held_days) for point in state.points.values()]
    assert days == {1: [(BLUE, 1), (RED, 1), (BLUE, 1)], 2: [(BLUE, 2), (RED, 2), (BLUE, 2)]}
    assert held_value_by_power(state) == {BLUE: 5, RED: 1}
    contested, _ = day(
        country(make_map(OPEN), *lines, "red foot 0202 attack via:0203", points=["Well 0203 blue well 3"])
    )
    assert contested.points["Well"].holder == BLUE


def test_8_4_a_reinforcement_comes_on_its_day_where_no_battle_is() -> None:
    state = country(make_map(OPEN), "blue foot 0103", "blue horse 0203", "red foot 0907")
    late = state.changed("blue-horse", at=None, arrives=Arrival(day=3, at=hex_at("0203")))
    second, _ = day(late)
    assert second.unit("blue-horse").at is None
    fight = Battle(id="battle", at=hex_at("0203"), day=2, columns=())
    waits, _ = day(second.model_copy(update={"battles": {"battle": fight}}))
    assert waits.unit("blue-horse").at is None
    third, steps = day(second)
    assert "blue horse: arrives in 0203 (CA-8.4)" in steps
    assert ([power.began_with for power in third.powers], third.unit("blue-horse").arrives) == ([24, 0], None)


def refusal(state: CampaignState, **arguments: Any) -> str:
    with pytest.raises(Refused) as refused:
        SYSTEM.act(state, SYSTEM.parse(arguments.pop("kind", "turn_next"), arguments), ScriptedDice(()))
    return refused.value.why


def test_1_2_why_a_command_cannot_end_the_day() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0907", blues=(BLUE, "green"))
    ready = state.model_copy(update={"done": (BLUE,)})
    assert refusal(ready, side=BLUE) == "The Blue are ready already. Take that back to write orders again."
    assert refusal(state, side="green") == "The Green have no column: the day does not wait for them."
    assert refusal(state, side="x" * 50) == f"There is no command “{'x' * 40}”. Say which is ready."
    assert refusal(state, kind="unready", side=BLUE) == "That command is not ready: it can write orders."
    fight = Battle(id="battle", at=hex_at("0203"), day=1, columns=("blue-foot", "red-foot"))
    last = state.model_copy(update={"turn": 14, "done": (BLUE, "green", RED), "battles": {"battle": fight}})
    over = "The last day's march is over: the campaign ends when its battles have a result."
    assert refusal(last) == refusal(last, side=BLUE) == over
    assert refusal(last, kind="unready", side=BLUE) == "The last day is over. The campaign waits for its battles alone."
    ended, report = SYSTEM.act(last.model_copy(update={"battles": {}}), SYSTEM.parse("turn_next", {}), ScriptedDice(()))
    assert (report.headline, ended.over is None) == ("Day 14 ends.", False)


def test_1_2_what_commands_and_the_umpire_are_asked() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0907").model_copy(update={"done": (RED,)})
    prompts = [
        (prompt.key, prompt.side, prompt.text, [offer.label for offer in prompt.offers])
        for prompt in SYSTEM.open_prompts(state)
    ]
    assert prompts == [
        ("ready:1:blue", BLUE, "Blue: ready for the end of day 1?", ["Blue ready"]),
        ("unready:1:red", RED, "Red: ready, which can be taken back until day 1 ends.", ["Red not ready yet"]),
    ]
    assert not any(prompt.required for prompt in SYSTEM.open_prompts(state))
    assert str(TURN.caption(state, TurnNext())) == "End the day"
    withheld = state.model_copy(update={"is_withheld": True})
    (prompt,) = SYSTEM.open_prompts(withheld)
    assert (prompt.key, prompt.text, prompt.required) == ("release:1", "Day 1 is over: tell it?", False)
    back, report = SYSTEM.act(state, SYSTEM.parse("unready", {"side": RED}), ScriptedDice(()))
    assert (back.done, report.headline) == ((), "The Red are not ready yet.")


def test_1_10_a_command_for_which_somebody_acted_has_not_missed_the_day() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0907")
    assert sides_that_missed_day(state) == {BLUE, RED}
    assert sides_that_missed_day(state.model_copy(update={"wrote": (BLUE,), "deputised": (RED,)})) == frozenset()
    fight = Battle(id="battle", at=hex_at("0203"), day=1, columns=("blue-foot",))
    assert sides_that_missed_day(state.model_copy(update={"battles": {"battle": fight}})) == {RED}


def test_3_6_news_of_an_overrun_of_the_field_and_of_missed_days() -> None:
    state, _ = day(country(make_map(OPEN), "blue foot 0203:50 attack via:0204", "red foot 0204:4 came:0205"))
    assert [*gazette_lines(state, 1)] == [
        "Battle in 0204: the Red are overrun",
        "Battle in 0204: ends, the Blue hold the field",
    ]
    assert (state.unit("red-foot").figures, state.unit("red-foot").today.lost) == (2, 0), "losses of the day are over"
    fight, _ = day(country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0205 attack via:0204"))
    assert [*gazette_lines(fight, 1)] == ["Battle in 0204: begins"]
    ended, _ = SYSTEM.act(fight, SYSTEM.parse("battle_result", {"battle": "", "field": "nobody"}), ScriptedDice(()))
    assert [*gazette_lines(ended, 2)] == ["Battle in 0204: ends, nobody holds the field"]
    points = ["Well 0204 - well"]
    after, _ = day(country(make_map(OPEN), "blue foot 0203 via:0204", points=points))
    assert [*gazette_lines(after, 1)] == ["Well: the Blue take it"]
    assert state_for_public_map(after, 0).points["Well"].holder == ""
