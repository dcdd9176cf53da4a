"""The phases of a player's turn, and their prompts: moves, fire, answering fire, then mêlées (CH-1.3)."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.phases import Phase, PhaseKind, Phases, TurnNext, TurnNextType
from rules.core.refusal import Refused
from rules.core.report import Prompt
from rules.core.state import Action

from . import melee
from .contact import fights_due
from .exchange import EXCHANGE, answerable_enemies
from .fire import FIRING, Fire
from .losses import remove_casualties
from .melee import MELEE
from .model import ChargePlay, ChargeState, UnitTurn
from .occasions import ANSWERING_FIRE
from .scenarios import VICTORY
from .shared import ANSWER, FIRE, MELEES, MOVES, TURNS


def _reset_unit_actions(state: ChargeState) -> ChargeState:
    """Return the state in which the active side's units have done nothing yet this turn."""
    units = state.units_of(state.active)
    return state.with_unit(*(unit.model_copy(update={"this_turn": UnitTurn()}) for unit in units))


def _begin_next_turn(state: ChargeState) -> ChargeState:
    """Return the state for the next side's turn. A new game turn begins when every side has had its turn."""
    sides = [side.id for side in state.sides]
    following = sides[(sides.index(state.mover) + 1) % len(sides)]
    turn = state.turn - (following != state.first)
    now = {"mover": following, "active": following, "began": state.began + 1, "turn": turn}
    return state.model_copy(update=now)


def _acting_sides(state: ChargeState) -> tuple[str, ...]:
    """Return the ids of the sides that act in the phase: the moving side, or the sides that answer its fire."""
    others = tuple(side.id for side in state.sides if side.id != state.mover)
    return others if state.phase == ANSWER else (state.mover,)


def _can_move(state: ChargeState, side: str) -> bool:
    """Whether the side has a unit that is not in a fight. Units in a fight may not move (CH-4.5)."""
    return any(state.fight_of(unit.id) is None for unit in state.units_of(side))


def _can_fire(state: ChargeState, side: str) -> bool:
    """Whether the side has a unit that can fire. Units without a place count as able to fire."""
    return not state.are_all_placed or any(FIRING.possible_actions(state, side))


def _can_answer(state: ChargeState, side: str) -> bool:
    """Whether the side has a unit that can answer fire. Without a place, range and arc do not count."""
    unknown = (unit for unit in state.units_of(side) if unit.place is None)
    return any(answerable_enemies(state, unit) for unit in unknown) or any(FIRING.possible_actions(state, side))


SEQUENTIAL = PhaseKind.SEQUENTIAL
PHASES: Phases[ChargeState] = Phases(
    (
        Phase(MOVES, MOVES, SEQUENTIAL, begin_part=_reset_unit_actions, has_to_do=_can_move, hidden_units_may_act=True),
        Phase(FIRE, FIRE, SEQUENTIAL, has_to_do=_can_fire, hidden_units_may_act=True),
        Phase(ANSWER, ANSWER, SEQUENTIAL, on_end=remove_casualties, has_to_do=_can_answer, is_answer_phase=True),
        Phase(MELEES, MELEES, SEQUENTIAL, has_to_do=lambda state, _side: any(MELEE.suggest_actions(state))),
    ),
    _acting_sides,
    _begin_next_turn,
    VICTORY.is_over,
    TURNS,
)


class TurnType(TurnNextType[ChargeState]):
    """The action that begins the next phase or the other side's turn (CH-1.3)."""

    def check(self, state: ChargeState, action: TurnNext) -> None:
        """Raise Refused, with the required prompts, if a mêlée must be fought first and is not waived."""
        required_prompts = tuple(prompt for prompt in prompts(state) if prompt.required)
        if required_prompts and not action.waive:
            raise Refused("The turn cannot go on yet; the umpire may waive what it waits for.", TURNS, required_prompts)

    @override
    def caption(self, state: ChargeState, plan: TurnNext) -> Caption:
        """Return a caption such as `End the moves of the Prussians`."""
        return Caption(f"End the {state.phase} of {state.side(state.active):the}")

    def resolve(self, play: ChargePlay, plan: TurnNext) -> None:
        """Begin the next phase in which a side can act. If the umpire waives the due mêlées, their fights end."""
        if plan.waive and play.state.phase == MELEES:
            for prompt in melee.prompts(play.state):
                play.note(prompt.text, prompt.cite, "waived")
            play.set(fights=tuple(fight for fight in play.state.fights if fight not in fights_due(play.state)))
        PHASES.advance(play)
        play.tell(headline=f"{play.state.turn_title}.", opens_turn=True, side=play.state.active)


TURN = TurnType()


def prompts(state: ChargeState) -> tuple[Prompt, ...]:
    """Return the prompts for mêlées to be fought now, and for units that may answer fire. Empty after the game."""
    return () if state.over is not None else (*melee.prompts(state), *_make_answer_prompts(state))


def _make_answer_prompts(state: ChargeState) -> Iterable[Prompt]:
    """Yield a prompt for each unit able to answer fire, with a button for each enemy that fired at it."""
    for unit in state.units_of(state.active) if state.phase == ANSWER else ():
        answers = [Fire(unit=unit.id, target=enemy.id) for enemy in answerable_enemies(state, unit)]
        asks = not state.keeps_positions and any(FIRING.missing_field(state, answer) for answer in answers)
        if asks or any(FIRING.plan_if_allowed(state, answer) is not None for answer in answers):
            names = " or ".join(state.unit(answer.target).name for answer in answers)
            key, text = f"answer:{unit.id}:{state.began}", f"{unit.name} may answer {names}"
            yield FIRING.prompt(state, answers, key, text, EXCHANGE, required=False, occasion=ANSWERING_FIRE)


def actions_without_choice(state: ChargeState) -> Iterable[Action]:
    """Yield the forced actions: due mêlées, answers with one possible target, and the end of a finished phase."""
    yield from MELEE.suggest_actions(state) if state.phase == MELEES else ()
    if state.phase == ANSWER and state.options.answers_at_once:
        for prompt in _make_answer_prompts(state):
            if len(prompt.offers) == 1:
                yield Fire(unit=prompt.unit, target=prompt.offers[0].args["target"])
    if state.phase in (ANSWER, MELEES) and state.active in PHASES.idle_sides(state):
        yield TurnNext()
