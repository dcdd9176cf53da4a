"""Paths of stacks over open hexes, their lengths, and the hexes in which a stack may stay on its way.

Results are cached, because many calls about one position have equal arguments.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from rules.core.model import Cite
from rules.core.refusal import Refused
from rules.core.state import Unit

from .hexes import Hex, cheapest_path, path_lengths_from, reachable_hexes

UNLIMITED_COST = 10**6
"""Upper bound for path costs: above any path through all hexes of a map."""


@lru_cache(maxsize=256)
def path_lengths(starts: frozenset[Hex], open_: frozenset[Hex]) -> Mapping[Hex, int]:
    """Return the result of `path_lengths_from`, cached."""
    return path_lengths_from(starts, open_)


def path_length_between(start: Hex, end: Hex, open_: frozenset[Hex]) -> int | None:
    """Return the length in hexes of the shortest path between two hexes, or None if there is no path."""
    if start == end:
        return 0
    lengths = path_lengths(frozenset((start,)), open_)
    if end in lengths:
        return lengths[end]
    return min((lengths[near] + 1 for near in end.neighbours() if near in lengths), default=None)


@lru_cache(maxsize=1 << 10)
def hexes_within_steps(start: Hex, steps: int, open_: frozenset[Hex]) -> tuple[Hex, ...]:
    """Return the start, and each hex at most `steps` steps away over open hexes, sorted by number."""
    return tuple(sorted(reachable_hexes(start, steps, lambda hex_: 1 if hex_ in open_ else None)))


@lru_cache(maxsize=256)
def adjacent_hexes(hexes: frozenset[Hex]) -> frozenset[Hex]:
    """Return all hexes adjacent to the given hexes."""
    return frozenset(near for hex_ in hexes for near in hex_.neighbours())


@lru_cache(maxsize=256)
def hexes_without(hexes: frozenset[Hex], banned: frozenset[Hex]) -> frozenset[Hex]:
    """Return the hexes that are not banned. Equal arguments give the same object, which speeds up cached lookups."""
    return hexes - banned


@lru_cache(maxsize=1 << 14)
def distance_to_nearest(hex_: Hex, goals: frozenset[Hex]) -> int:
    """Return the distance in hexes to the nearest of `goals`; 0 without goals."""
    return min(map(hex_.distance, goals), default=0)


@dataclass(frozen=True)
class Approach:
    """A stack's approach to a goal. The system's rules are passed in as functions."""

    path: tuple[Hex, ...]
    """Hexes entered so far; the last one is the current hex."""
    goal: Hex
    budget: int
    """Movement allowance left for entering hexes."""
    open: frozenset[Hex]
    """Hexes that the stack may pass."""
    cost: Callable[[Hex], int]
    """Return the cost of entering an open hex."""
    has_space: Callable[[Hex], bool]
    """Return whether a hex has space for the whole stack."""
    may_step: Callable[[Hex, Hex], bool]
    """Return whether the stack may step between two hexes. Units that cannot follow need space to stay behind."""
    may_end: Callable[[Hex], bool]
    """Return whether the units that enter a hex may stay in it."""

    @property
    def current_hex(self) -> Hex:
        """Return the stack's current hex."""
        return self.path[-1]

    @cached_property
    def distances_to_goal(self) -> Mapping[Hex, int]:
        """Return the distance in hexes from each hex to the goal.

        If the stack cannot reach the goal, the reachable hexes closest to it take its place.
        """
        if path_length_between(self.goal, self.current_hex, self.open) is None:
            return path_lengths(self._closest_hexes(), self.open)
        return path_lengths(frozenset((self.goal,)), self.open)

    @cached_property
    def distance_left(self) -> int:
        """Return the distance in hexes from the current hex to the goal."""
        if self.current_hex in self.distances_to_goal:
            return self.distances_to_goal[self.current_hex]
        return min((self.distances_to_goal[near] + 1 for near in self._open_neighbours), default=0)

    @cached_property
    def nearer_neighbours(self) -> tuple[Hex, ...]:
        """Return the adjacent hexes that are one hex nearer to the goal."""
        return tuple(near for near in self._open_neighbours if self.distances_to_goal[near] == self.distance_left - 1)

    @cached_property
    def affordable_steps(self) -> tuple[Hex, ...]:
        """Return the `nearer_neighbours` that the stack can enter within its budget."""
        return tuple(step for step in self.nearer_neighbours if self.cost(step) <= self.budget)

    @cached_property
    def _open_neighbours(self) -> tuple[Hex, ...]:
        neighbours = self.current_hex.neighbours()
        return tuple(near for near in neighbours if near in self.open and near in self.distances_to_goal)

    def allowed_steps(self, safe: Callable[[Hex], bool]) -> tuple[Hex, ...]:
        """Return the hexes that the stack may enter next on its way to the goal.

        In each of them the stack may stay, or it can pass on through `safe` hexes to one where it may stay. If
        no nearer hex has space, return hexes beside the way.
        """
        fit = tuple(
            step for step in self.affordable_steps if self._can_pass_or_stay(self.current_hex, step, self.budget, safe)
        )
        if self.nearer_neighbours and len(self.affordable_steps) == len(self.nearer_neighbours) and not fit:
            return tuple(
                near
                for near in self._open_neighbours
                if self.distances_to_goal[near] == self.distance_left and self._can_step_aside(near)
            )
        return fit

    def _can_pass_or_stay(self, start: Hex, hex_: Hex, budget: int, safe: Callable[[Hex], bool]) -> bool:
        budget -= self.cost(hex_)
        if budget < 0 or not self.may_step(start, hex_):
            return False
        if self.may_end(hex_):
            return True
        return safe(hex_) and any(
            self._can_pass_or_stay(hex_, beyond, budget, safe) for beyond in self._nearer_neighbours_of(hex_)
        )

    def _can_step_aside(self, hex_: Hex) -> bool:
        """Whether the stack can stay in a hex beside its way, and has space to go on towards the goal."""
        return (
            hex_ not in self.path
            and self._can_pass_or_stay(self.current_hex, hex_, self.budget, lambda _: False)
            and any(map(self.has_space, self._nearer_neighbours_of(hex_)))
        )

    def _nearer_neighbours_of(self, hex_: Hex) -> Iterable[Hex]:
        length = self.distances_to_goal[hex_] - 1
        return (near for near in hex_.neighbours() if near in self.open and self.distances_to_goal.get(near) == length)

    def _closest_hexes(self) -> frozenset[Hex]:
        """Return the hexes with space that the stack can reach nearest to the goal, or its current hex."""
        reached = path_lengths(frozenset((self.current_hex,)), self.open)
        closest: Sequence[Hex] = ()
        for hex_ in sorted((hex_ for hex_ in reached if hex_ in self.open), key=self.goal.distance):
            if closest and hex_.distance(self.goal) > closest[0].distance(self.goal):
                break
            if self.has_space(hex_):
                closest = (*closest, hex_)
        return frozenset(closest or (self.current_hex,))


