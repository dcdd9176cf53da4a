"""Detachments: sent out by a unit, and taken back by it (MM-1)."""

from collections.abc import Iterable
from itertools import count

from pydantic import Field
from typing_extensions import override

from rules.core.action_type import Caption, SimpleType
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.battle import Place
from rules.core.tabletop.placement import place_of_base
from rules.core.unit_lookup import check_unit_name, new_unit_id
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.arms import is_infantry
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Order, Troop, Works
from rules.magdala.moving.formation import ORDERS
from rules.magdala.shared import OwnTurnType, complete_action, find_unit_on_table, require_may_be_ordered
from rules.magdala.tables import TABLES, value

ORGANISATION = Cite(rule="MM-1")
ONE_AT_A_TIME = Cite(rule="MM-1", mark=Mark.RULING)
GAP = 0.3
"""Inches between a unit and its new detachment."""
FORMING_BEARINGS = (0.0, 180.0, 90.0, 270.0)
"""Bearings at which a detachment may form, tried in this order: in front of its parent, behind, right, left."""
STANDING = {"in_square": False, "works": Works.NONE, "building_sangar": 0}
FIELDS_NOT_INHERITED = {"casualties": 0, "general": None, "may_detach_half": False, **STANDING}
"""Fields that a detachment does not take over from its parent, with their first values."""


class Detach(Action):
    """Send out a detachment of `figures` figures."""

    figures: int = Field(ge=1)
    name: str | None = None
    order: Order | None = None


class Rejoin(Action):
    """Take a detachment back into its parent."""


