"""The phases of a turn as data: who has anything to do in one, what happens by itself, and going on to the next."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from .action_type import SimpleType
from .model import UMPIRE, Cite, Viewer
from .play import Play
from .report import Step
from .state import Action, State

S = TypeVar("S", bound=State)


class Kind(StrEnum):
    """How the sides act in a phase: one after the other, both at once, or not at all."""

    SEQUENTIAL = "sequential"
    SIMULTANEOUS = "simultaneous"
    AUTOMATIC = "automatic"


def _nothing(play: Play[S]) -> None:
    """Nothing happens by itself."""


@dataclass(frozen=True)
class Phase(Generic[S]):
    """A phase of a turn.

    `on_begin` and `on_end` are what happens by itself when it begins and ends for all, `side_begins` and `side_ends`
    for the side that acts now, of one side after the other; `has_to_do` whether a side (by its id) has anything to do
    in it as the table stands, which in an automatic phase nobody has. One `of_hidden` is passed by nobody where troops
    may be hidden, so that nobody learns from it whether any are.
    """

    id: str
    title: str
    kind: Kind
    on_begin: Callable[[Play[S]], None] = _nothing
    on_end: Callable[[Play[S]], None] = _nothing
    side_begins: Callable[[Play[S]], None] = _nothing
    side_ends: Callable[[Play[S]], None] = _nothing
    has_to_do: Callable[[S, str], bool] = lambda _state, _side: False
    of_hidden: bool = False


@dataclass(frozen=True)
class Phases(Generic[S]):
    """The phases of a turn in their order, and the way from one to the next that asks anything of anybody.

    `order` has the sides that act in the phase of a state, in the order in which they do; `next_turn` is what a new
    turn makes of a state beside its number and phase; `ended` is whether the game is over. Where there are phases of
    both sides at once, the state has a field `done`: the sides that are through with one. `turns` is the last turn of
    the game, where it is known: up to it turns are passed in which nobody has anything to do.
    """

    phases: tuple[Phase[S], ...]
    order: Callable[[S], Sequence[str]]
    next_turn: Callable[[S], S]
    ended: Callable[[S], object]
    cite: Cite
    turns: Callable[[S], int | None] = lambda _state: None

    def now(self, state: S) -> Phase[S]:
        """The phase it is."""
        return next(phase for phase in self.phases if phase.id == state.phase)

    @property
    def of_people(self) -> tuple[str, ...]:
        """The ids of those in which sides act, where there are several."""
        return tuple(phase.id for phase in self.phases if phase.kind is not Kind.AUTOMATIC and phase.id)

    def later(self, state: S) -> tuple[str, ...]:
        """The ids of those of the turn that are still to come and in which sides act."""
        after = self.phases[self.phases.index(self.now(state)) + 1 :]
        return tuple(phase.id for phase in after if phase.id in self.of_people)

    def supposed(self, state: S, phase: str, side: str) -> S:
        """The state as if it were that phase, and that side's to act in it."""
        there = {"phase": phase, "active": side, "done": ()}
        return state.model_copy(update={name: value for name, value in there.items() if hasattr(state, name)})

    def idle(self, state: S) -> tuple[str, ...]:
        """Sides with nothing to do in the phase it is; of one of a side after the other, that whose turn it is."""
        phase = self.now(state)
        sides = (state.active,) if phase.kind is Kind.SEQUENTIAL else self.order(state)
        if phase.of_hidden and state.may_hide:
            return ()
        return tuple(side for side in sides if phase.kind is Kind.AUTOMATIC or not phase.has_to_do(state, side))

    def go_on(self, play: Play[S]) -> None:
        """Ends the phase, and goes on to the next with anything to do in it; those between are told in a line each.

        Where nobody has anything to do in a whole turn, it halts when the next has begun, or passes all such turns.
        """
        last = play.state.turn + (play.state.phase != self.phases[0].id)
        self._end(play)
        while not self.ended(play.state):
            told = play.said
            self._begin_next(play)
            able, new_turn = self._able(play.state), play.state.turn > last
            if not able and new_turn and self.turns(play.state) is not None:
                self.wait(play, "")
                return
            if able or new_turn:
                self._lets(play, able)
                return
            if play.said == told:
                one = f"the {play.state.side(play.state.active).name} have nothing"
                who = one if self.now(play.state).kind is Kind.SEQUENTIAL else "nobody has anything"
                title = self.now(play.state).title
                play.reckon(f"{title[0].upper()}{title[1:]}: {who} to do", self.cite)
            self._end(play)

    def wait(self, play: Play[S], side: str) -> None:
        """Passes for the side (by its id) until something happens, or another may act; the turns so passed are a line.

        The phase that is on ends with it, unless nobody has anything to do in that either.
        """
        first, told, last = play.state.turn, play.said, self.turns(play.state) or play.state.turn
        until = first
        while not self.ended(play.state) and play.state.turn <= last:
            until = play.state.turn if play.said == told else until
            self._end(play)
            if self.ended(play.state):
                break
            self._begin_next(play)
            able = self._able(play.state)
            if able - {side} or (able and play.said > told):
                self._lets(play, able)
                break
        passed = f"Turns {first} to {until}" if until > first else f"Turn {first}"
        who = f"the {play.state.side(side).name} wait" if side else "nobody has anything to do"
        text = f"{passed}: {who}"
        play.say_before(told, Step(text=text, cite=self.cite, verdict=text))

    def _able(self, state: S) -> frozenset[str]:
        """Sides with anything to do in the phase it is."""
        sequential = self.now(state).kind is Kind.SEQUENTIAL
        return frozenset((state.active,) if sequential else self.order(state)) - frozenset(self.idle(state))

    def _lets(self, play: Play[S], able: frozenset[str]) -> None:
        """Leaves the phase to those who have anything to do in it; of one of both at once the others are through."""
        if self.now(play.state).kind is Kind.SIMULTANEOUS and able:
            play.set(done=tuple(side for side in self.order(play.state) if side not in able))

    def _still_to_act(self, state: S) -> Sequence[str]:
        """Sides that act in this phase after the one that does now."""
        order = [*self.order(state)]
        return order[order.index(state.active) + 1 :] if self.now(state).kind is Kind.SEQUENTIAL else ()

    def _end(self, play: Play[S]) -> None:
        self.now(play.state).side_ends(play)
        if not self._still_to_act(play.state):
            self.now(play.state).on_end(play)

    def _begin_next(self, play: Play[S]) -> None:
        """The next side's part of the phase, or the next phase; after the last phase the next turn."""
        phase, to_act = self.now(play.state), self._still_to_act(play.state)
        if to_act:
            play.set(active=to_act[0])
            phase.side_begins(play)
            return
        if phase.kind is Kind.SIMULTANEOUS:
            play.set(done=())
        if phase is self.phases[-1]:
            play.state = self.next_turn(play.state)
            play.set(turn=play.state.turn + 1)
        following = self.phases[(self.phases.index(phase) + 1) % len(self.phases)]
        play.set(phase=following.id)
        play.set(active=self.order(play.state)[0])
        following.on_begin(play)
        following.side_begins(play)


class TurnNext(Action):
    """Goes on to what comes next: a phase, the other side, or the next turn. The umpire may `waive` what is owed."""

    by_unit = False

    waive: bool = False


PASS = TurnNext.kind
"""The kind of action that passes on."""


class TurnNextType(SimpleType[S, TurnNext]):
    """Going on; a system says what may hold it up, and how it is told."""

    action = TurnNext

    def side(self, state: S, action: TurnNext) -> Viewer:
        """The side whose turn it is; only the umpire waives."""
        return UMPIRE if action.waive else state.active

    def thinkable(self, state: S) -> Iterable[TurnNext]:  # noqa: ARG002
        """Going on."""
        yield TurnNext()
