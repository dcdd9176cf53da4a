"""Replays of long games: at most a minute, small enough to post, slow enough to follow."""

from io import BytesIO

import pytest
from PIL import Image, ImageSequence

from bot.jobs.replay import ReplayShot, make_animation
from bot.journal.codec import pack_state
from render.replay import (
    LAST,
    LONGEST,
    MOST_FRAMES,
    MOST_PLATES,
    PAUSE,
    QUICKEST,
    draw_replay,
    frame_duration,
    simplify_for_replay,
)
from rules.core.dice import NoDice, Throw
from rules.core.memo import reuse_equal_objects
from rules.core.model import PUBLIC, Viewer

from .large_tables import create_crowded_table
from .painted_toy import Painted

TOY = Painted()
LARGEST = 10_000_000


class OnesDice(NoDice):
    """Dice that always show 1."""

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        return Throw(number=1, label=label, sides=sides, dice=(1,) * count, side=side)


def create_shots(actions: int) -> list[ReplayShot]:
    """Return every state of a game in which Red march to and fro."""
    state = TOY.setup("field", {}, OnesDice())
    units = [{**state.units, "r1": state.units["r1"].model_copy(update={"steps": at % 40})} for at in range(actions)]
    return [ReplayShot(pack_state(TOY, state.model_copy(update={"units": changed_units}))) for changed_units in units]


def read_durations(gif: bytes) -> list[int]:
    return [frame.info["duration"] for frame in ImageSequence.Iterator(Image.open(BytesIO(gif)))]


def test_a_game_of_four_hundred_actions_takes_a_minute() -> None:
    states = create_shots(400)
    film = make_animation(TOY, states, LARGEST)
    assert film is not None
    stand = read_durations(film.gif)
    assert len(stand) == MOST_FRAMES
    assert LONGEST - 1000 <= sum(stand) <= LONGEST
    assert min(stand) >= QUICKEST
    assert stand[-1] == LAST


def test_a_replay_that_is_too_large_drops_frames() -> None:
    states = create_shots(30)
    full = make_animation(TOY, states, LARGEST)
    assert full is not None
    assert read_durations(full.gif) == [PAUSE] * 29 + [LAST]
    smaller = make_animation(TOY, states, len(full.gif) // 2)
    assert smaller is not None
    assert len(smaller.gif) <= len(full.gif) // 2
    assert 2 <= len(read_durations(smaller.gif)) < 30
    assert (smaller.first, smaller.last) == (full.first, full.last)


def test_no_number_of_frames_takes_longer_or_is_too_quick() -> None:
    for frames in range(1, MOST_FRAMES + 1):
        assert (frames - 1) * frame_duration(frames) + LAST <= LONGEST
        assert QUICKEST <= frame_duration(frames) <= PAUSE


def test_more_frames_than_a_minute_has_time_for_are_refused() -> None:
    scene = TOY.scene(TOY.setup("field", {}, OnesDice()), PUBLIC)
    with pytest.raises(ValueError, match=f"show {MOST_FRAMES} of them"):
        draw_replay([scene] * (MOST_FRAMES + 1))


def test_a_frame_of_a_crowded_table_names_acting_units_only() -> None:
    system, state = create_crowded_table("magdala", MOST_PLATES // 2)
    assert simplify_for_replay(system.scene(state, PUBLIC)) == system.scene(state, PUBLIC), "as many have room"
    system, state = create_crowded_table("magdala", MOST_PLATES // 2 + 1)
    mover = state.units_of(state.active)[0]
    place = mover.place.model_copy(update={"x": mover.place.x + 1})
    frame = simplify_for_replay(system.scene(state.changed(mover.id, place=place), PUBLIC, state))
    assert [base.unit for base in frame.bases if base.has_plate] == [mover.id]


def test_states_of_a_film_share_the_units_that_did_not_change() -> None:
    system, state = create_crowded_table("charge", 3)
    first, *others = state.units.values()
    reread = system.read_state(system.write_state(state.changed(first.id, figures=first.figures - 1)))
    shared = reuse_equal_objects(reread, state)
    assert shared == reread
    assert [shared.units[unit.id] is unit for unit in (first, *others)] == [False, *[True] * len(others)]
    assert shared.options is state.options
    assert shared.terrain is state.terrain