class DetachType(SimpleType[MagdalaState, Detach], OwnTurnType[Detach, Detach]):
    """Sending out a detachment, which takes its parent's figures and forms beside it (MM-1)."""

    action = Detach
    says = "{unit:send} out {figures} figures"

    @override
    def candidates_of_unit(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[Detach]:
        """Yield the order to send out the largest possible detachment."""
        if _organisation_row(unit) is not None:
            yield Detach(unit=unit.id, figures=max(largest_detachment(unit), 1))

    def check(self, state: MagdalaState, action: Detach) -> None:
        """Raise Refused if the unit cannot send out the detachment, or the table has no clearance for it."""
        _make_detachment(state, action)

    def resolve(self, play: MagdalaPlay, plan: Detach) -> None:
        """Take the figures from the parent, and put the detachment beside it."""
        unit, detachment = find_unit_on_table(play.state, plan.unit), _make_detachment(play.state, plan)
        memory = unit.this_turn.model_copy(update={"reformed": True})
        parent = unit.model_copy(update={"figures": unit.figures - plan.figures, "this_turn": memory})
        play.state = play.state.with_unit(parent, detachment)
        remain = f"{parent.strength} of {parent.figures} remain"
        play.note(f"{plan.figures} figures leave {unit.name}", ORGANISATION, remain)
        complete_action(play, f"{unit:send} out {detachment.name}", unit.id, detachment.id, outcome="")


class RejoinType(SimpleType[MagdalaState, Rejoin], OwnTurnType[Rejoin, Rejoin]):
    """Taking back a detachment: its figures and losses go to its parent (MM-1)."""

    action = Rejoin

    def check(self, state: MagdalaState, action: Rejoin) -> None:
        """Raise Refused unless a detachment and its parent may rejoin."""
        _require_may_rejoin(state, *_detachment_and_parent(state, action))

    def caption(self, state: MagdalaState, plan: Rejoin) -> Caption:
        """Return a caption such as `Berkshires detachment rejoin Berkshires`."""
        detachment, parent = _detachment_and_parent(state, plan)
        return Caption(f"{detachment:rejoin} {parent.name}")

    def resolve(self, play: MagdalaPlay, plan: Rejoin) -> None:
        """Merge both units; prompts caused by the detachment then refer to its parent."""
        detachment, parent = _detachment_and_parent(play.state, plan)
        merged = _merge_units(parent, detachment)
        others = (prompt for prompt in play.state.prompts if prompt.unit != detachment.id)
        by_parent = {"by": parent.id}
        owed = tuple(prompt.model_copy(update=by_parent) if prompt.by == detachment.id else prompt for prompt in others)
        play.state = play.state.without_unit(detachment.id).with_unit(merged).model_copy(update={"prompts": owed})
        strong = f"{merged.strength} of {merged.figures} strong"
        play.note(f"{detachment.strength} figures return to {parent.name}", ORGANISATION, strong)
        reach = inches(play.state.options.rejoins_within)
        unmeasured = f"{detachment.name} must stand within {reach} of {parent.name} ({ONE_AT_A_TIME}). Measure it."
        warnings = (unmeasured,) if placement.gap(detachment, parent) is None else ()
        complete_action(play, f"{detachment:rejoin} {parent.name}", parent.id, outcome="", warnings=warnings)


def _organisation_row(unit: MagdalaUnit) -> str | None:
    """Return the row of the chart of organisation by which a unit sends out detachments, or None."""
    label = "Pathan musketeers" if unit.may_detach_half else unit.troop.value
    return label if label in (row.label for row in TABLES.charts["organisation"].rows) else None


def largest_detachment(unit: MagdalaUnit) -> int:
    """Return the maximum figures of a detachment: the chart's share, leaving the unit above half strength (ruling).

    Raises Refused if the unit sends out no detachments.
    """
    label = _organisation_row(unit)
    if label is None:
        raise Refused(f"{unit:send} out no detachments: only infantry, cavalry and their like do.", ORGANISATION)
    share = unit.strength // value("organisation", label, "detaches at most")
    above_half = unit.figures - 2 * unit.casualties - 1
    return max(min(share, unit.strength - 1, above_half), 0)


def _require_may_detach(state: MagdalaState, unit: MagdalaUnit, figures: int) -> None:
    limit = largest_detachment(unit)
    has_detachment = any(other.parent == unit.id and other.on_table for other in state.units.values())
    rejoined = f"{unit:have} taken a detachment back this turn. {unit:They} may send one out next turn."
    itself = f"{unit:are} {unit:themselves} a detachment, and {unit:they send} out none."
    unsteady = f"{unit:are} {unit.morale}. {unit:They} can detach when {unit:they are} steady again."
    refuse(ORGANISATION, (unit.is_detachment, itself))
    refuse(
        ONE_AT_A_TIME,
        (unit.morale is not Morale.STEADY, unsteady),
        (unit.this_turn.reformed, rejoined),
        (has_detachment, f"{unit:have} a detachment out. Let it rejoin first."),
        (not limit, f"{unit:have} too few left: a detachment would bring {unit:them} to half strength."),
    )
    refuse(ORGANISATION, (figures > limit, f"{unit.name} may detach {limit} figures at most."))


def _make_detachment(state: MagdalaState, action: Detach) -> MagdalaUnit:
    """Return the new detachment. Raises Refused if the unit may not send it out."""
    unit = find_unit_on_table(state, action.unit)
    require_may_be_ordered(state, unit)
    _require_may_detach(state, unit, action.figures)
    name = check_unit_name(state, action.name) if action.name is not None else _detachment_name(state, unit)
    mounted = action.order is Order.SKIRMISH and not is_infantry(unit)
    refuse(ORDERS, (mounted, f"{unit.name} cannot take skirmish order: that is for troops on foot."))
    skirmishes = unit.troop is Troop.REGULAR_INFANTRY or unit.may_detach_half
    memory = {"figures_at_start": action.figures, "fire_casualties": 0, "tested_casualties": 0, "reformed": True}
    identity = {"id": new_unit_id(state, name), "name": name, "figures": action.figures, "parent": unit.id}
    drawn_up = {
        "order": action.order or (Order.SKIRMISH if skirmishes else unit.order),
        "horses_at": None if unit.mounted else unit.horses_at,
        "this_turn": unit.this_turn.model_copy(update=memory),
    }
    detachment = unit.model_copy(update={**identity, **drawn_up, **FIELDS_NOT_INHERITED})
    if unit.place is None:
        return detachment
    return detachment.model_copy(update={"place": _place_detachment(state, unit, detachment, unit.place)})


def _detachment_name(state: MagdalaState, unit: MagdalaUnit) -> str:
    """Return a name such as `Berkshires detachment`, with a number if another unit has that name."""
    names_taken = {other.name.casefold() for other in state.units.values()}
    names = (f"{unit.name} detachment{f' {number}' if number > 1 else ''}" for number in count(1))
    return next(name for name in names if name.casefold() not in names_taken)


def _place_detachment(state: MagdalaState, unit: MagdalaUnit, detachment: MagdalaUnit, place: Place) -> Place:
    parent_base, new_base = (placement.PLACEMENT.base_at(fighter, place) for fighter in (unit, detachment))
    obstacles = placement.PLACEMENT.bases(other for other in state.units.values() if other.on_table)
    for way in FORMING_BEARINGS:
        lengthwise = way in (0.0, 180.0)
        far = (parent_base.depth + new_base.depth) / 2 if lengthwise else (parent_base.frontage + new_base.frontage) / 2
        spot = new_base.moved_to(table.shift_point(parent_base.at, parent_base.facing + way, far + GAP))
        free = not any(table.are_touching(spot, obstacle) for obstacle in obstacles)
        if free and table.is_on_table(spot, state.width, state.height):
            return place_of_base(spot)
    raise Refused(f"There is no room beside {unit.name} for a detachment. Move {unit:them} clear first.", ONE_AT_A_TIME)


def _detachment_and_parent(state: MagdalaState, action: Rejoin) -> tuple[MagdalaUnit, MagdalaUnit]:
    """Return the detachment and its parent. Raises Refused if the unit is no detachment."""
    detachment = find_unit_on_table(state, action.unit)
    if detachment.parent is None:
        raise Refused(f"{detachment:are} no detachment, so {detachment:they have} nothing to rejoin.", ORGANISATION)
    return detachment, find_unit_on_table(state, detachment.parent)


def _require_may_rejoin(state: MagdalaState, detachment: MagdalaUnit, parent: MagdalaUnit) -> None:
    """Raise Refused unless both units are steady, close, mounted or on foot alike, and have not acted (ruling)."""
    for unit in (detachment, parent):
        require_may_be_ordered(state, unit)
        fleeing = f"{unit:are} {unit.morale}. They can rejoin when both are steady."
        refuse(ONE_AT_A_TIME, (unit.morale is not Morale.STEADY, fleeing))
    reformed = f"{parent:have} sent out or taken back troops this turn; they rejoin in {parent:their} next."
    refuse(ONE_AT_A_TIME, (detachment.this_turn.reformed or parent.this_turn.reformed, reformed))
    for unit in (detachment, parent):
        acted = f"{unit:have} moved, fired or the like this turn. They rejoin first thing in a turn."
        refuse(ONE_AT_A_TIME, (unit.this_turn.has_acted, acted))
    on_foot = parent if detachment.mounted else detachment
    far, reach = placement.gap(detachment, parent) or 0.0, state.options.rejoins_within
    must = f"to rejoin {detachment:they} must come within {inches(reach)}."
    away = f"{detachment:are} {inches(far)} from {parent.name}; {must}"
    unlike = f"{on_foot:are} on foot. Let {on_foot:them} mount, or the other dismount, first."
    refuse(
        ONE_AT_A_TIME,
        (detachment.mounted is not parent.mounted, unlike),
        (detachment.general, f"A general is with {detachment.name}. Let him leave {detachment:them} first."),
        (far > reach + table.CLOSE, away),
    )


def _merge_units(parent: MagdalaUnit, detachment: MagdalaUnit) -> MagdalaUnit:
    """Return the parent with the detachment's figures and casualties, and their turn records combined."""
    turns = parent.this_turn, detachment.this_turn
    memory = {field: any(getattr(turn, field) for turn in turns) for field in ("under_fire", "halted")}
    counts = ("fire_casualties", "tested_casualties", "figures_at_start")
    sums = {field: sum(getattr(turn, field) for turn in turns) for field in counts}
    totals = {field: getattr(parent, field) + getattr(detachment, field) for field in ("figures", "casualties")}
    half = parent.half_effect_next_fire or detachment.half_effect_next_fire
    turn = parent.this_turn.model_copy(update={"reformed": True, **memory, **sums})
    fields = {"half_effect_next_fire": half, "building_sangar": 0, "this_turn": turn}
    return parent.model_copy(update={**totals, **fields})


DETACH, REJOIN = DetachType(), RejoinType()