@dataclass(frozen=True)
class Journey:
    """A move of a side's units out of one hex. The system's rules are passed as functions."""

    who: Unit
    """Unit named in refusals."""
    start: Hex
    left: int
    """Movement left to the slowest unit, for entering hexes."""
    cost: Callable[[Hex], int | None]
    """Return the cost of entering a hex; None for a closed hex."""
    has_space: Callable[[Hex], bool]
    """Return whether a hex has space for all the units."""
    full: str
    """Capacity of a hex, in words."""
    title: Callable[[Hex], str]
    cite: Cite
    """Rule cited in refusals of hexes that are full or out of reach."""
    bars: Callable[[Hex], tuple[str, Cite]]
    """Return the reason why the unit cannot enter a hex, and its rule."""

    @property
    def possible_end_hexes(self) -> tuple[Hex, ...]:
        """Return the hexes in which the move may end, sorted by number."""
        reachable = reachable_hexes(self.start, self.left, self.cost) if self.left > 0 else {}
        return tuple(sorted(hex_ for hex_ in reachable if hex_ != self.start and self.has_space(hex_)))

    def path_through(self, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        """Return the cheapest path from the start through all these hexes, in order.

        Raises Refused if the path is barred, too long, or ends in a full hex.
        """
        path: tuple[Hex, ...] = ()
        for start, goal in pairwise((self.start, *hexes)):
            leg = cheapest_path(start, goal, self.cost, lambda hex_: hex_)
            if leg is None:
                raise self._barred_refusal(start, goal)
            path = (*path, *leg)
        if not path:
            raise Refused(f"{self.who:are} in {self.title(self.start)} already.", self.cite)
        end, spent = self.title(path[-1]), sum(self.cost(hex_) or 0 for hex_ in path)
        if spent > self.left:
            near = ", ".join(hex_.label for hex_ in self.possible_end_hexes) or "no other hex"
            raise Refused(f"{end} costs {spent} MF, and {self.left} are left. In reach: {near}.", self.cite)
        if not self.has_space(path[-1]):
            raise Refused(f"{end} has no room: {self.full}. Choose another.", self.cite)
        return path

    def _barred_refusal(self, start: Hex, goal: Hex) -> Refused:
        """Return the refusal of a closed or unreachable goal, with the reasons why hexes are closed."""
        if self.cost(goal) is None:
            why, cite = self.bars(goal)
            return Refused(f"{self.who.name} cannot enter {self.title(goal)}: {why}.", cite)
        open_to = {start, *reachable_hexes(start, UNLIMITED_COST, self.cost)}
        around_them = sorted({near for hex_ in open_to for near in hex_.neighbours()} - open_to, key=goal.distance)
        barriers = dict.fromkeys(self.bars(near) for near in around_them)
        reasons = "; ".join(f"{why} ({cite.rule})" for why, cite in barriers)
        return Refused(f"No way leads {self.who.name} to {self.title(goal)}: {reasons}.", next(iter(barriers))[1])
