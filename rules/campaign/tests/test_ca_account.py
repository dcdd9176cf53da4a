"""The account of a day, which a command reads of its own columns, and the gazette, which everyone reads (CA-3.6)."""

from typing import Any

from rules.campaign.battles import BattleOutcome, end_battle
from rules.campaign.model import CampaignState
from rules.campaign.news import gazette_lines, gazette_title, last_ended_day, state_for_public_map
from rules.core.dice import Dice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.play import Play
from rules.core.report import Report
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, country, make_map, with_terrain
from .worlds import SYSTEM

SALTS = [1] * 16
"""Dice of the salts of two commands."""


def end_day(state: CampaignState, *fell: int) -> tuple[CampaignState, Report]:
    """End a day at the umpire's word; the dice fall so after those of the salts."""
    dice: Dice = ScriptedDice((*SALTS, *fell))
    after, report = SYSTEM.act(state, SYSTEM.parse("turn_next", {}), dice)
    return after, report


def account(before: CampaignState, after: CampaignState, report: Report, side: str = "blue") -> dict[str, str]:
    """Return the account's lines by their heads."""
    assert SYSTEM.turn_accounts is not None
    turn_account = SYSTEM.turn_accounts.find_account(before, after, report, side)
    assert turn_account is not None
    return {line.head: line.text for line in turn_account.lines}


def told(state: CampaignState, *fell: int, side: str = "blue") -> dict[str, str]:
    """Return the account of the day that ends now."""
    after, report = end_day(state, *fell)
    return account(state, after, report, side)


def test_columns_that_fare_alike_share_a_line() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "blue foot 0303", "blue horse 0400 to:0402", "red foot 0907")
    lines = told(state)
    hungry = "no convoy came: supply for 5 more days"
    assert lines["blue foot and blue foot 2"] == f"each stays; {hungry}"
    assert lines["Seen"] == "no enemy"


def test_a_march_its_stop_and_its_reason() -> None:
    state = country(make_map(OPEN), "blue foot 0203 to:0603", "red foot 0503:40", points=["Home 0203 blue base"])
    lines = told(state)
    assert lines["blue foot"].startswith("marches 3 hexes to 0502; stops before 0603: the enemy is near")
    assert lines["Seen"] == "foot, about 40 in 0503"


def test_losses_end_with_what_is_left() -> None:
    state = country(make_map(OPEN), "blue foot 0203 to:0603 forced", "red foot 0907", points=["Home 0203 blue base"])
    stragglers = "2 stragglers on the forced march; now 22 figures"
    assert told(state, 2)["blue foot"] == f"marches 4 hexes to 0603; {stragglers}"


def test_a_battle_is_told_with_its_place_after_a_march_to_the_guns() -> None:
    lines = ["blue foot 0203 attack via:0204", "blue horse 0304 attack", "red foot 0204"]
    state = country(make_map(OPEN), *lines, points=["Home 0203 blue base"])
    account_lines = told(state, 3)
    assert account_lines["blue foot"] == "marches 1 hex to 0204; is in battle"
    assert account_lines["blue horse"] == "comes to the battle in its turn 3; is in battle in 0204"
    assert account_lines["Seen"] == "red foot: foot, 24 in 0204"


def test_losses_of_a_battle_that_ended_during_the_day_are_told_once() -> None:
    lines = ["blue foot 0203:24 attack via:0204", "red foot 0204:24"]
    state, _ = end_day(country(make_map(OPEN), *lines, points=["Home 0203 blue base"]))
    play = Play(state, ScriptedDice(()))
    (battle,) = state.battles.values()
    end_battle(play, battle, BattleOutcome(field="blue", lost={"blue-foot": (9,), "red-foot": (5,)}))
    state = play.state
    after, report = end_day(state)
    assert account(state, after, report)["blue foot"] == "has lost 5 figures in battle; stays"
    assert account(state, after, report, "red")["red foot"].startswith("has lost 4 figures in battle; ")
    later, report = end_day(after)
    assert "battle" not in account(after, later, report)["blue foot"]


