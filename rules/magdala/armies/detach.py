"""Detachments: sent out by a unit, and taken back (MM-1)."""

from collections.abc import Iterable
from itertools import count
from typing import ClassVar

from pydantic import Field

from rules.core.action_type import Deed
from rules.core.dice import Dice, NoDice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.battle import Place
from rules.core.tabletop.placement import placed
from rules.core.tabletop.table import Base
from rules.core.umpire import fresh_id, proper_name
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, ThisTurn, Troop, Works
from rules.magdala.moving.formation import SKIRMISH, on_foot
from rules.magdala.orders import counted, find, not_in_melee, own_turn, under_command
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


class Rejoin(Action):
    """Takes a detachment back into its parent."""

    kind: ClassVar[str] = "rejoin"


def most(unit: MagdalaUnit) -> int:
    """Figures a unit may detach of those it has left. Raises Refused where its kind of troops sends out none.

    It keeps one at least, and is not to come down to half strength by it (ruling).
    """
    label = "Pathan musketeers" if unit.may_detach_half else unit.troop.value
    if label not in (row.label for row in TABLES.charts["organisation"].rows):
        raise Refused(f"{unit.name} sends out no detachments: only infantry, cavalry and their like do.", ORGANISATION)
    share = unit.strength // value("organisation", label, "detaches at most")
    above_half = unit.figures - 2 * unit.casualties - 1
    return max(min(share, unit.strength - 1, above_half), 0)


def detach(state: MagdalaState, action: Detach, _dice: Dice) -> tuple[MagdalaState, Report]:
    """The detachment forms beside its parent, whose figures it takes. Raises Refused."""
    unit = find(state, action.unit)
    own_turn(state, unit)
    under_command(state, unit)
    not_in_melee(unit)
    _may_detach(state, unit, action.figures)
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


def _formed(state: MagdalaState, unit: MagdalaUnit, action: Detach) -> MagdalaUnit:
    """The detachment: its parent's turn is behind it, but not its works, nor the casualties it has tested for."""
    name = proper_name(state, action.name) if action.name is not None else _usual_name(state, unit)
    if action.order is Order.SKIRMISH:
        on_foot(unit, f"take {SKIRMISH}")
    skirmishes = unit.troop is Troop.REGULAR_INFANTRY or unit.may_detach_half
    memory = {"figures_at_start": action.figures, "fire_casualties": 0, "tested_casualties": 0, "reformed": True}
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
            "works": Works.NONE,
            "building_sangar": 0,
            "horses_at": None if unit.mounted else unit.horses_at,
            "this_turn": unit.this_turn.model_copy(update=memory),
        }
    )
    return sent if unit.place is None else sent.model_copy(update={"place": _beside(state, unit, sent)})


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


def rejoin(state: MagdalaState, action: Rejoin, _dice: Dice) -> tuple[MagdalaState, Report]:
    """The detachment's figures and losses go back to its parent. Raises Refused."""
    sent = find(state, action.unit)
    if sent.parent is None:
        raise Refused(f"{sent.name} is no detachment, so it has nothing to rejoin.", ORGANISATION)
    parent = find(state, sent.parent)
    _may_rejoin(state, sent, parent)
    whole = parent.model_copy(
        update={
            "figures": parent.figures + sent.figures,
            "casualties": parent.casualties + sent.casualties,
            "half_effect_next_fire": parent.half_effect_next_fire or sent.half_effect_next_fire,
            "building_sangar": 0,
            "this_turn": _as_one(parent.this_turn, sent.this_turn),
        }
    )
    units = {unit_id: unit for unit_id, unit in state.units.items() if unit_id != sent.id}
    prompts = tuple(
        prompt.model_copy(update={"by": parent.id}) if prompt.by == sent.id else prompt
        for prompt in state.prompts
        if prompt.unit != sent.id
    )
    after = counted(state.model_copy(update={"units": units, "prompts": prompts}).with_unit(whole))
    step = Step(
        text=f"{sent.strength} figures return to {parent.name}",
        cite=ORGANISATION,
        verdict=f"{whole.strength} of {whole.figures} strong",
    )
    reach = inches(state.options.rejoins_within)
    unmeasured = f"{sent.name} must stand within {reach} of {parent.name} ({ONE_AT_A_TIME}). Measure it."
    return after, Report(
        headline=f"{sent.name} rejoins {parent.name}.",
        side=parent.side,
        steps=(step,),
        warnings=(unmeasured,) if placement.gap(sent, parent) is None else (),
        units=(parent.id,),
    )


def _may_rejoin(state: MagdalaState, sent: MagdalaUnit, parent: MagdalaUnit) -> None:
    """Both steady, alike mounted or on foot, close by, and before either has done anything this turn (ruling)."""
    for unit in (sent, parent):
        own_turn(state, unit)
        under_command(state, unit)
        not_in_melee(unit)
        if unit.morale not in STEADY:
            raise Refused(f"{unit.name} is {unit.morale}. They can rejoin when both are steady.", ONE_AT_A_TIME)
    if sent.this_turn.reformed or parent.this_turn.reformed:
        raise Refused(
            f"{parent.name} has sent out or taken back troops this turn; they rejoin in its next.", ONE_AT_A_TIME
        )
    for unit in (sent, parent):
        if unit.this_turn.has_acted:
            raise Refused(
                f"{unit.name} has moved, fired or the like this turn. They rejoin first thing in a turn.", ONE_AT_A_TIME
            )
    if sent.mounted is not parent.mounted:
        dismounted = parent if sent.mounted else sent
        raise Refused(f"{dismounted.name} is on foot. Let it mount, or the other dismount, first.", ONE_AT_A_TIME)
    if sent.general is not None:
        raise Refused(f"A general is with {sent.name}. Let him leave it first.", ONE_AT_A_TIME)
    far, reach = placement.gap(sent, parent), state.options.rejoins_within
    if far is not None and far > reach + table.CLOSE:
        away = f"{sent.name} is {inches(far)} from {parent.name}"
        raise Refused(f"{away}; to rejoin it comes within {inches(reach)}.", ONE_AT_A_TIME)


def _as_one(parent: ThisTurn, sent: ThisTurn) -> ThisTurn:
    """What the turn remembers of two units that are one again: the fire they were under, and who fell."""
    return parent.model_copy(
        update={
            "reformed": True,
            "under_fire": parent.under_fire or sent.under_fire,
            "halted": parent.halted or sent.halted,
            "fire_casualties": parent.fire_casualties + sent.fire_casualties,
            "tested_casualties": parent.tested_casualties + sent.tested_casualties,
            "figures_at_start": parent.figures_at_start + sent.figures_at_start,
        }
    )


def legal_detachments(state: MagdalaState, side: Viewer) -> Iterable[Detach]:
    """The largest detachment each unit of the side in its turn may send out."""
    if side not in (state.active, UMPIRE):
        return
    for unit in state.of_side(state.active):
        try:
            order = Detach(unit=unit.id, figures=max(most(unit), 1))
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
