"""A replay: moving pictures of the table as everyone may see it."""

import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar, overload

from render.foreign_names import Explained, numbers_of
from render.replay import MOST_FRAMES, draw_replay
from rules.core.hexboard.hex_scene import Scene
from rules.core.memo import sharing
from rules.core.model import PUBLIC
from rules.core.ruleset import Ruleset
from rules.core.state import State

T = TypeVar("T")


class Shot(NamedTuple):
    """A packed state, and the photograph that lay under the table."""

    state: bytes
    photograph: bytes | None = None


class Film(NamedTuple):
    """An animated GIF, what its first and last frames show in words, the turn it ends in, and how many it left out.

    `numbers` are those drawn in place of words that the typefaces cannot write.
    """

    gif: bytes
    first: str
    last: str
    turn_title: str
    left_out: int = 0
    numbers: Explained = ()


class Frames(Sequence[Scene]):
    """The scene of each shot, with arrows for movement since the previous shot. Scenes are built on demand, once.

    States share the units that did not change.
    """

    def __init__(self, system: Ruleset[Any], shots: Sequence[Shot]) -> None:
        self._system = system
        self.shots = shots
        self._states: dict[int, State] = {}
        self._scenes: dict[int, Scene] = {}

    def __len__(self) -> int:
        return len(self.shots)

    @overload
    def __getitem__(self, at: int) -> Scene: ...
    @overload
    def __getitem__(self, at: slice) -> "Frames": ...
    def __getitem__(self, at: int | slice) -> "Scene | Frames":
        if isinstance(at, slice):
            return Frames(self._system, self.shots[at])
        place = range(len(self))[at]
        if place not in self._scenes:
            before = self._state(place - 1) if place else None
            self._scenes[place] = self._system.scene(self._state(place), PUBLIC, before)
        return self._scenes[place]

    def _state(self, place: int) -> State:
        if place not in self._states:
            state, before = public_state(self._system, self.shots[place].state), self._states.get(place - 1)
            self._states[place] = state if before is None else sharing(state, before)
        return self._states[place]

    def film(self) -> bytes:
        """Draw the replay: one frame for each shot, in order."""
        return draw_replay(self, [shot.photograph for shot in self.shots])


def film(system: Ruleset[Any], shots: Sequence[Shot], largest: int) -> Film | None:
    """Return the shots as a film, at most a minute long and `largest` bytes in size; None for an unchanged table.

    Of more than it has time or room for it shows fewer, evenly apart: the arrows of a frame are of all that moved
    since the one before.
    """
    every = list(changed(system, shots))
    frames = Frames(system, spread(every, MOST_FRAMES))
    if len(frames) < 2:
        return None
    gif = frames.film()
    while len(gif) > largest and len(frames) > 2:
        frames = Frames(system, spread(frames.shots, max(len(frames) * largest // len(gif), 2)))
        gif = frames.film()
    return Film(
        gif,
        frames[0].alt,
        frames[-1].alt,
        public_state(system, shots[-1].state).turn_title,
        len(every) - len(frames),
        tuple((number, words) for words, number in numbers_of(frames).items()),
    )


def changed(system: Ruleset[Any], shots: Sequence[Shot]) -> Iterator[Shot]:
    """Yield the shots that look different to everyone from the previous one.

    Skip damaged shots and shots without a map.
    """
    shown: tuple[Scene, bytes | None] | None = None
    for shot in shots:
        try:
            state = public_state(system, shot.state)
        except ValueError:
            continue
        if shot.photograph is None and not state.keeps_positions:
            continue
        scene = system.scene(state, PUBLIC)
        if (scene, shot.photograph) != shown:
            yield shot
            shown = scene, shot.photograph


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most `most` items, evenly spaced, including the first and last item."""
    if len(items) <= most:
        return items
    return [items[round(n * (len(items) - 1) / (most - 1))] for n in range(most)]


def public_state(system: Ruleset[Any], packed: bytes) -> State:
    """Return a packed state as everyone may see it."""
    state: State = system.view(system.read_state(zlib.decompress(packed).decode()), PUBLIC)
    return state
