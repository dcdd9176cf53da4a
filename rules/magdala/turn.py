"""Alternate turns: what must be settled before one passes, and what passes with it (MM-1, MM-5)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Prompt, Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action

from .engagement import engaged
from .fleeing.flight import FLEEING, HELD, Outcome, give_way
from .model import MagdalaState, MagdalaUnit, Morale, Test, ThisTurn
from .morale import consequences
from .orders import counted
from .prompts import blocking, prompts
from .stored_prompts import call_for, first_prompt, settle

RULE = Cite(rule="MM-1", mark=Mark.RULING)
"""Order of play is by alternate turns."""


class TurnNext(Action):
    """Ends the turn of the side whose turn it is. The umpire may `waive` what is still owed."""

    kind: ClassVar[str] = "turn_next"

    waive: bool = False


def pass_on(state: MagdalaState, action: TurnNext, dice: Dice) -> tuple[MagdalaState, Report]:
    """The other side's turn begins. Raises Refused, with what is owed, while anything holds the turn up."""
    left = blocking(state)
    if left and not action.waive:
        raise Refused("The turn cannot pass yet; the umpire may waive what is owed.", RULE, left)
    state, waived = _waive(state, left, dice)
    state, unseen = _ended(state)
    state, begun = _begin(_advance(state))
    side = state.side(state.active)
    report = Report(headline=f"{state.turn_title}.", side=side.id, steps=(*waived, *unseen, *begun))
    return counted(state), report


def _waive(state: MagdalaState, left: tuple[Prompt, ...], dice: Dice) -> Outcome:
    """What the umpire passes over is dropped and said; a test that has failed stands as it fell."""
    steps: tuple[Step, ...] = ()
    for item in left:
        prompt = next((prompt for prompt in state.prompts if prompt.key == item.key), None)
        verdict = "put off by the umpire" if prompt is None else "waived by the umpire"
        steps += (Step(text=item.text, cite=item.cite, verdict=verdict),)
        if prompt is not None:
            state = settle(state, prompt)
            if prompt.failed:
                state, stands = consequences.failed(state, prompt, dice)
                steps += stands
    return state, steps


def _ended(state: MagdalaState) -> Outcome:
    """The side's turn is over: who stood held or fought through it remembers that; reminders nobody took up go."""
    state, unseen = _unseen(state)
    held = (
        unit.model_copy(update={"held_turns": unit.held_turns + 1})
        for unit in state.of_side(state.active)
        if unit.morale in HELD and not unit.this_turn.halted
    )
    state = state.with_unit(*held)
    unbeaten = (
        unit.model_copy(update={"melee_lost_in_a_row": 0})
        for unit in state.units.values()
        if unit.this_turn.fought and not unit.this_turn.lost_round
    )
    return state.with_unit(*unbeaten), unseen


def _unseen(state: MagdalaState) -> Outcome:
    """Flights that the umpire named no witnesses of are let go by, and said (MM-5.10)."""
    reminders = tuple(prompt for prompt in state.prompts if prompt.test is Test.WITNESS)
    keys = {prompt.key for prompt in reminders}
    steps = tuple(
        Step(text=item.text, cite=item.cite, verdict="nobody was named; let go by")
        for item in prompts(state)
        if item.key in keys
    )
    return settle(state, *reminders), steps


def _advance(state: MagdalaState) -> MagdalaState:
    """The next side's turn; after the last side's the next turn of the game. What a turn remembers is cleared."""
    order = [side.id for side in state.sides]
    at = (order.index(state.active) + 1) % len(order)
    was, now = state.active, order[at]
    units = (unit.model_copy(update={"this_turn": _memory(unit, was, now)}) for unit in state.units.values())
    opened_by = state.opened_by or was
    turn = state.turn + 1 if now == opened_by else state.turn
    return state.with_unit(*units).model_copy(update={"active": now, "turn": turn, "opened_by": opened_by})


def _memory(unit: MagdalaUnit, was: str, now: str) -> ThisTurn:
    """A side's own doings last until its next turn, what was fired at it until the end of its own."""
    memory, start = unit.this_turn, unit.strength
    if unit.side == now:
        return ThisTurn(under_fire=memory.under_fire, figures_at_start=start)
    fire = {"fire_casualties": 0, "tested_casualties": 0, "figures_at_start": start, "halted": False}
    melee = {"fought": False, "fought_with": (), "lost_round": False}
    under_fire = memory.under_fire and unit.side != was
    return memory.model_copy(update={**fire, **melee, "under_fire": under_fire})


def _begin(state: MagdalaState) -> Outcome:
    """What units in flight or pursuit owe in their own turn; units at half strength give way (MM-5.9)."""
    steps: tuple[Step, ...] = ()
    for unit in state.of_side(state.active):
        state = _due(state, unit)
    for unit in tuple(state.units.values()):
        state, gone = give_way(state, unit.id)
        steps += gone
    return state, steps


def _due(state: MagdalaState, unit: MagdalaUnit) -> MagdalaState:
    """Who is caught in melee fights it out first (ruling)."""
    if engaged(state, unit):
        return state
    if unit.morale is Morale.PURSUING:
        return call_for(state, unit.id, Test.PURSUIT_MOVE)
    in_flight = unit.morale in FLEEING
    if not in_flight or first_prompt(state, unit.id, Test.RETREAT, Test.REACTION) is not None:
        return state
    has_retreated_a_turn = unit.retreats_in_a_row > 0 and unit.morale is Morale.RETREATING and not unit.leaving
    return call_for(state, unit.id, Test.REACTION if has_retreated_a_turn else Test.RETREAT)


def legal(state: MagdalaState, side: Viewer) -> Iterable[Action]:
    """Passing the turn on, when nothing holds it up."""
    if side in (state.active, UMPIRE) and not blocking(state):
        yield TurnNext()


DEED: Deed[MagdalaState] = Deed(TurnNext, pass_on, legal=legal)
