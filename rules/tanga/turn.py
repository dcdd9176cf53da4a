"""The turn: the British, then the German phases one by one, then reinforcements; victory at the end (TA-H.0)."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from typing_extensions import override

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.report import Offer, Prompt
from rules.core.ruleset import Refused
from rules.core.state import Action

from . import questions
from .combat.losses import settle
from .combat.retreats import begin_german_phase
from .field import VICTORY
from .german.arrivals import arrive
from .german.fight import FIRE, MELEE
from .german.orders import ORDERS, PHASES, TURN, OrderType, phase_of, require_answered
from .german.stand import IMPROVE, RALLY
from .in_words import clock
from .model import BRITISH, GERMAN, Phase, TangaState

FRESH = {"moved": 0, "stirred": False, "fired": False, "fought": False, "tried_to_rally": False}
"""What a new turn makes of a unit's doings (TA-H.0)."""

OFFERED: Mapping[Phase, tuple[OrderType[Any], ...]] = {
    Phase.FIRE: (FIRE,),
    Phase.MELEE: (MELEE,),
    Phase.RALLY: (RALLY, IMPROVE),
}
"""Orders of a phase that have buttons."""
IDLE = (Phase.FIRE, Phase.MELEE)
"""Phases passed over where nothing is legal."""


class TurnNext(Action):
    """Goes on to the next German phase, or ends the turn. The umpire may `waive` what the British have yet to do."""

    kind: ClassVar[str] = "turn_next"

    waive: bool = False


class TurnNextType(ActionType[TangaState, TurnNext, Phase]):
    """Passing on; its plan is the phase that ends."""

    action = TurnNext

    @override
    def side(self, state: TangaState, action: TurnNext) -> Viewer:
        """The Germans' player; the umpire to waive what the British have yet to do."""
        return UMPIRE if action.waive else GERMAN

    @override
    def thinkable(self, state: TangaState) -> Iterable[TurnNext]:
        """Passing on, once the British are done."""
        yield TurnNext()

    @override
    def plan(self, state: TangaState, action: TurnNext, *, supposing: bool = False) -> Phase:
        """Raises Refused while the British act, unless the umpire waives it, and while a question is open."""
        now = phase_of(state)
        if now is not Phase.BRITISH:
            require_answered(state)
        elif not action.waive:
            asked = (*questions.prompts(state), *prompts(state))
            raise Refused("The British have yet to act; the umpire may pass them by.", TURN, asked)
        return now

    @override
    def label(self, state: TangaState, plan: Phase) -> str:
        """`On to fire`, `End the turn`; for the umpire, `Pass the British by`."""
        if plan is Phase.BRITISH:
            return "Pass the British by"
        return "End the turn" if plan is PHASES[-1] else f"On to {PHASES[PHASES.index(plan) + 1].value}"

    @override
    def resolve(self, play: Play[TangaState], plan: Phase) -> None:
        """The next phase, or the next turn."""
        if plan is Phase.BRITISH:
            begin_german_phase(play)
        elif plan is PHASES[-1]:
            _end_turn(play)
        else:
            _next_phase(play, plan)
        play.tell(headline=heading(play.state), side=play.state.active)


TURN_NEXT = TurnNextType()


def _next_phase(play: Play[TangaState], now: Phase) -> None:
    """The next phase in which a German can do anything; fire and melee are passed over where nobody can (TA-H.0)."""
    for phase in PHASES[PHASES.index(now) + 1 :]:
        play.set(phase=phase.value)
        if phase not in IDLE or any(True for one in OFFERED[phase] for _ in one.possible(play.state, GERMAN)):
            return
        play.note(f"The {phase.value} phase", TURN, f"passed over: nobody can {ORDERS[phase]}")


def heading(state: TangaState) -> str:
    """`Turn 3 of 10, Germans, movement; 3 November 1914, 07:00`."""
    time = clock(state)
    return f"{state.turn_title}; {time}" if time else state.turn_title


def _end_turn(play: Play[TangaState]) -> None:
    """Reinforcements come; after the last turn the game is decided, else the next one begins (TA-H.0)."""
    arrive(play)
    settle(play)
    state = play.state
    if state.turn >= state.turns:
        play.set(over=VICTORY.verdict(state))
        return
    play.state = state.with_unit(*(unit.model_copy(update=FRESH) for unit in state.units.values()))
    play.set(turn=state.turn + 1, before_last=None, phase=Phase.BRITISH.value, active=BRITISH)


def prompts(state: TangaState) -> tuple[Prompt, ...]:
    """What comes next, with its button: the British turn, which holds the turn up, or the next German phase.

    Before that, what may be done in the present one.
    """
    if state.over is not None or state.british.asked is not None:
        return ()
    now, key = phase_of(state), f"{state.turn}-{state.phase}"
    if now is Phase.BRITISH:
        offer = Offer(label=questions.words_of(state), kind="british", args={"much": "turn"}, side=GERMAN, key=key)
        return (_next("The British are to act", offer, blocks=True),)
    offer = TURN_NEXT.offer(state, TurnNext(), key)
    open_ = (prompt for one in OFFERED.get(now, ()) for prompt in one.buttons(state))
    return (*open_, _next(f"Now you {ORDERS[now]}", offer, blocks=False))


def _next(text: str, offer: Offer, *, blocks: bool) -> Prompt:
    return Prompt(key=offer.key, unit="", side=GERMAN, text=text, cite=TURN, offers=(offer,), required=blocks)
