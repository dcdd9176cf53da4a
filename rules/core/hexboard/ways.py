"""Ways over open hexes: how long they are, which steps lead nearer a goal, and where a stack may stay on its way.

What was found for some hexes is looked up when the same are asked about again, as they are in one position.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from rules.core.model import Cite
from rules.core.refusal import Refused
from rules.core.state import Unit

from .hexes import Hex, distances, reach, way

MOST_COST = 10**6
"""Upper bound for path costs: above any path through all hexes of a map."""


@lru_cache(maxsize=256)
def way_lengths(starts: frozenset[Hex], open_: frozenset[Hex]) -> Mapping[Hex, int]:
    """Hexes of the shortest way to every open hex from the nearest of `starts`, which need not be open."""
    return distances(starts, open_)


def way_between(one: Hex, other: Hex, open_: frozenset[Hex]) -> int | None:
    """Return the length in hexes of the shortest path between two hexes; None if unconnected."""
    if one == other:
        return 0
    lengths = way_lengths(frozenset((one,)), open_)
    if other in lengths:
        return lengths[other]
    return min((lengths[near] + 1 for near in other.neighbours() if near in lengths), default=None)


@lru_cache(maxsize=1 << 10)
def hexes_within(here: Hex, hexes: int, open_: frozenset[Hex]) -> tuple[Hex, ...]:
    """Return hexes within a path of `hexes` open hexes, including the start, in numerical order."""
    return tuple(sorted(reach(here, hexes, lambda hex_: 1 if hex_ in open_ else None)))


@lru_cache(maxsize=256)
def around(hexes: frozenset[Hex]) -> frozenset[Hex]:
    """Return all hexes adjacent to the given hexes."""
    return frozenset(near for hex_ in hexes for near in hex_.neighbours())


@lru_cache(maxsize=256)
def without(hexes: frozenset[Hex], banned: frozenset[Hex]) -> frozenset[Hex]:
    """Return the hexes without banned ones; equal results are one object, so path lookups are cached."""
    return hexes - banned


@lru_cache(maxsize=1 << 14)
def nearest(hex_: Hex, others: frozenset[Hex]) -> int:
    """Return the distance in hexes to the nearest of `others`; 0 if empty."""
    return min(map(hex_.distance, others), default=0)


@dataclass(frozen=True)
class Approach:
    """A stack's approach to a goal, with rules of its system passed in."""

    way: tuple[Hex, ...]
    """Hexes so far, the last where it has come to."""
    goal: Hex
    budget: int
    """Movement allowance left for entering hexes."""
    open: frozenset[Hex]
    """Hexes it may pass."""
    cost: Callable[[Hex], int]
    """What entering an open hex takes of the budget."""
    has_room: Callable[[Hex], bool]
    """Whether the entire stack could stay in a hex."""
    may_step: Callable[[Hex, Hex], bool]
    """Whether the stack may step between two hexes; units unable to follow need room to stay."""
    may_end: Callable[[Hex], bool]
    """Whether the entering units could stay in the hex."""

    @property
    def here(self) -> Hex:
        """Return the stack's current hex."""
        return self.way[-1]

    @cached_property
    def lengths(self) -> Mapping[Hex, int]:
        """Hexes left from each hex to the goal or, where no path leads there, to the closest hexes to it."""
        if way_between(self.goal, self.here, self.open) is None:
            return way_lengths(self._closest(), self.open)
        return way_lengths(frozenset((self.goal,)), self.open)

    @cached_property
    def left(self) -> int:
        """Return the remaining distance in hexes from the current hex."""
        if self.here in self.lengths:
            return self.lengths[self.here]
        return min((self.lengths[near] + 1 for near in self._near), default=0)

    @cached_property
    def ahead(self) -> tuple[Hex, ...]:
        """Steps that bring it one hex nearer."""
        return tuple(near for near in self._near if self.lengths[near] == self.left - 1)

    @cached_property
    def affordable(self) -> tuple[Hex, ...]:
        """Return the affordable steps ahead."""
        return tuple(step for step in self.ahead if self.cost(step) <= self.budget)

    @cached_property
    def _near(self) -> tuple[Hex, ...]:
        return tuple(near for near in self.here.neighbours() if near in self.open and near in self.lengths)

    def steps(self, safe: Callable[[Hex], bool]) -> tuple[Hex, ...]:
        """Return the allowed next steps: closer ones, or sideways if no closer step is suitable.

        It must be able to stay in the hex, or to pass on, through `safe` hexes, to one where it is.
        """
        fit = tuple(step for step in self.affordable if self._goes_on(self.here, step, self.budget, safe))
        if self.ahead and len(self.affordable) == len(self.ahead) and not fit:
            return tuple(near for near in self._near if self.lengths[near] == self.left and self._opens_a_way(near))
        return fit

    def _goes_on(self, here: Hex, hex_: Hex, left: int, safe: Callable[[Hex], bool]) -> bool:
        left -= self.cost(hex_)
        if left < 0 or not self.may_step(here, hex_):
            return False
        if self.may_end(hex_):
            return True
        return safe(hex_) and any(self._goes_on(hex_, beyond, left, safe) for beyond in self._beyond(hex_))

    def _opens_a_way(self, hex_: Hex) -> bool:
        """Whether a step that brings it no nearer leads to a hex with room, with room one nearer beyond it."""
        return (
            hex_ not in self.way
            and self._goes_on(self.here, hex_, self.budget, lambda _: False)
            and any(map(self.has_room, self._beyond(hex_)))
        )

    def _beyond(self, hex_: Hex) -> Iterable[Hex]:
        less = self.lengths[hex_] - 1
        return (near for near in hex_.neighbours() if near in self.open and self.lengths.get(near) == less)

    def _closest(self) -> frozenset[Hex]:
        """Return reachable hexes closest to the goal with room to stay; the current hex if none."""
        reached = way_lengths(frozenset((self.here,)), self.open)
        found: Sequence[Hex] = ()
        for hex_ in sorted((hex_ for hex_ in reached if hex_ in self.open), key=self.goal.distance):
            if found and hex_.distance(self.goal) > found[0].distance(self.goal):
                break
            if self.has_room(hex_):
                found = (*found, hex_)
        return frozenset(found or (self.here,))


