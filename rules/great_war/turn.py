"""A side's turn: its phases of orders, moves and battles, and the prompts that the turn waits for (GW-1.1)."""

from collections.abc import Container, Iterable
from itertools import islice

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.phases import Phase, PhaseKind, Phases, TurnNext, TurnNextType, make_can_act_check
from rules.core.refusal import Refused
from rules.core.report import Offer, Prompt
from rules.core.state import Verdict
from rules.core.wording import count_of

from . import retreats
from .battle import FIRE, MELEE
from .ground_gained import BONUS
from .model import GreatWarPlay, GreatWarState, Recovery, UnitTurn
from .moving import MOVE
from .orders import DITCH, ORDER, RECOVER, RECOVERY, Ditch, Recover, has_to_recover
from .shared import BATTLES, FRAME, MOVES, ORDERS

MOST, MOST_TO_ORDER = 10, 5
"""Maximum buttons of battles, and of units to order."""


def _clear_turn_records(state: GreatWarState) -> GreatWarState:
    """Return the state with an empty `this_turn` for all units; by an ambush, the other side may have battled, too."""
    return state.with_unit(*(unit.model_copy(update={"this_turn": UnitTurn()}) for unit in state.units.values()))


def _can_battle(state: GreatWarState, side: str) -> bool:
    return state.flags is not None or make_can_act_check(FIRE, MELEE)(state, side)


def find_verdict(state: GreatWarState) -> Verdict | None:
    """Return the verdict if the battle is over, else None.

    A side wins by its number of medals, or if only its units are left. After the last turn the side with more medals
    wins (GW-1.5, house).
    """
    medals = {side.id: state.medals.get(side.id, 0) for side in state.sides}
    ours, theirs = state.sides
    sides_left = [side for side in state.sides if state.units_of(side.id)]
    score = " to ".join(f"{medals[side.id]} ({side.name})" for side in state.sides)
    for side in state.sides:
        if medals[side.id] >= state.medals_to_win:
            return Verdict(winner=side.id, why=f"{side:The} have their {state.medals_to_win} medals, {score}.")
    if len(sides_left) == 1:
        return Verdict(winner=sides_left[0].id, why=f"{sides_left[0]:The} alone are left.")
    if state.turn <= state.turns:
        return None
    if medals[ours.id] == medals[theirs.id]:
        return Verdict(winner=None, why=f"The last turn is over: a draw, {score} medals.")
    leader = max(state.sides, key=lambda side: medals[side.id])
    return Verdict(winner=leader.id, why=f"The last turn is over: {leader:the} have more medals, {score}.")


PHASES: Phases[GreatWarState] = Phases(
    (
        Phase(
            ORDERS,
            ORDERS,
            PhaseKind.SEQUENTIAL,
            begin_part=_clear_turn_records,
            has_to_do=make_can_act_check(ORDER, RECOVER, DITCH),
        ),
        Phase(MOVES, MOVES, PhaseKind.SEQUENTIAL, has_to_do=make_can_act_check(MOVE)),
        Phase(BATTLES, BATTLES, PhaseKind.SEQUENTIAL, has_to_do=_can_battle),
    ),
    order=lambda state: (state.active,),
    next_turn=lambda state: state.model_copy(update={"active": state.enemy(state.active)}),
    is_over=find_verdict,
    cite=FRAME,
    turns=lambda state: state.turns,
)


