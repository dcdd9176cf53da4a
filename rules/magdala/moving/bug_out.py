"""The Boers' "bug out": back to their horses and a full mounted move, all in one move (MM-A)."""

from collections.abc import Iterable

from pydantic import Field
from typing_extensions import override

from rules.core.action_type import SimpleType
from rules.core.model import Cite
from rules.core.refusal import MissingField, Refused, refuse
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.line_of_fire import RANGE_TOLERANCE
from rules.core.tabletop.placement import place_of_base
from rules.core.wording import inches
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Troop
from rules.magdala.placement import WAYS, distance_to_enemy
from rules.magdala.shared import OwnTurnType, complete_action, find_unit_on_table, require_may_be_ordered
from rules.magdala.tables import mishap_value

from . import companions
from .allowance import move_rate
from .formation import FIELDS_ON_MOVE, ONE_MOVE, inches_to_horses
from .marching import Move, plan_march

RULE = Cite(rule="MM-A.1")


class BugOut(Action):
    """Withdraw a kommando on foot to its horses and ride off.

    `range` is the distance to the horses in inches, for units without positions.
    """

    to: str | None = None
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)


class BugOutType(SimpleType[MagdalaState, BugOut], OwnTurnType[BugOut, BugOut]):
    """A kommando's bug out: to its horses, and a full mounted move in the same move (MM-A.1)."""

    action = BugOut
    says = "{unit:bug} out"

    @override
    def candidates_of_unit(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[BugOut]:
        """Yield a bug out straight to the rear."""
        yield BugOut(unit=unit.id, to=None if unit.place is None else "back 12")

    def check(self, state: MagdalaState, action: BugOut) -> None:
        """Raise Refused unless the horses are near, and the ride leads away from the enemy."""
        unit = find_unit_on_table(state, action.unit)
        require_may_be_ordered(state, unit)
        _distance_to_horses(unit, action.range)
        _ride_off(state, unit, action.to)

    def resolve(self, play: MagdalaPlay, plan: BugOut) -> None:
        """Mount and ride away, together with an attached general."""
        unit = find_unit_on_table(play.state, plan.unit)
        inches_back = _distance_to_horses(unit, plan.range)
        ridden, ride = _ride_off(play.state, unit, plan.to)
        companions.move_with_general(play, ridden, inches_back + ride)
        play.remember(unit.id, moved=inches_back + ride, marched=True, advanced=False)
        play.note_calculation(f"Back {inches(inches_back)} to {unit:their} horses", RULE)
        mounted_move = move_rate(ridden, play.state.options).inches
        play.note_calculation(f"{unit:They ride} {inches(ride)} of {inches(mounted_move)}", RULE)
        outcome = f"{unit:They are} mounted{f' at {ridden.place.spot_in_words}' if ridden.place else ''}."
        warnings = tuple(companions.separation_warnings(play.state, ridden))
        complete_action(play, f"{unit:bug} out", unit.id, outcome=outcome, warnings=warnings)


def _distance_to_horses(unit: MagdalaUnit, stated: float | None) -> float:
    """Return the inches to the unit's horses: measured, or if its place is unknown, `stated`. Raises Refused."""
    near = mishap_value("horses a kommando may bug out to, inches")
    is_placed = unit.place is not None
    measured = inches_to_horses(unit) if unit.horses_at is not None else 0.0
    distance = measured if is_placed else stated
    away = distance or 0.0
    kommando_on_foot = unit.troop is Troop.KOMMANDO and not unit.mounted
    refuse(RULE, (not kommando_on_foot, f"{unit.name} cannot bug out: that is for a Boer kommando on foot."))
    refuse(ONE_MOVE, (unit.this_turn.half_turn_spent, f"{unit:have} made {unit:their} move of this turn."))
    how_far = f"How far are the horses of {unit.name}? Give the range in inches: {unit:their} place is not known."
    differs = is_placed and stated is not None and abs(stated - away) > RANGE_TOLERANCE
    two = f"The horses of {unit.name} are {inches(away)} off by the places kept here, and the range given is"
    refuse(RULE, (differs, f"{two} {inches(stated or 0)}. Leave “range” out for the one measured."))
    too_far = f"The horses of {unit.name} are {inches(away)} off; they must be within {inches(near)}."
    if distance is None:
        raise MissingField(how_far, RULE, "range")
    refuse(RULE, (away > near + table.CLOSE, too_far))
    return away


def _ride_off(state: MagdalaState, stood: MagdalaUnit, to: str | None) -> tuple[MagdalaUnit, float]:
    """Return the unit after its mounted move from the horses, and the inches of that move.

    Raises Refused if the move is not allowed, or ends nearer the enemy (ruling).
    """
    saddled = {"mounted": True, "horses_at": None, "place": stood.horses_at or stood.place}
    unit = stood.model_copy(update={**saddled, **FIELDS_ON_MOVE, "last_moved_turn": state.turn})
    supposed = state.with_unit(unit)
    march = plan_march(supposed, Move(unit=unit.id, to=to))
    refuse(ONE_MOVE, (not march.route.marches, f"{unit:have} to ride somewhere: say how far, such as “back 12”."))
    halt = WAYS.find_halt_on_route(supposed, unit, march.route, march.reach.furthest)
    ridden = unit.model_copy(update={"place": place_of_base(halt.base)}) if halt.base else unit
    was, now = (distance_to_enemy(state, version) for version in (stood, ridden))
    if was is not None and now is not None and now < was - table.CLOSE:
        ends = f"{unit.name} would end {inches(now)} from the enemy, and stood {inches(was)} off"
        raise Refused(f"To bug out is to withdraw: {ends}.", RULE.as_ruling)
    return ridden, halt.run


BUG_OUT = BugOutType()
