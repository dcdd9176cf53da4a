"""`/turn next`: a side is through with its phase; when all are, what was thrown lands and the next begins (BE-1)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Offer, Prompt, Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import in_a_row, inches
from rules.empire.model import EmpireState
from rules.empire.moving.prompts import inches_left, unmoved
from rules.empire.orders import BY_TURNS
from rules.empire.phases import MOVEMENT, SEQUENCE, title
from rules.empire.prompts import blocking

from . import initiative, walk
from .busy import through


class TurnNext(Action):
    """A `side` is through with the phase; the umpire, who names none, ends it for all and may `waive` what is owed."""

    kind: ClassVar[str] = "turn_next"

    side: str | None = None
    waive: bool = False


def pass_on(state: EmpireState, action: TurnNext, dice: Dice) -> tuple[EmpireState, Report]:
    """Ends the phase for the side, and for all once all are through. Raises Refused, with what is owed, before."""
    sides = _leaving(state, action)
    left = blocking(state, sides)
    if left and not action.waive:
        raise Refused("The phase cannot end yet; the umpire may waive what is owed.", SEQUENCE, left)
    waived = tuple(Step(text=item.text, cite=item.cite, verdict="waived by the umpire") for item in left)
    done = tuple(dict.fromkeys((*state.done, *sides)))
    waiting = [side for side in state.sides if side.id not in done]
    if state.now not in MOVEMENT and waiting:
        return _said(state, sides, done, waiting[0].name)
    after, steps = walk.on(state, dice)
    report = Report(
        headline=f"{after.turn_title}.",
        side=after.acting[0] if len(after.acting) == 1 else UMPIRE,
        steps=(*waived, *steps),
        outcome=walk.asks(after),
        warnings=_left_standing(state, sides),
        units=tuple(dict.fromkeys(unit for shot in after.landed for unit in (shot.target, shot.unit))),
    )
    return after, report


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
    idle = through(state.model_copy(update={"done": ()}))
    done = "have nothing left to do in" if action.side in idle else "are through already with"
    raise Refused(f"The {name} {done} {title(state.now)}; it waits for {waiting}.", SEQUENCE)


def _said(
    state: EmpireState, sides: tuple[str, ...], done: tuple[str, ...], waiting: str
) -> tuple[EmpireState, Report]:
    names = " and ".join(state.side(side).name for side in sides)
    report = Report(
        headline=f"The {names} are through with {title(state.now)}.",
        side=sides[0],
        outcome=f"It ends when the {waiting} are, too.",
    )
    return state.model_copy(update={"done": done}), report


def open_passes(state: EmpireState) -> Iterable[Prompt]:
    """The button by which each acting side says that it is through."""
    if state.over is not None or initiative.winner(state) is not None:
        return
    for side in state.acting:
        key = f"pass:{state.turn}:{state.phase}:{side}"
        name = state.side(side).name
        offer = Offer(label=f"{name} through", kind=TurnNext.kind, args={"side": side}, side=side, key=key)
        text = f"{name}: through with {title(state.now)}?"
        yield Prompt(
            key=key,
            unit="",
            side=side,
            text=text,
            cite=SEQUENCE,
            offers=(offer,),
            required=False,
        )


def legal(state: EmpireState, side: Viewer) -> Iterable[Action]:
    """Being through with the phase, for each side that nothing holds up."""
    for each in state.acting:
        if side in (each, UMPIRE) and not blocking(state, (each,)):
            yield TurnNext(side=each)


DEED: Deed[EmpireState] = Deed(TurnNext, pass_on, legal=legal)