class TurnType(TurnNextType[GreatWarState]):
    """The end of a phase, after which the next phase or the enemy's turn begins (GW-1.1)."""

    def check(self, state: GreatWarState, action: TurnNext) -> None:
        """Raise Refused, with the required prompts, until flags and recoveries are settled or waived."""
        required = tuple(prompt for prompt in open_prompts(state) if prompt.required)
        if required and not action.waive:
            raise Refused("The turn cannot go on yet; the umpire may waive what it waits for.", FRAME, required)

    @override
    def caption(self, state: GreatWarState, plan: TurnNext) -> Caption:
        """Return `On to the moves`, or `End the turn of the British` if the side can do nothing in later phases."""
        for phase in PHASES.later_phases(state):
            supposed = PHASES.suppose_phase(state, phase, state.active)
            if PHASES.current(supposed).has_to_do(supposed, state.active):
                return Caption(f"On to the {phase}")
        return Caption(f"End the turn of {state.side(state.active):the}")

    def resolve(self, play: GreatWarPlay, plan: TurnNext) -> None:
        """Begin the next phase. Drop waived flags, and count a waived recovery as failed."""
        for prompt in open_prompts(play.state) if plan.waive else ():
            if prompt.required:
                play.note(prompt.text, prompt.cite, "waived")
            if prompt.required and prompt.unit and has_to_recover(play.state.unit(prompt.unit)):
                play.remember(prompt.unit, recovery=Recovery.FAILED)
        play.set(flags=None, tracks=(), faces=())
        PHASES.advance(play)
        play.tell(headline=f"{play.state.turn_title}.", opens_turn=True, side=play.state.active)


TURN = TurnType()


def open_prompts(state: GreatWarState) -> tuple[Prompt, ...]:
    """Return the open prompts: flags, recoveries, bonus battles, and optional orders and battles."""
    if state.over is not None:
        return ()
    return (*retreats.flags_prompt(state), *_recovery_prompts(state), *_bonus_prompts(state), *_optional_prompts(state))


def _recovery_prompts(state: GreatWarState) -> Iterable[Prompt]:
    for unit in state.units_of(state.active):
        key = f"recovery:{unit.id}:{state.turn}"
        if has_to_recover(unit):
            actions: list[Recover] = [action for action in RECOVER.suggest_actions(state) if action.unit == unit.id]
            yield RECOVER.prompt(state, actions, key, f"Recovery of {unit.name}", RECOVERY)
        elif DITCH.plan_if_allowed(state, Ditch(unit=unit.id)) is not None:
            key, text = f"ditch:{unit.id}:{state.turn}", f"{unit.name} may be ditched"
            yield DITCH.prompt(state, [Ditch(unit=unit.id)], key, text, RECOVERY, required=False)


def _bonus_prompts(state: GreatWarState) -> Iterable[Prompt]:
    """Yield a prompt for the bonus combat of each tank that has gained ground (GW-6.3)."""
    for unit in state.units_of(state.active) if state.flags is None else ():
        key = f"bonus:{unit.id}:{state.battles}"
        offers = _battle_offers(state, key, [unit.id]) if unit.this_turn.bonus else ()
        if offers:
            key, text = offers[0].key, f"{unit.name} may battle once more"
            yield Prompt(key=key, unit=unit.id, side=unit.side, text=text, cite=BONUS, offers=offers, required=False)


def _battle_offers(state: GreatWarState, key: str, units: Container[str]) -> tuple[Offer, ...]:
    """Return a button for each battle that these units may fight, close combat first."""
    melees = (battle for battle in MELEE.possible_actions(state, state.active) if battle.unit in units)
    offers = MELEE.offers(state, islice(melees, MOST), key)
    volleys = (battle for battle in FIRE.possible_actions(state, state.active) if battle.unit in units)
    return (*offers, *FIRE.offers(state, islice(volleys, MOST - len(offers)), key))


def _optional_prompts(state: GreatWarState) -> Iterable[Prompt]:
    """Yield the prompts to order units, nearest to the enemy first, and to fight battles other than bonus combats."""
    if state.phase == ORDERS:
        orders = [*islice(ORDER.possible_actions(state, state.active), MOST_TO_ORDER)]
        if orders:
            left = state.options.orders - sum(unit.this_turn.is_ordered for unit in state.units_of(state.active))
            key, text = f"order:{state.turn}", f"Order up to {count_of(left, 'unit')}: only they act this turn"
            yield ORDER.prompt(state, orders, key, text, FRAME, required=False)
    if state.phase == BATTLES and state.flags is None:
        units = [unit.id for unit in state.units_of(state.active) if not unit.this_turn.bonus]
        offers = _battle_offers(state, f"battles:{state.turn}:{state.battles}", units)
        if offers:
            key, text = offers[0].key, "Your units may battle"
            yield Prompt(key=key, unit="", side=state.active, text=text, cite=FRAME, offers=offers, required=False)
