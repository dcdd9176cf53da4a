"""Decisions by priority charts: candidates, rows that exclude candidates, and the reasons in words."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from rules.core.catalog import DecisionExplanation
from rules.core.hexboard.hex_scene import HexNote, HexScene, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Model
from rules.core.refusal import Refused
from rules.core.report import Step

C = TypeVar("C")
"""The type of candidates: hexes, units, places."""
MOST_TOLD = 5
"""Maximum number of clauses in a headline; further clauses are only counted."""
MOST_NAMED = 12
"""Maximum number of candidates named in a line; further candidates are only counted."""
MOST_LISTED = 10
"""Maximum number of other choices listed."""


class RowTrace(Model, Generic[C]):
    """Trace of a chart row in a decision: its number and words, the candidates excluded, or why it was skipped."""

    row: str
    text: str
    cite: Cite
    out: tuple[C, ...] = ()
    skipped: str = ""
    """Why the row was skipped: no candidate passes, or the row excludes this unit or scenario."""


class Decision(Model, Generic[C]):
    """One decision. `chosen` is one of `candidates`, or None without candidates; `why` gives the reason in one line.

    A system's own subclass adds what the decision is about: its `question`.
    """

    chart: str = ""
    """Id of the priority chart, if a chart decided."""
    units: tuple[str, ...]
    """Ids of the deciding units."""
    candidates: tuple[C, ...]
    """The candidates, in order."""
    rows: tuple[RowTrace[C], ...] = ()
    chosen: C | None
    why: str
    cite: Cite
    overruled: bool = False
    """Whether the umpire or a player decided instead of the chart."""

    @property
    def taken(self) -> C:
        """Return the chosen candidate. The decision must have candidates."""
        assert self.chosen is not None
        return self.chosen

    @property
    def is_choice(self) -> bool:
        """Whether several candidates existed."""
        return len(self.candidates) > 1

    @property
    def others(self) -> tuple[C, ...]:
        """Return the candidates that were not chosen; candidates excluded last or never come first."""
        put_out = {one: place for place, row in enumerate(self.rows) for one in row.out}
        others = [one for one in self.candidates if one != self.chosen]
        return tuple(sorted(others, key=lambda one: -put_out.get(one, len(self.rows))))

    def by_word(self, choice: C | None) -> Self:
        """Return the decision overruled by the umpire's `choice`; unchanged if `choice` is None or already chosen."""
        if choice is None or choice == self.chosen:
            return self
        why = f"{choice} by the umpire's word; the card chose {'none' if self.chosen is None else self.chosen}"
        return self.model_copy(update={"chosen": choice, "overruled": True, "why": why})


D = TypeVar("D", bound=Decision[Hex])


def deciding_row(rows: Iterable[RowTrace[Any]]) -> str:
    """Return the last row that excluded candidates, in words: `row 3, hex with the least MF cost`, or `no other`."""
    last = next((row for row in reversed(tuple(rows)) if row.out), None)
    if last is None:
        return "no other"
    return f"row {last.row}, {last.text}" if last.row.isdecimal() else last.text


@dataclass(frozen=True)
class StepResult:
    """Result of one step of a turn: an optional decision, and a clause of the headline."""

    decision: Decision[Any] | None = None
    clause: str = ""
    """The action with its actor: `A advances towards entry hex 2516`."""
    clause_of_several: str = ""
    """The action without its actor, for equal actions of several stacks: `advance towards entry hex 2516`."""


def headline(who: str, steps: Iterable[StepResult], otherwise: str) -> str:
    """Return `5th Rifles: 2 stacks advance to 2914; C fires at 2712.`; without clauses, `otherwise`."""
    told = [step for step in steps if step.clause]
    alike = Counter(step.clause_of_several for step in told if step.clause_of_several)
    said = (
        f"{alike[step.clause_of_several]} stacks {step.clause_of_several}"
        if alike[step.clause_of_several] > 1
        else step.clause
        for step in told
    )
    clauses = list(dict.fromkeys(said)) or [otherwise]
    more = [f"and {len(clauses) - MOST_TOLD} more"] if len(clauses) > MOST_TOLD else []
    return f"{who}: {'; '.join(clauses[:MOST_TOLD] + more)}."


