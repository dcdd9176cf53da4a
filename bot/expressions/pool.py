"""Pools: dice of one size, thrown together, with their modifiers."""

from dataclasses import dataclass, replace
from functools import cached_property

from rules.core.refusal import Refused
from rules.core.wording import count_of

from .bounds import MAX_DICE, MAX_SIDES, PoolBounds, TotalSpan
from .conditions import require_choice_among_faces
from .cup import DiceCup
from .dice_choice import DiceChoice, Die, RolledDice
from .modifiers import DiceChange, KeepModifier
from .value import ThrownValue, TotalUnit


@dataclass(frozen=True)
class DiceCount:
    """A total that counts the chosen dice instead of adding faces. Each scores `worth`: 1 or -1."""

    choice: DiceChoice
    worth: int = 1


@dataclass(frozen=True)
class Pool:
    """Dice of one size, with modifiers that apply in order, and optional counts of dice."""

    dice_count: int
    sides: int
    written: str
    changes: tuple[DiceChange, ...] = ()
    counts: tuple[DiceCount, ...] = ()
    botches: DiceChoice | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.dice_count <= MAX_DICE:
            raise Refused(f"{self.dice_count} dice cannot be thrown: from 1 to {MAX_DICE} can.")
        if not 1 <= self.sides <= MAX_SIDES:
            raise Refused(f"A die of {self.sides} cannot be thrown: dice have from 1 to {MAX_SIDES} sides.")
        assert self.span.low <= self.span.high

    @cached_property
    def bounds(self) -> PoolBounds:
        """The pool's bounds after all changes. Raises Refused for an impossible change."""
        count, sides = self.dice_count, self.sides
        bounds = PoolBounds(count, count, 1, sides, sides, frozenset(range(1, sides + 1)))
        for change in self.changes:
            bounds = change.bounds_after_change(bounds)
        return bounds

    @cached_property
    def span(self) -> TotalSpan:
        """The span of the total. Raises Refused for an impossible change or a pointless condition."""
        for count in self.counts:
            require_choice_among_faces(count.choice, self.bounds, "count", instead=self._advise_comparing_sum(count))
        if self.botches is not None:
            require_choice_among_faces(self.botches, self.bounds, "be botches")
        if not self.counts:
            return self.bounds.total_span
        worths, most = [count.worth for count in self.counts], self.bounds.most
        return TotalSpan(-worths.count(-1) * most, worths.count(1) * most)

    def _advise_comparing_sum(self, count: DiceCount) -> str:
        """Return advice to compare the sum of the dice, or an empty string if that is pointless."""
        choice, (low, high) = count.choice, self.bounds.total_span
        if count.worth < 0 or self.changes or not low < choice.number <= high:
            return ""
        return f"To compare the sum write {self.dice_count}d{self.sides}{choice.kind}{choice.number}."

    @property
    def unit(self) -> TotalUnit:
        """The unit of the total: points if faces are added, otherwise successes, or successes less failures."""
        if not self.counts:
            return TotalUnit.POINTS
        return TotalUnit.LESS_FAILURES if any(count.worth < 0 for count in self.counts) else TotalUnit.SUCCESSES

    def with_changes(self, changes: tuple[DiceChange, ...], text: str) -> "Pool":
        """Return the pool with further modifiers."""
        return replace(self, changes=(*self.changes, *changes), written=self.written + text)

    def with_count(self, choice: DiceChoice) -> "Pool":
        """Return the pool with a count of the dice that meet the comparison."""
        text = f"{self.written}{choice.kind}{choice.number}"
        return replace(self, counts=(*self.counts, DiceCount(choice)), written=text)

    def with_advantage(self, best: str) -> "Pool":
        """Return the pool with its die thrown twice, keeping the HIGHEST or LOWEST (`best`).

        Raises Refused for a pool of several dice.
        """
        if self.dice_count != 1:
            count = self.dice_count
            one_of = f"{count}d{self.sides}k{best}1"
            raise Refused(f"adv and dis are for one die, as in d20 adv. For one of {count} dice write {one_of}.")
        keep = KeepModifier((DiceChoice(best, 1),))
        start = f"1d{self.sides}"
        text = f"2d{self.sides}k{best}1{self.written.removeprefix(start)}"
        return replace(self, dice_count=2, changes=(keep, *self.changes), written=text)

    def throw(self, cup: DiceCup) -> ThrownValue:
        """Throw the pool's dice and all extra dice, and return the total."""
        dice = [Die([face]) for face in cup.throw(self.dice_count, self.sides)]
        rolled = RolledDice(self.sides, cup, dice)
        for change in self.changes:
            change.apply(rolled)
        numbers = rolled.last_faces
        total = sum(numbers)
        if self.counts:
            total = sum(count.worth * len(count.choice.chosen_indexes(numbers)) for count in self.counts)
        botched = ""
        if self.botches:
            botched = f" with {count_of(len(self.botches.chosen_indexes(numbers)), 'botch', 'botches')}"
        return ThrownValue(total, f"{self.written} {''.join(map(str, rolled.dice))}{botched}")
