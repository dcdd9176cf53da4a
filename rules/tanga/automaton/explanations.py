"""Explanations of British decisions in words and on the map: candidates, each row's effect, choice (TA-0.3)."""

from collections.abc import Callable, Iterable, Sequence

from rules.core.catalog import DecisionExplanation
from rules.core.hexboard.hex_scene import HexNote, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused
from rules.core.report import Step
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, TangaState, TangaUnit
from rules.tanga.progress import Decision
from rules.tanga.scene import scene

from .stacks import short_names

TRACE = Cite(rule="TA-0.3", mark=Mark.RULING)
MOST_NAMED = 12
"""Maximum number of candidates named in a line. Further candidates are only counted."""
MOST_LISTED = 10
"""Maximum number of other choices listed."""


def explain_decision(state: TangaState, number: int | None) -> DecisionExplanation | None:
    """Return the explanation of decision `number` of the last activation; None if there are no decisions.

    Without a number, explain the newest decision between several hexes. Raises Refused for an unknown number.
    """
    if not (decisions := (*state.decisions, *state.retreats)):
        return None
    place = find_decision_number(decisions, number)
    decision = decisions[place - 1]
    formations = [state.formation(unit.formation).name for unit in _surviving_units(state, decision)]
    picture = scene(state)
    subject = ", ".join([decision_in_words(state, decision), *formations[:1]])
    return DecisionExplanation(
        title=f"Decision {place} of {len(decisions)}: {subject}",
        lines=(*decision_lines(decision, board_of(state).title), *list_other_choices(state, decisions, place)),
        newest=place == len(state.decisions),
        scene=picture.model_copy(update={"notes": (*picture.notes, *candidate_notes(decision)), "tracks": ()}),
    )


def decision_in_words(state: TangaState, decision: Decision) -> str:
    """Return a decision's question and units in words, as `target of A and B`."""
    return f"{decision.question.value} of {short_names(state, _surviving_units(state, decision))}"


def _surviving_units(state: TangaState, decision: Decision) -> Sequence[TangaUnit]:
    """Return the decision's units that still exist in the game."""
    return [state.units[unit] for unit in decision.units if unit in state.units]


def find_decision_number(decisions: Sequence[Decision], number: int | None) -> int:
    """Return `number`, or if None, the number of the newest decision between several hexes.

    Raises Refused if no decision has that number.
    """
    choices = [place for place, decision in enumerate(decisions, start=1) if decision.has_alternatives]
    place = [len(decisions), *choices][-1] if number is None else number
    if not 1 <= place <= len(decisions):
        raise Refused(f"There are decisions 1 to {len(decisions)} of the last activation. Ask for one of them.")
    return place


def decision_lines(decision: Decision, title: Callable[[Hex], str]) -> Iterable[Step]:
    """Yield a decision in words: its candidates, the effect of each row, and the choice. `title` names a hex."""
    yield Step(text=f"Candidates: {_candidates_in_words(decision.candidates, title) or 'none'}", cite=decision.cite)
    for row in decision.rows:
        excluded = _candidates_in_words(row.out, title) or "nobody"
        effect = f"skipped: {row.skipped}" if row.skipped else f"puts out {excluded}"
        yield Step(text=f"Row {row.row}: {row.text}", cite=row.cite, verdict=effect)
    chosen = title(decision.chosen) if decision.chosen is not None else "nothing"
    verdict = f"chosen: {chosen}{', overruling the card' if decision.overruled else ''}"
    yield Step(text=decision.why, cite=decision.cite, verdict=verdict)


def list_other_choices(state: TangaState, decisions: Sequence[Decision], place: int) -> Iterable[Step]:
    """Yield one line that lists all decisions between several hexes, except decision number `place`."""
    choices = [
        f"{number} {decision_in_words(state, decision)}"
        for number, decision in enumerate(decisions, start=1)
        if number != place and decision.has_alternatives
    ]
    if choices:
        ending = f" and {len(choices) - MOST_LISTED} more" if len(choices) > MOST_LISTED else ""
        yield Step(text=f"Other choices of this activation: {'; '.join(choices[:MOST_LISTED])}{ending}", cite=TRACE)


def candidate_notes(decision: Decision) -> tuple[HexNote, ...]:
    """Return map notes on a decision's candidates: chosen, excluded by a row, or remaining."""
    out = {hex_: row.row for row in decision.rows for hex_ in row.out if hex_ != decision.chosen}
    kinds: dict[Hex | None, NoteKind] = {decision.chosen: NoteKind.CHOSEN, **dict.fromkeys(out, NoteKind.PUT_OUT)}
    candidates = ((hex_, kinds.get(hex_, NoteKind.CANDIDATE)) for hex_ in decision.candidates)
    return tuple(HexNote(hex=hex_, kind=kind, text=out.get(hex_, ""), side=BRITISH) for hex_, kind in candidates)


def _candidates_in_words(candidates: Sequence[Hex], title: Callable[[Hex], str]) -> str:
    """Return candidates in words, at most MOST_NAMED: `2711, 2712 and 3 more`."""
    words = ", ".join(map(title, candidates[:MOST_NAMED]))
    return f"{words} and {len(candidates) - MOST_NAMED} more" if len(candidates) > MOST_NAMED else words
