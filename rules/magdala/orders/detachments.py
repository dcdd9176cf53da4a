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
from rules.core.tabletop.placement import to_place
from rules.core.unit_lookup import check_unit_name, new_unit_id
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.arms import is_infantry
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Order, Troop, Works
from rules.magdala.moving.formation import ORDERS
from rules.magdala.shared import OwnTurnType, conclude, find, require_may_be_ordered
from rules.magdala.tables import TABLES, value

ORGANISATION = Cite(rule="MM-1")
ONE_AT_A_TIME = Cite(rule="MM-1", mark=Mark.RULING)
GAP = 0.3
"""Inches between a unit and its new detachment."""
WAYS = (0.0, 180.0, 90.0, 270.0)
"""Bearings from its parent at which a detachment forms, tried in turn: before it, behind, right, left."""
STANDING = {"in_square": False, "works": Works.NONE, "building_sangar": 0}
LEFT_BEHIND = {"casualties": 0, "general": None, "may_detach_half": False, **STANDING}
"""Parent's fields reset in a detachment."""


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
        """Yield the largest possible detachment."""
        if _organisation_row(unit) is not None:
            yield Detach(unit=unit.id, figures=max(largest_detachment(unit), 1))

    def check(self, state: MagdalaState, action: Detach) -> None:
        """Raise Refused if no such detachment is possible, or without room."""
        _make_detachment(state, action)

    def resolve(self, play: MagdalaPlay, plan: Detach) -> None:
        """Take the figures from the parent, and put the detachment beside it."""
        unit, sent = find(play.state, plan.unit), _make_detachment(play.state, plan)
        memory = unit.this_turn.model_copy(update={"reformed": True})
        parent = unit.model_copy(update={"figures": unit.figures - plan.figures, "this_turn": memory})
        play.state = play.state.with_unit(parent, sent)
        remain = f"{parent.strength} of {parent.figures} remain"
        play.note(f"{plan.figures} figures leave {unit.name}", ORGANISATION, remain)
        conclude(play, f"{unit:send} out {sent.name}", unit.id, sent.id, outcome="")


class RejoinType(SimpleType[MagdalaState, Rejoin], OwnTurnType[Rejoin, Rejoin]):
    """Taking back a detachment: its figures and losses go to its parent (MM-1)."""

    action = Rejoin

    def check(self, state: MagdalaState, action: Rejoin) -> None:
        """Raise Refused unless a detachment and its parent may rejoin."""
        _check_rejoin(state, *_detachment_and_parent(state, action))

    def caption(self, state: MagdalaState, plan: Rejoin) -> Caption:
        """Return a caption such as `Berkshires detachment rejoin Berkshires`."""
        sent, parent = _detachment_and_parent(state, plan)
        return Caption(f"{sent:rejoin} {parent.name}")

    def resolve(self, play: MagdalaPlay, plan: Rejoin) -> None:
        """Merge both units; prompts caused by the detachment then refer to its parent."""
        sent, parent = _detachment_and_parent(play.state, plan)
        whole = _merge(parent, sent)
        prompts = (prompt for prompt in play.state.prompts if prompt.unit != sent.id)
        by_parent = {"by": parent.id}
        owed = tuple(prompt.model_copy(update=by_parent) if prompt.by == sent.id else prompt for prompt in prompts)
        play.state = play.state.without(sent.id).with_unit(whole).model_copy(update={"prompts": owed})
        strong = f"{whole.strength} of {whole.figures} strong"
        play.note(f"{sent.strength} figures return to {parent.name}", ORGANISATION, strong)
        reach = inches(play.state.options.rejoins_within)
        unmeasured = f"{sent.name} must stand within {reach} of {parent.name} ({ONE_AT_A_TIME}). Measure it."
        warnings = (unmeasured,) if placement.gap(sent, parent) is None else ()
        conclude(play, f"{sent:rejoin} {parent.name}", parent.id, outcome="", warnings=warnings)


def _organisation_row(unit: MagdalaUnit) -> str | None:
    """Return the row of the chart of organisation by which a unit sends out detachments, or None."""
    label = "Pathan musketeers" if unit.may_detach_half else unit.troop.value
    return label if label in (row.label for row in TABLES.charts["organisation"].rows) else None


def largest_detachment(unit: MagdalaUnit) -> int:
    """Return how many figures a unit may detach: it keeps one, and over half strength (ruling).

    Raises Refused if the unit sends out no detachments.
    """
    label = _organisation_row(unit)
    if label is None:
        raise Refused(f"{unit:send} out no detachments: only infantry, cavalry and their like do.", ORGANISATION)
    share = unit.strength // value("organisation", label, "detaches at most")
    above_half = unit.figures - 2 * unit.casualties - 1
    return max(min(share, unit.strength - 1, above_half), 0)


def _check_detach(state: MagdalaState, unit: MagdalaUnit, figures: int) -> None:
    limit = largest_detachment(unit)
    out = any(other.parent == unit.id and other.on_table for other in state.units.values())
    again = f"{unit:have} taken a detachment back this turn. {unit:They} may send one out next turn."
    itself = f"{unit:are} {unit:themselves} a detachment, and {unit:they send} out none."
    unsteady = f"{unit:are} {unit.morale}. {unit:They} can detach when {unit:they are} steady again."
    refuse(ORGANISATION, (unit.is_detachment, itself))
    refuse(
        ONE_AT_A_TIME,
        (unit.morale is not Morale.STEADY, unsteady),
        (unit.this_turn.reformed, again),
        (out, f"{unit:have} a detachment out. Let it rejoin first."),
        (not limit, f"{unit:have} too few left: a detachment would bring {unit:them} to half strength."),
    )
    refuse(ORGANISATION, (figures > limit, f"{unit.name} may detach {limit} figures at most."))


