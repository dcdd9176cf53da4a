"""Dispatches: at once or with riders, who reads them, and what they carry (CA-7)."""

from typing import Any

import pytest

from rules.campaign.dispatches import WriteDispatch, clean_text
from rules.campaign.ground import board_of
from rules.campaign.model import CampaignState, Dispatch, Orders, Rider, Sighting, Size, Stance, ThisDay
from rules.campaign.options import Knowledge
from rules.campaign.plans import enemies_near
from rules.campaign.riders import (
    arrives_at_once,
    deliver,
    ride_dispatches,
    sightings_in_words,
    telegraphs_in_words,
)
from rules.campaign.scouting_reports import new_enemies, value_of_reports
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import Chooser
from rules.core.automaton.own_dice import OwnDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.play import Play
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Action, Side, Verdict
from rules.core.tests.scripted import ScriptedDice

from .country import MAPS, OPEN, country, hex_at, make_map, with_terrain
from .worlds import SYSTEM

BLUES = ("blue", "green", "grey")
WIDE = "\n".join([". " * 20] * 8)
"""Twenty columns of eight open hexes."""


def campaign(name: str, *lines: str, **more: Any) -> CampaignState:
    """A country in which Blue has three commands, Blue being the chief, and each knows its own."""
    return country(name, *lines, blues=BLUES, **{"knowledge": Knowledge.OWN, **more})


def write(
    state: CampaignState, side: str, to: str, text: str = "Come to the well.", *, with_sightings: bool = False
) -> tuple[CampaignState, Report]:
    """Write a dispatch; it throws no die."""
    said = {"side": side, "to": to, "text": text, "with_sightings": with_sightings}
    return SYSTEM.act(state, SYSTEM.parse("write_dispatch", said), ScriptedDice(()))


def end_day(state: CampaignState, *fell: int) -> tuple[CampaignState, Report]:
    """Have the umpire end the day, with these dice after the salts."""
    salts = (1,) * 8 * len(state.sides)
    dice = ScriptedDice((*salts, *fell))
    after, report = SYSTEM.act(state, SYSTEM.parse("turn_next", {}), dice)
    assert not dice.left, f"{dice.left} dice were not thrown"
    return after, report


def ride(state: CampaignState, *fell: int) -> tuple[CampaignState, Report]:
    """Have the riders ride at the day's end, with these dice."""
    dice = ScriptedDice(fell)
    play = Play(state, dice)
    ride_dispatches(play)
    assert not dice.left, f"{dice.left} dice were not thrown"
    return play.state, play.report


def rider_of(state: CampaignState) -> Rider:
    """Return the rider of the only dispatch."""
    (dispatch,) = state.dispatches
    assert dispatch.rider is not None
    return dispatch.rider


def told(report: Report | None, viewer: str) -> str:
    """Return what a viewer reads of dispatches in a report."""
    seen = report and report.seen_by(viewer)
    steps = [] if seen is None else [step for step in seen.steps if step.cite.rule.startswith("CA-7")]
    return " ".join(f"{step.text}: {step.verdict}" for step in steps)


def known(state: CampaignState, viewer: str) -> list[Dispatch]:
    return [*SYSTEM.view(state, viewer).dispatches]


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
    with pytest.raises(Refused, match="no column on the map"):
        write(state, "grey", "Blue")
    with pytest.raises(Refused, match="no other command"):
        write(state, "red", "Blue")


@pytest.mark.parametrize(("text", "why"), [("", "Write what"), (" \n", "Write what"), ("a" * 501, "at most 500")])
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
    for other in ("grey", "red", PUBLIC):
        assert report.seen_by(other) is None
    assert [(one.arrived, one.rode, one.is_confirmed) for one in known(state, "blue")] == [(1, 0, True)]
    assert [one.text for one in known(state, "green")] == ["Come to the well."]


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
    assert telegraphs_in_words(state) == "Saint-Varin to Furtheim; Hartenstein to Lindenburg"
    state = state.changed("brisson-s-division", at=hex_at("0807"))
    assert not arrives_at_once(state, "lavergne", "brisson")
    held = {**state.points, "furtheim": state.points["furtheim"].model_copy(update={"holder": "republicans"})}
    state = state.model_copy(update={"points": held})
    assert arrives_at_once(state, "lavergne", "brisson")
    assert not arrives_at_once(state.changed("border-hussars", at=hex_at("0507")), "lavergne", "brisson")


# 7.1: riders


def test_7_1_eight_points_at_each_days_end_the_first_on_the_day_written() -> None:
    state = campaign(make_map(WIDE), "blue foot 0103", "green foot 1803", "red foot 1907")
    state, written = write(state, "blue", "Green")
    assert told(written, "green") == ""
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


