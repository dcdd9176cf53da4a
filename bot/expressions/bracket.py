"""Bracketed parts of an expression, with optional keep and drop modifiers."""

from dataclasses import dataclass, replace
from functools import cached_property

from .bounds import PoolBounds, TotalSpan
from .cup import DiceCup
from .modifiers import DropModifier, KeepModifier
from .parts import Part
from .value import ThrownValue, TotalUnit

DROPPED = "✗"
"""Mark after a dropped part."""


@dataclass(frozen=True)
class Bracket:
    """Parts in brackets, separated by commas. Its total is the sum of all parts, or of the kept parts."""

    parts: tuple[Part, ...]
    picks: tuple[KeepModifier | DropModifier, ...] = ()
    written: str = ""

    def __post_init__(self) -> None:
        bounds = PoolBounds(len(self.parts), len(self.parts), 0, 0, 1)
        for pick in self.picks:
            bounds = pick.bounds_after_change(bounds)
            pick.require_effect_on_parts([part.span for part in self.parts])

    @property
    def dice_count(self) -> int:
        """The number of dice in all parts."""
        return sum(part.dice_count for part in self.parts)

    @property
    def unit(self) -> TotalUnit:
        """The highest unit of the parts: if any part counts dice, the total counts dice."""
        return max(part.unit for part in self.parts)

    @cached_property
    def span(self) -> TotalSpan:
        """The span of the total. With keep or drop modifiers, any part may be missing from the total."""
        spans = [part.span.extended_to_zero() if self.picks else part.span for part in self.parts]
        return TotalSpan(sum(span.low for span in spans), sum(span.high for span in spans))

    def with_changes(self, picks: tuple[KeepModifier | DropModifier, ...], text: str) -> "Bracket":
        """Return the bracket with further keep or drop modifiers."""
        return replace(self, picks=(*self.picks, *picks), written=self.written + text)

    def throw(self, cup: DiceCup) -> ThrownValue:
        """Throw all parts in order, and return the total of the kept parts."""
        values = [part.throw(cup) for part in self.parts]
        places = list(range(len(values)))
        for pick in self.picks:
            kept_places = pick.kept_indexes([values[place].total for place in places])
            places = [place for at, place in enumerate(places) if at in kept_places]
        texts = (value.text if place in places else f"{value.text} {DROPPED}" for place, value in enumerate(values))
        return ThrownValue(sum(values[place].total for place in places), f"({', '.join(texts)}){self.written}")
