"""A player's turn: all moves, then fire and its answer, then mêlées (CH-1.3); and what it waits for."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.phases import Kind, Phase, Phases, TurnNext, TurnNextType
from rules.core.refusal import Refused
from rules.core.report import Prompt
from rules.core.state import Action

from . import melee
from .contact import fights_due
from .exchange import EXCHANGE, answerable
from .fire import FIRING, Fire
from .losses import fall
from .melee import MELEE
from .model import ChargePlay, ChargeState, ThisTurn
from .scenarios import VICTORY
from .shared import ANSWER, FIRE, MELEES, MOVES, TURNS


def _fresh(state: ChargeState, was: str) -> ChargeState:  # noqa: ARG001
    """Return the state at the beginning of a player's turn, without the deeds of his last turn."""
    units = state.of_side(state.active)
    return state.with_unit(*(unit.model_copy(update={"this_turn": ThisTurn()}) for unit in units))


def _next_turn(state: ChargeState) -> ChargeState:
    """Return the next side's turn; the number of the game's grows when every side has had its own."""
    sides = [side.id for side in state.sides]
    following = sides[(sides.index(state.mover) + 1) % len(sides)]
    turn = state.turn - (following != state.first)
    now = {"mover": following, "active": following, "began": state.began + 1, "turn": turn}
    return state.model_copy(update=now)


def _order(state: ChargeState) -> tuple[str, ...]:
    """Return the acting sides in a phase: the mover, or in answering fire its opponents."""
    others = tuple(side.id for side in state.sides if side.id != state.mover)
    return others if state.phase == ANSWER else (state.mover,)


def _may_move(state: ChargeState, side: str) -> bool:
    """Whether the side has units without contact."""
    return any(state.fight_of(unit.id) is None for unit in state.of_side(side))


def _may_fire(state: ChargeState, side: str) -> bool:
    """Whether the side's units can fire, or might without known places."""
    return not state.all_placed or any(FIRING.possible(state, side))


def _may_answer(state: ChargeState, side: str) -> bool:
    """Whether the side's units can answer fire, or might without known places."""
    unknown = (unit for unit in state.of_side(side) if unit.place is None)
    return any(answerable(state, unit) for unit in unknown) or any(FIRING.possible(state, side))


PHASES: Phases[ChargeState] = Phases(
    (
        Phase(MOVES, MOVES, Kind.SEQUENTIAL, fresh=_fresh, has_to_do=_may_move, of_hidden=True),
        Phase(FIRE, FIRE, Kind.SEQUENTIAL, has_to_do=_may_fire, of_hidden=True),
        Phase(ANSWER, ANSWER, Kind.SEQUENTIAL, on_end=fall, has_to_do=_may_answer, in_anothers_turn=True),
        Phase(MELEES, MELEES, Kind.SEQUENTIAL, has_to_do=lambda state, _side: bool([*MELEE.thinkable(state)])),
    ),
    _order,
    _next_turn,
    VICTORY.is_over,
    TURNS,
)


class TurnType(TurnNextType[ChargeState]):
    """The next phase, or the other side's turn, begins (CH-1.3)."""

    def check(self, state: ChargeState, action: TurnNext) -> None:
        """Raises Refused, with what is waited for, while a mêlée is still to be fought."""
        left = tuple(prompt for prompt in prompts(state) if prompt.required)
        if left and not action.waive:
            raise Refused("The turn cannot go on yet; the umpire may waive what it waits for.", TURNS, left)

    @override
    def caption(self, state: ChargeState, plan: TurnNext) -> Caption:
        """`End the moves of the Prussians`."""
        return Caption(f"End the {state.phase} of {state.side(state.active):the}")

    def resolve(self, play: ChargePlay, plan: TurnNext) -> None:
        """Goes on to the next phase in which anybody has anything to do; mêlées that are waived are over."""
        if plan.waive and play.state.phase == MELEES:
            for prompt in melee.prompts(play.state):
                play.note(prompt.text, prompt.cite, "waived")
            play.set(fights=tuple(fight for fight in play.state.fights if fight not in fights_due(play.state)))
        PHASES.go_on(play)
        play.tell(headline=f"{play.state.turn_title}.", opens_turn=True, side=play.state.active)


TURN = TurnType()


def prompts(state: ChargeState) -> tuple[Prompt, ...]:
    """Return the mêlées to be fought, and who may answer fire."""
    return () if state.over is not None else (*melee.prompts(state), *_answers(state))


def _answers(state: ChargeState) -> Iterable[Prompt]:
    """Yield prompts for units able to answer fire, with a button per enemy."""
    for unit in state.of_side(state.active) if state.phase == ANSWER else ():
        answers = [Fire(unit=unit.id, target=enemy.id) for enemy in answerable(state, unit)]
        asks = not state.keeps_positions and any(FIRING.missing_field(state, each) for each in answers)
        if asks or any(FIRING.planned(state, each) is not None for each in answers):
            names = " or ".join(state.unit(each.target).name for each in answers)
            key = f"answer:{unit.id}:{state.began}"
            yield FIRING.prompt(state, answers, key, f"{unit.name} may answer {names}", EXCHANGE, required=False)


def without_choice(state: ChargeState) -> Iterable[Action]:
    """Mêlées; answers to the fire of one enemy alone; and going on where nobody has anything left to do."""
    yield from MELEE.thinkable(state) if state.phase == MELEES else ()
    if state.phase == ANSWER and state.options.answers_at_once:
        for prompt in _answers(state):
            if len(prompt.offers) == 1:
                yield Fire(unit=prompt.unit, target=prompt.offers[0].args["target"])
    if state.phase in (ANSWER, MELEES) and state.active in PHASES.idle_sides(state):
        yield TurnNext()