# 7.2: caught or arrived

PATH = "\n".join([". " * 10 if row == 3 else "o " * 5 + "M " + "o " * 4 if row == 2 else "o " * 10 for row in range(8)])
"""A path along row 3 through a lake, with a mountain beside it in 0502."""
PAIR = ("blue foot 0103", "green foot 0903")


def unseen(*lines: str) -> CampaignState:
    """A dispatch from Blue to Green on the path, past enemies of whom Blue knows nothing."""
    state = campaign(make_map(PATH), *PAIR, *lines).model_copy(update={"sightings": {}})
    return write(state, "blue", "Green")[0]


def test_7_2_a_die_for_each_hex_with_enemies_or_next_to_mounted_ones() -> None:
    """Foot is in 0203. Horse in 0502 is next to 0403, 0503 and 0603; foot in 0502 is not noticed."""
    state, report = ride(unseen("red foot 0203", "red horse 0502"), 3, 3, 3, 3)
    assert state.dispatches[0].arrived == 1
    places = [step.text.rpartition(" ")[2] for step in report.steps if step.throws]
    assert places == ["0203", "0403", "0503", "0603"]
    state, _ = ride(unseen("red foot 0203", "red foot 0502"), 3)
    assert state.dispatches[0].arrived == 1


def test_7_2_the_first_column_of_the_file_that_may_catches_the_rider() -> None:
    """Columns in the hex come before those next to it, and of equals the order of the file decides."""
    state = unseen("red horse 0502", "red foot 0403", "red guns 0403")
    rose = Side(id="rose", name="Rose", index=4)
    red = state.powers[1].model_copy(update={"commands": ("red", "rose")})
    state = state.model_copy(update={"sides": (*state.sides, rose), "powers": (state.powers[0], red)})
    for owner, captor in (("red-foot", "rose"), ("red-guns", "red")):
        one = state.changed(owner, side="rose")
        assert ride(one, 1)[0].dispatches[0].caught_by == captor
        backwards = one.model_copy(update={"units": dict(reversed(one.units.items()))})
        assert ride(backwards, 1)[0].dispatches[0].caught_by == captor


def test_dispatches_ride_after_replacements_and_before_points() -> None:
    state = campaign(
        make_map(OPEN),
        "blue foot 0103 rest",
        "green foot 0303 via:0403",
        "red foot 0907",
        points=["Depot 0103 blue depot", "Well 0403 - well"],
    )
    worn = state.unit("blue-foot").troops[0].model_copy(update={"figures": 12})
    state, _ = write(state.changed("blue-foot", troops=(worn,)), "blue", "Green")
    _, report = end_day(state)
    rules = [step.cite.rule for step in report.steps if step.cite.rule in ("CA-6.8", "CA-7.1", "CA-8.1")]
    assert rules == ["CA-6.8", "CA-7.1", "CA-8.1"]


@pytest.mark.parametrize(("die", "is_caught"), [(1, True), (2, True), (3, False), (6, False)])
def test_7_2_caught_on_a_one_or_two(die: int, *, is_caught: bool) -> None:
    state, report = ride(unseen("red foot 0203"), die)
    (dispatch,) = state.dispatches
    assert (dispatch.caught_by, dispatch.arrived) == (("red", 0) if is_caught else ("", 1))
    caught = "Rider caught in 0203, with a dispatch to the Green: “Come to the well.”"
    assert told(report, "red") == (caught if is_caught else "")
    assert told(report, "green") == ("" if is_caught else "Dispatch of day 1 from the Blue: “Come to the well.”")
    assert told(report, "blue") == ""


def test_7_2_a_caught_rider_rides_no_more() -> None:
    state, _ = ride(unseen("red foot 0203"), 1)
    again, report = ride(state)
    assert again == state
    assert not report.steps


def test_7_2_the_throws_are_the_umpires_alone() -> None:
    _, report = ride(unseen("red foot 0203", "red horse 0502"), 3, 1)
    throws = [step for step in report.steps if step.throws]
    assert [step.verdict for step in throws] == ["gets through", "the Red catch it"]
    assert all(throw.side == UMPIRE for step in throws for throw in step.throws), "numbered apart from all sides'"
    for viewer in (*BLUES, "red", PUBLIC):
        seen = report.seen_by(viewer)
        assert seen is not None
        assert not any(step.throws for step in seen.steps)