def explain_decision(
    kept: Sequence[D],
    number: int | None,
    about: Callable[[D], str],
    named: Callable[[Hex], str],
    *,
    whose: Callable[[D], str],
    scene: HexScene,
    side: str,
    cite: Cite,
    followed: Sequence[D] = (),
) -> DecisionExplanation | None:
    """Return the explanation of decision `number`, or of the newest real choice; None without decisions.

    `kept` are the decisions of the last activation; `followed` are later decisions caused by a fight. `about` returns a
    decision's subject, `named` a hex in words, and `whose` the actor. Notes on hexes are added to `scene`. Raises
    Refused if there is no decision of that number.
    """
    if not (every := (*kept, *followed)):
        return None
    place = decision_number(every, number)
    decision = every[place - 1]
    who = whose(decision)
    return DecisionExplanation(
        title=f"Decision {place} of {len(every)}: {about(decision)}{f', {who}' if who else ''}",
        lines=(*lines(decision, named), *other_choices(every, place, about, cite)),
        newest=place == len(kept),
        scene=scene.model_copy(update={"notes": (*scene.notes, *notes(decision, side)), "tracks": ()}),
    )


def decision_number(kept: Sequence[Decision[Any]], number: int | None) -> int:
    """Return `number`, by default the number of the newest real choice. Raises Refused if there is no such decision.

    `kept` are the decisions of the last activation, at least one, numbered from 1.
    """
    choices = [place for place, one in enumerate(kept, start=1) if one.is_choice]
    place = [len(kept), *choices][-1] if number is None else number
    if not 1 <= place <= len(kept):
        raise Refused(f"There are decisions 1 to {len(kept)} of the last activation. Ask for one of them.")
    return place


def lines(decision: Decision[C], named: Callable[[C], str]) -> Iterable[Step]:
    """Yield a decision in words: its candidates, the effect of each row, and the choice."""
    yield Step(text=f"Candidates: {_join_candidates(decision.candidates, named) or 'none'}", cite=decision.cite)
    for row in decision.rows:
        yield Step(text=f"Row {row.row}: {row.text}", cite=row.cite, verdict=_effect_in_words(row, named))
    chosen = named(decision.chosen) if decision.chosen is not None else "nothing"
    verdict = f"chosen: {chosen}{', overruling the card' if decision.overruled else ''}"
    yield Step(text=decision.why, cite=decision.cite, verdict=verdict)


def other_choices(kept: Sequence[Decision[C]], place: int, about: Callable[[Any], str], cite: Cite) -> Iterable[Step]:
    """Yield the activation's other real choices with their numbers; `about` names each decision's subject."""
    others = [f"{number} {about(one)}" for number, one in enumerate(kept, start=1) if number != place and one.is_choice]
    if others:
        more = f" and {len(others) - MOST_LISTED} more" if len(others) > MOST_LISTED else ""
        yield Step(text=f"Other choices of this activation: {'; '.join(others[:MOST_LISTED])}{more}", cite=cite)


def notes(decision: Decision[Hex], side: str) -> tuple[HexNote, ...]:
    """Return map notes: the chosen hex, excluded hexes with their row, and remaining candidates."""
    out = {hex_: row.row for row in decision.rows for hex_ in row.out if hex_ != decision.chosen}
    kinds: dict[Hex | None, NoteKind] = {decision.chosen: NoteKind.CHOSEN, **dict.fromkeys(out, NoteKind.PUT_OUT)}
    found = ((each, kinds.get(each, NoteKind.CANDIDATE)) for each in decision.candidates)
    return tuple(HexNote(hex=each, kind=kind, text=out.get(each, ""), side=side) for each, kind in found)


def _effect_in_words(row: RowTrace[C], named: Callable[[C], str]) -> str:
    if row.skipped:
        return f"skipped: {row.skipped}"
    return f"puts out {_join_candidates(row.out, named)}" if row.out else "puts out nobody"


def _join_candidates(candidates: Sequence[C], named: Callable[[C], str]) -> str:
    """Return candidates in words, at most MOST_NAMED: `2711, 2712 and 3 more`."""
    said = ", ".join(map(named, candidates[:MOST_NAMED]))
    return f"{said} and {len(candidates) - MOST_NAMED} more" if len(candidates) > MOST_NAMED else said