def _make_detachment(state: MagdalaState, action: Detach) -> MagdalaUnit:
    """Return the new detachment, with its parent's turn record but without its works and casualties. Raises Refused."""
    unit = find(state, action.unit)
    require_may_be_ordered(state, unit)
    _check_detach(state, unit, action.figures)
    name = check_unit_name(state, action.name) if action.name is not None else _usual_name(state, unit)
    mounted = action.order is Order.SKIRMISH and not is_infantry(unit)
    refuse(ORDERS, (mounted, f"{unit.name} cannot take skirmish order: that is for troops on foot."))
    skirmishes = unit.troop is Troop.REGULAR_INFANTRY or unit.may_detach_half
    memory = {"figures_at_start": action.figures, "fire_casualties": 0, "tested_casualties": 0, "reformed": True}
    itself = {"id": new_unit_id(state, name), "name": name, "figures": action.figures, "parent": unit.id}
    drawn_up = {
        "order": action.order or (Order.SKIRMISH if skirmishes else unit.order),
        "horses_at": None if unit.mounted else unit.horses_at,
        "this_turn": unit.this_turn.model_copy(update=memory),
    }
    sent = unit.model_copy(update={**itself, **drawn_up, **LEFT_BEHIND})
    return sent if unit.place is None else sent.model_copy(update={"place": _beside(state, unit, sent, unit.place)})


def _usual_name(state: MagdalaState, unit: MagdalaUnit) -> str:
    """Return a name such as `Berkshires detachment`, with a number if another unit has that name."""
    taken = {other.name.casefold() for other in state.units.values()}
    names = (f"{unit.name} detachment{f' {number}' if number > 1 else ''}" for number in count(1))
    return next(name for name in names if name.casefold() not in taken)


def _beside(state: MagdalaState, unit: MagdalaUnit, sent: MagdalaUnit, stood: Place) -> Place:
    here, own = (placement.PLACEMENT.base_at(each, stood) for each in (unit, sent))
    others = placement.PLACEMENT.bases(other for other in state.units.values() if other.on_table)
    for way in WAYS:
        lengthwise = way in (0.0, 180.0)
        far = (here.depth + own.depth) / 2 if lengthwise else (here.frontage + own.frontage) / 2
        spot = own.moved(table.shifted(here.at, here.facing + way, far + GAP))
        free = not any(table.touching(spot, other) for other in others)
        if free and table.on_table(spot, state.width, state.height):
            return to_place(spot)
    raise Refused(f"There is no room beside {unit.name} for a detachment. Move {unit:them} clear first.", ONE_AT_A_TIME)


def _detachment_and_parent(state: MagdalaState, action: Rejoin) -> tuple[MagdalaUnit, MagdalaUnit]:
    """Return the detachment and its parent. Raises Refused if the unit is no detachment."""
    sent = find(state, action.unit)
    if sent.parent is None:
        raise Refused(f"{sent:are} no detachment, so {sent:they have} nothing to rejoin.", ORGANISATION)
    return sent, find(state, sent.parent)


def _check_rejoin(state: MagdalaState, sent: MagdalaUnit, parent: MagdalaUnit) -> None:
    """Raise Refused unless both are steady, alike mounted, close by, and have not acted this turn (ruling)."""
    for unit in (sent, parent):
        require_may_be_ordered(state, unit)
        fleeing = f"{unit:are} {unit.morale}. They can rejoin when both are steady."
        refuse(ONE_AT_A_TIME, (unit.morale is not Morale.STEADY, fleeing))
    again = f"{parent:have} sent out or taken back troops this turn; they rejoin in {parent:their} next."
    refuse(ONE_AT_A_TIME, (sent.this_turn.reformed or parent.this_turn.reformed, again))
    for unit in (sent, parent):
        acted = f"{unit:have} moved, fired or the like this turn. They rejoin first thing in a turn."
        refuse(ONE_AT_A_TIME, (unit.this_turn.has_acted, acted))
    on_foot = parent if sent.mounted else sent
    far, reach = placement.gap(sent, parent) or 0.0, state.options.rejoins_within
    away = f"{sent:are} {inches(far)} from {parent.name}; to rejoin {sent:they} must come within {inches(reach)}."
    unlike = f"{on_foot:are} on foot. Let {on_foot:them} mount, or the other dismount, first."
    refuse(
        ONE_AT_A_TIME,
        (sent.mounted is not parent.mounted, unlike),
        (sent.general, f"A general is with {sent.name}. Let him leave {sent:them} first."),
        (far > reach + table.CLOSE, away),
    )


def _merge(parent: MagdalaUnit, sent: MagdalaUnit) -> MagdalaUnit:
    """Return the parent with the detachment's figures and casualties, and their turn records combined."""
    turns = parent.this_turn, sent.this_turn
    memory = {field: any(getattr(turn, field) for turn in turns) for field in ("under_fire", "halted")}
    counts = ("fire_casualties", "tested_casualties", "figures_at_start")
    sums = {field: sum(getattr(turn, field) for turn in turns) for field in counts}
    together = {field: getattr(parent, field) + getattr(sent, field) for field in ("figures", "casualties")}
    half = parent.half_effect_next_fire or sent.half_effect_next_fire
    turn = parent.this_turn.model_copy(update={"reformed": True, **memory, **sums})
    more = {"half_effect_next_fire": half, "building_sangar": 0, "this_turn": turn}
    return parent.model_copy(update={**together, **more})


DETACH, REJOIN = DetachType(), RejoinType()
