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
from .place import Course, Horses, Spot, Towards, Turn, parse, settle_turn
from .placement import to_place
from .table import Base
from .ways import Way, Ways

SHORT_OF_ENEMY = 1.0
"""Distance in inches at which a marker halts before the enemy it moves towards."""
OFF_TABLE = "{name} would lie off the table, which is {size}. Choose another place."
ONLY_PLACE = "A marker is moved by its place alone: /umpire set, field place."


class PutMarker(Action):
    """Put a side's new marker on the table, with nothing under it."""

    by_unit = False

    side: str
    x: float = Field(allow_inf_nan=False)
    y: float = Field(allow_inf_nan=False)
    facing: float = Field(default=0.0, allow_inf_nan=False)


class MoveMarker(Action):
    """Move a marker and the unit under it. In the set-up the distance is unlimited."""

    by_unit = False

    unit: str
    to: str


class TakeMarker(Action):
    """Take a marker off the table. The unit under it stays hidden in place."""

    by_unit = False

    unit: str


class SetMarker(Action):
    """Move a marker to any place, as a correction by the umpire."""

    umpire_only = True
    by_unit = False

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
"""Kind of marker action that replaces each kind of unit action if a command names a marker."""


def marker(state: TableState[Any], name: str | None) -> Marker:
    """Return the marker with the id `name`. Raises Refused with the names of the existing markers."""
    found = state.markers.get(name or "")
    if found is None:
        names = ", ".join(one.name for one in state.markers.values()) or "none"
        raise Refused(f"There is no marker “{(name or '')[:40]}”. On the table: {names}.")
    return found


@dataclass(frozen=True)
class MarkerJourney:
    """Plan of a marker's move: the marker's id, its new place, and the distance in inches."""

    marker: str
    place: Place
    run: float


class MarkersByHand(UmpireActionType[S]):
    """Type of marker actions without dice, for the umpire and, during the set-up, for each side."""

    @override
    def side(self, state: S, action: Action) -> Viewer:
        """Return the umpire; during the set-up the marker's side, except for actions of the umpire alone."""
        if state.setting_up is None or action.umpire_only:
            return UMPIRE
        return action.side if isinstance(action, PutMarker) else marker(state, action.unit).side


class MoveMarkerType(ActionType[S, MoveMarker, MarkerJourney]):
    """Type of a marker's move: straight, without dice, on any ground, but past no enemy (house)."""

    action = MoveMarker

    def __init__(self, ways: Ways[Any], phases: Collection[str]) -> None:
        """Create the type. Markers move in these `phases` only, or in all phases if `phases` is empty."""
        self._ways, self._phases = ways, phases

    @override
    def side(self, state: S, action: MoveMarker) -> Viewer:
        """Return the marker's side."""
        return marker(state, action.unit).side

    @override
    def plan(self, state: S, action: MoveMarker) -> MarkerJourney:
        """Return the marker's journey. Raises Refused if the marker may not move now, or not there."""
        one = marker(state, action.unit)
        begun = state.setting_up is None
        if begun:
            self._check_turn(state, one)
        allowed = state.options.marker_move if begun else None
        return plan_journey(self._ways, state, one, action.to, allowed)

    def _check_turn(self, state: S, one: Marker) -> None:
        """Raise Refused outside the turn and phase of the marker's side, or after the marker's move of this turn."""
        whose = f"{state.side(one.side):the}"
        phases = " or ".join(self._phases)
        moved = f"{one:have} moved this turn. A marker moves once in each turn of its side."
        refuse(
            BY_UMPIRE,
            (one.side not in state.acting_sides, f"{one:belong} to {whose}, and it moves in their turn."),
            (self._phases and state.phase not in self._phases, f"Markers move in this phase: {phases}."),
            (one.moved_in == state.turn, moved),
        )

    @override
    def caption(self, state: S, plan: MarkerJourney) -> Caption:
        """Return the button's text: `Marker A to C3`."""
        return Caption(f"{marker(state, plan.marker).name} to {squares.spot_name(plan.place.point)}")

    @override
    def resolve(self, play: Play[S], plan: MarkerJourney) -> None:
        """Move the marker and the hidden unit under it, and report the move."""
        one = play.state.markers[plan.marker]
        in_set_up = play.state.setting_up is not None
        play.state = markers.move_marker(play.state, one, plan.place, moved_in=0 if in_set_up else play.state.turn)
        said = f"{one:are} put at" if in_set_up else f"{one:move} {inches(plan.run)}, to"
        play.note(f"{said} {squares.spot_name(plan.place.point)}", BY_UMPIRE, in_headline=True)
        play.tell(headline=f"{said} {squares.spot_name(plan.place.point)}.", side=one.side)


