"""The ground before a march: which steps lead nearer its goal, and where it may stay (TA-9.5)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rules.core.hexboard.hexes import Hex, distances
from rules.tanga.field import board_of
from rules.tanga.model import TangaState, TangaUnit
from rules.tanga.progress import March

from .prohibited import friends_to_shun, may_stay, open_to, stays_behind


@lru_cache(maxsize=256)
def way_lengths(starts: frozenset[Hex], open_: frozenset[Hex]) -> Mapping[Hex, int]:
    """Hexes of the shortest way to every open hex from the nearest of `starts`, which need not be open."""
    return distances(starts, open_)


def joined(one: Hex, other: Hex, open_: frozenset[Hex]) -> int | None:
    """Hexes of the shortest way between two hexes that need not be open; None where there is none."""
    if one == other:
        return 0
    lengths = way_lengths(frozenset((one,)), open_)
    if other in lengths:
        return lengths[other]
    return min((lengths[near] + 1 for near in other.neighbours() if near in lengths), default=None)


@dataclass(frozen=True)
class Ground:
    """A march, who is on it, and the ground it has before it."""

    state: TangaState
    march: March
    units: tuple[TangaUnit, ...]

    @property
    def here(self) -> Hex:
        """Where it has come to."""
        return self.march.way[-1]

    @cached_property
    def open(self) -> frozenset[Hex]:
        """Hexes it may pass; routers keep off friends that stand firm, unless no other path leads to the goal.

        What path there is is settled where the march began: who came through friends does not halt among them.
        """
        every = open_to(self.state, self.units)
        if self.march.retreats and self.state.formation(self.units[0].formation).collapsed:
            clear = every - friends_to_shun(self.state, self.units)
            if joined(self.march.goal, self.march.way[0], clear) is not None:
                return clear
        return every

    @cached_property
    def lengths(self) -> Mapping[Hex, int]:
        """Hexes left from each hex to the goal or, where no path leads there, to the closest hexes to it."""
        if joined(self.march.goal, self.here, self.open) is None:
            return way_lengths(self._closest(), self.open)
        return way_lengths(frozenset((self.march.goal,)), self.open)

    @cached_property
    def left(self) -> int:
        """Hexes left from where it is; its own hex may be one it has to leave."""
        if self.here in self.lengths:
            return self.lengths[self.here]
        return min((self.lengths[near] + 1 for near in self._near), default=0)

    @cached_property
    def ahead(self) -> tuple[Hex, ...]:
        """Steps that bring it one hex nearer."""
        return tuple(near for near in self._near if self.lengths[near] == self.left - 1)

    @cached_property
    def _near(self) -> tuple[Hex, ...]:
        return tuple(near for near in self.here.neighbours() if near in self.open and near in self.lengths)

    def cost(self, hex_: Hex) -> int:
        """What entering an open hex takes of what is left: MF, or in a retreat one hex."""
        return 1 if self.march.retreats else board_of(self.state).cost(hex_) or 1

    def goes_on(self, here: Hex, hex_: Hex, left: int, safe: Callable[[Hex], bool]) -> bool:
        """Whether it may step from a hex into another: it can stay there, or out of fire pass on to where it can.

        A machine gun that may not follow has to be able to stay behind.
        """
        left -= self.cost(hex_)
        guns = stays_behind(self.state, self.units, hex_)
        if left < 0 or (guns and not may_stay(self.state, guns, here)):
            return False
        if may_stay(self.state, [unit for unit in self.units if unit not in guns], hex_):
            return True
        return safe(hex_) and any(self.goes_on(hex_, beyond, left, safe) for beyond in self._beyond(hex_))

    def aside(self) -> tuple[Hex, ...]:
        """Steps that bring it no nearer, but to a hex with room, with room one nearer beyond it."""
        return tuple(near for near in self._near if self.lengths[near] == self.left and self._opens_a_way(near))

    def _opens_a_way(self, hex_: Hex) -> bool:
        return (
            hex_ not in self.march.way
            and self.goes_on(self.here, hex_, self.march.left, _nowhere)
            and any(may_stay(self.state, self.units, beyond) for beyond in self._beyond(hex_))
        )

    def _beyond(self, hex_: Hex) -> Iterable[Hex]:
        less = self.lengths[hex_] - 1
        return (near for near in hex_.neighbours() if near in self.open and self.lengths.get(near) == less)

    def _closest(self) -> frozenset[Hex]:
        """The hexes closest to the goal that it can come to and stay in; its own if there are none."""
        goal = self.march.goal
        reached = way_lengths(frozenset((self.here,)), self.open)
        found: Sequence[Hex] = ()
        for hex_ in sorted((hex_ for hex_ in reached if hex_ in self.open), key=goal.distance):
            if found and hex_.distance(goal) > found[0].distance(goal):
                break
            if may_stay(self.state, self.units, hex_):
                found = (*found, hex_)
        return frozenset(found or (self.here,))


def _nowhere(_hex: Hex) -> bool:
    return False
