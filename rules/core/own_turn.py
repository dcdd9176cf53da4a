"""Find the turn in which a side acts next: its phases and its number."""

from collections.abc import Mapping
from typing import Any

from .model import UMPIRE, Viewer
from .ruleset import Ruleset
from .state import State


def phases_of_own_turn(system: Ruleset[Any], state: State, side: Viewer) -> Mapping[str, State]:
    """Return the phases of the side's next turn, with the state in which each begins.

    If the side acts in the present phase, that phase comes first. For the umpire, return the present turn's phases.
    """
    phases = system.phases
    if side == UMPIRE:
        later = phases.later_phases(state) if phases is not None else ()
        return dict.fromkeys((state.phase, *later), state)
    if phases is None:
        fields = {"active": side, "done": ()}
        return {state.phase: state.model_copy(update={name: fields[name] for name in fields if hasattr(state, name)})}
    states: Mapping[str, State] = phases.phases_of_own_turn(state, side)
    return states


def own_turn_number(system: Ruleset[Any], state: State, side: Viewer) -> int:
    """Return the number of the turn in which the side acts next."""
    return next((phase_state.turn for phase_state in phases_of_own_turn(system, state, side).values()), state.turn)


def is_in_own_turn(system: Ruleset[Any], state: State, side: Viewer) -> bool:
    """Whether the side acts in its own turn rather than answering another side."""
    answers = system.phases is not None and system.phases.current(state).is_answer_phase
    return side in state.acting_sides and not answers