def plan_journey(
    ways: Ways[Any], state: TableState[Any], one: Marker, words: str, allowed: float | None
) -> MarkerJourney:
    """Return the journey of a marker to the place that `words` name. Raises Refused.

    `allowed` is the maximum distance in inches, on a path past no enemy. None moves the marker by hand: any distance,
    and no check of its path.
    """
    here, known = markers.base(one), (one.side,) if is_secret_set_up(state) else tuple(side.id for side in state.sides)
    others = [each for each in state.markers.values() if each.id != one.id and each.side in known]
    placed = (each for each in state.units.values() if each.on_table and each.place is not None)
    units = {each.id: each.name for each in placed if each.side in known}
    goal = settle_turn(parse(words, {**units, **{each.id: each.name for each in others}}), one.place.facing)
    if isinstance(goal, Horses):
        raise Refused(f"{one:have} no horses. Name a place, such as “C2”.")
    if isinstance(goal, Turn):
        return MarkerJourney(one.id, one.place.model_copy(update={"facing": goal.facing % markers.FULL_CIRCLE}), 0.0)
    way = _towards(ways, state, one, here, goal) if isinstance(goal, Towards) else ways.way(state, one, here, goal)
    open_ended = isinstance(goal, Towards) and goal.inches is None
    run = way.wanted if allowed is None else min(way.wanted, allowed)
    if not open_ended and run < way.wanted - table.CLOSE:
        far, most = inches(way.wanted), inches(run)
        raise Refused(f"{one.name} may move {most} in a turn; that is {far}. “towards …” goes as far as it may.")
    facing = goal.facing if isinstance(goal, Spot | Course) and goal.facing is not None else one.place.facing
    there = here.moved(way.at(run).at, facing)
    _check_place(state, one, there, others)
    if allowed is not None:
        refuse(BY_UMPIRE, (run <= table.CONTACT, f"{one:are} there already."))
        _check_path(ways, state, one, here.moved(here.at, facing), way.bearing, run)
    return MarkerJourney(one.id, to_place(there), run)


def _towards(ways: Ways[Any], state: TableState[Any], one: Marker, here: Base, goal: Towards) -> Way:
    """Return the straight way towards a unit or another marker; before enemies it ends SHORT_OF_ENEMY inches early."""
    other = state.markers.get(goal.unit) or state.units[goal.unit]
    there = markers.base(other) if goal.unit in state.markers else ways.placement.base(other)
    assert there is not None
    bearing = table.bearing(here.at, there.at)
    apart = table.free_run(here, bearing, table.distance(here.at, there.at), there)
    short = SHORT_OF_ENEMY if other.side != one.side else 0.0
    wanted = max(apart - short, 0.0)
    return Way(bearing, wanted if goal.inches is None else min(goal.inches, wanted), here)


def _check_place(state: TableState[Any], one: Marker, there: Base, others: Collection[Marker]) -> None:
    """Raise Refused if a marker at `there` would reach off the table, or lie on one of the `others`."""
    off = not table.on_table(there, state.width, state.height)
    size = squares.size_in_words(state.width, state.height)
    refuse(BY_UMPIRE, (off, OFF_TABLE.format(name=one.name, size=size)))
    for other in others:
        on_it = table.overlapping(there, markers.base(other))
        refuse(BY_UMPIRE, (on_it, f"{other:lie} there. Choose another place."))


def _check_path(ways: Ways[Any], state: TableState[Any], one: Marker, here: Base, bearing: float, run: float) -> None:
    """Raise Refused if an enemy stands in the path of `run` inches along `bearing`, or touches its end."""
    for enemy in state.enemies(one.side):
        there = ways.placement.base(enemy) if ways.takes_ground(enemy) else None
        if there is None:
            continue
        free = table.free_run(here, bearing, run, there)
        ends = here.moved(table.shifted(here.at, bearing, run))
        bars = free < run or table.touching(ends, there)
        why = f"{enemy:bar} the way of {one.name} after {inches(free)}. Markers do not go into contact: stop short."
        refuse(BY_UMPIRE, (bars, why))


def marker_types(ways: Ways[Any], phases: Collection[str] = ()) -> tuple[ActionType[Any, Any, Any], ...]:
    """Return the types of a system's marker actions. Markers move in `phases`, or in all phases if it is empty."""

    def put(state: S, action: PutMarker) -> tuple[S, Report]:
        if not state.options.hidden_troops:
            raise Refused(NOT_ALLOWED)
        side = find_side(state, action.side)
        if not (0 <= action.x <= state.width and 0 <= action.y <= state.height):
            raise Refused(OFF_TABLE.format(name="The marker", size=squares.size_in_words(state.width, state.height)))
        place = markers.find_marker_place(state, Place(x=action.x, y=action.y, facing=action.facing))
        after, one = markers.add_marker(state, action.side, place, secretly=is_secret_set_up(state))
        others = [each for each in state.markers.values() if each.side == action.side or not is_secret_set_up(state)]
        _check_place(state, one, markers.base(one), others)
        at = squares.spot_name(place.point)
        return after, _make_report(one, f"A marker of {side:the} is put on the table at {at}: {one.name}")

    def take(state: S, action: TakeMarker) -> tuple[S, Report]:
        one = marker(state, action.unit)
        return markers.remove_marker(state, one.id), _make_report(one, f"{one:are} taken off the table")

    def set_place(state: S, action: SetMarker) -> tuple[S, Report]:
        one = marker(state, action.unit)
        if naming.words_of(action.field) != naming.words_of(PLACE):
            raise Refused(ONLY_PLACE)
        there = plan_journey(ways, state, one, action.value, None)
        change = f"The umpire puts {one.name} at {squares.spot_name(there.place.point)}"
        return markers.move_marker(state, one, there.place), _make_report(one, change)

    return (
        MarkersByHand(PutMarker, put),
        MoveMarkerType(ways, phases),
        MarkersByHand(TakeMarker, take),
        MarkersByHand(SetMarker, set_place),
    )


def _make_report(one: Marker, change: str) -> Report:
    """Return the report of a marker's `change`, described in a clause."""
    return Report(headline=f"{change}.", steps=(umpire_step(change, in_headline=True),), side=one.side)
