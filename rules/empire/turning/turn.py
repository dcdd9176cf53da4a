"""Progress of the turn: the choice of who moves first, and the end of a phase (BE-1)."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core import phases
from rules.core.action_type import Caption, SimpleType
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.unit_lookup import find_side
from rules.core.wording import join_with_and
from rules.empire.conduct import charts, critical, testing
from rules.empire.fighting import melee
from rules.empire.firing import jams as firing
from rules.empire.model import EmpireState
from rules.empire.moving import movement
from rules.empire.moving.allowance import inches_left_in_words, units_with_unused_move
from rules.empire.phases import MOVEMENT, SEQUENCE, Phase, phase_title
from rules.empire.prompt_occasions import END_OF_PHASE, FIRST
from rules.empire.shared import BY_TURNS

from . import bayonets, sequence
from .sequence import HOUSE, initiative_winner


class MoveFirst(Action):
    """Choice of the `side` that moves first this turn, by the winner of the initiative."""

    kind = "first"
    is_unit_action = False

    side: str


class MoveFirstType(SimpleType[EmpireState, MoveFirst]):
    """Action type of `MoveFirst`: the winner of the initiative chooses who moves first (BE-1, house)."""

    action = MoveFirst
    says = "{side} first"

    @override
    def side(self, state: EmpireState, action: MoveFirst) -> Viewer:
        """Return the side that won the initiative, or the active side."""
        return initiative_winner(state) or state.active

    def suggest_actions(self, state: EmpireState) -> Iterable[MoveFirst]:
        """Yield the choice of each side."""
        return (MoveFirst(side=side.id) for side in state.sides)

    def check(self, state: EmpireState, action: MoveFirst) -> None:
        """Raise Refused unless the initiative is won and the side exists."""
        when = f"Who moves first is said in {phase_title(Phase.INITIATIVE)}, by whoever has won it"
        refuse(HOUSE, (initiative_winner(state) is None, f"{when}. Now: {phase_title(state.current_phase)}."))
        find_side(state, action.side)

    def resolve(self, play: Play[EmpireState], plan: MoveFirst) -> None:
        """Set the side that moves first, and end the phase."""
        chooser, first = play.state.side(self.side(play.state, plan)), play.state.side(plan.side)
        play.note_calculation(f"{chooser:The} have the initiative and say so", HOUSE)
        play.set(first=first.id, initiative={}, active=first.id)
        sequence.end_phase(play)
        instructions = sequence.phase_instructions(play.state)
        play.tell(headline=f"{first:The} move first. {play.state.turn_title}.", outcome=instructions)


class TurnNext(phases.TurnNext):
    """End of a phase for `side`, or by the umpire for all sides. `waive` ends it in spite of required prompts."""

    side: str | None = None


class TurnType(SimpleType[EmpireState, TurnNext]):
    """Action type of `TurnNext`: end the phase for a side, or for all once every side is finished (BE-1)."""

    action = TurnNext

    def side(self, state: EmpireState, action: TurnNext) -> Viewer:
        """Return the side that ends its phase; the umpire if the action waives prompts or ends several sides' phase."""
        ends_for_all = action.side is None and len(state.acting_sides) > 1
        return UMPIRE if action.waive or ends_for_all else action.side or state.acting_sides[0]

    def suggest_actions(self, state: EmpireState) -> Iterable[TurnNext]:
        """Yield the end of the phase for each acting side."""
        return (TurnNext(side=side) for side in state.acting_sides)

    def caption(self, state: EmpireState, plan: TurnNext) -> Caption:
        """Return the button text, such as `British done`."""
        return Caption(f"{state.side(plan.side).name} done" if plan.side else "End the phase")

    def check(self, state: EmpireState, action: TurnNext) -> None:
        """Raise Refused, with the required prompts still open, unless the action waives them."""
        blocking = blocking_prompts(state, _finished_sides(state, action))
        open_prompts = tuple(item for item in blocking if not _is_settled_by_phase_end(state, item))
        if open_prompts and not action.waive:
            raise Refused("Still to decide before the phase can end. The umpire may waive it.", SEQUENCE, open_prompts)

    def resolve(self, play: Play[EmpireState], plan: TurnNext) -> None:
        """Go on to the next phase, or wait for the other side. Fight the remaining melees of two units first."""
        before, sides = play.state, _finished_sides(play.state, plan)
        waiting = [side for side in before.sides if side.id not in (*before.done, *sides)]
        if before.current_phase not in MOVEMENT and waiting:
            play.set(done=(*before.done, *sides))
            headline = f"{before.side(sides[0]):The} have ended {phase_title(before.current_phase)}."
            play.tell(headline=headline, side=sides[0], outcome=f"Waiting for {waiting[0]:the}.")
            return
        for item in blocking_prompts(before, sides):
            if plan.waive or not _is_settled_by_phase_end(before, item):
                play.note(item.text, item.cite, "waived")
        for fight in () if plan.waive else melee.find_two_unit_melees(before):
            play.do(fight)
        sequence.end_phase(play)
        after = play.state
        unmoved = (unit for side in sides for unit in units_with_unused_move(before, side))
        idle = [f'{unit.name} ({inches_left_in_words(before, unit)}")' for unit in unmoved]
        unused = (f"Tested and not moved: {join_with_and(idle)}. /game undo goes back to it.",) if idle else ()
        play.tell(
            headline=f"{after.turn_title}.",
            opens_turn=True,
            side=after.acting_sides[0] if len(after.acting_sides) == 1 else UMPIRE,
            outcome=sequence.phase_instructions(after),
            warnings=unused,
            units=tuple(dict.fromkeys(unit for shot in after.landed for unit in (shot.target, shot.unit))),
        )


