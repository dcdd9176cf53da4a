"""Changes to thrown dice: keep, drop, reroll, limit, or throw extra dice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rules.core.refusal import Refused

from .bounds import MAX_DICE, PoolBounds, Span
from .conditions import require_difference, require_different_parts
from .dice_choice import DiceChoice, RolledDice

MORE = "bring another die"


def count_kept(dice: int, choices: Sequence[DiceChoice]) -> tuple[int, int]:
    """Return the minimum and maximum number of dice kept of `dice`. Raises Refused if a choice takes too many."""
    for choice in choices:
        if choice.ranks and not 1 <= choice.number <= dice:
            raise Refused(f"Of {dice}, {choice.number} cannot be kept: from 1 to {dice} can.")
    fewest = max(choice.number if choice.ranks else 0 for choice in choices)
    most = sum(choice.number if choice.ranks else dice for choice in choices)
    return fewest, min(most, dice)


@dataclass(frozen=True)
class Keep:
    """Keep the dice of any of the choices: `kh1kl1` keeps the best and the worst."""

    choices: tuple[DiceChoice, ...]

    def bounds_after(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds with at most the chosen number of dice."""
        for choice in self.choices:
            require_difference(choice, bounds, "be kept")
        fewest, most = count_kept(bounds.most, self.choices)
        return replace(bounds, fewest=min(fewest, bounds.fewest), most=most)

    def check_parts(self, spans: Sequence[Span]) -> None:
        """Raise Refused if the choice would always keep all parts of a bracket, or none."""
        for choice in self.choices:
            require_different_parts(choice, spans, "be kept")

    def places(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the indices of the numbers to keep."""
        return frozenset[int]().union(*(choice.places_in(numbers) for choice in self.choices))

    def apply(self, rolled: RolledDice) -> None:
        """Drop all dice except the chosen ones."""
        dice, kept_places = rolled.kept_dice, self.places(rolled.numbers)
        for place, die in enumerate(dice):
            die.kept = place in kept_places


@dataclass(frozen=True)
class Drop:
    """Drop the chosen dice."""

    choice: DiceChoice

    def bounds_after(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds after dropping. Raises Refused unless at least one die is dropped and one remains."""
        require_difference(self.choice, bounds, "be dropped")
        number = self.choice.number
        if not self.choice.ranks:
            return replace(bounds, fewest=0)
        if not 1 <= number < bounds.most:
            why = f"{number} of {bounds.most} dice cannot be dropped: drop one at least, and keep one."
            raise Refused(f"{why} Two rolls? Write d6; d6.")
        return replace(bounds, fewest=max(bounds.fewest - number, 0), most=bounds.most - number)

    def check_parts(self, spans: Sequence[Span]) -> None:
        """Raise Refused if the choice would always drop all parts of a bracket, or none."""
        require_different_parts(self.choice, spans, "be dropped")

    def places(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the indices of the numbers to keep."""
        return frozenset(range(len(numbers))) - self.choice.places_in(numbers)

    def apply(self, rolled: RolledDice) -> None:
        """Drop the chosen dice."""
        for die in rolled.choose(self.choice):
            die.kept = False


def require_end(bounds: PoolBounds, choice: DiceChoice, *, again: bool) -> None:
    """Raise Refused if dice would be thrown for ever."""
    if again and choice.is_endless(bounds.sides):
        raise Refused(
            f"That would never end: every face of a die of {bounds.sides} is thrown again. "
            "Leave a face out, or throw again only once, as in 4d6r1 or 4d6e6."
        )


@dataclass(frozen=True)
class Reroll:
    """Reroll the chosen dice, once or until no die matches."""

    choice: DiceChoice
    again: bool

    def bounds_after(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds with any face. Raises Refused if all dice would be rerolled, or none."""
        require_end(bounds, self.choice, again=self.again)
        one_face = f"To throw one face again write r={min(self.choice.number, bounds.sides)}."
        require_difference(self.choice, bounds, "be thrown again", if_all=one_face)
        return bounds.with_any_face()

    def apply(self, rolled: RolledDice) -> None:
        """Reroll the chosen dice; past the dice limit, remaining dice keep their faces."""
        while chosen := rolled.choose(self.choice):
            faces = rolled.cup.throw_extra(len(chosen), rolled.sides)
            for die, face in zip(chosen, faces, strict=False):
                die.faces.append(face)
            if not (faces and self.again):
                break


@dataclass(frozen=True)
class AddOne:
    """Throw one extra die if any die matches."""

    choice: DiceChoice

    def bounds_after(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds with one extra die."""
        require_difference(self.choice, bounds, MORE)
        return _with_extra_dice(bounds, bounds.most + 1)

    def apply(self, rolled: RolledDice) -> None:
        """Throw the extra die if any die matches."""
        if rolled.choose(self.choice):
            rolled.add(1)


@dataclass(frozen=True)
class Explode:
    """Throw an extra die for each matching die; with `again`, extra dice may explode further."""

    choice: DiceChoice
    again: bool

    def bounds_after(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds with all possible extra dice. Raises Refused for an explosion without end."""
        require_end(bounds, self.choice, again=self.again)
        require_difference(self.choice, bounds, MORE)
        return _with_extra_dice(bounds, MAX_DICE if self.again else 2 * bounds.most)

    def apply(self, rolled: RolledDice) -> None:
        """Throw the extra dice."""
        due = len(rolled.choose(self.choice))
        while due:
            new = rolled.add(due)
            due = len(self.choice.places_in([die.faces[-1] for die in new])) if self.again else 0


def _with_extra_dice(bounds: PoolBounds, most: int) -> PoolBounds:
    """Return the bounds with extra dice, up to `most` dice."""
    return replace(bounds.with_any_face(), most=min(most, MAX_DICE))


@dataclass(frozen=True)
class Limit:
    """Limit every face to at least `least` and at most `most`."""

    least: int = 0
    most: int | None = None

    def _limit(self, face: int) -> int:
        raised = max(face, self.least)
        return raised if self.most is None else min(raised, self.most)

    def bounds_after(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds with faces limited to the allowed range."""
        faces = None if bounds.faces is None else frozenset(map(self._limit, bounds.faces))
        return replace(bounds, low=self._limit(bounds.low), high=self._limit(bounds.high), faces=faces)

    def apply(self, rolled: RolledDice) -> None:
        """Append the limited face to every kept die whose face is outside the limits."""
        for die in rolled.kept_dice:
            if (face := self._limit(die.faces[-1])) != die.faces[-1]:
                die.faces.append(face)


DiceChange: TypeAlias = Keep | Drop | Reroll | AddOne | Explode | Limit
"""A change to rolled dice: its bounds are checked before the throw, and it is applied after it."""
