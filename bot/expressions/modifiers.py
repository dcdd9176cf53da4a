"""Changes to thrown dice: keep, drop, reroll, limit, or throw extra dice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rules.core.refusal import Refused

from .bounds import MAX_DICE, PoolBounds, TotalSpan
from .conditions import require_choice_among_faces, require_choice_among_parts
from .dice_choice import DiceChoice, RolledDice

MORE = "bring another die"


def fewest_and_most_kept(dice: int, choices: Sequence[DiceChoice]) -> tuple[int, int]:
    """Return the smallest and the largest number of dice kept from `dice` dice.

    Raises Refused for a choice of no dice, or of more than there are.
    """
    for choice in choices:
        if choice.is_by_rank and not 1 <= choice.number <= dice:
            raise Refused(f"Of {dice}, {choice.number} cannot be kept: from 1 to {dice} can.")
    fewest = max(choice.number if choice.is_by_rank else 0 for choice in choices)
    most = sum(choice.number if choice.is_by_rank else dice for choice in choices)
    return fewest, min(most, dice)


@dataclass(frozen=True)
class KeepModifier:
    """Modifier that keeps the dice taken by any of its choices: `kh1kl1` keeps the best and the worst die."""

    choices: tuple[DiceChoice, ...]

    def bounds_after_change(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds of the kept dice. Raises Refused if a choice always keeps no die, or all dice."""
        for choice in self.choices:
            require_choice_among_faces(choice, bounds, "be kept")
        fewest, most = fewest_and_most_kept(bounds.most, self.choices)
        return replace(bounds, fewest=min(fewest, bounds.fewest), most=most)

    def require_effect_on_parts(self, spans: Sequence[TotalSpan]) -> None:
        """Raise Refused if a choice would always keep all parts of a bracket, or always none."""
        for choice in self.choices:
            require_choice_among_parts(choice, spans, "be kept")

    def kept_indexes(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the indexes of the numbers to keep."""
        return frozenset[int]().union(*(choice.chosen_indexes(numbers) for choice in self.choices))

    def apply(self, rolled: RolledDice) -> None:
        """Drop all dice except the chosen ones."""
        dice, kept_places = rolled.kept_dice, self.kept_indexes(rolled.last_faces)
        for place, die in enumerate(dice):
            die.kept = place in kept_places


@dataclass(frozen=True)
class DropModifier:
    """Modifier that drops the chosen dice."""

    choice: DiceChoice

    def bounds_after_change(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds after the drop. Raises Refused if the choice would always drop no die, or all dice."""
        require_choice_among_faces(self.choice, bounds, "be dropped")
        number = self.choice.number
        if not self.choice.is_by_rank:
            return replace(bounds, fewest=0)
        if not 1 <= number < bounds.most:
            why = f"{number} of {bounds.most} dice cannot be dropped: drop one at least, and keep one."
            raise Refused(f"{why} Two rolls? Write d6; d6.")
        return replace(bounds, fewest=max(bounds.fewest - number, 0), most=bounds.most - number)

    def require_effect_on_parts(self, spans: Sequence[TotalSpan]) -> None:
        """Raise Refused if the choice would always drop all parts of a bracket, or always none."""
        require_choice_among_parts(self.choice, spans, "be dropped")

    def kept_indexes(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the indexes of the numbers to keep."""
        return frozenset(range(len(numbers))) - self.choice.chosen_indexes(numbers)

    def apply(self, rolled: RolledDice) -> None:
        """Drop the chosen dice."""
        for die in rolled.chosen_dice(self.choice):
            die.kept = False


def require_finite_rerolls(bounds: PoolBounds, choice: DiceChoice, *, again: bool) -> None:
    """Raise Refused if dice would be rerolled without end.

    With `again`, chosen dice are rerolled until none is chosen. That never ends if the choice includes every face, or
    takes the highest or lowest dice.
    """
    every_face = range(1, bounds.sides + 1)
    if again and (choice.is_by_rank or len(choice.chosen_indexes(every_face)) == bounds.sides):
        raise Refused(
            f"That would never end: every face of a die of {bounds.sides} is thrown again. "
            "Leave a face out, or throw again only once, as in 4d6r1 or 4d6e6."
        )


@dataclass(frozen=True)
class Reroll:
    """A reroll of the chosen dice: once, or with `again` until no die matches the choice."""

    choice: DiceChoice
    again: bool

    def bounds_after_change(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds after rerolls. Raises Refused if no face or every face would be rerolled."""
        require_finite_rerolls(bounds, self.choice, again=self.again)
        one_face = f"To throw one face again write r={min(self.choice.number, bounds.sides)}."
        require_choice_among_faces(self.choice, bounds, "be thrown again", if_all=one_face)
        return bounds.with_any_face()

    def apply(self, rolled: RolledDice) -> None:
        """Reroll the chosen dice. Stop at the limit of extra dice."""
        while chosen := rolled.chosen_dice(self.choice):
            faces = rolled.cup.throw_extra(len(chosen), rolled.sides)
            for die, face in zip(chosen, faces, strict=False):
                die.faces.append(face)
            if not (faces and self.again):
                break


@dataclass(frozen=True)
class ExtraDie:
    """A single extra die, thrown if any die matches the choice."""

    choice: DiceChoice

    def bounds_after_change(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds with the extra die. Raises Refused if no face or every face matches the choice."""
        require_choice_among_faces(self.choice, bounds, MORE)
        return _with_extra_dice(bounds, bounds.most + 1)

    def apply(self, rolled: RolledDice) -> None:
        """Throw the extra die if any die matches the choice."""
        if rolled.chosen_dice(self.choice):
            rolled.add_extra_dice(1)


@dataclass(frozen=True)
class Explosion:
    """An extra die for each die that matches the choice; with `again`, for matching extra dice, too."""

    choice: DiceChoice
    again: bool

    def bounds_after_change(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds with all possible extra dice. Raises Refused if the throws would never end."""
        require_finite_rerolls(bounds, self.choice, again=self.again)
        require_choice_among_faces(self.choice, bounds, MORE)
        return _with_extra_dice(bounds, MAX_DICE if self.again else 2 * bounds.most)

    def apply(self, rolled: RolledDice) -> None:
        """Throw the extra dice."""
        due = len(rolled.chosen_dice(self.choice))
        while due:
            new = rolled.add_extra_dice(due)
            due = len(self.choice.chosen_indexes([die.faces[-1] for die in new])) if self.again else 0


def _with_extra_dice(bounds: PoolBounds, most: int) -> PoolBounds:
    """Return the bounds after extra dice, with up to `most` dice in all."""
    return replace(bounds.with_any_face(), most=min(most, MAX_DICE))


@dataclass(frozen=True)
class FaceLimit:
    """Limits of faces. Faces below `least` are raised to `least`, faces above `most` reduced to `most`."""

    least: int = 0
    most: int | None = None

    def _limit_face(self, face: int) -> int:
        raised = max(face, self.least)
        return raised if self.most is None else min(raised, self.most)

    def bounds_after_change(self, bounds: PoolBounds) -> PoolBounds:
        """Return the bounds after every face is limited."""
        faces = None if bounds.faces is None else frozenset(map(self._limit_face, bounds.faces))
        return replace(bounds, low=self._limit_face(bounds.low), high=self._limit_face(bounds.high), faces=faces)

    def apply(self, rolled: RolledDice) -> None:
        """Append the limited face to every kept die whose face is outside the limits."""
        for die in rolled.kept_dice:
            if (face := self._limit_face(die.faces[-1])) != die.faces[-1]:
                die.faces.append(face)


DiceChange: TypeAlias = KeepModifier | DropModifier | Reroll | ExtraDie | Explosion | FaceLimit
"""A change to thrown dice. Its bounds are checked before the throw."""
