"""Explanations of British decisions: candidates, effect of each row and choice, in words and on the map (TA-0.3)."""

from collections.abc import Callable, Iterable, Sequence

from rules.core.catalog import DecisionExplanation
from rules.core.hexboard.hex_scene import HexNote, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused
from rules.core.report import Step
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, TangaState, TangaUnit
from rules.tanga.progress import Decision, RowOut
from rules.tanga.scene import scene

from .stacks import names

TRACE = Cite(rule="TA-0.3", mark=Mark.RULING)
MOST_NAMED = 12
"""Maximum number of candidates named in a line; further candidates are only counted."""
MOST_LISTED = 10
"""Maximum number of other choices listed."""


def explain(state: TangaState, number: int | None) -> DecisionExplanation | None:
    """Return the explanation of decision `number` of the last activation; None without decisions.

    Without a number, explain the newest decision between several hexes. The decisions of retreats after a fight are
    numbered last. Raises Refused for an unknown number.
    """
    if not (kept := (*state.decisions, *state.retreats)):
        return None
    place = decision_number(kept, number)
    decision = kept[place - 1]
    formations = [state.formation(unit.formation).name for unit in _units_left(state, decision)]
    picture = scene(state)
    return DecisionExplanation(
        title=f"Decision {place} of {len(kept)}: {', '.join([about(state, decision), *formations[:1]])}",
        lines=(*lines(decision, board_of(state).title), *other_choices(state, kept, place)),
        newest=place == len(state.decisions),
        scene=picture.model_copy(update={"notes": (*picture.notes, *notes(decision)), "tracks": ()}),
    )


def about(state: TangaState, decision: Decision) -> str:
    """Return a decision's question and units in words, as `target of A and B`."""
    return f"{decision.question.value} of {names(state, _units_left(state, decision))}"


def _units_left(state: TangaState, decision: Decision) -> Sequence[TangaUnit]:
    """Return the decision's units that still exist in the game."""
    return [state.units[unit] for unit in decision.units if unit in state.units]


def decision_number(kept: Sequence[Decision], number: int | None) -> int:
    """Return `number`, by default the number of the newest real choice. Raises Refused if there is no such decision.

    `kept` are the decisions of the last activation, at least one, numbered from 1.
    """
    choices = [place for place, one in enumerate(kept, start=1) if one.is_choice]
    place = [len(kept), *choices][-1] if number is None else number
    if not 1 <= place <= len(kept):
        raise Refused(f"There are decisions 1 to {len(kept)} of the last activation. Ask for one of them.")
    return place


def lines(decision: Decision, named: Callable[[Hex], str]) -> Iterable[Step]:
    """Yield a decision in words: its candidates, the effect of each row, and the choice. `named` names a hex."""
    yield Step(text=f"Candidates: {_join_candidates(decision.candidates, named) or 'none'}", cite=decision.cite)
    for row in decision.rows:
        yield Step(text=f"Row {row.row}: {row.text}", cite=row.cite, verdict=_effect_in_words(row, named))
    chosen = named(decision.chosen) if decision.chosen is not None else "nothing"
    verdict = f"chosen: {chosen}{', overruling the card' if decision.overruled else ''}"
    yield Step(text=decision.why, cite=decision.cite, verdict=verdict)


def other_choices(state: TangaState, kept: Sequence[Decision], place: int) -> Iterable[Step]:
    """Yield the activation's other real choices with their numbers."""
    numbered = [(number, one) for number, one in enumerate(kept, start=1) if number != place and one.is_choice]
    if others := [f"{number} {about(state, one)}" for number, one in numbered]:
        more = f" and {len(others) - MOST_LISTED} more" if len(others) > MOST_LISTED else ""
        yield Step(text=f"Other choices of this activation: {'; '.join(others[:MOST_LISTED])}{more}", cite=TRACE)


def notes(decision: Decision) -> tuple[HexNote, ...]:
    """Return map notes: the chosen hex, excluded hexes with their row, and remaining candidates."""
    out = {hex_: row.row for row in decision.rows for hex_ in row.out if hex_ != decision.chosen}
    kinds: dict[Hex | None, NoteKind] = {decision.chosen: NoteKind.CHOSEN, **dict.fromkeys(out, NoteKind.PUT_OUT)}
    found = ((each, kinds.get(each, NoteKind.CANDIDATE)) for each in decision.candidates)
    return tuple(HexNote(hex=each, kind=kind, text=out.get(each, ""), side=BRITISH) for each, kind in found)


def _effect_in_words(row: RowOut, named: Callable[[Hex], str]) -> str:
    if row.skipped:
        return f"skipped: {row.skipped}"
    return f"puts out {_join_candidates(row.out, named)}" if row.out else "puts out nobody"


def _join_candidates(candidates: Sequence[Hex], named: Callable[[Hex], str]) -> str:
    """Return candidates in words, at most MOST_NAMED: `2711, 2712 and 3 more`."""
    said = ", ".join(map(named, candidates[:MOST_NAMED]))
    return f"{said} and {len(candidates) - MOST_NAMED} more" if len(candidates) > MOST_NAMED else said