def test_what_was_seen_on_the_way_has_its_day() -> None:
    state = country(make_map(with_terrain("f", "0703")), "blue horse 0203 to:0206", "red foot 0402 to:0702")
    text = told(state)["Seen"]
    assert "(seen day 1)" in text


def test_a_command_is_told_nothing_of_the_enemy_and_others_get_no_account() -> None:
    state = country(make_map(OPEN), "blue foot 0000", "red foot 0907 to:0707 forced")
    after, report = end_day(state, 1)
    assert account(state, after, report) == {
        "blue foot": "stays; no convoy came: supply for 5 more days",
        "Seen": "no enemy",
    }
    accounts: Any = SYSTEM.turn_accounts
    assert accounts.find_account(state, after, report, PUBLIC) is None
    assert accounts.find_account(state, after, report, UMPIRE) is None
    assert accounts.find_account(after, after, report, "blue") is None, "an action that ends no day"


def test_3_6_the_gazette_has_points_battles_and_who_missed_the_day() -> None:
    lines = ["blue foot 0203 attack via:0204", "blue foot 0603 via:0604", "red foot 0204", "red foot 0907"]
    state = country(make_map(OPEN), *lines, points=["Well 0604 red well 2", "Home 0203 blue base"])
    after, report = end_day(state)
    assert [*gazette_lines(after, 1)] == [
        "Blue: missed the day",
        "Red: missed the day",
        "Battle in 0204: begins, the Red defend",
        "Well: the Blue take it",
    ]
    assert report.headline == "Gazette of day 1. Day 2."
    public = report.view_for(PUBLIC)
    assert public is not None
    assert [f"{step.text}: {step.verdict}" for step in public.steps if step.verdict] == [*gazette_lines(after, 1)]
    assert last_ended_day(after) == 1


def test_3_6_the_end_of_a_battle_is_news_of_the_day_on_which_it_is_told() -> None:
    state, _ = end_day(country(make_map(OPEN), "blue foot 0203 attack via:0204", "red foot 0204"))
    result = SYSTEM.parse("battle_result", {"battle": "0204", "field": "blue"})
    state, _ = SYSTEM.act(state, result, ScriptedDice(()))
    after, report = end_day(state)
    assert "Battle in 0204: ends, the Blue hold the field" in gazette_lines(after, 2)
    assert "ends, the Blue hold the field" in [step.verdict for step in report.steps]
    third, _ = end_day(after)
    assert gazette_title(third, 3) == "Gazette of day 3", "both missed it"
    open_then, over_then = state_for_public_map(third, 1), state_for_public_map(third, 2)
    assert [battle.at.label for battle in open_then.battles.values()] == ["0204"]
    assert not over_then.battles


def test_a_past_gazette_has_the_points_as_they_were() -> None:
    state = country(make_map(OPEN), "blue foot 0203 via:0204", "red foot 0807", points=["Well 0204 red well 3"])
    days = [state]
    for _ in range(3):
        days.append(end_day(days[-1])[0])
    for day in (1, 2, 3):
        known_map = state_for_public_map(days[3], day)
        assert known_map.points == days[day].points
        assert known_map.turn == day


def test_a_quiet_day_says_so() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0807")
    state = state.model_copy(update={"wrote": ("blue", "red")})
    after, report = end_day(state)
    assert report.headline == "Day 1 passed without news. Day 2."
    assert not [*gazette_lines(after, 1)]


def test_1_10_the_chief_reads_of_the_columns_of_an_absent_command() -> None:
    state = SYSTEM.setup("zululand-1879", {}, ScriptedDice(()))
    state = state.model_copy(update={"missed": {"pearson": 2}})
    after, report = SYSTEM.act(state, SYSTEM.parse("turn_next", {}), ScriptedDice([1] * 48))
    accounts = {side: " ".join(account(state, after, report, side)) for side in ("glyn", "wood")}
    assert "Pearson's column" in accounts["glyn"]
    assert "Pearson's column" not in accounts["wood"]
