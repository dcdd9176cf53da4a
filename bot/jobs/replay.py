"""Draw a replay: an animation of the table as one viewer sees it."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar, overload

from render.foreign_names import Explained, number_foreign_words_in_scenes
from render.palette import CAMPAIGN
from render.replay import MOST_FRAMES, draw_replay
from rules.core.hexboard.hex_scene import Scene
from rules.core.memo import reuse_equal_objects
from rules.core.model import PUBLIC, Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import State

T = TypeVar("T")


class ReplayShot(NamedTuple):
    """The compressed state for one frame of a replay, and the photograph that lies under its map."""

    state: bytes
    photograph: bytes | None = None


class ReplayAnimation(NamedTuple):
    """An animated GIF, with descriptions of its first and last frames, and the title of its last turn."""

    gif: bytes
    first: str
    last: str
    turn_title: str
    left_out: int = 0
    """Number of omitted frames."""
    numbers: Explained = ()
    """Words that the typefaces cannot write, each with the number drawn in its place."""


class ReplayFrames(Sequence[Scene]):
    """The scenes of a replay's shots, with arrows for movement since the last shot. Each scene is built on demand.

    Consecutive states share unchanged units, to save memory.
    """

    def __init__(self, system: Ruleset[Any], shots: Sequence[ReplayShot], viewer: Viewer) -> None:
        self._system, self._viewer = system, viewer
        self.shots = shots
        self._states: dict[int, State] = {}
        self._scenes: dict[int, Scene] = {}

    def __len__(self) -> int:
        return len(self.shots)

    @overload
    def __getitem__(self, at: int) -> Scene: ...
    @overload
    def __getitem__(self, at: slice) -> "ReplayFrames": ...
    def __getitem__(self, at: int | slice) -> "Scene | ReplayFrames":
        if isinstance(at, slice):
            return ReplayFrames(self._system, self.shots[at], self._viewer)
        place = range(len(self))[at]
        if place not in self._scenes:
            before = self._view_at(place - 1) if place else None
            self._scenes[place] = self._system.scene(self._view_at(place), self._viewer, before)
        return self._scenes[place]

    def _view_at(self, place: int) -> State:
        if place not in self._states:
            state = read_view(self._system, self.shots[place].state, self._viewer)
            before = self._states.get(place - 1)
            self._states[place] = state if before is None else reuse_equal_objects(state, before)
        return self._states[place]

    def draw(self, palette: str) -> bytes:
        """Draw the animation as a GIF, with one frame for each shot, in the colours of a palette."""
        return draw_replay(self, [shot.photograph for shot in self.shots], palette)


def make_animation(
    system: Ruleset[Any], shots: Sequence[ReplayShot], max_bytes: int, palette: str = CAMPAIGN, viewer: Viewer = PUBLIC
) -> ReplayAnimation | None:
    """Draw the shots as an animation of what `viewer` sees. Return None if the table never changes.

    The animation has at most one minute and `max_bytes` bytes. If there are too many shots, draw evenly spaced ones.
    """
    every = list(find_changed_shots(system, shots, viewer))
    frames = ReplayFrames(system, select_evenly(every, MOST_FRAMES), viewer)
    if len(frames) < 2:
        return None
    gif = frames.draw(palette)
    while len(gif) > max_bytes and len(frames) > 2:
        frames = ReplayFrames(system, select_evenly(frames.shots, max(len(frames) * max_bytes // len(gif), 2)), viewer)
        gif = frames.draw(palette)
    return ReplayAnimation(
        gif,
        frames[0].alt,
        frames[-1].alt,
        read_view(system, shots[-1].state, viewer).turn_title,
        len(every) - len(frames),
        tuple((number, words) for words, number in number_foreign_words_in_scenes(frames).items()),
    )


def find_changed_shots(
    system: Ruleset[Any], shots: Sequence[ReplayShot], viewer: Viewer = PUBLIC
) -> Iterator[ReplayShot]:
    """Yield each shot on which the viewer sees a changed map. Skip shots that are damaged or have no map."""
    last_shown: tuple[Scene, bytes | None] | None = None
    for shot in shots:
        try:
            state = read_view(system, shot.state, viewer)
        except ValueError:
            continue
        if shot.photograph is None and not state.keeps_positions:
            continue
        scene = system.scene(state, viewer)
        if (scene, shot.photograph) != last_shown:
            yield shot
            last_shown = scene, shot.photograph


def select_evenly(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most `most` evenly spaced items, among them the first and the last item."""
    if len(items) <= most:
        return items
    return [items[round(n * (len(items) - 1) / (most - 1))] for n in range(most)]


def read_view(system: Ruleset[Any], packed: bytes, viewer: Viewer) -> State:
    """Return the viewer's view of a compressed state."""
    state: State = system.view(system.read_state(zlib.decompress(packed).decode()), viewer)
    return state
