"""Retreats and routs: the choice to retreat (MM-5.7), and the moves of units that must (MM-5.8 to MM-5.10)."""

from dataclasses import dataclass
from typing import ClassVar

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala.action_types import OwnTurnType, PromptedType, conclude
from rules.magdala.arms import is_fighter
from rules.magdala.engagement import engaged
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Test
from rules.magdala.orders import find, own_turn
from rules.magdala.placement import gap, nearest
from rules.magdala.stored_prompts import first_prompt, prompts_of, settle, still_owes

from . import flight
from .fallback import full_move, leave, travel
from .flight import HELD, decided, pinned_down, rally, supports
from .withdraw import Way, way_back, way_off, way_to

LEFT_THE_TABLE = "left the table"
REACHED_SUPPORTS = "reached its supports"
RETIRING = Cite(rule="MM-5.7")
PINNED = Cite(rule="MM-5.1", mark=Mark.RULING)


class Retreat(Action):
    """The move of a unit that retreats or routs; without positions one says where it has come to."""

    kind: ClassVar[str] = "retreat"
    circumstance_names: ClassVar[tuple[str, ...]] = (REACHED_SUPPORTS, LEFT_THE_TABLE)


class Retire(Action):
    """A unit pinned or halted by fire chooses to retreat (MM-5.7)."""

    kind: ClassVar[str] = "retire"


@dataclass(frozen=True)
class RetreatPlan:
    """The unit that flees, and what is said of where it comes to."""

    unit: str
    said: tuple[str, ...] = ()


class RetreatType(PromptedType[Retreat, RetreatPlan]):
    """The move of a unit in retreat or rout, in its own turn (MM-5.7 to MM-5.10)."""

    action = Retreat
    settles = (Test.RETREAT,)

    def plan(self, state: MagdalaState, action: Retreat, *, supposing: bool = False) -> RetreatPlan:  # noqa: ARG002
        """Raises Refused when no move is owed, or it is not the unit's turn."""
        unit = find(state, action.unit)
        if first_prompt(state, unit.id, Test.RETREAT) is None:
            hint = " To retreat by choice: retire." if unit.morale in HELD else ""
            raise Refused(f"{unit.name} owes no retreat this turn.{hint}", Cite(rule="MM-5.9"))
        own_turn(state, unit)
        return RetreatPlan(unit.id, action.circumstances)

    def label(self, state: MagdalaState, plan: RetreatPlan) -> str:
        """`Retreat: Berkshires`."""
        return f"Retreat: {state.unit(plan.unit).name}"

    def resolve(self, play: MagdalaPlay, plan: RetreatPlan) -> None:
        """As far as it may, off the table or to where it halts."""
        unit = decided(play.state, play.state.unit(plan.unit))
        play.state = settle(play.state.with_unit(unit), *prompts_of(play.state, unit.id, Test.RETREAT)[:1])
        inches = full_move(play, unit)
        travel(play, unit.id, _way(play.state, unit), float(inches), off=_leaves(unit))
        now = play.state.unit(unit.id)
        if now.on_table:
            play.change(unit.id, this_turn=now.this_turn.model_copy(update={"retreated": True}))
            _arrive(play, unit.id, plan.said)
        conclude(play, f"{unit.name} {'flees' if unit.morale is Morale.ROUTED else 'retreats'}", unit.id)


class RetireType(OwnTurnType[Retire, RetreatPlan]):
    """A unit pinned or halted turns to retreat (MM-5.7)."""

    action = Retire

    def danger(self, plan: RetreatPlan) -> bool:  # noqa: ARG002
        """That it gives ground."""
        return True

    def plan(self, state: MagdalaState, action: Retire, *, supposing: bool = False) -> RetreatPlan:  # noqa: ARG002
        """Raises Refused unless it is pinned or halted, and owes nothing else."""
        unit = find(state, action.unit)
        if not is_fighter(unit) or unit.morale not in HELD or engaged(state, unit):
            raise Refused(f"{unit.name} is not halted by fire: it moves under orders, or not at all.", RETIRING)
        if pinned_down(unit):
            raise Refused(f"{unit.name} is pinned: it holds its ground for a whole turn of its own first.", PINNED)
        if unit.this_turn.retreated:
            raise Refused(f"{unit.name} has retreated this turn. It may again in its next.", RETIRING)
        owing = next((each for each in prompts_of(state, unit.id) if each.test is not Test.WITNESS), None)
        if owing is not None:
            raise still_owes(state, owing, RETIRING)
        return RetreatPlan(unit.id)

    def label(self, state: MagdalaState, plan: RetreatPlan) -> str:
        """`Retreat: Berkshires`."""
        return f"Retreat: {state.unit(plan.unit).name}"

    def resolve(self, play: MagdalaPlay, plan: RetreatPlan) -> None:
        """It is in retreat; friends see it."""
        flight.retreat(play, plan.unit, "by its own choice", RETIRING)
        conclude(play, f"{play.state.unit(plan.unit).name} retreats", plan.unit)


def _leaves(unit: MagdalaUnit) -> bool:
    """Whether it makes for the edge, and so off the table: in rout, or at half strength without supports."""
    return unit.morale is Morale.ROUTED or unit.leaving


def _way(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """Off the field, to its supports, or straight from the enemy."""
    if _leaves(unit):
        return way_off(state, unit)
    support = _support(state, unit)
    if unit.half_strength and support is not None:
        return way_to(unit, support, state.options.reaches_supports / 2)
    return way_back(state, unit)


def _support(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit | None:
    return nearest(unit, supports(state, unit))


def _arrive(play: MagdalaPlay, unit_id: str, said: tuple[str, ...]) -> None:
    """Where the move leaves it: gone, with its supports, to test again, or halted after a retreat by choice."""
    unit = play.state.unit(unit_id)
    if LEFT_THE_TABLE in said or (unit.morale is Morale.ROUTED and unit.place is None):
        leave(play, unit_id)
    elif _leaves(unit) or unit.retreats_in_a_row:
        return
    elif unit.half_strength:
        _with_supports(play, unit, REACHED_SUPPORTS in said)
    else:
        play.state = rally(play.state, unit_id, Morale.HALTED)
        verdict = "has retreated, and halts; it may test to go on in a later turn"
        play.say(Step(text=unit.name, cite=Cite(rule="MM-5.7", mark=Mark.RULING), verdict=verdict))


def _with_supports(play: MagdalaPlay, unit: MagdalaUnit, said: bool) -> None:
    support = _support(play.state, unit)
    apart = gap(unit, support) if support is not None else None
    if not said and (apart is None or apart > play.state.options.reaches_supports):
        return
    play.state = rally(play.state, unit.id)
    play.change(unit.id, on_supports=True)
    rule = Cite(rule="MM-5.9", mark=Mark.RULING)
    play.say(Step(text=unit.name, cite=rule, verdict="stands with its supports"))


RETREAT, RETIRE = RetreatType(), RetireType()
