"""Changes to thrown dice: keep, drop, reroll, limit, or throw extra dice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rules.core.refusal import Refused

from .bounds import MAX_DICE, Extent, Span
from .conditions import require_difference, require_different_parts
from .rolled_dice import Choice, Fallen

MORE = "bring another die"


class Change(Protocol):
    """Something done to dice that fell."""

    def checked(self, extent: Extent) -> Extent:
        """Return the pool's bounds after this change. Raises Refused for an impossible change."""
        ...

    def apply(self, fallen: Fallen) -> None:
        """Does it."""
        ...


def left_of(number: int, choices: Sequence[Choice]) -> tuple[int, int]:
    """Return the minimum and maximum number of chosen dice among `number`. Raises Refused if too few dice exist."""
    for choice in choices:
        if choice.ranks and not 1 <= choice.number <= number:
            raise Refused(f"Of {number}, {choice.number} cannot be kept: from 1 to {number} can.")
    fewest = max(choice.number if choice.ranks else 0 for choice in choices)
    most = sum(choice.number if choice.ranks else number for choice in choices)
    return fewest, min(most, number)


@dataclass(frozen=True)
class Keep:
    """Those that any of the choices means are kept: `kh1kl1` keeps the best and the worst."""

    choices: tuple[Choice, ...]

    def checked(self, extent: Extent) -> Extent:
        """Return the bounds with at most the chosen number of dice."""
        for choice in self.choices:
            require_difference(choice, extent, "be kept")
        fewest, most = left_of(extent.most, self.choices)
        return replace(extent, fewest=min(fewest, extent.fewest), most=most)

    def check_parts(self, spans: Sequence[Span]) -> None:
        """Raise Refused if none or all of a bracket's parts would be kept whatever falls."""
        for choice in self.choices:
            require_different_parts(choice, spans, "be kept")

    def places(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the places of the dice that stay."""
        return frozenset[int]().union(*(choice.of(numbers) for choice in self.choices))

    def apply(self, fallen: Fallen) -> None:
        """Drops the others."""
        kept, stay = fallen.kept, self.places(fallen.numbers)
        for place, die in enumerate(kept):
            die.kept = place in stay


@dataclass(frozen=True)
class Drop:
    """Drop the chosen dice."""

    choice: Choice

    def checked(self, extent: Extent) -> Extent:
        """Return the bounds after dropping. Raises Refused unless at least one die is dropped and one remains."""
        require_difference(self.choice, extent, "be dropped")
        number = self.choice.number
        if not self.choice.ranks:
            return replace(extent, fewest=0)
        if not 1 <= number < extent.most:
            why = f"{number} of {extent.most} dice cannot be dropped: drop one at least, and keep one."
            raise Refused(f"{why} Two rolls? Write d6; d6.")
        return replace(extent, fewest=max(extent.fewest - number, 0), most=extent.most - number)

    def check_parts(self, spans: Sequence[Span]) -> None:
        """Raise Refused if none or all of a bracket's parts would be dropped whatever falls."""
        require_different_parts(self.choice, spans, "be dropped")

    def places(self, numbers: Sequence[int]) -> frozenset[int]:
        """Return the places of the dice that stay."""
        return frozenset(range(len(numbers))) - self.choice.of(numbers)

    def apply(self, fallen: Fallen) -> None:
        """Drops them."""
        for die in fallen.chosen(self.choice):
            die.kept = False


def no_end(extent: Extent, choice: Choice, *, again: bool) -> None:
    """Raises Refused where dice would be thrown for ever."""
    if again and choice.is_endless(extent.sides):
        raise Refused(
            f"That would never end: every face of a die of {extent.sides} is thrown again. "
            "Leave a face out, or throw again only once, as in 4d6r1 or 4d6e6."
        )


@dataclass(frozen=True)
class Reroll:
    """Reroll the chosen dice, once or until no die matches."""

    choice: Choice
    again: bool

    def checked(self, extent: Extent) -> Extent:
        """They can show any face. Raises Refused if none or all would be thrown again."""
        no_end(extent, self.choice, again=self.again)
        one_face = f"To throw one face again write r={min(self.choice.number, extent.sides)}."
        require_difference(self.choice, extent, "be thrown again", if_all=one_face)
        return extent.with_any_face()

    def apply(self, fallen: Fallen) -> None:
        """Reroll the chosen dice; past the dice limit, remaining dice keep their faces."""
        while chosen := fallen.chosen(self.choice):
            faces = fallen.cup.more(len(chosen), fallen.sides)
            for die, face in zip(chosen, faces, strict=False):
                die.faces.append(face)
            if not (faces and self.again):
                break


@dataclass(frozen=True)
class AddOne:
    """Throw one extra die if any die matches."""

    choice: Choice

    def checked(self, extent: Extent) -> Extent:
        """Return the bounds with one extra die."""
        require_difference(self.choice, extent, MORE)
        return _joined(extent, extent.most + 1)

    def apply(self, fallen: Fallen) -> None:
        """Throws it."""
        if fallen.chosen(self.choice):
            fallen.more(1)


@dataclass(frozen=True)
class Explode:
    """Throw an extra die for each matching die; with `again`, extra dice may explode further."""

    choice: Choice
    again: bool

    def checked(self, extent: Extent) -> Extent:
        """Return the bounds with all possible extra dice. Raises Refused for an endless explosion."""
        no_end(extent, self.choice, again=self.again)
        require_difference(self.choice, extent, MORE)
        return _joined(extent, MAX_DICE if self.again else 2 * extent.most)

    def apply(self, fallen: Fallen) -> None:
        """Throws them."""
        due = len(fallen.chosen(self.choice))
        while due:
            new = fallen.more(due)
            due = len(self.choice.of([die.faces[-1] for die in new])) if self.again else 0


def _joined(extent: Extent, most: int) -> Extent:
    """Return the bounds with extra dice, up to `most` dice."""
    return replace(extent.with_any_face(), most=min(most, MAX_DICE))


@dataclass(frozen=True)
class Limit:
    """No die counts less than `least`, or more than `most`."""

    least: int = 0
    most: int | None = None

    def _of(self, face: int) -> int:
        raised = max(face, self.least)
        return raised if self.most is None else min(raised, self.most)

    def checked(self, extent: Extent) -> Extent:
        """Return the bounds with faces limited to the allowed range."""
        faces = None if extent.faces is None else frozenset(map(self._of, extent.faces))
        return replace(extent, low=self._of(extent.low), high=self._of(extent.high), faces=faces)

    def apply(self, fallen: Fallen) -> None:
        """Replace the number of each die that shows a value to be replaced."""
        for die in fallen.kept:
            if (face := self._of(die.faces[-1])) != die.faces[-1]:
                die.faces.append(face)
