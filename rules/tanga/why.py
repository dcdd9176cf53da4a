"""Why the British did what they did: candidates, and which row of the card put out whom (TA-0.3)."""

from collections.abc import Iterable, Sequence

from rules.core.hexboard.hex_scene import HexNote, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.listed import Explained
from rules.core.model import PUBLIC, Cite, Mark
from rules.core.refused import Refused
from rules.core.report import Step

from .automaton.stepped import names
from .decisions import Decision, RowOut
from .field import board_of
from .model import BRITISH, TangaState, TangaUnit
from .scene import scene

MOST_NAMED = 12
"""Hexes that a line names; of more, their number is said."""
MOST_LISTED = 10
"""Other choices that are listed."""
TRACE = Cite(rule="TA-0.3", mark=Mark.RULING)


def explain(state: TangaState, number: int | None) -> Explained | None:
    """Decision `number` of those of the last activation, or its newest real choice; None where nothing was decided.

    Raises Refused on a number that none of them has.
    """
    kept = state.decisions
    if not kept:
        return None
    place = _newest_choice(kept) if number is None else number
    if not 1 <= place <= len(kept):
        raise Refused(f"There are decisions 1 to {len(kept)} of the last activation. Ask for one of them.")
    decision = kept[place - 1]
    picture = scene(state, PUBLIC, None)
    return Explained(
        title=f"Decision {place} of {len(kept)}: {_title(state, decision)}",
        lines=(*lines(state, decision), *_others(state, place)),
        scene=picture.model_copy(update={"notes": (*picture.notes, *notes(decision)), "tracks": ()}),
    )


def _newest_choice(kept: Sequence[Decision]) -> int:
    """The number of the last decision that had more than one candidate, else of the last."""
    choices = [place for place, one in enumerate(kept, start=1) if len(one.candidates) > 1]
    return choices[-1] if choices else len(kept)


def _title(state: TangaState, decision: Decision) -> str:
    """`target of A and B, 13th Rajputs`."""
    units = _units(state, decision)
    return _about(state, decision) + (f", {state.formation(units[0].formation).name}" if units else "")


def _about(state: TangaState, decision: Decision) -> str:
    return f"{decision.question.value} of {names(state, _units(state, decision))}"


def _units(state: TangaState, decision: Decision) -> list[TangaUnit]:
    return [state.units[unit] for unit in decision.units if unit in state.units]


def _others(state: TangaState, place: int) -> Iterable[Step]:
    """The other real choices of the activation, with their numbers."""
    others = [
        f"{number} {_about(state, one)}"
        for number, one in enumerate(state.decisions, start=1)
        if number != place and len(one.candidates) > 1
    ]
    if others:
        more = f" and {len(others) - MOST_LISTED} more" if len(others) > MOST_LISTED else ""
        yield Step(text=f"Other choices of this activation: {'; '.join(others[:MOST_LISTED])}{more}", cite=TRACE)


def lines(state: TangaState, decision: Decision) -> Iterable[Step]:
    """A decision in plain words: who was weighed, what each row did, and what was chosen."""
    yield Step(text=f"Candidates: {_named(state, decision.candidates) or 'none'}", cite=decision.cite)
    for row in decision.rows:
        yield Step(text=f"Row {row.row}: {row.text}", cite=row.cite, verdict=_effect(state, row))
    chosen = board_of(state).title(decision.chosen) if decision.chosen is not None else "nothing"
    verdict = f"chosen: {chosen}{', overruling the card' if decision.overruled else ''}"
    yield Step(text=decision.why, cite=decision.cite, verdict=verdict)


def notes(decision: Decision) -> tuple[HexNote, ...]:
    """Marks for the picture: the hex chosen, those put out with the row that did it, other candidates."""
    out = {hex_: row.row for row in decision.rows for hex_ in row.out}
    return tuple(_note(decision, hex_, out.get(hex_)) for hex_ in decision.candidates)


def _note(decision: Decision, hex_: Hex, row: str | None) -> HexNote:
    if hex_ == decision.chosen:
        return HexNote(hex=hex_, kind=NoteKind.CHOSEN, side=BRITISH)
    if row is not None:
        return HexNote(hex=hex_, kind=NoteKind.PUT_OUT, text=row, side=BRITISH)
    return HexNote(hex=hex_, kind=NoteKind.CANDIDATE, side=BRITISH)


def _effect(state: TangaState, row: RowOut) -> str:
    if row.skipped:
        return f"skipped: {row.skipped}"
    return f"puts out {_named(state, row.out)}" if row.out else "puts out nobody"


def _named(state: TangaState, hexes: tuple[Hex, ...]) -> str:
    """`2711, 2712 and 3 more`."""
    said = ", ".join(map(board_of(state).title, hexes[:MOST_NAMED]))
    return f"{said} and {len(hexes) - MOST_NAMED} more" if len(hexes) > MOST_NAMED else said
