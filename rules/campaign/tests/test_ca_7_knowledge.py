"""What dispatches carry, what commands know of their own power, and the undo of dispatches (CA-7.1, CA-3.5)."""

from typing import Any

import pytest

from rules.campaign.columns import ColumnDay, Orders, Stance
from rules.campaign.dispatches import clean_text
from rules.campaign.ground import board_of
from rules.campaign.intelligence import EnemySize, Rider
from rules.campaign.options import Knowledge
from rules.campaign.riders import deliver_dispatch, sightings_in_words
from rules.core.refusal import Refused

from .country import MAPS, OPEN, country, hex_at, make_map
from .dispatch_desk import BLUES, campaign, carrying, end_day, seen_on, told, write
from .worlds import SYSTEM


def test_7_1_with_what_the_command_knows_of_enemies() -> None:
    state = campaign(make_map(OPEN), "blue horse 0103", "green foot 0803", "red foot 0303", "red foot 0907")
    without, _ = write(state, "blue", "Green")
    assert not without.dispatches[0].sightings
    state, report = write(state, "blue", "Green", with_sightings=True)
    assert told(report, "blue") == "Dispatch: “Come to the well.” Enemies seen: 0303 a party (day 1)."
    assert hex_at("0303") not in state.sightings["green"]
    state, report = end_day(state)
    assert told(report, "green").endswith("Enemies seen: 0303 a party (day 1).")
    assert state.sightings["green"][hex_at("0303")] == seen_on(1, EnemySize.PARTY)
    assert hex_at("0303") not in state.sightings["grey"]


def test_7_1_a_sighting_is_never_newer_than_what_the_receiver_knows() -> None:
    state = campaign(make_map(OPEN), "green foot 0103", turn=5)
    own = {"0701": seen_on(4), "0702": seen_on(2), "0703": seen_on(3, distance=1)}
    known_before = {hex_at(label): sighting for label, sighting in own.items()}
    looked = {hex_at("0704"): 3, hex_at("0705"): 2, **state.looked["green"]}
    state = state.model_copy(update={"sightings": {"green": known_before}, "looked": {"green": looked}})
    labels = ("0701", "0702", "0703", "0704", "0705", "0706", "0104")
    after, _ = deliver_dispatch(state, carrying({label: seen_on(3, EnemySize.ARMY) for label in labels}))
    army = {hex_.label for hex_, sighting in after.sightings["green"].items() if sighting.size is EnemySize.ARMY}
    assert army == {"0702", "0705", "0706"}, "nothing newer or nearer, nothing seen empty since, nothing in sight"


def test_7_1_commands_remember_when_they_last_saw_a_hex() -> None:
    state = campaign(make_map(OPEN), "green foot 0103 via:0203,0303,0403,0503", "red foot 0907")
    state, _ = end_day(state)
    assert state.looked["green"][hex_at("0103")] == 1, "passed on day 1, out of sight since"
    assert state.looked["green"][hex_at("0603")] == 2
    shared = campaign(make_map(OPEN), "green foot 0103", "red foot 0907", knowledge=Knowledge.SHARED)
    assert not shared.looked


def test_7_1_a_long_list_of_sightings_is_cut() -> None:
    state = campaign(make_map(OPEN), "green foot 0103")
    dispatch = carrying(
        {f"04{row:02}": seen_on(row + 1) for row in range(8)} | {f"05{row:02}": seen_on(1) for row in range(8)}
    )
    words = sightings_in_words(board_of(state), dispatch.sightings)
    assert words.startswith("Enemies seen: 0407 a force (day 8); ")
    assert words.endswith("; and 4 older sightings.")


def test_7_1_the_order_of_writing_tells_nothing() -> None:
    state = campaign(make_map(OPEN), "blue foot 0103", "green foot 0803", "grey foot 0607", "red foot 0907")
    green_first = write(write(state, "green", "Grey")[0], "blue", "Grey")[0]
    blue_first = write(write(state, "blue", "Grey")[0], "green", "Grey")[0]
    assert green_first.dispatches == blue_first.dispatches


def test_7_1_text_is_one_line_of_visible_characters() -> None:
    assert clean_text("  To\nthe \u200bwell\u202e\x00! ") == "To the well !"


# CA-3.5: own knowledge beside dispatches


