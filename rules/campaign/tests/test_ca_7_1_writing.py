"""Writing dispatches, and how they reach their receiver (CA-7.1, CA-7.3)."""

import pytest

from rules.campaign.dispatches import WRITE_DISPATCH, WriteDispatch
from rules.campaign.options import Knowledge
from rules.campaign.riders import can_deliver_at_once, telegraph_lines_in_words
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, hex_at, make_map, with_terrain
from .dispatch_desk import WIDE, campaign, end_day, known, ride, rider_of, told, write
from .worlds import SYSTEM

# 7.1: writing


def test_7_1_three_a_day() -> None:
    state = campaign(make_map(OPEN), "blue foot 0100", "green foot 0900", "red foot 0907")
    for _ in range(3):
        state, _ = write(state, "blue", "Green")
    with pytest.raises(Refused, match="at most 3 dispatches a day"):
        write(state, "blue", "Green")
    state, _ = write(state, "green", "Blue")
    state, _ = end_day(state)
    write(state, "blue", "Green")


def test_7_1_to_a_command_of_ones_own_power() -> None:
    state = campaign(make_map(OPEN), "blue foot 0100", "green foot 0900", "red foot 0907")
    for to in ("Red", "Blue", "Nobody"):
        with pytest.raises(Refused, match="No other command of your power is called"):
            write(state, "blue", to)
    with pytest.raises(Refused, match="Only commands write dispatches"):
        write(state, "nobody", "Blue")
    plan = WRITE_DISPATCH.plan(state, WriteDispatch(side="blue", to="green", text="News."))
    assert str(WRITE_DISPATCH.caption(state, plan)) == "Blue: dispatch to Green"
    with pytest.raises(Refused, match="no column on the map"):
        write(state, "grey", "Blue")
    with pytest.raises(Refused, match="no other command"):
        write(state, "red", "Blue")


@pytest.mark.parametrize(
    ("text", "why"), [("", "Write the text"), (" \n", "Write the text"), ("a" * 501, "at most 500")]
)
def test_7_1_five_hundred_characters(text: str, why: str) -> None:
    state = campaign(make_map(OPEN), "blue foot 0100", "green foot 0900", "red foot 0907")
    with pytest.raises(Refused, match=why):
        write(state, "blue", "Green", text)
    state, _ = write(state, "blue", "Green", "a" * 500)
    assert len(state.dispatches[0].text) == 500


def test_7_1_a_command_that_is_ready_writes_nothing() -> None:
    state = campaign(make_map(OPEN), "blue foot 0100", "green foot 0900", "red foot 0907", done=("blue",))
    with pytest.raises(Refused, match="Take that back first"):
        write(state, "blue", "Green")


def test_7_3_with_shared_knowledge_dispatches_are_not_needed() -> None:
    state = campaign(make_map(OPEN), "blue foot 0100", "green foot 0900", "red foot 0907", knowledge=Knowledge.SHARED)
    with pytest.raises(Refused, match="shares what its commands see") as refused:
        write(state, "blue", "Green")
    assert refused.value.cite is not None
    assert refused.value.cite.rule == "CA-7.3"


def test_7_1_a_dispatch_is_no_order_of_which_others_could_learn() -> None:
    """The chief reads that orders were written, and everybody who missed a day (CA-1.10)."""
    state = campaign(make_map(OPEN), "blue foot 0100", "green foot 0900", "red foot 0907")
    state, _ = write(state, "green", "Blue")
    assert state.wrote == ()
    assert (
        SYSTEM.view(state, "blue").model_dump()
        == SYSTEM.view(state.model_copy(update={"dispatches": ()}), "blue").model_dump()
    )


# 7.1: at once


