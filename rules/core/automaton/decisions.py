"""A decision with its trace: who was weighed, and which row of a priority chart put out whom."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from rules.core.model import Cite, Model

C = TypeVar("C")
"""What is weighed: hexes, units, places."""
MOST_TOLD = 5
"""Clauses of a headline; of more, their number is said."""


class RowOut(Model, Generic[C]):
    """A row of a chart that was reached: its number and words, whom it put out, or that it was skipped."""

    row: str
    text: str
    cite: Cite
    out: tuple[C, ...] = ()
    skipped: str = ""
    """Why the row settled nothing: nobody passes it, or it is not for this unit or scenario."""


class Decision(Model, Generic[C]):
    """One decision. `chosen` is one of `candidates`, or None where there was none; `why` says it in one line.

    A system's own says what it is about: its `question`.
    """

    chart: str = ""
    """Id of the priority chart, where one decided."""
    units: tuple[str, ...]
    """Ids of the units it is made for."""
    candidates: tuple[C, ...]
    """In their order."""
    rows: tuple[RowOut[C], ...] = ()
    chosen: C | None
    why: str
    cite: Cite
    overruled: bool = False
    """Made by the umpire's or player's word instead."""

    @property
    def taken(self) -> C:
        """The candidate chosen, of a decision that had any."""
        assert self.chosen is not None
        return self.chosen

    @property
    def is_choice(self) -> bool:
        """Whether there was more than one candidate."""
        return len(self.candidates) > 1

    @property
    def others(self) -> tuple[C, ...]:
        """Candidates that were weighed and not chosen, those that came nearest to it first."""
        put_out = {one: place for place, row in enumerate(self.rows) for one in row.out}
        others = [one for one in self.candidates if one != self.chosen]
        return tuple(sorted(others, key=lambda one: -put_out.get(one, len(self.rows))))

    def by_word(self, choice: C | None) -> Self:
        """The decision, or the one that the umpire's word puts in its place; None: no such word."""
        if choice is None or choice == self.chosen:
            return self
        why = f"{choice} by the umpire's word; the card chose {'none' if self.chosen is None else self.chosen}"
        return self.model_copy(update={"chosen": choice, "overruled": True, "why": why})


def settled_by(rows: Iterable[RowOut[Any]]) -> str:
    """Which row left one candidate: `row 3, hex with the least MF cost`; without a row there was but one."""
    last = next((row for row in reversed(tuple(rows)) if row.out), None)
    if last is None:
        return "no other"
    return f"row {last.row}, {last.text}" if last.row.isdecimal() else last.text


def newest_choice(kept: Sequence[Decision[Any]]) -> int:
    """The number, from 1, of the last decision that had more than one candidate, else of the last."""
    choices = [place for place, one in enumerate(kept, start=1) if one.is_choice]
    return choices[-1] if choices else len(kept)


@dataclass(frozen=True)
class Stepped:
    """What a small step of a turn came to. `told` is its clause of the headline, where it is worth one."""

    decision: Decision[Any] | None = None
    told: str = ""
    joined: str = ""
    """The clause as it goes when several did the same: `advance towards entry hex 2516 (TA-9.A)`."""


def headline(who: str, steps: Iterable[Stepped], otherwise: str) -> str:
    """`5th Rifles: 2 stacks advance to 2914 (X-9); C fires at 2712 (X-4).`; what is alike is said once."""
    told = [step for step in steps if step.told]
    alike = Counter(step.joined for step in told if step.joined)
    said = (f"{alike[step.joined]} stacks {step.joined}" if alike[step.joined] > 1 else step.told for step in told)
    clauses = list(dict.fromkeys(said)) or [otherwise]
    more = [f"and {len(clauses) - MOST_TOLD} more"] if len(clauses) > MOST_TOLD else []
    return f"{who}: {'; '.join(clauses[:MOST_TOLD] + more)}."