def test_3_5_a_command_sees_columns_of_its_power_that_stand_in_its_sight() -> None:
    state = campaign(
        make_map(OPEN),
        "blue foot 0103",
        "green foot 0203 attack",
        "green foot 0703",
        "grey foot 0503 attack",
        "red foot 0907",
    )
    assert set(SYSTEM.view(state, "grey").units) == {"grey-foot"}
    assert set(SYSTEM.view(state, "blue").units) == {"blue-foot", "green-foot"}
    assert set(SYSTEM.view(state, "green").units) == {"blue-foot", "green-foot", "green-foot-2"}
    near = state.changed("grey-foot", at=hex_at("0302"))
    assert SYSTEM.view(near, "green").units["grey-foot"].orders == Orders(), "without its orders"
    assert SYSTEM.view(state, "blue").units["green-foot"].orders.stance is Stance.ATTACK, "the chief reads them"
    went = ColumnDay(entered=(hex_at("0202"),), nearest=1, met_enemies=True)
    marched = state.changed("green-foot", today=went, way_back=(hex_at("0202"),))
    column = SYSTEM.view(marched, "blue").units["green-foot"]
    assert (column.today, column.way_back) == (ColumnDay(), ()), "nor what it did and saw"


def test_3_5_a_command_does_not_learn_what_its_power_began_with() -> None:
    state = campaign(make_map(OPEN), "blue foot 0103", "green foot 0803", "red foot 0907")
    powers = tuple(power.model_copy(update={"began_with": 50}) for power in state.powers)
    state = state.model_copy(update={"powers": powers})
    assert [power.began_with for power in SYSTEM.view(state, "green").powers] == [0, 0]
    assert [power.began_with for power in SYSTEM.view(state, "red").powers] == [0, 50]


@pytest.mark.parametrize(
    "wrong",
    [
        {"sender": "nobody"},
        {"to": "red"},
        {"to": "blue"},
        {"caught_by": "green"},
        {"caught_by": "nobody"},
        {"rider": Rider(at=(hex_at("9999"),))},
    ],
    ids=str,
)
def test_a_states_dispatches_are_checked(wrong: dict[str, Any]) -> None:
    state = country(make_map(OPEN), "blue foot 0103", "green foot 0803", "red foot 0907", blues=BLUES)
    spec = state.model_copy(update={"own_map": MAPS[state.map].spec, "map": ""})
    right = spec.model_copy(update={"dispatches": (carrying({}),)})
    SYSTEM.require_valid_state(right)
    with pytest.raises(Refused):
        SYSTEM.require_valid_state(right.model_copy(update={"dispatches": (carrying({}).model_copy(update=wrong),)}))


# Undo

KEEP = SYSTEM.hidden_troops.keep_hidden_facts


def test_an_undo_takes_ones_own_dispatch_back_and_keeps_the_others() -> None:
    begun = campaign(make_map(OPEN), "blue foot 0103", "green foot 0803", "red foot 0907")
    before, _ = write(begun, "green", "Blue", "First.")
    state, _ = write(before, "green", "Blue", "Second.")
    now, _ = write(state, "blue", "Green", "Mine.")
    assert [dispatch.text for dispatch in KEEP(before, now, "green").dispatches] == ["Mine.", "First."]
    assert [dispatch.text for dispatch in KEEP(begun, now, "blue").dispatches] == ["First.", "Second."]


def test_an_undo_takes_back_what_a_dispatch_at_once_told() -> None:
    lines = (
        "blue horse 0103",
        "green foot 0103",
        "grey horse 0503",
        "grey foot 0103",
        "red foot 0303",
        "red foot 0703",
    )
    begun = campaign(make_map(OPEN), *lines)
    hexes = [hex_at("0303"), hex_at("0703")]
    state, _ = write(begun, "grey", "Green", with_sightings=True)
    now, _ = write(state, "blue", "Green", with_sightings=True)
    assert [hex_ in begun.sightings["green"] for hex_ in hexes] == [False, False]
    assert [hex_ in now.sightings["green"] for hex_ in hexes] == [True, True]
    undone = KEEP(begun, now, "grey")
    assert [dispatch.sender for dispatch in undone.dispatches] == ["blue"]
    assert [hex_ in undone.sightings["green"] for hex_ in hexes] == [True, False]
    moved = KEEP(begun, now, "red")
    assert (moved.dispatches, moved.sightings) == (now.dispatches, now.sightings)