def test_7_1_at_once_between_columns_in_one_hex() -> None:
    state = campaign(make_map(OPEN), "blue foot 0100", "green foot 0900", "green foot 0100", "red foot 0907")
    state, report = write(state, "blue", "Green")
    assert report.outcome == "It arrives at once."
    for reader in ("blue", "green", UMPIRE):
        assert "Come to the well." in told(report, reader)
    for viewer in ("grey", "red", PUBLIC):
        assert report.view_for(viewer) is None
    assert [(dispatch.arrived, dispatch.rode, dispatch.is_confirmed) for dispatch in known(state, "blue")] == [
        (1, 0, True)
    ]
    assert [dispatch.text for dispatch in known(state, "green")] == ["Come to the well."]


TELEGRAPH = "telegraph: 0100 0200 0300 0400"
POINTS = ["West 0100 blue town", "Middle 0300 blue town", "East 0400 blue town"]


def test_7_1_at_once_by_telegraph() -> None:
    name = make_map(OPEN, TELEGRAPH)
    state = campaign(name, "blue foot 0100", "green foot 0400", "red foot 0907", points=POINTS)
    assert write(state, "blue", "Green")[1].outcome == "It arrives at once."


@pytest.mark.parametrize(
    ("blue", "green", "red", "points"),
    [
        ("0100", "0400", "0907", ["West 0100 blue town", "Middle 0300 - town", "East 0400 blue town"]),
        ("0100", "0400", "0907", ["West 0100 blue town", "Middle 0300 blue town", "East 0400 red town"]),
        ("0100", "0400", "0200", POINTS),
        ("0200", "0400", "0907", POINTS),
        ("0100", "0500", "0907", POINTS),
    ],
    ids=["a point of nobody", "a point of the enemy", "an enemy on the line", "no point", "off the line"],
)
def test_7_1_no_telegraph(blue: str, green: str, red: str, points: list[str]) -> None:
    name = make_map(OPEN, TELEGRAPH)
    state = campaign(name, f"blue foot {blue}", f"green foot {green}", f"red foot {red}", points=points)
    assert write(state, "blue", "Green")[1].outcome == "Its rider sets out at the day's end."


def test_7_1_lines_that_share_a_hex_are_joined() -> None:
    name = make_map(OPEN, TELEGRAPH, "telegraph: 0400 0500 0600", "telegraph: 0606 0706")
    points = [*POINTS, "Far 0600 blue town", "One 0606 blue town", "Other 0706 blue town"]
    state = campaign(name, "blue foot 0100", "green foot 0600", "grey foot 0706", "red foot 0907", points=points)
    assert write(state, "blue", "Green")[1].outcome == "It arrives at once."
    assert write(state, "blue", "Grey")[1].outcome == "Its rider sets out at the day's end."


def test_7_1_the_telegraph_of_lindenmark() -> None:
    """A line reaches Furtheim only while the Republicans hold it; the enemy's line is no use to them."""
    state = SYSTEM.setup("lindenmark-1794", {}, ScriptedDice(()))
    assert telegraph_lines_in_words(state) == "Saint-Varin to Furtheim; Hartenstein to Lindenburg"
    state = state.changed("brisson-s-division", at=hex_at("0807"))
    assert not can_deliver_at_once(state, "lavergne", "brisson")
    points = {**state.points, "furtheim": state.points["furtheim"].model_copy(update={"holder": "republicans"})}
    state = state.model_copy(update={"points": points})
    assert can_deliver_at_once(state, "lavergne", "brisson")
    assert not can_deliver_at_once(state.changed("border-hussars", at=hex_at("0507")), "lavergne", "brisson")


# 7.1: riders


def test_7_1_eight_points_at_each_days_end_the_first_on_the_day_written() -> None:
    state = campaign(make_map(WIDE), "blue foot 0103", "green foot 1803", "red foot 1907")
    state, report = write(state, "blue", "Green")
    assert told(report, "green") == ""
    for place in ("0903", "1703"):
        state, report = end_day(state)
        assert told(report, "green") == ""
        assert [hex_.column for hex_ in rider_of(state).at] == [hex_at(place).column]
    state, report = end_day(state)
    assert told(report, "green") == "Dispatch of day 1 from the Blue: “Come to the well.”"
    assert (state.dispatches[0].arrived, state.dispatches[0].rode) == (3, 3)


