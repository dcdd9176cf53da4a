"""Headlines of turns: losses by side and unit, melees won, objectives taken, units routed."""

from typing import Any

import pytest

from rules.core.agreement import NounForm, with_article
from rules.core.automaton.own_dice import SeededDice
from rules.core.state import State
from rules.core.turn_events import DoneAction, describe_deed, find_events
from rules.core.turn_headline import TurnWords, UnitDeeds, shorten_name_list
from rules.magdala.model import Morale
from rules.registry import rulesets

SYSTEM = rulesets()["magdala"]
FAR = {"x": 60.0, "y": 20.0}
WELLS = {"x": 36.0, "y": 9.0, "facing": 0.0}


@pytest.fixture
def start() -> State:
    state = SYSTEM.setup("suakin-1885", {}, SeededDice("headline"))
    ids = ("berkshires", "gatling", "amarar", "arteiga", "osman-digna")
    small = state.model_copy(update={"units": {unit: state.units[unit] for unit in ids}})
    return small.changed("amarar", place=small.units["amarar"].place.model_copy(update=FAR))


def describe_turn(*acts: DoneAction, system: Any = SYSTEM) -> TurnWords:
    acted = UnitDeeds()
    for act in acts:
        if act.unit is not None:
            deed = system.deeds[act.kind]
            acted.add(
                act.side, describe_deed(system.unit_facts, deed, act), act.after.units[act.unit], is_minor=deed.is_minor
            )
    events = find_events(system.unit_facts, system.deeds, system.holdings, acts)
    return TurnWords(acts[-1].after, system.unit_facts, events, acted)


def move_to_wells(state: State, unit: str) -> State:
    place = state.units[unit].place
    return state.changed(unit, place=place.model_copy(update=WELLS))


def fire(before: State, after: State, unit: str = "berkshires", side: str = "british") -> DoneAction:
    return DoneAction("fire", side, unit, before, after)


def test_a_headline_names_shooters_losses_and_objectives(start: State) -> None:
    start = move_to_wells(start, "berkshires")
    words = describe_turn(fire(start, start.changed("amarar", casualties=14)))
    assert words.headline == "The British shot down 14 of the Amarar and hold the wells"
    assert [*words.loss_and_condition_lists] == [], "the headline says all of it"
    assert [*words.deeds] == ["The British fired with 1st Berkshires"]


def test_losses_of_several_units_are_of_their_side_and_each_is_listed(start: State) -> None:
    first = start.changed("amarar", casualties=4)
    second = first.changed("arteiga", casualties=5)
    words = describe_turn(fire(start, first), fire(first, second, unit="gatling"))
    assert words.headline == "The British shot down 9 of the Army of Osman Digna"
    assert [*words.loss_and_condition_lists] == ["Lost: Arteiga 5 of 30 and Amarar 4 of 30"]
    assert [*words.deeds] == ["The British fired with 2 units"]


def test_a_melee_says_who_won_and_the_winners_own_losses(start: State) -> None:
    turn_record = start.units["berkshires"].this_turn.model_copy(update={"lost_round": True})
    after = start.changed("berkshires", casualties=6, this_turn=turn_record).changed("amarar", casualties=2)
    words = describe_turn(DoneAction("melee", "mahdists", "amarar", start, after))
    assert words.headline == (
        "The Army of Osman Digna cut down 6 of the 1st Berkshires, beat the 1st Berkshires in melee and lost 2"
    )


def test_a_headline_names_objectives_taken_and_lost(start: State) -> None:
    at_the_wells = move_to_wells(start, "berkshires")
    assert (
        describe_turn(DoneAction("move", "british", "berkshires", start, at_the_wells)).headline
        == "The British took the wells"
    )
    retaken = move_to_wells(at_the_wells, "amarar")
    last = describe_turn(DoneAction("move", "mahdists", "amarar", at_the_wells, retaken))
    assert last.headline == "The British lost the wells"
    assert [*last.deeds] == ["The Army of Osman Digna moved Amarar"]


def test_a_headline_names_the_worst_condition_and_details_list_others(start: State) -> None:
    after = start.changed("amarar", morale=Morale.ROUTED).changed("arteiga", morale=Morale.PINNED)
    words = describe_turn(fire(start, after))
    assert words.headline == "The Amarar are routed"
    assert [*words.loss_and_condition_lists] == ["Pinned: Arteiga"]


def test_a_headline_without_events_names_the_actions(start: State) -> None:
    amarar = start.units["amarar"]
    moved = start.changed("amarar", place=amarar.place.model_copy(update={"x": amarar.place.x + 6}))
    formed = moved.changed("arteiga", order="skirmish")
    words = describe_turn(
        DoneAction("move", "mahdists", "amarar", start, moved), DoneAction("move", "mahdists", "arteiga", moved, formed)
    )
    assert words.headline == "The Army of Osman Digna moved Amarar and changed the formation of Arteiga"


