"""How the turn goes on: who moves first is said, and a side is through with its phase (BE-1)."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core import phases
from rules.core.action_type import Caption, SimpleType
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.wording import in_a_row
from rules.empire.conduct import charts, critical, testing
from rules.empire.fighting import melee
from rules.empire.firing import jams as firing
from rules.empire.model import EmpireState
from rules.empire.moving import movement
from rules.empire.moving.allowance import tenths_left, unmoved
from rules.empire.phases import MOVEMENT, SEQUENCE, Phase, title
from rules.empire.shared import BY_TURNS

from . import bayonets, walk
from .walk import HOUSE, winner


class First(Action):
    """The winner of the initiative says which `side` moves first this turn."""

    by_unit = False

    side: str


class FirstType(SimpleType[EmpireState, First]):
    """Said by whoever won the initiative (BE-1, house)."""

    action = First
    says = "{side} first"

    @override
    def side(self, state: EmpireState, action: First) -> Viewer:
        """The winner's business."""
        return winner(state) or state.active

    def thinkable(self, state: EmpireState) -> Iterable[First]:
        """Either side first."""
        return (First(side=each.id) for each in state.sides)

    def check(self, state: EmpireState, action: First) -> None:
        """Raises Refused where there is nothing to choose."""
        when = f"Who moves first is said in {title(Phase.INITIATIVE)}, by whoever has won it"
        refuse(HOUSE, (winner(state) is None, f"{when}. Now: {title(state.now)}."))
        _require_side(state, action.side)

    def resolve(self, play: Play[EmpireState], plan: First) -> None:
        """Sets who moves first, and begins to move."""
        chooser, first = play.state.side(self.side(play.state, plan)), play.state.side(plan.side)
        play.reckon(f"{chooser:The} have the initiative and say so", HOUSE)
        play.set(first=first.id, initiative={}, active=first.id)
        walk.end_phase(play)
        play.tell(headline=f"{first:The} move first. {play.state.turn_title}.", outcome=walk.asks(play.state))


class TurnNext(phases.TurnNext):
    """Pass: a `side` finishes the phase; the umpire may end it for all, and `waive` obligations."""

    side: str | None = None


class TurnType(SimpleType[EmpireState, TurnNext]):
    """End the phase for a side, or for all once every side is finished (BE-1)."""

    action = TurnNext

    def side(self, state: EmpireState, action: TurnNext) -> Viewer:
        """Return the finished side, or the umpire for ending a shared phase or waiving."""
        ends_for_all = action.side is None and len(state.acting) > 1
        return UMPIRE if action.waive or ends_for_all else action.side or state.acting[0]

    def thinkable(self, state: EmpireState) -> Iterable[TurnNext]:
        """Yield a pass for each acting side."""
        return (TurnNext(side=each) for each in state.acting)

    def caption(self, state: EmpireState, plan: TurnNext) -> Caption:
        """Return the button text naming the finished side."""
        return Caption(f"{state.side(plan.side).name} through" if plan.side else "End the phase")

    def check(self, state: EmpireState, action: TurnNext) -> None:
        """Raise Refused with remaining obligations, unless waived."""
        left = tuple(item for item in blocking(state, _through(state, action)) if not _follows(state, item))
        if left and not action.waive:
            raise Refused(
                "The phase cannot end yet: something is still to decide. The umpire may waive it.", SEQUENCE, left
            )

    def resolve(self, play: Play[EmpireState], plan: TurnNext) -> None:
        """Goes on to the next phase, or waits for the other side; melees of two units are fought before it ends."""
        before, sides = play.state, _through(play.state, plan)
        waiting = [side for side in before.sides if side.id not in (*before.done, *sides)]
        if before.now not in MOVEMENT and waiting:
            play.set(done=(*before.done, *sides))
            headline = f"{before.side(sides[0]):The} have ended {title(before.now)}."
            play.tell(headline=headline, side=sides[0], outcome=f"Waiting for {waiting[0]:the}.")
            return
        for item in blocking(before, sides):
            if plan.waive or not _follows(before, item):
                play.note(item.text, item.cite, "waived")
        for fight in () if plan.waive else melee.of_two(before):
            play.do(fight)
        walk.end_phase(play)
        after = play.state
        play.tell(
            headline=f"{after.turn_title}.",
            opens_turn=True,
            side=after.acting[0] if len(after.acting) == 1 else UMPIRE,
            outcome=walk.asks(after),
            warnings=_left_standing(before, sides),
            units=tuple(dict.fromkeys(unit for shot in after.landed for unit in (shot.target, shot.unit))),
        )


