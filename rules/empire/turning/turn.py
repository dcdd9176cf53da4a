"""`/turn next`: a side is through with its phase; when all are, what was thrown lands and the next begins (BE-1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.report import Prompt, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import in_a_row, inches
from rules.empire.model import EmpireState
from rules.empire.moving.prompts import inches_left, unmoved
from rules.empire.orders import BY_TURNS
from rules.empire.phases import MOVEMENT, SEQUENCE, title
from rules.empire.prompts import blocking

from . import initiative, walk
from .sequence import idle


class TurnNext(Action):
    """A `side` is through with the phase; the umpire, who names none, ends it for all and may `waive` what is owed."""

    kind: ClassVar[str] = "turn_next"
    by_unit: ClassVar[bool] = False

    side: str | None = None
    waive: bool = False


@dataclass(frozen=True)
class TurnPlan:
    """The sides that are through, and what the umpire waives of theirs."""

    sides: tuple[str, ...]
    waived: tuple[Step, ...]


class TurnType(ActionType[EmpireState, TurnNext, TurnPlan]):
    """Ends the phase for a side, and for all once all are through (BE-1)."""

    action = TurnNext

    def side(self, state: EmpireState, action: TurnNext) -> Viewer:
        """That of the side that is through; the umpire's who ends a phase of both for all, or waives anything."""
        ends_for_all = action.side is None and len(state.acting) > 1
        return UMPIRE if action.waive or ends_for_all else action.side or state.acting[0]

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[TurnNext]:
        """Being through with the phase, for each side that acts in it."""
        if unit is None:
            yield from (TurnNext(side=each) for each in state.acting if viewer in (each, UMPIRE))

    def plan(self, state: EmpireState, action: TurnNext, *, supposing: bool = False) -> TurnPlan:  # noqa: ARG002
        """Raises Refused, with what the game waits for, where that is not waived."""
        sides = _leaving(state, action)
        left = blocking(state, sides)
        if left and not action.waive:
            raise Refused("The phase cannot end yet; the umpire may waive what is owed.", SEQUENCE, left)
        waived = (Step(text=item.text, cite=item.cite, verdict="waived by the umpire") for item in left)
        return TurnPlan(sides, tuple(waived))

    def label(self, state: EmpireState, plan: TurnPlan) -> str:
        """`British through`."""
        return f"{' and '.join(state.side(side).name for side in plan.sides)} through"

    def resolve(self, play: Play[EmpireState], plan: TurnPlan) -> None:
        """Goes on to the next phase, or waits for the other side."""
        before = play.state
        done = tuple(dict.fromkeys((*before.done, *plan.sides)))
        waiting = [side.name for side in before.sides if side.id not in done]
        if before.now not in MOVEMENT and waiting:
            names = " and ".join(before.side(side).name for side in plan.sides)
            headline = f"The {names} are through with {title(before.now)}."
            play.set(done=done)
            play.tell(headline=headline, side=plan.sides[0], outcome=f"It ends when the {waiting[0]} are, too.")
            return
        play.say(*plan.waived)
        walk.on(play)
        after = play.state
        play.tell(
            headline=f"{after.turn_title}.",
            side=after.acting[0] if len(after.acting) == 1 else UMPIRE,
            outcome=walk.asks(after),
            warnings=_left_standing(before, plan.sides),
            units=tuple(dict.fromkeys(unit for shot in after.landed for unit in (shot.target, shot.unit))),
        )


def _left_standing(state: EmpireState, sides: Iterable[str]) -> tuple[str, ...]:
    """Who was given a move by its test and has not made it: said, since it is lost."""
    idle = [f"{unit.name} ({inches(inches_left(unit))})" for side in sides for unit in unmoved(state, side)]
    if not idle:
        return ()
    return (f"Tested and not moved: {in_a_row(idle)}. /game undo goes back to it.",)


def _leaving(state: EmpireState, action: TurnNext) -> tuple[str, ...]:
    """The sides that are through: the one named, the one that moves, or for the umpire all. Raises Refused."""
    if action.side is None:
        return state.acting
    if action.side not in {side.id for side in state.sides}:
        raise Refused(f"There is no side “{action.side[:40]}”.")
    if action.side in state.acting:
        return (action.side,)
    name = state.side(action.side).name
    if state.now in MOVEMENT:
        raise Refused(f"The {state.side(state.active).name} move now; the {name} wait for them.", BY_TURNS)
    waiting = in_a_row(f"the {state.side(side).name}" for side in state.acting)
    resting = idle(state.model_copy(update={"done": ()}))
    done = "have nothing left to do in" if action.side in resting else "are through already with"
    raise Refused(f"The {name} {done} {title(state.now)}; it waits for {waiting}.", SEQUENCE)


def open_passes(state: EmpireState) -> Iterable[Prompt]:
    """The button by which each acting side says that it is through."""
    if state.over is not None or initiative.winner(state) is not None:
        return
    for side in state.acting:
        key = f"pass:{state.turn}:{state.phase}:{side}"
        label = THROUGH.label(state, TurnPlan((side,), ()))
        yield Prompt(
            key=key,
            unit="",
            side=side,
            text=f"{state.side(side).name}: through with {title(state.now)}?",
            cite=SEQUENCE,
            offers=(THROUGH.offer(state, TurnNext(side=side), key, label),),
            required=False,
        )


THROUGH = TurnType()
