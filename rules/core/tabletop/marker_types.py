"""Actions that put, move, take off and correct markers (house).

No action depends on what lies under a marker; a unit under it moves along.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pydantic import Field
from typing_extensions import override

from rules.core import naming
from rules.core.action_type import ActionType, Caption
from rules.core.model import UMPIRE, Viewer
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Report
from rules.core.state import Action
from rules.core.umpire import BY_UMPIRE, PLACE, UmpireActionType, umpire_step
from rules.core.unit_lookup import find_side
from rules.core.wording import inches

from . import markers, squares, table
from .battle import Marker, Place, S, TableState
from .hidden_units import NOT_ALLOWED, is_secret_set_up
from .place import BackToHorses, MoveByDistance, Spot, TowardsUnit, TurnOnSpot, make_turn_absolute, parse_destination
from .placement import place_of_base
from .table import Base
from .ways import Way, Ways

SHORT_OF_ENEMY = 1.0
"""Distance in inches from an enemy at which a marker halts if it moves towards that enemy."""
OFF_TABLE = "{name} would lie off the table, which is {size}. Choose another place."
ONLY_PLACE = "A marker is moved by its place alone: /umpire set, field place."


class PutMarker(Action):
    """Put a side's new marker on the table, with nothing under it."""

    is_unit_action = False

    side: str
    x: float = Field(allow_inf_nan=False)
    y: float = Field(allow_inf_nan=False)
    facing: float = Field(default=0.0, allow_inf_nan=False)


class MoveMarker(Action):
    """Move a marker and the unit under it. In the set-up the distance is unlimited."""

    is_unit_action = False

    unit: str
    to: str


class TakeMarker(Action):
    """Take a marker off the table. The unit under it stays hidden in place."""

    is_unit_action = False

    unit: str


class SetMarker(Action):
    """Move a marker to any place, as a correction by the umpire."""

    umpire_only = True
    is_unit_action = False

    unit: str
    field: str
    value: str


MARKER_KINDS = (PutMarker.kind, MoveMarker.kind, TakeMarker.kind, SetMarker.kind)
MARKER_COMMANDS = {
    "move": MoveMarker.kind,
    "deploy": MoveMarker.kind,
    "remove_unit": TakeMarker.kind,
    "take_off": TakeMarker.kind,
    "set": SetMarker.kind,
}
"""For each kind of unit action, the kind of marker action meant if a command names a marker."""


def find_marker(state: TableState[Any], name: str | None) -> Marker:
    """Return the marker with the id `name`. Raises Refused, listing the existing markers, if there is none."""
    marker = state.markers.get(name or "")
    if marker is None:
        names = ", ".join(other.name for other in state.markers.values()) or "none"
        raise Refused(f"There is no marker “{(name or '')[:40]}”. On the table: {names}.")
    return marker


@dataclass(frozen=True)
class MarkerJourney:
    """Plan of a marker's move: the marker's id, its new place, and the distance in inches."""

    marker: str
    place: Place
    run: float


class ManualMarkerType(UmpireActionType[S]):
    """Type of marker actions without dice, for the umpire and, during the set-up, for each side."""

    @override
    def side(self, state: S, action: Action) -> Viewer:
        """Return the umpire or, for most actions during the set-up, the marker's side."""
        if state.setting_up is None or action.umpire_only:
            return UMPIRE
        return action.side if isinstance(action, PutMarker) else find_marker(state, action.unit).side


