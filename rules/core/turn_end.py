"""Find what a side gives up by ending its turn or phase: whether the turn ends, and which units could still act."""

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from .automaton.own_dice import SeededDice
from .legal_units import units_with_legal_action
from .model import Viewer
from .phases import PhaseKind
from .refusal import Refused
from .ruleset import Ruleset
from .state import Action, S, State

PASSES = "passes"
"""Seed of the dice that try the end of a turn. Constant dice could tie forever."""


def forfeits_actions(system: Ruleset[S], seen: S, side: Viewer, passing: Action, *, whole_turn: bool = False) -> bool:
    """Whether units of `side` can act now, but no longer in this turn after the action `passing`.

    With `whole_turn`, `passing` ends the whole turn: actions in later phases count, too.
    """
    now = _has_action(system, seen, side)
    if whole_turn:
        return now or any(_has_action(system, later_state, side) for later_state in _later_states(system, seen, side))
    return now and _leaves_nothing_to_do(system, seen, side, passing)


def units_able_to_act(system: Ruleset[Any], seen: State, sides: Collection[Viewer]) -> tuple[str, ...]:
    """Return the ids of the units of `sides` that can act now, or else later in the turn."""
    now = [(seen, side) for side in sides]
    return _units_able_in_states(system, now) or _units_able_in_states(
        system, [(later_state, side) for side in sides for later_state in _later_states(system, seen, side)]
    )


def _units_able_in_states(system: Ruleset[Any], states: Collection[tuple[State, Viewer]]) -> tuple[str, ...]:
    """Return the ids of the units that can act. `states` pairs each state with the side that acts in it."""
    kinds, able = _kinds_of_unit_actions(system), set[str]()
    for state, side in states:
        for unmeasured in (False, True):
            remaining = state.every_unit.keys() - able
            able |= units_with_legal_action(system, state, side, kinds, remaining, unmeasured=unmeasured)
    return tuple(
        unit for unit in dict.fromkeys(unit for state, _ in states for unit in state.every_unit) if unit in able
    )


def has_shared_turns(system: Ruleset[Any]) -> bool:
    """Whether all sides act within the same turn."""
    phases = system.phases
    return phases is not None and any(phase.kind is PhaseKind.SIMULTANEOUS for phase in phases.phases)


def _leaves_nothing_to_do(system: Ruleset[S], seen: S, side: Viewer, passing: Action) -> bool:
    """Whether `side` can do nothing more this turn after the action `passing`; False if `passing` is refused."""
    try:
        after = system.try_action(seen, passing, SeededDice(PASSES))
    except Refused:
        return False
    if after.over is not None or after.turn != seen.turn:
        return True
    now = [after] if side in after.acting_sides else []
    return not any(_has_action(system, state, side) for state in (*now, *_later_states(system, after, side)))


def _kinds_of_unit_actions(system: Ruleset[Any]) -> list[str]:
    """Return the kinds of units' actions, except the umpire's actions and those that only announce later actions."""
    return [
        kind
        for kind, action in system.actions.items()
        if action.is_unit_action and not (action.umpire_only or action.only_announces)
    ]


def _has_action(system: Ruleset[Any], seen: State, side: Viewer) -> bool:
    """Whether a unit of `side` has a legal action, or an action that lacks only a measurement."""
    return any(
        action.unit
        for kind in _kinds_of_unit_actions(system)
        for action in chain(system.legal_actions(seen, side, kind), system.unmeasured_actions(seen, side, kind))
    )


def _later_states(system: Ruleset[S], state: S, side: Viewer) -> Iterator[S]:
    """Yield the state as it would be in each later phase of this turn in which `side` acts."""
    phases = system.phases
    if phases is not None:
        states = (phases.suppose_phase(state, phase, side) for phase in phases.later_phases(state))
        yield from (later_state for later_state in states if side in phases.order(later_state))