def _finished_sides(state: EmpireState, action: TurnNext) -> tuple[str, ...]:
    """Return the sides whose phase the action ends. Raises Refused for a side that may not act now."""
    if action.side is None or action.side in state.acting_sides:
        return state.acting_sides if action.side is None else (action.side,)
    find_side(state, action.side)
    own, resting = state.side(action.side), sequence.PHASES.idle_sides(state.model_copy(update={"done": ()}))
    moving = f"{state.side(state.active):The} move now; {own:the} wait for them."
    reason = "have nothing left to do in" if action.side in resting else "have already ended"
    waiting = join_with_and(f"{state.side(side):the}" for side in state.acting_sides)
    refuse(BY_TURNS, (state.current_phase in MOVEMENT, moving))
    raise Refused(f"{own:The} {reason} {phase_title(state.current_phase)}; it waits for {waiting}.", SEQUENCE)


MOVE_FIRST, THROUGH = MoveFirstType(), TurnType()


def prompts(state: EmpireState) -> tuple[Prompt, ...]:
    """Return all prompts: first required prompts, then optional ones, last those that end the phase."""
    if state.over is not None:
        return ()
    items = (*_decision_prompts(state), *bayonets.prompts(state), *movement.prompts(state), *firing.shot_prompts(state))
    blocked = {item.side for item in items if item.required}
    passing = state.acting_sides if initiative_winner(state) is None else ()
    passes = (_prompt_to_end_phase(state, side) for side in passing if side not in blocked)
    return (*sorted(items, key=lambda item: not item.required), *passes)


def required_prompts(state: EmpireState) -> tuple[Prompt, ...]:
    """Return the prompts that must be settled before the phase ends, in the order of `prompts`."""
    return tuple(item for item in _decision_prompts(state, required_only=True) if item.required)


def blocking_prompts(state: EmpireState, sides: Iterable[str]) -> tuple[Prompt, ...]:
    """Return the required prompts that keep these sides from ending the phase."""
    return tuple(item for item in required_prompts(state) if item.side in sides)


def _is_settled_by_phase_end(state: EmpireState, item: Prompt) -> bool:
    """Whether ending the phase fights the prompt's melee, because only two units are in it."""
    fought = (item.unit in (fight.unit, fight.target) for fight in melee.find_two_unit_melees(state))
    return state.throws_at_once and _has_all_places(state) and any(fought)


def actions_without_choice(state: EmpireState) -> Iterable[Action]:
    """Yield the actions that are done automatically, because nobody has a choice.

    Critical hits are among them by a ruling.
    """
    if state.current_phase is Phase.UNITS:
        yield from testing.RALLY.possible_actions(state, state.active)
    yield from critical.HIT.possible_actions(state, UMPIRE)
    yield from melee.melees_without_choice(state)
    if sequence.PHASES.current(state).kind is phases.PhaseKind.SIMULTANEOUS and initiative_winner(state) is None:
        resting = sequence.PHASES.idle_sides(state)
        yield from (TurnNext(side=side) for side in state.acting_sides if side in resting)


def has_all_facts(state: EmpireState, action: Action) -> bool:
    """Whether the state has all facts for the action; conduct and melee need units with places."""
    if isinstance(action, testing.ConductTest):
        return charts.has_known_distances(state, state.unit(action.unit or ""))
    return _has_all_places(state) or not isinstance(action, melee.Melee)


def _has_all_places(state: EmpireState) -> bool:
    """Whether all fighting units have places, which show who can support a melee."""
    return all(unit.place is not None for unit in state.fighters())


def _decision_prompts(state: EmpireState, *, required_only: bool = False) -> Iterable[Prompt]:
    """Yield prompts for the initiative, tests, critical hits, fire and melees. `required_only` omits optional tests."""
    chooser = initiative_winner(state)
    if chooser is not None:
        text = f"{state.side(chooser):The} have the initiative: who moves first?"
        choices = [*MOVE_FIRST.suggest_actions(state)]
        yield MOVE_FIRST.prompt(state, choices, f"first:{state.turn}", text, HOUSE, occasion=FIRST)
    yield from testing.prompts(state, required_only=required_only)
    for module in (critical, firing, melee):
        yield from module.prompts(state)


def _prompt_to_end_phase(state: EmpireState, side: str) -> Prompt:
    """Return the prompt by which the side ends its phase."""
    key, name = f"pass:{state.turn}:{state.phase}:{side}", state.side(side).name
    text = f"{name}: done with {phase_title(state.current_phase)}?"
    occasion = "" if state.current_phase in MOVEMENT else END_OF_PHASE
    return THROUGH.prompt(state, [TurnNext(side=side)], key, text, SEQUENCE, required=False, occasion=occasion)