def test_7_2_the_sender_hears_as_many_days_later_as_it_rode() -> None:
    state = campaign(make_map(WIDE), "blue foot 0103", "green foot 1303", "red foot 1907")
    state, _ = write(state, "blue", "Green")
    heard = []
    for _ in range(4):
        state, report = end_day(state)
        heard.append((told(report, "blue"), known(state, "blue")[0].arrived))
    assert state.dispatches[0].arrived == 2
    assert heard == [("", 0), ("", 0), ("", 0), ("Dispatch of day 1 to the Green: arrived on day 2", 2)]
    _, report = end_day(state)
    assert told(report, "blue") == "", "it is told once"


def test_7_2_the_sender_does_not_hear_of_what_was_caught() -> None:
    caught, _ = ride(unseen("red foot 0203"), 1)
    waiting = unseen()
    assert known(caught, "blue") == known(waiting, "blue")


def test_7_2_who_knows_of_a_dispatch() -> None:
    """The chief reads what is not addressed to it no more than others; everybody reads all after the end."""
    state = campaign(make_map(PATH), "green foot 0103", "grey foot 0903", "blue foot 0303", "red foot 0203")
    state = state.model_copy(update={"sightings": {}})
    state, _ = write(state, "green", "Grey")
    readers = ("blue", "green", "grey", "red", PUBLIC)
    assert [viewer for viewer in readers if known(state, viewer)] == ["green"]
    arrived, _ = ride(state, 3)
    assert [viewer for viewer in readers if known(arrived, viewer)] == ["green", "grey"]
    caught, _ = ride(state, 1)
    assert [viewer for viewer in readers if known(caught, viewer)] == ["green", "red"]
    over = caught.model_copy(update={"over": Verdict(winner=None, why="It is over.")})
    assert all(known(over, viewer) for viewer in readers)
    for viewer in ("green", "grey", "red"):
        for one in (state, arrived, caught):
            assert all(seen.rider is None and seen.rode == 0 for seen in known(one, viewer))


# 7.1: what it carries


def seen_on(day: int, size: Size = Size.FORCE, distance: int = 2) -> Sighting:
    return Sighting(day=day, distance=distance, size=size)


def carrying(sightings: dict[str, Sighting], **more: Any) -> Dispatch:
    """A dispatch from Blue to Green with these sightings, by number of the hex."""
    carried = {hex_at(label): one for label, one in sightings.items()}
    return Dispatch(day=3, sender="blue", to="green", text="News.", sightings=carried, **more)


def test_7_1_with_what_the_command_knows_of_enemies() -> None:
    state = campaign(make_map(OPEN), "blue horse 0103", "green foot 0803", "red foot 0303", "red foot 0907")
    without, _ = write(state, "blue", "Green")
    assert not without.dispatches[0].sightings
    state, report = write(state, "blue", "Green", with_sightings=True)
    assert told(report, "blue") == "Dispatch: “Come to the well.” Enemies seen: 0303 a party (day 1)."
    assert hex_at("0303") not in state.sightings["green"]
    state, report = end_day(state)
    assert told(report, "green").endswith("Enemies seen: 0303 a party (day 1).")
    assert state.sightings["green"][hex_at("0303")] == seen_on(1, Size.PARTY)
    assert hex_at("0303") not in state.sightings["grey"]


def test_7_1_a_sighting_is_never_newer_than_what_the_receiver_knows() -> None:
    state = campaign(make_map(OPEN), "green foot 0103", turn=5)
    own = {"0701": seen_on(4), "0702": seen_on(2), "0703": seen_on(3, distance=1)}
    known_before = {hex_at(label): one for label, one in own.items()}
    looked = {hex_at("0704"): 3, hex_at("0705"): 2, **state.looked["green"]}
    state = state.model_copy(update={"sightings": {"green": known_before}, "looked": {"green": looked}})
    labels = ("0701", "0702", "0703", "0704", "0705", "0706", "0104")
    after, _ = deliver(state, carrying({label: seen_on(3, Size.ARMY) for label in labels}))
    army = {hex_.label for hex_, one in after.sightings["green"].items() if one.size is Size.ARMY}
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
    many = carrying(
        {f"04{row:02}": seen_on(row + 1) for row in range(8)} | {f"05{row:02}": seen_on(1) for row in range(8)}
    )
    words = sightings_in_words(board_of(state), many.sightings)
    assert words.startswith("Enemies seen: 0407 a force (day 8); ")
    assert words.endswith("; and 4 older sightings.")