@dataclass(frozen=True)
class Journey:
    """A move of units of one hex by what their side decides, within a budget. What its rules say is handed in."""

    who: Unit
    """Unit named in refusals."""
    start: Hex
    left: int
    """What the slowest has left to enter hexes by."""
    cost: Callable[[Hex], int | None]
    """Cost of entering a hex; None for closed hexes."""
    has_room: Callable[[Hex], bool]
    """Whether all units could stay in a hex."""
    full: str
    """Capacity of a hex, in words."""
    title: Callable[[Hex], str]
    cite: Cite
    """The rule that reach and room are refused by."""
    bars: Callable[[Hex], tuple[str, Cite]] | None = None
    """Return the reason why the unit cannot enter a hex, and its rule. None: refusals name the ground or an enemy."""

    @property
    def ends(self) -> tuple[Hex, ...]:
        """Hexes where it may end, by number."""
        found = reach(self.start, self.left, self.cost) if self.left > 0 else {}
        return tuple(sorted(hex_ for hex_ in found if hex_ != self.start and self.has_room(hex_)))

    def through(self, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        """The cheapest way through these hexes. Raises Refused where it is barred, too far, or ends in a full one."""
        path: tuple[Hex, ...] = ()
        for here, there in pairwise((self.start, *hexes)):
            found = way(here, there, self.cost, lambda hex_: hex_)
            if found is None:
                raise self._barred(here, there)
            path = (*path, *found)
        if not path:
            raise Refused(f"{self.who:are} in {self.title(self.start)} already.", self.cite)
        end, spent = self.title(path[-1]), sum(self.cost(hex_) or 0 for hex_ in path)
        if spent > self.left:
            near = ", ".join(hex_.label for hex_ in self.ends) or "no other hex"
            raise Refused(f"{end} costs {spent} MF, and {self.left} are left. In reach: {near}.", self.cite)
        if not self.has_room(path[-1]):
            raise Refused(f"{end} has no room: {self.full}. Choose another.", self.cite)
        return path

    def _barred(self, here: Hex, there: Hex) -> Refused:
        """Return the refusal for a closed or unreachable hex, with the closing rule."""
        if self.bars is None:
            return Refused(f"No way leads {self.who.name} to {self.title(there)}: ground or enemy bars it.", self.cite)
        if self.cost(there) is None:
            why, cite = self.bars(there)
            return Refused(f"{self.who.name} cannot enter {self.title(there)}: {why}.", cite)
        open_to = {here, *reach(here, MOST_COST, self.cost)}
        around_them = sorted({near for hex_ in open_to for near in hex_.neighbours()} - open_to, key=there.distance)
        found = dict.fromkeys(self.bars(near) for near in around_them)
        told = "; ".join(f"{why} ({cite.rule})" for why, cite in found)
        return Refused(f"No way leads {self.who.name} to {self.title(there)}: {told}.", next(iter(found))[1])
