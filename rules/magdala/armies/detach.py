"""Detachments sent out by a unit (MM-1)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import ClassVar

from pydantic import Field

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.battle import Place
from rules.core.tabletop.placement import placed
from rules.core.tabletop.table import Base
from rules.core.umpire import fresh_id, proper_name
from rules.magdala import placement
from rules.magdala.action_types import OwnTurnType, conclude
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Order, Troop, Works
from rules.magdala.moving.formation import SKIRMISH, on_foot
from rules.magdala.orders import find, free_in_own_turn
from rules.magdala.tables import TABLES, value

ORGANISATION = Cite(rule="MM-1")
ONE_AT_A_TIME = Cite(rule="MM-1", mark=Mark.RULING)
STEADY = (Morale.STEADY,)
GAP = 0.3
"""Inches between a unit and the detachment it has just sent out."""
WAYS = (0.0, 180.0, 90.0, 270.0)
"""Where a detachment forms, tried in turn: before its parent, behind it, to its right, to its left."""


class Detach(Action):
    """Sends out a detachment of so many figures."""

    kind: ClassVar[str] = "detach"

    figures: int = Field(ge=1)
    name: str | None = None
    order: Order | None = None


@dataclass(frozen=True)
class DetachPlan:
    """The parent, and the detachment as it will form: its figures, id, name, order and place."""

    unit: str
    figures: int
    sent: str
    name: str
    order: Order
    place: Place | None


class DetachType(OwnTurnType[Detach, DetachPlan]):
    """The detachment forms beside its parent, whose figures it takes (MM-1)."""

    action = Detach

    def tries(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[Detach]:  # noqa: ARG002
        """The largest it may send out."""
        label = _organised_as(unit)
        if label is not None:
            yield Detach(unit=unit.id, figures=max(most(unit), 1))

    def plan(self, state: MagdalaState, action: Detach, *, supposing: bool = False) -> DetachPlan:  # noqa: ARG002
        """Raises Refused where it may send out none, or so many, or there is no room."""
        unit = find(state, action.unit)
        free_in_own_turn(state, unit)
        _may_detach(state, unit, action.figures)
        name = proper_name(state, action.name) if action.name is not None else _usual_name(state, unit)
        if action.order is Order.SKIRMISH:
            on_foot(unit, f"take {SKIRMISH}")
        skirmishes = unit.troop is Troop.REGULAR_INFANTRY or unit.may_detach_half
        order = action.order or (Order.SKIRMISH if skirmishes else unit.order)
        formed = DetachPlan(unit.id, action.figures, fresh_id(state, name), name, order, None)
        if unit.place is None:
            return formed
        return replace(formed, place=_beside(state, unit, _formed(unit, formed)))

    def label(self, state: MagdalaState, plan: DetachPlan) -> str:
        """`Berkshires sends out 6 figures`."""
        return f"{state.unit(plan.unit).name} sends out {plan.figures} figures"

    def resolve(self, play: MagdalaPlay, plan: DetachPlan) -> None:
        """The parent's figures become fewer, and those of the detachment are beside it."""
        unit = play.state.unit(plan.unit)
        memory = unit.this_turn.model_copy(update={"reformed": True})
        parent = unit.model_copy(update={"figures": unit.figures - plan.figures, "this_turn": memory})
        play.state = play.state.with_unit(parent, _formed(unit, plan))
        play.say(
            Step(
                text=f"{plan.figures} figures leave {unit.name}",
                cite=ORGANISATION,
                verdict=f"{parent.strength} of {parent.figures} remain",
            )
        )
        conclude(play, f"{unit.name} sends out {plan.name}", unit.id, plan.sent, outcome="")


def _organised_as(unit: MagdalaUnit) -> str | None:
    """The row of the chart of organisation that lets it send out detachments, if any."""
    label = "Pathan musketeers" if unit.may_detach_half else unit.troop.value
    return label if label in (row.label for row in TABLES.charts["organisation"].rows) else None


def most(unit: MagdalaUnit) -> int:
    """Figures a unit may detach of those it has left. Raises Refused where its kind of troops sends out none.

    It keeps one at least, and is not to come down to half strength by it (ruling).
    """
    label = _organised_as(unit)
    if label is None:
        raise Refused(f"{unit.name} sends out no detachments: only infantry, cavalry and their like do.", ORGANISATION)
    share = unit.strength // value("organisation", label, "detaches at most")
    above_half = unit.figures - 2 * unit.casualties - 1
    return max(min(share, unit.strength - 1, above_half), 0)


def _may_detach(state: MagdalaState, unit: MagdalaUnit, figures: int) -> None:
    limit = most(unit)
    if unit.is_detachment:
        raise Refused(f"{unit.name} is itself a detachment and sends out none.", ORGANISATION)
    if unit.morale not in STEADY:
        raise Refused(f"{unit.name} is {unit.morale}. It can detach when it is steady again.", ONE_AT_A_TIME)
    if unit.this_turn.reformed:
        raise Refused(
            f"{unit.name} has taken a detachment back this turn. It may send one out next turn.", ONE_AT_A_TIME
        )
    if any(other.parent == unit.id and other.on_table for other in state.units.values()):
        raise Refused(f"{unit.name} has a detachment out. Let it rejoin first.", ONE_AT_A_TIME)
    if not limit:
        raise Refused(f"{unit.name} has too few left: a detachment would bring it to half strength.", ONE_AT_A_TIME)
    if figures > limit:
        raise Refused(f"{unit.name} may detach {limit} figures at most.", ORGANISATION)


def _formed(unit: MagdalaUnit, plan: DetachPlan) -> MagdalaUnit:
    """The detachment: its parent's turn is behind it, but not its works, nor the casualties it has tested for."""
    memory = {"figures_at_start": plan.figures, "fire_casualties": 0, "tested_casualties": 0, "reformed": True}
    return unit.model_copy(
        update={
            "id": plan.sent,
            "name": plan.name,
            "figures": plan.figures,
            "casualties": 0,
            "order": plan.order,
            "parent": unit.id,
            "general": None,
            "may_detach_half": False,
            "in_square": False,
            "works": Works.NONE,
            "building_sangar": 0,
            "place": plan.place or unit.place,
            "horses_at": None if unit.mounted else unit.horses_at,
            "this_turn": unit.this_turn.model_copy(update=memory),
        }
    )


def _usual_name(state: MagdalaState, unit: MagdalaUnit) -> str:
    """`Berkshires detachment`, with a number if another went by that name."""
    taken = {other.name.casefold() for other in state.units.values()}
    names = (f"{unit.name} detachment{f' {number}' if number > 1 else ''}" for number in count(1))
    return next(name for name in names if name.casefold() not in taken)


def _beside(state: MagdalaState, unit: MagdalaUnit, sent: MagdalaUnit) -> Place:
    here, own = placement.base(unit), placement.base(sent)
    assert here is not None
    assert own is not None
    others = [there for other in state.units.values() if other.on_table and (there := placement.base(other))]
    for way in WAYS:
        lengthwise = way in (0.0, 180.0)
        far = (here.depth + own.depth) / 2 if lengthwise else (here.frontage + own.frontage) / 2
        spot = own.moved(table.shifted(here.at, here.facing + way, far + GAP))
        if _is_free(state, spot, others):
            return placed(spot)
    raise Refused(f"There is no room beside {unit.name} for a detachment. Move it clear first.", ONE_AT_A_TIME)


def _is_free(state: MagdalaState, spot: Base, others: Iterable[Base]) -> bool:
    return table.on_table(spot, state.width, state.height) and not any(table.touching(spot, other) for other in others)


DETACH = DetachType()
