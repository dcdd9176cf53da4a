"""Riders among enemies, and who hears of a dispatch (CA-7.2)."""

import pytest

from rules.campaign.model import CampaignState
from rules.core.model import PUBLIC, UMPIRE
from rules.core.state import Side, Verdict

from .country import OPEN, make_map
from .dispatch_desk import BLUES, WIDE, campaign, end_day, known, ride, told, write

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
        changed = state.changed(owner, side="rose")
        assert ride(changed, 1)[0].dispatches[0].caught_by == captor
        backwards = changed.model_copy(update={"units": dict(reversed(changed.units.items()))})
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
    after, report = ride(state)
    assert after == state
    assert not report.steps


def test_7_2_the_throws_are_the_umpires_alone() -> None:
    _, report = ride(unseen("red foot 0203", "red horse 0502"), 3, 1)
    throws = [step for step in report.steps if step.throws]
    assert [step.verdict for step in throws] == ["gets through", "the Red catch it"]
    assert all(throw.side == UMPIRE for step in throws for throw in step.throws), "numbered apart from all sides'"
    for viewer in (*BLUES, "red", PUBLIC):
        seen = report.view_for(viewer)
        assert seen is not None
        assert not any(step.throws for step in seen.steps)


def test_7_2_the_sender_hears_as_many_days_later_as_it_rode() -> None:
    state = campaign(make_map(WIDE), "blue foot 0103", "green foot 1303", "red foot 1907")
    state, _ = write(state, "blue", "Green")
    news = []
    for _ in range(4):
        state, report = end_day(state)
        news.append((told(report, "blue"), known(state, "blue")[0].arrived))
    assert state.dispatches[0].arrived == 2
    assert news == [("", 0), ("", 0), ("", 0), ("Dispatch of day 1 to the Green: arrived on day 2", 2)]
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
        for world in (state, arrived, caught):
            assert all(dispatch.rider is None and dispatch.rode == 0 for dispatch in known(world, viewer))