class MoveMarkerType(ActionType[S, MoveMarker, MarkerJourney]):
    """Type of a marker's move: straight, without dice, over any ground, but never past an enemy (house)."""

    action = MoveMarker

    def __init__(self, ways: Ways[Any], phases: Collection[str]) -> None:
        """Create the type. Markers move in these `phases` only, or in all phases if `phases` is empty."""
        self._ways, self._phases = ways, phases

    @override
    def side(self, state: S, action: MoveMarker) -> Viewer:
        """Return the marker's side."""
        return find_marker(state, action.unit).side

    @override
    def plan(self, state: S, action: MoveMarker) -> MarkerJourney:
        """Return the marker's journey. Raises Refused if the marker may not move now, or may not move to the place."""
        marker = find_marker(state, action.unit)
        begun = state.setting_up is None
        if begun:
            owner, phases = f"{state.side(marker.side):the}", " or ".join(self._phases)
            moved = f"{marker:have} moved this turn. A marker moves once in each turn of its side."
            refuse(
                BY_UMPIRE,
                (marker.side not in state.acting_sides, f"{marker:belong} to {owner}, and it moves in their turn."),
                (self._phases and state.phase not in self._phases, f"Markers move in this phase: {phases}."),
                (marker.moved_in == state.turn, moved),
            )
        allowed = state.options.marker_move if begun else None
        return plan_journey(self._ways, state, marker, action.to, allowed)

    @override
    def caption(self, state: S, plan: MarkerJourney) -> Caption:
        """Return the button's text: `Marker A to C3`."""
        return Caption(f"{find_marker(state, plan.marker).name} to {squares.spot_name(plan.place.point)}")

    @override
    def resolve(self, play: Play[S], plan: MarkerJourney) -> None:
        """Move the marker and the hidden unit under it, and report the move."""
        marker = play.state.markers[plan.marker]
        in_set_up = play.state.setting_up is not None
        play.state = markers.move_marker(play.state, marker, plan.place, moved_in=0 if in_set_up else play.state.turn)
        words = f"{marker:are} put at" if in_set_up else f"{marker:move} {inches(plan.run)}, to"
        play.note(f"{words} {squares.spot_name(plan.place.point)}", BY_UMPIRE, in_headline=True)
        play.tell(headline=f"{words} {squares.spot_name(plan.place.point)}.", side=marker.side)


def plan_journey(
    ways: Ways[Any], state: TableState[Any], marker: Marker, words: str, allowed: float | None
) -> MarkerJourney:
    """Return the plan of a marker's move to the place that `words` name. Raises Refused.

    `allowed` is the maximum distance in inches, on a path that passes no enemy. If it is None, the marker is moved
    by hand, over any distance and path.
    """
    start = markers.base_of_marker(marker)
    known_sides = (marker.side,) if is_secret_set_up(state) else tuple(side.id for side in state.sides)
    others = [other for other in state.markers.values() if other.id != marker.id and other.side in known_sides]
    placed_units = (unit for unit in state.units.values() if unit.on_table and unit.place is not None)
    units = {unit.id: unit.name for unit in placed_units if unit.side in known_sides}
    goal = make_turn_absolute(
        parse_destination(words, {**units, **{other.id: other.name for other in others}}), marker.place.facing
    )
    if isinstance(goal, BackToHorses):
        raise Refused(f"{marker:have} no horses. Name a place, such as “C2”.")
    if isinstance(goal, TurnOnSpot):
        return MarkerJourney(
            marker.id, marker.place.model_copy(update={"facing": goal.facing % markers.FULL_CIRCLE}), 0.0
        )
    way = (
        _way_towards(ways, state, marker, start, goal)
        if isinstance(goal, TowardsUnit)
        else ways.find_way(state, marker, start, goal)
    )
    open_ended = isinstance(goal, TowardsUnit) and goal.inches is None
    run = way.wanted if allowed is None else min(way.wanted, allowed)
    if not open_ended and run < way.wanted - table.CLOSE:
        far, most = inches(way.wanted), inches(run)
        raise Refused(f"{marker.name} may move {most} in a turn; that is {far}. “towards …” goes as far as it may.")
    facing = goal.facing if isinstance(goal, Spot | MoveByDistance) and goal.facing is not None else marker.place.facing
    end = start.moved_to(way.base_after(run).at, facing)
    _check_place(state, marker, end, others)
    if allowed is not None:
        refuse(BY_UMPIRE, (run <= table.CONTACT, f"{marker:are} there already."))
        _check_path(ways, state, marker, start.moved_to(start.at, facing), way.bearing, run)
    return MarkerJourney(marker.id, place_of_base(end), run)


