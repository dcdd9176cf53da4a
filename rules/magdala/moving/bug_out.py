"""The Boers' "bug out": back to their horses and a full mounted move, all in one move (MM-A)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.battle import Place
from rules.core.tabletop.place import Course, Towards
from rules.core.tabletop.placement import placed, spoken
from rules.core.tabletop.ways import read_place
from rules.core.wording import inches
from rules.magdala.action_types import OwnTurnType, conclude
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Troop
from rules.magdala.orders import find, free_in_own_turn
from rules.magdala.placement import base, nearest_enemy_gap, with_leader
from rules.magdala.tables import matter

from . import astray, travel
from .allowance import rate
from .drill import ONE_MOVE, STANDING
from .formation import UNDER_WAY, horses_away
from .leading import led

RULE = Cite(rule="MM-A.1")
RULING = Cite(rule="MM-A.1", mark=Mark.RULING)


class BugOut(Action):
    """A kommando on foot withdraws to its horses and rides; `range` is how far off they are, if unknown."""

    kind: ClassVar[str] = "bug_out"

    to: str | None = None
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)


@dataclass(frozen=True)
class BugOutPlan:
    """The kommando, the inches back to its horses, and how far of what it may it rides, to where."""

    unit: str
    back: float
    ride: float
    allowed: int
    place: Place | None


class BugOutType(OwnTurnType[BugOut, BugOutPlan]):
    """To the horses, and a full mounted move in the same move (MM-A.1)."""

    action = BugOut

    def tries(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[BugOut]:  # noqa: ARG002
        """Straight back."""
        yield BugOut(unit=unit.id, to=None if unit.place is None else "back 12")

    def plan(self, state: MagdalaState, action: BugOut, *, supposing: bool = False) -> BugOutPlan:  # noqa: ARG002
        """Raises Refused unless the horses are near, and the ride leads away from the enemy."""
        unit = find(state, action.unit)
        free_in_own_turn(state, unit)
        _may_bug_out(unit)
        away, reach = _to_the_horses(unit, action), matter("horses a kommando may bug out to, inches")
        if away > reach + table.CLOSE:
            raise Refused(
                f"The horses of {unit.name} are {inches(away)} off; they must be within {inches(reach)}.", RULE
            )
        mounted = _mounted(state, unit)
        allowed = rate(mounted, state.options).inches
        ridden, run = _ride(state, mounted, action.to, allowed)
        _withdraws(state, unit, ridden)
        return BugOutPlan(unit.id, away, run, allowed, ridden.place)

    def label(self, state: MagdalaState, plan: BugOutPlan) -> str:
        """`Frontier kommando bugs out`."""
        return f"{state.unit(plan.unit).name} bugs out"

    def resolve(self, play: MagdalaPlay, plan: BugOutPlan) -> None:
        """Mounted, and away; a general rides with it."""
        unit = play.state.unit(plan.unit)
        run = plan.back + plan.ride
        memory = unit.this_turn.model_copy(update={"moved": run, "marched": True, "advanced": False})
        ridden = _mounted(play.state, unit).model_copy(update={"place": plan.place, "this_turn": memory})
        play.state = led(with_leader(play.state, ridden), ridden, run)
        play.say(
            Step(text=f"Back {inches(plan.back)} to its horses", cite=RULE),
            Step(text=f"Rides {inches(plan.ride)} of {inches(plan.allowed)}", cite=RULE),
        )
        where = f"It is mounted at {spoken(plan.place)}." if plan.place else "It is mounted."
        warnings = astray.warnings(play.state, ridden)
        conclude(play, f"{unit.name} bugs out", unit.id, outcome=where, warnings=warnings)


def _mounted(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit:
    """The kommando where its horses stand, in the saddle."""
    update = {"mounted": True, "horses_at": None, "place": unit.horses_at or unit.place}
    return unit.model_copy(update={**update, **UNDER_WAY, "last_moved_turn": state.turn})


def _may_bug_out(unit: MagdalaUnit) -> None:
    if unit.troop is not Troop.KOMMANDO or unit.mounted:
        raise Refused(f"{unit.name} cannot bug out: that is for a Boer kommando on foot.", RULE)
    if unit.morale is Morale.PINNED:
        raise Refused(f"{unit.name} is pinned: it holds its ground this turn.", Cite(rule="MM-5.1"))
    if unit.this_turn.fired_full:
        raise Refused(f"{unit.name} has fired at full effect, which needs it to stand.", STANDING)
    if unit.this_turn.has_moved or unit.this_turn.half_turn_spent:
        raise Refused(f"{unit.name} has made its move of this turn.", ONE_MOVE)


def _to_the_horses(unit: MagdalaUnit, action: BugOut) -> float:
    """Inches to its horses: measured, with it where it stands, or as told. Raises Refused where nobody knows."""
    measured = horses_away(unit)
    if measured is not None:
        return measured
    if unit.place is not None:
        return 0.0
    if action.range is None:
        raise Refused(f"How far are the horses of {unit.name}? Give the range in inches: its place is not known.", RULE)
    return action.range


def _ride(state: MagdalaState, unit: MagdalaUnit, to: str | None, allowed: float) -> tuple[MagdalaUnit, float]:
    """The ride from the horses, straight to a place no further than a full mounted move. Raises Refused."""
    destination = read_place(state, unit, to)
    here = base(unit)
    if here is None:
        named = destination.inches if isinstance(destination, Course | Towards) else None
        return unit, allowed if named is None else _as_far_as(unit, named, allowed)
    if destination is None:
        raise Refused(f"Say where {unit.name} rides: “30,12” or “back 12”.", ONE_MOVE)
    path = travel.way(state, unit, here, destination)
    if path.wanted <= table.CONTACT:
        raise Refused(f"{unit.name} has to ride somewhere: say how far, as “back 12”.", ONE_MOVE)
    _as_far_as(unit, path.wanted, allowed)
    travel.barred(state, unit, path, allowed)
    halt = travel.go(state, unit, path, allowed)
    if halt.met is not None:
        raise Refused(f"To bug out is to withdraw: {unit.name} cannot ride into {state.unit(halt.met).name}.", RULE)
    return unit.model_copy(update={"place": placed(halt.base)}), halt.run


def _as_far_as(unit: MagdalaUnit, wanted: float, allowed: float) -> float:
    if wanted > allowed + table.CLOSE:
        raise Refused(f"{unit.name} may ride {inches(allowed)} from its horses; that is {inches(wanted)}.", RULE)
    return wanted


def _withdraws(state: MagdalaState, before: MagdalaUnit, after: MagdalaUnit) -> None:
    """It ends no nearer the enemy than it stood (ruling). Raises Refused."""
    was, now = nearest_enemy_gap(state, before), nearest_enemy_gap(state, after)
    if was is not None and now is not None and now < was - table.CLOSE:
        ends = f"{before.name} would end {inches(now)} from the enemy, and stood {inches(was)} off"
        raise Refused(f"To bug out is to withdraw: {ends}.", RULING)


BUG_OUT = BugOutType()
