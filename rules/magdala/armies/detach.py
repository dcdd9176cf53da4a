"""Detachments: sent out by a unit, and taken back (MM-1)."""

from collections.abc import Iterable
from typing import ClassVar

from pydantic import Field

from rules.core import table
from rules.core.deed import Deed
from rules.core.dice import Dice, NoDice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.table import Base
from rules.core.umpire import fresh_id
from rules.magdala import placement
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, Place, Troop
from rules.magdala.orders import counted, find, not_in_melee, own_turn, under_command
from rules.magdala.tables import tables, value

ORGANISATION = Cite(rule="MM-1")
ONE_AT_A_TIME = Cite(rule="MM-1", mark=Mark.RULING)
STEADY = (Morale.STEADY,)
GAP = 0.3
"""Inches between a unit and the detachment it has just sent out."""
REJOINS_WITHIN = 6
"""Inches from its parent at which a detachment may rejoin it (ruling)."""
WAYS = (0.0, 180.0, 90.0, 270.0)
"""Where a detachment forms, tried in turn: before its parent, behind it, to its right, to its left."""


class Detach(Action):
    """Sends out a detachment of so many figures."""

    kind: ClassVar[str] = "detach"

    figures: int = Field(ge=1)
    name: str | None = Field(default=None, max_length=60)
    order: Order | None = None


class Rejoin(Action):
    """Takes a detachment back into its parent."""

    kind: ClassVar[str] = "rejoin"


def most(unit: MagdalaUnit) -> int:
    """Figures a unit may detach. Raises Refused where its kind of troops sends out none."""
    label = "Pathan musketeers" if unit.may_detach_half else unit.troop.value
    if label not in (row.label for row in tables()["organisation"].rows):
        raise Refused(f"{unit.name} sends out no detachments: only infantry, cavalry and their like do.", ORGANISATION)
    return unit.figures // value("organisation", label, "detaches at most")


def detach(state: MagdalaState, action: Detach, _dice: Dice) -> tuple[MagdalaState, Report]:
    """The detachment forms beside its parent, whose figures it takes. Raises Refused."""
    unit = find(state, action.unit)
    own_turn(state, unit)
    under_command(state, unit)
    not_in_melee(unit)
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
    if action.figures > min(limit, unit.strength - 1):
        raise Refused(f"{unit.name} may detach {min(limit, unit.strength - 1)} figures at most.", ORGANISATION)
    memory = unit.this_turn.model_copy(update={"reformed": True})
    parent = unit.model_copy(update={"figures": unit.figures - action.figures, "this_turn": memory})
    sent = _formed(state, unit, action)
    after = counted(state.with_unit(parent, sent))
    step = Step(
        text=f"{action.figures} figures leave {unit.name}",
        cite=ORGANISATION,
        verdict=f"{parent.strength} of {parent.figures} remain",
    )
    headline = f"{unit.name} sends out {sent.name}."
    return after, Report(headline=headline, side=unit.side, steps=(step,), units=(unit.id, sent.id))


def _formed(state: MagdalaState, unit: MagdalaUnit, action: Detach) -> MagdalaUnit:
    name = action.name or f"{unit.name} detachment"
    skirmishes = unit.troop is Troop.REGULAR_INFANTRY or unit.may_detach_half
    sent = unit.model_copy(
        update={
            "id": fresh_id(state, name),
            "name": name,
            "figures": action.figures,
            "casualties": 0,
            "order": action.order or (Order.SKIRMISH if skirmishes else unit.order),
            "parent": unit.id,
            "general": None,
            "may_detach_half": False,
            "in_square": False,
            "horses_at": None if unit.mounted else unit.horses_at,
            "this_turn": unit.this_turn.model_copy(
                update={"figures_at_start": action.figures, "fire_casualties": 0, "reformed": True}
            ),
        }
    )
    return sent if unit.place is None else sent.model_copy(update={"place": _beside(state, unit, sent)})


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
            return placement.placed(spot)
    raise Refused(f"There is no room beside {unit.name} for a detachment. Move it clear first.", ONE_AT_A_TIME)


def _is_free(state: MagdalaState, spot: Base, others: Iterable[Base]) -> bool:
    return table.on_table(spot, state.width, state.height) and not any(table.touching(spot, other) for other in others)


def rejoin(state: MagdalaState, action: Rejoin, _dice: Dice) -> tuple[MagdalaState, Report]:
    """The detachment's figures and losses go back to its parent. Raises Refused."""
    sent = find(state, action.unit)
    if sent.parent is None:
        raise Refused(f"{sent.name} is no detachment, so it has nothing to rejoin.", ORGANISATION)
    parent = find(state, sent.parent)
    for unit in (sent, parent):
        own_turn(state, unit)
        under_command(state, unit)
        not_in_melee(unit)
    if sent.this_turn.reformed or parent.this_turn.reformed:
        raise Refused(
            f"{parent.name} has sent out or taken back troops this turn; they rejoin in its next.", ONE_AT_A_TIME
        )
    if sent.general is not None:
        raise Refused(f"A general is with {sent.name}. Let him leave it first.", ONE_AT_A_TIME)
    far = placement.gap(sent, parent)
    if far is not None and far > REJOINS_WITHIN:
        raise Refused(
            f"{sent.name} is {far:.1f}″ from {parent.name}; to rejoin it comes within {REJOINS_WITHIN}″.", ONE_AT_A_TIME
        )
    whole = parent.model_copy(
        update={
            "figures": parent.figures + sent.figures,
            "casualties": parent.casualties + sent.casualties,
            "this_turn": parent.this_turn.model_copy(update={"reformed": True}),
        }
    )
    units = {unit_id: unit for unit_id, unit in state.units.items() if unit_id != sent.id}
    debts = tuple(debt for debt in state.debts if debt.unit != sent.id)
    after = counted(state.model_copy(update={"units": units, "debts": debts}).with_unit(whole))
    step = Step(
        text=f"{sent.strength} figures return to {parent.name}",
        cite=ORGANISATION,
        verdict=f"{whole.strength} of {whole.figures} strong",
    )
    headline = f"{sent.name} rejoins {parent.name}."
    return after, Report(headline=headline, side=parent.side, steps=(step,), units=(parent.id,))


def legal_detachments(state: MagdalaState, side: Viewer) -> Iterable[Detach]:
    """The largest detachment each unit of the side in its turn may send out."""
    if side not in (state.active, UMPIRE):
        return
    for unit in state.of_side(state.active):
        try:
            order = Detach(unit=unit.id, figures=max(min(most(unit), unit.strength - 1), 1))
            detach(state, order, NoDice())
        except Refused:
            continue
        yield order


def legal_returns(state: MagdalaState, side: Viewer) -> Iterable[Rejoin]:
    """Every detachment of the side in its turn that may rejoin its parent."""
    if side not in (state.active, UMPIRE):
        return
    for unit in state.of_side(state.active):
        if unit.is_detachment:
            order = Rejoin(unit=unit.id)
            try:
                rejoin(state, order, NoDice())
            except Refused:
                continue
            yield order


DETACH: Deed[MagdalaState] = Deed(Detach, detach, legal=legal_detachments)
REJOIN: Deed[MagdalaState] = Deed(Rejoin, rejoin, legal=legal_returns)
