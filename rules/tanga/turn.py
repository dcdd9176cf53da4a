"""The turn: British phase, German phases, reinforcements, and victory after the last turn (TA-H.0)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from typing_extensions import override

from rules.core import phases
from rules.core.action_type import Caption
from rules.core.hexboard.hexes import Hex, path_lengths_from
from rules.core.hexboard.stacks import hexes_of_side
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt

from . import questions, victory
from .automaton.sequence import acting_formation
from .british import STEP, BritishStep
from .combat.entering import apply_entry_effects
from .combat.losses import collapse_broken_formations
from .combat.retreats import begin_german_phase
from .descriptions import clock_in_words
from .field import board_of, formation_units, has_space_for
from .german.fight import FIRE, MELEE
from .german.orders import ORDERS, TURN, OrderType, current_phase, require_no_open_question
from .german.stand import IMPROVE, RALLY
from .model import BRITISH, GERMAN, Condition, Formation, Phase, TangaState
from .progress import change_progress

COMING = Cite(rule="TA-H.11", mark=Mark.HOUSE)
NEW_TURN_FIELDS = {"moved": 0, "acted": False, "fired": False, "fought": False, "tried_to_rally": False}
"""Fields of a unit at the start of a turn (TA-H.0)."""

ORDERS_BY_PHASE: Mapping[Phase, tuple[OrderType[Any], ...]] = {
    Phase.FIRE: (FIRE,),
    Phase.MELEE: (MELEE,),
    Phase.RALLY: (RALLY, IMPROVE),
}
"""Kinds of order that have buttons, by phase."""


def _end_turn(play: Play[TangaState]) -> None:
    """Bring on reinforcements. After the last turn, end the game with a verdict (TA-H.0)."""
    place_arrivals(play)
    collapse_broken_formations(play)
    if play.state.turn >= play.state.turns:
        play.set(over=victory.final_verdict(play.state))


def place_arrivals(play: Play[TangaState]) -> None:
    """Place German formations that are due near the station or west edge; without enough space they wait (TA-H.11)."""
    for formation in sorted(play.state.formations.values(), key=lambda formation: formation.order):
        coming = formation_units(play.state, formation.id)
        waits = formation.side != GERMAN or formation.arrives > play.state.turn
        if waits or not coming or any(unit.on_map or unit.condition is not Condition.GOOD for unit in coming):
            continue
        after, hexes, (how, spots) = play.state, dict[Hex, None](), _arrival_hexes(play.state, formation)
        for unit in coming:
            spot = next((hex_ for hex_ in spots if has_space_for(after, hex_, formation.id, (unit,))), None)
            if spot is None:
                play.note(f"{formation.name} finds its place taken", COMING, "it waits")
                break
            after = after.with_unit(unit.model_copy(update={"at": spot}))
            hexes[spot] = None
        else:
            play.state = after
            play.note(f"{formation.name} arrives {how} at {', '.join(map(board_of(after).title, hexes))}", COMING)
            for hex_ in hexes:
                apply_entry_effects(play, hex_, GERMAN)


def _arrival_hexes(state: TangaState, formation: Formation) -> tuple[str, Sequence[Hex]]:
    """Return how a formation arrives, in words, and the free hexes by distance from the station or west edge."""
    board, british = board_of(state), hexes_of_side(state, BRITISH)
    station = board.spec.station
    by_train = formation.by_train and station is not None and station not in british
    starts = (station,) if by_train and station else board.spec.west_edge
    free = board.land - british
    far = path_lengths_from((hex_ for hex_ in starts if hex_ in free), free)
    return "by train" if by_train else "from the west", sorted(far, key=lambda hex_: (far[hex_], hex_))


def _begin_turn(state: TangaState) -> TangaState:
    """Return the state at the start of a turn: units may act again, and nobody can overrule earlier decisions."""
    units = {key: unit.model_copy(update=NEW_TURN_FIELDS) for key, unit in state.units.items()}
    return state.model_copy(update={"units": units, "before_last": None})


def _can_anybody_act(state: TangaState, _side: str) -> bool:
    """Whether the present phase has anything to do; otherwise it is skipped (TA-H.0).

    Without option `throw_at_once`, only fire and melee phases are skipped.
    """
    now = current_phase(state)
    if now in (Phase.FIRE, Phase.MELEE):
        return phases.make_can_act_check(*ORDERS_BY_PHASE[now])(state, GERMAN)
    if not state.throws_at_once:
        return True
    if now is Phase.BRITISH:
        return acting_formation(state) is not None
    return any(unit.on_map for unit in state.units_of(GERMAN))


def _make_phase(phase: Phase, **settings: Any) -> phases.Phase[TangaState]:
    """Return a sequential phase, which is skipped if nobody can act, with further `settings`."""
    title = f"the {phase.value} phase"
    return phases.Phase(phase.value, title, phases.PhaseKind.SEQUENTIAL, has_to_do=_can_anybody_act, **settings)


TURN_SEQUENCE: phases.Phases[TangaState] = phases.Phases(
    phases=(
        _make_phase(Phase.BRITISH),
        _make_phase(Phase.MOVE, on_begin=begin_german_phase),
        _make_phase(Phase.FIRE),
        _make_phase(Phase.MELEE),
        _make_phase(Phase.RALLY, on_end=_end_turn),
    ),
    order=lambda state: (BRITISH if current_phase(state) is Phase.BRITISH else GERMAN,),
    next_turn=_begin_turn,
    is_over=lambda state: state.over,
    cite=TURN,
    turns=lambda state: state.turns if state.throws_at_once else None,
)


class TurnNext(phases.TurnNext):
    """Advance to the next phase; with `wait`, advance through phases and turns until something happens."""

    wait: bool = False


class TurnNextType(phases.TurnNextType[TangaState]):
    """Action type of advancing to the next phase. With option `throw_at_once`, a British turn starts by itself."""

    action = TurnNext

    @override
    def suggest_actions(self, state: TangaState) -> Iterable[TurnNext]:
        """Yield the advance to the next phase, and the wait until something happens."""
        yield from (TurnNext(), TurnNext(wait=True))

    @override
    def side(self, state: TangaState, action: phases.TurnNext) -> Viewer:
        """Return the German side, or the umpire if he waives the British turn."""
        return UMPIRE if action.waive else GERMAN

    @override
    def check(self, state: TangaState, action: phases.TurnNext) -> None:
        """Raise Refused while a question is open, or if the British have yet to act and are not waived.

        A wait is also refused while British are on the map, or without option `throw_at_once`.
        """
        if current_phase(state) is not Phase.BRITISH:
            require_no_open_question(state)
        elif not action.waive:
            open_prompts = (*questions.question_prompts(state), *phase_prompts(state))
            raise Refused("The British have yet to act; the umpire may pass them by.", TURN, open_prompts)
        if _is_wait(action):
            landed = bool(hexes_of_side(state, BRITISH))
            refuse(TURN, (landed, "The British are on the map: give your orders, and go on from phase to phase."))
            by_press = "In this game nothing follows by itself (option “throw at once”): go on from phase to phase."
            refuse(TURN, (not state.throws_at_once, by_press))

    @override
    def caption(self, state: TangaState, plan: phases.TurnNext) -> Caption:
        """Return the button's label, such as `On to rally` for the next phase with actions, or `End the turn`."""
        if current_phase(state) is Phase.BRITISH:
            return Caption("Pass the British by")
        if _is_wait(plan):
            return Caption("Wait until something happens")
        phases_ahead = (
            phase
            for phase in TURN_SEQUENCE.later_phases(state)
            if _can_anybody_act(TURN_SEQUENCE.suppose_phase(state, phase, GERMAN), GERMAN)
        )
        following = next(phases_ahead, "")
        return Caption(f"On to {following}" if following else "End the turn")

    @override
    def resolve(self, play: Play[TangaState], plan: phases.TurnNext) -> None:
        """Advance to the next phase or turn, with a headline such as `Turn 3 of 10, Germans, movement; …, 07:00`."""
        if _is_wait(plan):
            TURN_SEQUENCE.skip_idle_turns(play, GERMAN)
        else:
            TURN_SEQUENCE.advance(play)
        state = play.state
        if state.throws_at_once and state.over is None and current_phase(state) is Phase.BRITISH:
            change_progress(play, running=True)
        headline = "; ".join(filter(None, (state.turn_title, clock_in_words(state))))
        play.tell(headline=headline, opens_turn=True, side=state.active)