def test_a_headline_omits_a_unit_seen_in_one_view_only(start: State) -> None:
    hidden = start.without_unit("amarar")
    visible = start.changed("amarar", casualties=9, morale=Morale.ROUTED)
    assert describe_turn(fire(hidden, visible)).headline == "The British fired with 1st Berkshires"
    assert describe_turn(fire(visible, hidden)).headline == "The British fired with 1st Berkshires"


def test_a_headline_omits_secret_actions_between_two_actions(start: State) -> None:
    first = start.changed("amarar", casualties=4)
    tested = first.changed("arteiga", casualties=9, morale=Morale.ROUTED)
    second = tested.changed("amarar", casualties=6)
    words = describe_turn(fire(start, first), fire(tested, second))
    assert words.headline == "The British shot down 6 of the Amarar"
    assert [*words.loss_and_condition_lists] == []


def test_a_headline_omits_a_condition_that_passed(start: State) -> None:
    pinned = start.changed("amarar", morale=Morale.PINNED)
    words = describe_turn(fire(start, pinned), DoneAction("turn_next", "mahdists", None, pinned, start))
    assert words.headline == "The British fired with 1st Berkshires"


def test_kills_of_battles_for_empire_are_suffered_at_the_end_of_a_phase() -> None:
    empire = rulesets()["empire"]
    start = empire.setup("el-teb-1884", {}, SeededDice("headline"))
    after = start.changed("gordons", kills=2, shaken=True)
    words = describe_turn(DoneAction("turn_next", "umpire", None, start, after), system=empire)
    assert words.headline == "The British suffered 2 kills; the 1st Gordon Highlanders are shaken"
    assert [*words.loss_and_condition_lists] == ["Kills: 1st Gordon Highlanders 2 of 4"]


def test_a_recoil_in_battles_for_empire_means_a_lost_melee() -> None:
    empire = rulesets()["empire"]
    start = empire.setup("el-teb-1884", {}, SeededDice("headline"))
    foe = next(unit for unit in start.units.values() if unit.side == "mahdists")
    after = start.changed(foe.id, this_turn=foe.this_turn.model_copy(update={"recoiled": True}))
    words = describe_turn(DoneAction("turn_next", "umpire", None, start, after), system=empire)
    assert f"beat the {foe.name} in melee" in words.headline


def test_medals_of_the_great_war_are_won() -> None:
    great_war = rulesets()["great_war"]
    start = great_war.setup(next(iter(great_war.scenarios)), {}, SeededDice("headline"))
    after = start.changed("1st-essex", figures=start.units["1st-essex"].figures - 1)
    after = after.model_copy(update={"medals": {"germans": 1}})
    words = describe_turn(DoneAction("turn_next", "germans", None, start, after), system=great_war)
    assert words.headline == "The British lost 1 figure; the Germans won 1 medal"


@pytest.mark.parametrize(
    ("name", "noun", "phrase"),
    [
        ("Amarar", NounForm.MANY, "the Amarar"),
        ("Osman Digna", NounForm.MAN, "Osman Digna"),
        ("N/2 Battery RA", NounForm.THING, "N/2 Battery RA"),
        ("The Legion", NounForm.MANY, "The Legion"),
        ("E Company 24th", NounForm.MANY, "E Company 24th"),
        ("Gordon's Horse", NounForm.MANY, "Gordon's Horse"),
    ],
)
def test_articles_stand_where_english_has_them(name: str, noun: NounForm, phrase: str) -> None:
    assert with_article(name, noun) == phrase


def test_a_long_list_names_the_first_and_counts_the_rest() -> None:
    assert shorten_name_list(["Amarar"]) == "Amarar"
    assert shorten_name_list(f"Unit {number}" for number in range(20)) == (
        "Unit 0, Unit 1, Unit 2, Unit 3, Unit 4, Unit 5, Unit 6, Unit 7, Unit 8 and 11 more"
    )


def test_points_of_a_campaign_belong_to_powers() -> None:
    campaign = rulesets()["campaign"]
    start = campaign.setup("zululand-1879", {}, SeededDice("headline"))
    points = {name: point.model_copy(update={"holder": "british"}) for name, point in start.points.items()}
    after = start.model_copy(update={"points": points})
    words = describe_turn(DoneAction("turn_next", "umpire", None, start, after), system=campaign)
    assert words.headline == "The British took 13 points; the Zulus lost 13 points"