def test_7_1_the_order_of_writing_tells_nothing() -> None:
    state = campaign(make_map(OPEN), "blue foot 0103", "green foot 0803", "grey foot 0607", "red foot 0907")
    one = write(write(state, "green", "Grey")[0], "blue", "Grey")[0]
    other = write(write(state, "blue", "Grey")[0], "green", "Grey")[0]
    assert one.dispatches == other.dispatches


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
    went = ThisDay(entered=(hex_at("0202"),), nearest=1, met_enemies=True)
    marched = state.changed("green-foot", today=went, way_back=(hex_at("0202"),))
    seen = SYSTEM.view(marched, "blue").units["green-foot"]
    assert (seen.today, seen.way_back) == (ThisDay(), ()), "nor what it did and saw"


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
    SYSTEM.check(right)
    with pytest.raises(Refused):
        SYSTEM.check(right.model_copy(update={"dispatches": (carrying({}).model_copy(update=wrong),)}))


# Undo

KEEP = SYSTEM.hidden_troops.keep_hidden


def test_an_undo_takes_ones_own_dispatch_back_and_keeps_the_others() -> None:
    begun = campaign(make_map(OPEN), "blue foot 0103", "green foot 0803", "red foot 0907")
    then, _ = write(begun, "green", "Blue", "First.")
    state, _ = write(then, "green", "Blue", "Second.")
    now, _ = write(state, "blue", "Green", "Mine.")
    assert [one.text for one in KEEP(then, now, "green").dispatches] == ["Mine.", "First."]
    assert [one.text for one in KEEP(begun, now, "blue").dispatches] == ["First.", "Second."]


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
    assert [one.sender for one in undone.dispatches] == ["blue"]
    assert [hex_ in undone.sightings["green"] for hex_ in hexes] == [True, False]
    moved = KEEP(begun, now, "red")
    assert (moved.dispatches, moved.sightings) == (now.dispatches, now.sightings)


# The bot


def decisions(state: CampaignState, side: str) -> tuple[CampaignState, list[Action]]:
    """Let the bot decide for a command until it is ready."""
    chooser, done = Chooser(SYSTEM, side, Level.EASY, "seed"), list[Action]()
    while side in state.acting_sides:
        thought = chooser.decide(state)
        assert thought is not None
        done.append(thought.action)
        state, _ = SYSTEM.act(state, thought.action, OwnDice("x"))
    return state, done


def test_the_bot_tells_the_commands_of_its_power_of_new_enemies_once() -> None:
    lines = ("green horse 0103 rest", "blue foot 0901", "red foot 0303:40", "red foot 0907")
    state = campaign(make_map(OPEN), *lines, points=["Home 0103 blue base", "There 0907 red base"])
    state, done = decisions(state, "green")
    written = [action for action in done if isinstance(action, WriteDispatch)]
    assert [(action.to, action.with_sightings) for action in written] == [("blue", True), ("grey", True)]
    assert {one.text for one in state.dispatches} == {"We see a force in 0303."}
    state = state.model_copy(update={"done": ()})
    assert not [action for action in decisions(state, "green")[1] if isinstance(action, WriteDispatch)]


def test_the_bot_tells_of_the_same_enemies_again_after_two_days() -> None:
    state = campaign(make_map(OPEN), "green horse 0103", "blue foot 0901", "red foot 0303:40", turn=5)
    report = carrying({"0304": seen_on(3)}).model_copy(update={"sender": "green", "to": "blue"})

    def told_on(day: int) -> CampaignState:
        return state.model_copy(update={"dispatches": (report.model_copy(update={"day": day}),)})

    assert not new_enemies(told_on(5), "green", "blue")
    assert not new_enemies(told_on(4), "green", "blue")
    assert new_enemies(told_on(3), "green", "blue") == [hex_at("0303")]
    assert new_enemies(told_on(4), "green", "grey") == [hex_at("0303")]


def test_the_bot_does_not_report_parties_nor_where_knowledge_is_shared() -> None:
    lines = ("green horse 0103", "blue foot 0901", "red foot 0303:30", "red foot 0907")
    state = campaign(make_map(OPEN), *lines)
    assert not new_enemies(state, "green", "blue")
    assert new_enemies(campaign(make_map(OPEN), *lines[:2], "red foot 0303:31"), "green", "blue") == [hex_at("0303")]
    shared = campaign(make_map(OPEN), *lines[:2], "red foot 0303:31", knowledge=Knowledge.SHARED)
    assert not new_enemies(shared, "green", "blue")
    assert value_of_reports(shared, "green") == 0


def test_the_bot_judges_by_what_dispatches_tell_it() -> None:
    state = campaign(make_map(OPEN), "blue horse 0103", "green foot 0503", "red foot 0303:90", "red foot 0907")
    state, _ = write(state, "blue", "Green", with_sightings=True)
    assert enemies_near(SYSTEM.view(state, "green"), "green", hex_at("0303")) == 0
    state, _ = end_day(state)
    assert enemies_near(SYSTEM.view(state, "green"), "green", hex_at("0303")) > 0