def _is_wait(action: phases.TurnNext) -> bool:
    """Whether the action waits until something happens."""
    return isinstance(action, TurnNext) and action.wait


TURN_NEXT = TurnNextType()


def phase_prompts(state: TangaState) -> tuple[Prompt, ...]:
    """Return the prompts of this phase, and the prompt to end it. The British phase has only a prompt to play it."""
    if state.over is not None or state.british.asked is not None:
        return ()
    now, key = current_phase(state), f"{state.turn}-{state.phase}"
    if now is Phase.BRITISH:
        return (STEP.prompt(state, [BritishStep(much="turn")], key, "British turn: press Play", TURN),)
    open_ = (prompt for order_type in ORDERS_BY_PHASE.get(now, ()) for prompt in order_type.order_prompts(state))
    ways_on = [TurnNext(), TurnNext(wait=True)]
    return (*open_, TURN_NEXT.prompt(state, ways_on, key, f"Now you {ORDERS[now]}", TURN, required=False))


def actions_without_choice(state: TangaState) -> Iterable[phases.TurnNext]:
    """Yield the advance to the next phase if no German can act in a fire or melee phase."""
    fights = current_phase(state) in (Phase.FIRE, Phase.MELEE)
    if fights and state.british.asked is None and not _can_anybody_act(state, GERMAN):
        yield TurnNext()