def _way_towards(ways: Ways[Any], state: TableState[Any], marker: Marker, start: Base, goal: TowardsUnit) -> Way:
    """Return a marker's straight way towards a unit or another marker.

    The way ends SHORT_OF_ENEMY inches before an enemy, and at contact with a friend.
    """
    other = state.markers.get(goal.unit) or state.units[goal.unit]
    goal_base = markers.base_of_marker(other) if goal.unit in state.markers else ways.placement.base(other)
    assert goal_base is not None
    bearing = table.bearing(start.at, goal_base.at)
    apart = table.run_until_contact(start, bearing, table.distance(start.at, goal_base.at), goal_base)
    short = SHORT_OF_ENEMY if other.side != marker.side else 0.0
    distance = max(apart - short, 0.0)
    return Way(bearing, distance if goal.inches is None else min(goal.inches, distance), start)


def _check_place(state: TableState[Any], marker: Marker, base: Base, others: Collection[Marker]) -> None:
    """Raise Refused if a marker at `base` would reach off the table or overlap one of the `others`."""
    is_off_table = not table.is_on_table(base, state.width, state.height)
    size = squares.size_in_words(state.width, state.height)
    refuse(BY_UMPIRE, (is_off_table, OFF_TABLE.format(name=marker.name, size=size)))
    for other in others:
        on_it = table.are_overlapping(base, markers.base_of_marker(other))
        refuse(BY_UMPIRE, (on_it, f"{other:lie} there. Choose another place."))


def _check_path(
    ways: Ways[Any], state: TableState[Any], marker: Marker, start: Base, bearing: float, run: float
) -> None:
    """Raise Refused if an enemy bars the path of `run` inches in direction `bearing`, or touches its end."""
    for enemy in state.enemies(marker.side):
        enemy_base = ways.placement.base(enemy) if ways.takes_ground(enemy) else None
        if enemy_base is None:
            continue
        free = table.run_until_contact(start, bearing, run, enemy_base)
        ends = start.moved_to(table.shift_point(start.at, bearing, run))
        bars = free < run or table.are_touching(ends, enemy_base)
        why = f"{enemy:bar} the way of {marker.name} after {inches(free)}. Markers do not go into contact: stop short."
        refuse(BY_UMPIRE, (bars, why))


def make_marker_types(ways: Ways[Any], phases: Collection[str] = ()) -> tuple[ActionType[Any, Any, Any], ...]:
    """Return the types of a system's marker actions. Markers move in `phases`, or in all phases if it is empty."""

    def put_marker(state: S, action: PutMarker) -> tuple[S, Report]:
        if not state.options.hidden_troops:
            raise Refused(NOT_ALLOWED)
        side = find_side(state, action.side)
        if not (0 <= action.x <= state.width and 0 <= action.y <= state.height):
            raise Refused(OFF_TABLE.format(name="The marker", size=squares.size_in_words(state.width, state.height)))
        place = markers.round_marker_place(state, Place(x=action.x, y=action.y, facing=action.facing))
        after, marker = markers.add_marker(state, action.side, place, secretly=is_secret_set_up(state))
        others = [other for other in state.markers.values() if other.side == action.side or not is_secret_set_up(state)]
        _check_place(state, marker, markers.base_of_marker(marker), others)
        at = squares.spot_name(place.point)
        return after, _make_report(marker, f"A marker of {side:the} is put on the table at {at}: {marker.name}")

    def take_marker(state: S, action: TakeMarker) -> tuple[S, Report]:
        marker = find_marker(state, action.unit)
        return markers.remove_marker(state, marker.id), _make_report(marker, f"{marker:are} taken off the table")

    def set_marker(state: S, action: SetMarker) -> tuple[S, Report]:
        marker = find_marker(state, action.unit)
        if naming.words_of(action.field) != naming.words_of(PLACE):
            raise Refused(ONLY_PLACE)
        journey = plan_journey(ways, state, marker, action.value, None)
        change = f"The umpire puts {marker.name} at {squares.spot_name(journey.place.point)}"
        return markers.move_marker(state, marker, journey.place), _make_report(marker, change)

    return (
        ManualMarkerType(PutMarker, put_marker),
        MoveMarkerType(ways, phases),
        ManualMarkerType(TakeMarker, take_marker),
        ManualMarkerType(SetMarker, set_marker),
    )


def _make_report(marker: Marker, change: str) -> Report:
    """Return the report of a marker's change, which the clause `change` describes."""
    return Report(headline=f"{change}.", steps=(umpire_step(change, in_headline=True),), side=marker.side)
