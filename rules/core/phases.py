"""Phases of a turn as data: who may act, what happens automatically, and transitions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic

from typing_extensions import override

from .action_type import ActionType, SimpleType
from .model import UMPIRE, Cite, Viewer
from .play import Play
from .report import Step
from .state import Action, S


class PhaseKind(StrEnum):
    """Order of action in a phase: sides in sequence, sides simultaneously, or no side at all."""

    SEQUENTIAL = "sequential"
    SIMULTANEOUS = "simultaneous"
    AUTOMATIC = "automatic"


def _do_nothing(play: Play[S]) -> None:
    """Do nothing: a phase without automatic events."""


def make_can_act_check(*kinds: ActionType[S, Any, Any]) -> Callable[[S, str], bool]:
    """Return a function that tests whether a side (by id) has possible actions of these kinds."""
    return lambda state, side: any(True for kind in kinds for _ in kind.possible_actions(state, side))


@dataclass(frozen=True)
class Phase(Generic[S]):
    """A phase of a turn. In a sequential phase, each side has a part of its own.

    `on_begin` and `on_end` run once a phase, `side_begins` and `side_ends` once a part. `begin_part` returns the state
    at the start of a part, in which no unit of the active side has acted. `has_to_do` tests whether a side (by id) has
    anything to do.

    Phases with `hidden_units_may_act` are never skipped while units may be hidden: skipping would reveal that no hidden
    unit can act. In an `is_answer_phase`, sides only answer another side's actions.
    """

    id: str
    title: str
    kind: PhaseKind
    on_begin: Callable[[Play[S]], None] = _do_nothing
    on_end: Callable[[Play[S]], None] = _do_nothing
    side_begins: Callable[[Play[S]], None] = _do_nothing
    side_ends: Callable[[Play[S]], None] = _do_nothing
    has_to_do: Callable[[S, str], bool] = lambda _state, _side: False
    hidden_units_may_act: bool = False
    begin_part: Callable[[S], S] = lambda state: state
    is_answer_phase: bool = False


@dataclass(frozen=True)
class Phases(Generic[S]):
    """The phases of a turn in order, and the transitions between them.

    `order` returns the sides that act in the current phase, in sequence. `next_turn` returns the state for a new turn,
    with the turn's number and phase unchanged. `turns` returns the number of the last turn, or None if unknown. With
    simultaneous phases, the state needs a field `done`: the sides that have finished the phase.
    """

    phases: tuple[Phase[S], ...]
    order: Callable[[S], Sequence[str]]
    next_turn: Callable[[S], S]
    is_over: Callable[[S], object]
    cite: Cite
    turns: Callable[[S], int | None] = lambda _state: None

    def current(self, state: S) -> Phase[S]:
        """Return the current phase."""
        return next(phase for phase in self.phases if phase.id == state.phase)

    @property
    def player_phases(self) -> tuple[str, ...]:
        """Return the ids of the phases in which players act, except a phase without an id."""
        return tuple(phase.id for phase in self.phases if phase.kind is not PhaseKind.AUTOMATIC and phase.id)

    def later_phases(self, state: S) -> tuple[str, ...]:
        """Return the ids of this turn's later phases in which players act."""
        after = self.phases[self.phases.index(self.current(state)) + 1 :]
        return tuple(phase.id for phase in after if phase.id in self.player_phases)

    def phases_of_own_turn(self, state: S, side: str) -> Mapping[str, S]:
        """Return the phases of the side's next turn, with the state in which each begins.

        If the side acts in the current phase, that phase comes first. The states do not anticipate actions and
        automatic events.
        """
        states: dict[str, S] = {}
        future = state
        for _ in range(2 * len(self.phases) * len(state.sides)):
            phase = self.current(future)
            if side in self._sides_to_act(future) and not phase.is_answer_phase:
                states.setdefault(phase.id, future)
            if states and phase is self.phases[-1] and not self._sides_still_to_act(future):
                break  # the turn ends with this part
            future = self._next_state(future)
        return states

    def suppose_phase(self, state: S, phase: str, side: str) -> S:
        """Return the state as if `phase` were the current phase and `side` the active side."""
        fields = {"phase": phase, "active": side, "done": ()}
        return state.model_copy(update={name: value for name, value in fields.items() if hasattr(state, name)})

    def idle_sides(self, state: S) -> tuple[str, ...]:
        """Return the sides with nothing to do now: in a sequential phase, at most the active side.

        Return no side if hidden units might act in the phase.
        """
        phase = self.current(state)
        sides = (state.active,) if phase.kind is PhaseKind.SEQUENTIAL else self.order(state)
        if phase.hidden_units_may_act and state.can_hidden_units_act:
            return ()
        return tuple(side for side in sides if phase.kind is PhaseKind.AUTOMATIC or not phase.has_to_do(state, side))

    def advance(self, play: Play[S]) -> None:
        """End the current part, and begin the next part in which a side has something to do.

        After a whole turn without anything to do, stop at the start of the next turn. If the number of the last turn is
        known, skip all idle turns instead.
        """
        last = play.state.turn + (play.state.phase != self.phases[0].id)
        self._end_part(play)
        while not self.is_over(play.state):
            steps_before = play.step_count
            self._begin_next_side_or_phase(play)
            able_sides, new_turn = self._sides_with_something_to_do(play.state), play.state.turn > last
            if not able_sides and new_turn and self.turns(play.state) is not None:
                self.skip_idle_turns(play, "")
                return
            if able_sides or new_turn:
                self._mark_sides_done(play, able_sides)
                return
            if play.step_count == steps_before:
                side_words = f"{play.state.side(play.state.active):the} have nothing"
                subject = side_words if self.current(play.state).kind is PhaseKind.SEQUENTIAL else "nobody has anything"
                title = self.current(play.state).title
                play.note_calculation(f"{title[0].upper()}{title[1:]}: {subject} to do", self.cite)
            self._end_part(play)

    def skip_idle_turns(self, play: Play[S], side: str) -> None:
        """End the current phase, and skip turns until a side can act. Report the skipped turns in one line.

        `side` is the id of a side that chose to wait, or empty: it counts as able to act only after a reported event.
        """
        first, steps_before, last = play.state.turn, play.step_count, self.turns(play.state) or play.state.turn
        until = first
        while not self.is_over(play.state) and play.state.turn <= last:
            until = play.state.turn if play.step_count == steps_before else until
            self._end_part(play)
            if self.is_over(play.state):
                break
            self._begin_next_side_or_phase(play)
            able_sides = self._sides_with_something_to_do(play.state)
            if able_sides - {side} or (able_sides and play.step_count > steps_before):
                self._mark_sides_done(play, able_sides)
                break
        turns_in_words = f"Turns {first} to {until}" if until > first else f"Turn {first}"
        clause = f"{play.state.side(side):the} wait" if side else "nobody has anything to do"
        text = f"{turns_in_words}: {clause}"
        play.insert_steps(steps_before, Step(text=text, cite=self.cite, verdict=text))

    def _sides_with_something_to_do(self, state: S) -> frozenset[str]:
        """Return the sides with something to do in the current phase."""
        sequential = self.current(state).kind is PhaseKind.SEQUENTIAL
        return frozenset((state.active,) if sequential else self.order(state)) - frozenset(self.idle_sides(state))

    def _mark_sides_done(self, play: Play[S], able_sides: frozenset[str]) -> None:
        """Mark all sides except `able_sides` as done, if the phase is simultaneous."""
        if self.current(play.state).kind is PhaseKind.SIMULTANEOUS and able_sides:
            play.set(done=tuple(side for side in self.order(play.state) if side not in able_sides))

    def _sides_still_to_act(self, state: S) -> Sequence[str]:
        """Return the sides that act after the active side in the current phase."""
        order = [*self.order(state)]
        return order[order.index(state.active) + 1 :] if self.current(state).kind is PhaseKind.SEQUENTIAL else ()

    def _end_part(self, play: Play[S]) -> None:
        self.current(play.state).side_ends(play)
        if not self._sides_still_to_act(play.state):
            self.current(play.state).on_end(play)

    def _begin_next_side_or_phase(self, play: Play[S]) -> None:
        """Begin the next side's part of the phase, or else the next phase, with its automatic events."""
        goes_on = bool(self._sides_still_to_act(play.state))
        play.state = self._next_state(play.state)
        phase = self.current(play.state)
        if not goes_on:
            phase.on_begin(play)
        phase.side_begins(play)

    def _next_state(self, state: S) -> S:
        """Return the state of the next side's part, or else of the next phase or turn."""
        phase, to_act = self.current(state), self._sides_still_to_act(state)
        if to_act:
            return phase.begin_part(state.model_copy(update={"active": to_act[0]}))
        if phase is self.phases[-1]:
            state = self.next_turn(state)
            state = state.model_copy(update={"turn": state.turn + 1})
        following = self.phases[(self.phases.index(phase) + 1) % len(self.phases)]
        nobody = {"done": ()} if hasattr(state, "done") else {}
        state = state.model_copy(update={"phase": following.id, **nobody})
        return following.begin_part(state.model_copy(update={"active": self.order(state)[0]}))

    def _sides_to_act(self, state: S) -> Sequence[str]:
        """Return the sides that may act in the phase now."""
        kind = self.current(state).kind
        if kind is PhaseKind.SEQUENTIAL:
            return (state.active,)
        done = getattr(state, "done", ())
        return () if kind is PhaseKind.AUTOMATIC else tuple(side for side in self.order(state) if side not in done)


class TurnNext(Action):
    """The action that ends a side's part of a phase. With `waive`, the umpire drops required tests and moves."""

    is_unit_action = False

    waive: bool = False


PASS = TurnNext.kind
"""Kind of the action that ends a side's part of a phase."""


class TurnNextType(SimpleType[S, TurnNext]):
    """The type of the action `TurnNext`. Systems define what prevents the action, and the report."""

    action = TurnNext

    def side(self, state: S, action: TurnNext) -> Viewer:
        """Return the active side, or the umpire if the action waives tests or moves."""
        return UMPIRE if action.waive else state.active

    @override
    def suggest_actions(self, state: S) -> Iterable[TurnNext]:
        """Yield the action without `waive`."""
        yield TurnNext()
