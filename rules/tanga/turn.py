"""The turn: the British, then the German phases one by one, then reinforcements; victory at the end (TA-H.0)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Offer, Prompt, Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action

from . import questions, victory
from .clock import clock
from .combat import collapse, retreats
from .field import units_at
from .german.arrivals import arrive
from .german.choices import choices
from .german.fight import fire_legal, melee_legal
from .german.orders import DEEDS, PHASES, TURN, phase_of, require_answered
from .model import BRITISH, GERMAN, Phase, TangaState
from .progress import BritishTurn

FRESH = {"moved": 0, "stirred": False, "fired": False, "fought": False, "tried_to_rally": False}
"""What a new turn makes of a unit's doings (TA-H.0)."""

IDLE = {Phase.FIRE: fire_legal, Phase.MELEE: melee_legal}
"""Phases passed over where nothing is legal."""

Outcome = tuple[TangaState, tuple[Step, ...]]


class TurnNext(Action):
    """Goes on to the next German phase, or ends the turn. The umpire may `waive` what the British have yet to do."""

    kind: ClassVar[str] = "turn_next"

    waive: bool = False


def pass_on(state: TangaState, action: TurnNext, dice: Dice) -> tuple[TangaState, Report]:
    """The next phase, or the next turn. Raises Refused while the British act, unless the umpire waives it."""
    now = phase_of(state)
    if now is not Phase.BRITISH:
        require_answered(state)
    if now is Phase.BRITISH:
        if not action.waive:
            raise Refused(
                "The British have yet to act; the umpire may pass them by.",
                TURN,
                (*questions.prompts(state), *prompts(state)),
            )
        after, steps = begin_german_phase(state, dice)
    elif now is PHASES[-1]:
        after, steps = end_turn(state)
    else:
        after, steps = _next_phase(state, now)
    return after, Report(headline=heading(after), side=after.active, steps=steps)


def _next_phase(state: TangaState, now: Phase) -> Outcome:
    """The next phase in which a German can do anything; fire and melee are passed over where nobody can (TA-H.0)."""
    steps: tuple[Step, ...] = ()
    for phase in PHASES[PHASES.index(now) + 1 :]:
        state = _phase(state, phase)
        if phase not in IDLE or any(IDLE[phase](state, GERMAN)):
            break
        steps += (Step(text=f"The {phase.value} phase", cite=TURN, verdict=f"passed over: nobody can {DEEDS[phase]}"),)
    return state, steps


def heading(state: TangaState) -> str:
    """`Turn 3 of 10, Germans, movement; 3 November 1914, 07:00`."""
    time = clock(state)
    return f"{state.turn_title}; {time}" if time else state.turn_title


def _phase(state: TangaState, phase: Phase) -> TangaState:
    active = BRITISH if phase is Phase.BRITISH else GERMAN
    return state.model_copy(update={"phase": phase.value, "active": active})


def begin_german_phase(state: TangaState, dice: Dice) -> Outcome:
    """The British are done: Germans recover from collapse, rout and retreat; then they may move (TA-H.0)."""
    state = _phase(state, Phase.MOVE).model_copy(update={"british": BritishTurn(count=state.british.count)})
    steps: tuple[Step, ...] = ()
    for formation in sorted(state.formations.values(), key=lambda one: one.order):
        if formation.side == GERMAN and formation.collapsed:
            state, told = collapse.recover(state, formation.id, dice)
            steps += told
    for hex_ in sorted({unit.at for unit in state.units.values() if unit.side == GERMAN and unit.at is not None}):
        state, told = _flee(state, hex_, dice)
        steps += told
    return state, steps


def _flee(state: TangaState, hex_: Hex, dice: Dice) -> Outcome:
    """The Germans of a hex that must rout or retreat do so together (TA-6, TA-H.9); in their RO hex they stay."""
    there = [unit for unit in units_at(state, hex_) if unit.side == GERMAN and unit.is_combat]
    routed = [unit for unit in there if state.formation(unit.formation).collapsed]
    if routed:
        return retreats.retreat(state, routed, state.options.rout_hexes, dice)
    disrupted = [unit for unit in there if unit.is_disrupted]
    return retreats.retreat(state, disrupted, state.options.retreat_hexes, dice) if disrupted else (state, ())


def end_turn(state: TangaState) -> Outcome:
    """Reinforcements come; after the last turn the game is decided, else the next one begins (TA-H.0)."""
    state, steps = arrive(state)
    state, settled = collapse.settle(state)
    steps += settled
    if state.turn >= state.turns:
        return state.model_copy(update={"over": victory.verdict(state)}), steps
    rested = (unit.model_copy(update=FRESH) for unit in state.units.values())
    state = state.with_unit(*rested).model_copy(update={"turn": state.turn + 1, "before_last": None})
    return _phase(state, Phase.BRITISH), steps


def prompts(state: TangaState) -> tuple[Prompt, ...]:
    """What comes next, with its button: the British turn, which holds the turn up, or the next German phase.

    Before that, what may be done in the present one.
    """
    if state.over is not None or state.british.asked is not None:
        return ()
    now, key = phase_of(state), f"{state.turn}-{state.phase}"
    if now is Phase.BRITISH:
        label = "Play on the British turn" if state.british.done or state.british.formation else "Play the British turn"
        offer = Offer(label=label, kind="british", args={"much": "turn"}, side=GERMAN, key=key)
        return (_next("The British are to act", offer, blocks=True),)
    last = now is PHASES[-1]
    ahead = "End the turn" if last else f"On to {PHASES[PHASES.index(now) + 1].value}"
    offer = Offer(label=ahead, kind=TurnNext.kind, side=GERMAN, key=key)
    return (*choices(state), _next(f"Now you {DEEDS[now]}", offer, blocks=False))


def _next(text: str, offer: Offer, *, blocks: bool) -> Prompt:
    return Prompt(key=offer.key, unit="", side=GERMAN, text=text, cite=TURN, offers=(offer,), required=blocks)


def legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Passing on, once the British are done."""
    if side in (GERMAN, UMPIRE) and phase_of(state) is not Phase.BRITISH and state.british.asked is None:
        yield TurnNext()


DEED: Deed[TangaState] = Deed(TurnNext, pass_on, legal=legal)