def test_7_1_at_mounted_costs() -> None:
    swamp = with_terrain("m", *(f"{column:02}{row:02}" for column in (2, 3, 4) for row in range(8)))
    state = campaign(make_map(swamp), "blue foot 0103", "green foot 0503", "red foot 0907")
    state, _ = write(state, "blue", "Green")
    state, _ = end_day(state)
    assert [hex_.column for hex_ in rider_of(state).at] == [3], "two marshes cost 6 of its 8 points, a third 3"
    state, _ = end_day(state)
    assert state.dispatches[0].arrived == 2


def test_7_1_from_the_column_nearest_the_receiver_to_its_nearest_column() -> None:
    state = campaign(
        make_map(WIDE), "blue foot 0103", "blue foot 0903", "green foot 1603", "green foot 1903", "red foot 1907"
    )
    state, _ = write(state, "blue", "Green")
    state, _ = end_day(state)
    assert state.dispatches[0].arrived == 1, "seven hexes from 0903 to 1603"


def test_7_1_a_rider_follows_the_receiver() -> None:
    name = make_map(WIDE)
    state = campaign(name, "blue foot 0103", "green horse 0903 to:1103", "red foot 1907")
    state, _ = write(state, "blue", "Green")
    state, _ = end_day(state)
    assert not state.dispatches[0].arrived
    state, _ = end_day(state)
    assert state.dispatches[0].arrived == 2


def test_7_1_the_quickest_way_that_the_sender_knows() -> None:
    """Blue sees an enemy in one of two gaps and rides by the other; of one that it does not see it knows nothing."""
    lake = with_terrain("o", *(f"03{row:02}" for row in range(8) if row not in (1, 6)))
    state = campaign(make_map(lake), "blue horse 0101", "green foot 0501", "red foot 0301", "red foot 0907")
    sees, _ = write(state, "blue", "Green")
    assert [hex_.label for hex_ in rider_of(sees).avoids] == ["0301"]
    after, _ = ride(sees)
    assert rider_of(after).at == (hex_at("0405"),), "round by 0306"
    blind, _ = write(state.model_copy(update={"sightings": {}}), "blue", "Green")
    after, report = ride(blind, 1)
    assert after.dispatches[0].caught_by == "red"
    assert "Rider caught in 0301" in told(report, "red")


def test_7_1_a_rider_waits_while_no_way_leads_to_the_receiver() -> None:
    lake = with_terrain("o", *(f"03{row:02}" for row in range(8) if row != 3))
    state = campaign(make_map(lake), "blue horse 0103", "green foot 0503", "red foot 0303", "red foot 0907")
    state, _ = write(state, "blue", "Green")
    state, report = end_day(state)
    assert rider_of(state).at == (hex_at("0103"),), "Blue knows of the enemy in the only gap"
    assert told(report, "blue") == ""
    state, _ = end_day(state.changed("green-foot", at=hex_at("0203")))
    assert state.dispatches[0].arrived == 2


def test_7_1_a_rider_goes_to_a_receiver_among_enemies_that_the_sender_knows() -> None:
    state = campaign(make_map(OPEN), "blue horse 0103", "green foot 0303", "red foot 0303", "red foot 0907")
    state, _ = write(state, "blue", "Green")
    assert rider_of(state).avoids == (hex_at("0303"),)
    state, report = ride(state, 3)
    assert told(report, "green") == "Dispatch of day 1 from the Blue: “Come to the well.”"


def test_7_1_by_sea_from_a_port_to_another_in_a_days_ride() -> None:
    lake = with_terrain("o", *(f"03{row:02}" for row in range(7)))
    ports = ["West 0201 blue port", "East 0401 blue port"]
    state = campaign(make_map(lake), "blue foot 0101", "green foot 0501", "red foot 0907", points=ports)
    state, _ = write(state, "blue", "Green")
    state, _ = end_day(state)
    assert rider_of(state).at == (hex_at("0201"),)
    state, _ = end_day(state)
    assert rider_of(state).at == (hex_at("0401"),)
