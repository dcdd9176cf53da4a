"""What the map of a campaign shows: marches with impulses and days, sightings with their age, points and battles."""

import pytest

from rules.campaign.model import CampaignState
from rules.campaign.scene import scene
from rules.core.hexboard.hex_scene import HexScene, NoteKind
from rules.core.scene import Symbol

from .country import OPEN, country, day, make_map, ordered, with_terrain
from .worlds import SYSTEM


def seen_by(side: str, state: CampaignState, before: CampaignState | None = None) -> HexScene:
    return SYSTEM.scene(state, side, before)


def test_2_3_an_ordered_march_shows_impulses_and_where_days_end() -> None:
    name = make_map(with_terrain("s", "0203", "0204"))
    [track] = seen_by("blue", country(name, "blue foot 0202 via:0203,0204,0205,0206")).tracks
    assert track.kind == "course"
    stops = [(stop.hex.label, stop.time, stop.rest) for stop in track.stops]
    assert stops == [("0203", "6", ""), ("0204", "12", "day 1"), ("0205", "3", ""), ("0206", "6", "day 2")]


@pytest.mark.parametrize("task", ["dig in", "rest"])
def test_1_6_a_way_that_waits_has_no_times(task: str) -> None:
    state = ordered(country(make_map(OPEN), "blue foot 0202 to:0206"), "blue-foot", task=task)
    [track] = seen_by("blue", state).tracks
    assert len(track.hexes) == 5
    assert track.stops == ()


def test_1_1_others_see_no_march() -> None:
    state = country(make_map(OPEN), "blue foot 0202 to:0206", "red foot 0203")
    assert seen_by("red", state).tracks == ()
    assert seen_by("public", state).tracks == ()


def test_after_a_day_its_marches_are_shown() -> None:
    before = country(make_map(OPEN), "blue foot 0202 to:0207", "red foot 0906")
    after, _ = day(before)
    [track] = seen_by("blue", after, before).tracks
    assert (track.kind, [hex_.label for hex_ in track.hexes]) == ("move", ["0202", "0203", "0204", "0205", "0206"])
    assert seen_by("red", after, before).tracks == ()


@pytest.mark.parametrize(
    ("line", "symbol", "left"),
    [
        ("red foot 0405:30", 1, ""),
        ("red foot 0405:31", 2, ""),
        ("red foot 0405:121", 3, ""),
        ("red guns 0404:44", Symbol.ARTILLERY, "~40"),
        ("red horse 0404:44", Symbol.CAVALRY, "~40"),
    ],
)
def test_3_2_a_sighting_shows_the_size_or_arm_that_was_seen(line: str, symbol: Symbol | int, left: str) -> None:
    state = country(make_map(OPEN), "blue horse 0403", line)
    [counter] = [
        counter
        for stack in scene(SYSTEM.view(state, "blue")).stacks
        for counter in stack.counters
        if counter.side == "red"
    ]
    assert (counter.symbol or counter.pips, counter.left, counter.is_old) == (symbol, left, False)


def test_3_4_an_old_sighting_tells_its_day() -> None:
    state = country(make_map(OPEN), "blue horse 0403 via:0402,0401", "red foot 0405 via:0406,0407")
    after, _ = day(state)
    [counter] = [
        counter for stack in seen_by("blue", after).stacks for counter in stack.counters if counter.side == "red"
    ]
    assert counter.is_old
    assert counter.name.endswith("day 1")


def test_8_1_points_say_what_they_are_and_who_holds_them() -> None:
    state = country(make_map(OPEN), "blue foot 0202", points=("Well 0303 red well+town 3", "Ford 0404 - town 1"))
    notes = {note.words: (note.kind, note.side) for note in seen_by("public", state).notes}
    assert notes == {
        "Well: town, well; 3 points, held by the Red": (NoteKind.OBJECTIVE, "red"),
        "Ford: town; 1 point, held by nobody": (NoteKind.OBJECTIVE, ""),
    }


def test_5_4_an_open_battle_is_marked_for_everyone() -> None:
    state = country(make_map(OPEN), "blue foot 0404 to:0405 attack", "red foot 0405")
    after, _ = day(state)
    [note] = [note for note in seen_by("public", after).notes if note.kind is NoteKind.BATTLE]
    assert note.words == "Battle in 0405, open since day 1"
