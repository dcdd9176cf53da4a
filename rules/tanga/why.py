"""Why the British did what they did: candidates, and which row of the card put out whom (TA-0.3)."""

from functools import partial

from rules.core.automaton import why
from rules.core.listed import Explained
from rules.core.model import PUBLIC, Cite, Mark

from .automaton.stacks import names
from .decisions import Decision
from .field import board_of
from .model import BRITISH, TangaState
from .scene import scene

TRACE = Cite(rule="TA-0.3", mark=Mark.RULING)


def explain(state: TangaState, number: int | None) -> Explained | None:
    """Decision `number` of those of the last activation, or its newest real choice; None where nothing was decided.

    Raises Refused on a number that none of them has.
    """
    kept = state.decisions
    if not kept:
        return None
    place = why.asked_for(kept, number)
    decision = kept[place - 1]
    formation = next((state.formation(state.units[one].formation).name for one in _still_there(state, decision)), "")
    picture = scene(state, PUBLIC, None)
    lines = why.lines(decision, board_of(state).title)
    return Explained(
        title=f"Decision {place} of {len(kept)}: {_about(state, decision)}{f', {formation}' if formation else ''}",
        lines=(*lines, *why.other_choices(kept, place, partial(_about, state), TRACE)),
        scene=picture.model_copy(update={"notes": (*picture.notes, *why.notes(decision, BRITISH)), "tracks": ()}),
    )


def _about(state: TangaState, decision: Decision) -> str:
    """`target of A and B`."""
    return f"{decision.question.value} of {names(state, [state.units[unit] for unit in _still_there(state, decision)])}"


def _still_there(state: TangaState, decision: Decision) -> list[str]:
    """Ids of those it was made for who are still counters of the game."""
    return [unit for unit in decision.units if unit in state.units]
