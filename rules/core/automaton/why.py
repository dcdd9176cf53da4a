"""Why an opponent did what it did: candidates, and which row of its chart put out whom."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from rules.core.hexboard.hex_scene import HexNote, HexScene, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.listed import Explained
from rules.core.model import Cite
from rules.core.refused import Refused
from rules.core.report import Step

from .decisions import C, Decision, RowOut, newest_choice

D = TypeVar("D", bound=Decision[Hex])
MOST_NAMED = 12
"""Candidates that a line names; of more, their number is said."""
MOST_LISTED = 10
"""Other choices that are listed."""


def explained(
    kept: Sequence[D],
    number: int | None,
    about: Callable[[D], str],
    named: Callable[[Hex], str],
    *,
    whose: str,
    scene: HexScene,
    side: str,
    cite: Cite,
) -> Explained | None:
    """Decision `number` of the last activation, or its newest real choice; None where nothing was decided.

    `about` says what one was of, `named` a hex, `whose` who acted; its marks are put on the scene. Raises Refused on a
    number that none of them has.
    """
    if not kept:
        return None
    place = asked_for(kept, number)
    decision = kept[place - 1]
    return Explained(
        title=f"Decision {place} of {len(kept)}: {about(decision)}{f', {whose}' if whose else ''}",
        lines=(*lines(decision, named), *other_choices(kept, place, about, cite)),
        scene=scene.model_copy(update={"notes": (*scene.notes, *notes(decision, side)), "tracks": ()}),
    )


def asked_for(kept: Sequence[Decision[Any]], number: int | None) -> int:
    """The number of the decision asked for: the newest real choice where none is. Raises Refused where there is none.

    `kept` are the decisions of the last activation, at least one; they are numbered from 1.
    """
    place = newest_choice(kept) if number is None else number
    if not 1 <= place <= len(kept):
        raise Refused(f"There are decisions 1 to {len(kept)} of the last activation. Ask for one of them.")
    return place


def lines(decision: Decision[C], named: Callable[[C], str]) -> Iterable[Step]:
    """A decision in plain words: who was weighed, what each row did, and what was chosen."""
    yield Step(text=f"Candidates: {_all(decision.candidates, named) or 'none'}", cite=decision.cite)
    for row in decision.rows:
        yield Step(text=f"Row {row.row}: {row.text}", cite=row.cite, verdict=_effect(row, named))
    chosen = named(decision.chosen) if decision.chosen is not None else "nothing"
    verdict = f"chosen: {chosen}{', overruling the card' if decision.overruled else ''}"
    yield Step(text=decision.why, cite=decision.cite, verdict=verdict)


def other_choices(kept: Sequence[Decision[C]], place: int, about: Callable[[Any], str], cite: Cite) -> Iterable[Step]:
    """The other real choices of the activation, with their numbers; `about` says what each was of."""
    others = [f"{number} {about(one)}" for number, one in enumerate(kept, start=1) if number != place and one.is_choice]
    if others:
        more = f" and {len(others) - MOST_LISTED} more" if len(others) > MOST_LISTED else ""
        yield Step(text=f"Other choices of this activation: {'; '.join(others[:MOST_LISTED])}{more}", cite=cite)


def notes(decision: Decision[Hex], side: str) -> tuple[HexNote, ...]:
    """Marks for the picture: the hex chosen, those put out with the row that did it, other candidates."""
    out = {hex_: row.row for row in decision.rows for hex_ in row.out}
    return tuple(_note(hex_, out.get(hex_), side, chosen=hex_ == decision.chosen) for hex_ in decision.candidates)


def _note(hex_: Hex, row: str | None, side: str, *, chosen: bool) -> HexNote:
    if chosen:
        return HexNote(hex=hex_, kind=NoteKind.CHOSEN, side=side)
    if row is not None:
        return HexNote(hex=hex_, kind=NoteKind.PUT_OUT, text=row, side=side)
    return HexNote(hex=hex_, kind=NoteKind.CANDIDATE, side=side)


def _effect(row: RowOut[C], named: Callable[[C], str]) -> str:
    if row.skipped:
        return f"skipped: {row.skipped}"
    return f"puts out {_all(row.out, named)}" if row.out else "puts out nobody"


def _all(candidates: Sequence[C], named: Callable[[C], str]) -> str:
    """`2711, 2712 and 3 more`."""
    said = ", ".join(map(named, candidates[:MOST_NAMED]))
    return f"{said} and {len(candidates) - MOST_NAMED} more" if len(candidates) > MOST_NAMED else said
