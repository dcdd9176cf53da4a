"""Bracketed parts of an expression, with optional keep and drop modifiers."""

from dataclasses import dataclass, replace
from functools import cached_property

from .bounds import Extent, Span
from .cup import Cup
from .modifiers import Drop, Keep
from .parts import Part
from .value import Unit, Value

DROPPED = "✗"
"""Stands behind a part that does not count."""


@dataclass(frozen=True)
class Bracket:
    """Bracketed parts separated by commas: the total of all parts, or of the kept parts."""

    parts: tuple[Part, ...]
    picks: tuple[Keep | Drop, ...] = ()
    written: str = ""

    def __post_init__(self) -> None:
        extent = Extent(len(self.parts), len(self.parts), 0, 0, 1)
        for pick in self.picks:
            extent = pick.checked(extent)
            pick.check_parts([part.span for part in self.parts])

    @property
    def dice(self) -> int:
        """Of all."""
        return sum(part.dice for part in self.parts)

    @property
    def unit(self) -> Unit:
        """That of whichever counts anything."""
        return max(part.unit for part in self.parts)

    @cached_property
    def span(self) -> Span:
        """Return the span of the total; with keep or drop, each part may be missing."""
        spans = [part.span.with_nothing() if self.picks else part.span for part in self.parts]
        return Span(sum(span.low for span in spans), sum(span.high for span in spans))

    def changed(self, picks: tuple[Keep | Drop, ...], written: str) -> "Bracket":
        """Return the bracket with further keep or drop modifiers."""
        return replace(self, picks=(*self.picks, *picks), written=self.written + written)

    def thrown(self, cup: Cup) -> Value:
        """Throws all, the first first."""
        values = [part.thrown(cup) for part in self.parts]
        kept = list(range(len(values)))
        for pick in self.picks:
            stay = pick.places([values[place].total for place in kept])
            kept = [place for at, place in enumerate(kept) if at in stay]
        shown = (value.text if place in kept else f"{value.text} {DROPPED}" for place, value in enumerate(values))
        return Value(sum(values[place].total for place in kept), f"({', '.join(shown)}){self.written}")