def _left_standing(state: EmpireState, sides: Iterable[str]) -> tuple[str, ...]:
    """Return a warning for tested units with unused moves."""
    idle = [f'{unit.name} ({tenths_left(state, unit)}")' for side in sides for unit in unmoved(state, side)]
    return (f"Tested and not moved: {in_a_row(idle)}. /game undo goes back to it.",) if idle else ()


def _require_side(state: EmpireState, side: str) -> None:
    """Raise Refused for an unknown side."""
    sides = [each.id for each in state.sides]
    refuse(None, (side not in sides, f"There is no side “{side[:40]}”. The sides: {', '.join(sides)}."))


def _through(state: EmpireState, action: TurnNext) -> tuple[str, ...]:
    """Return finished sides: the named one, the mover, or all for the umpire. Raises Refused."""
    if action.side is None or action.side in state.acting:
        return state.acting if action.side is None else (action.side,)
    _require_side(state, action.side)
    own, resting = state.side(action.side), walk.PHASES.idle_sides(state.model_copy(update={"done": ()}))
    moving = f"{state.side(state.active):The} move now; {own:the} wait for them."
    done = "have nothing left to do in" if action.side in resting else "have already ended"
    waiting = in_a_row(f"{state.side(side):the}" for side in state.acting)
    refuse(BY_TURNS, (state.now in MOVEMENT, moving))
    raise Refused(f"{own:The} {done} {title(state.now)}; it waits for {waiting}.", SEQUENCE)


MOVE_FIRST, THROUGH = FirstType(), TurnType()


def prompts(state: EmpireState) -> tuple[Prompt, ...]:
    """Return all prompts, blocking ones first, pass prompts last."""
    if state.over is not None:
        return ()
    items = (*_tests(state), *bayonets.prompts(state), *movement.prompts(state), *firing.shots(state))
    blocked = {item.side for item in items if item.required}
    passes = (_pass(state, side) for side in state.acting if side not in blocked and winner(state) is None)
    return (*sorted(items, key=lambda item: not item.required), *passes)


def blocking(state: EmpireState, sides: Iterable[str]) -> tuple[Prompt, ...]:
    """What keeps these sides from ending the phase."""
    return tuple(item for item in _tests(state, owed_alone=True) if item.required and item.side in sides)


def _follows(state: EmpireState, item: Prompt) -> bool:
    """Whether the phase's end settles the prompt automatically: melees without choices."""
    fought = (item.unit in (fight.unit, fight.target) for fight in melee.of_two(state))
    return state.throws_at_once and _melees_are_known(state) and any(fought)


def without_choice(state: EmpireState) -> Iterable[Action]:
    """The shaken's tests, when their side begins to move; melees with nobody to choose; critical hits (ruling).

    Last, that a side is through with a phase of both in which it can do nothing more.
    """
    if state.now is Phase.UNITS:
        yield from testing.RALLY.possible(state, state.active)
    yield from critical.HIT.possible(state, UMPIRE)
    yield from melee.decided(state)
    if walk.PHASES.now(state).kind is phases.Kind.SIMULTANEOUS and winner(state) is None:
        resting = walk.PHASES.idle_sides(state)
        yield from (TurnNext(side=side) for side in state.acting if side in resting)


def knows_all(state: EmpireState, action: Action) -> bool:
    """Whether no facts must be asked, for conduct and melee of placed units."""
    if isinstance(action, testing.ConductTest):
        return charts.is_known(state, state.unit(action.unit or ""))
    return _melees_are_known(state) or not isinstance(action, melee.Melee)


def _melees_are_known(state: EmpireState) -> bool:
    """Whether all fighting units have places, so that supports are known."""
    return all(unit.place is not None for unit in state.fighters())


def _tests(state: EmpireState, *, owed_alone: bool = False) -> Iterable[Prompt]:
    """Yield test prompts (with `owed_alone` only required ones), the initiative winner's choice first."""
    chooser = winner(state)
    if chooser is not None:
        text = f"{state.side(chooser):The} have the initiative: who moves first?"
        yield MOVE_FIRST.prompt(state, [*MOVE_FIRST.thinkable(state)], f"first:{state.turn}", text, HOUSE)
    yield from testing.prompts(state, owed_alone=owed_alone)
    for one in (critical, firing, melee):
        yield from one.prompts(state)


def _pass(state: EmpireState, side: str) -> Prompt:
    """Return the prompt for finishing the phase."""
    key, name = f"pass:{state.turn}:{state.phase}:{side}", state.side(side).name
    offer = THROUGH.offer(state, TurnNext(side=side), key)
    text = f"{name}: through with {title(state.now)}?"
    return Prompt(key=key, unit="", side=side, text=text, cite=SEQUENCE, offers=(offer,), required=False)
