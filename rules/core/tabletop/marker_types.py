"""What is done with markers: put on, moved, taken off, and set by the umpire (house).

None of it looks at what lies under a marker, which goes with it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeVar

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
from rules.core.wording import inches

from . import markers, squares, table
from .battle import Marker, Place, TableState
from .hidden_units import NOT_ALLOWED, in_secret
from .place import Course, Horses, Spot, Towards, Turn, parse
from .placement import placed
from .table import Base
from .ways import Way, Ways

S = TypeVar("S", bound=TableState[Any])

SHORT_OF = 1.0
"""Inches before an enemy at which a marker on its way towards him halts."""
OFF_TABLE = "{name} would lie off the table, which is {size}. Choose another place."
STAYS = "A marker is moved by its place alone: /umpire set, field place."


class PutMarker(Action):
    """Puts a marker of a side on the table, with nothing under it so far."""

    by_unit = False

    side: str
    x: float = Field(allow_inf_nan=False)
    y: float = Field(allow_inf_nan=False)
    facing: float = Field(default=0.0, allow_inf_nan=False)


class MoveMarker(Action):
    """Moves a marker, and what lies under it; before the battle begins anywhere."""

    by_unit = False

    unit: str
    to: str


class TakeMarker(Action):
    """Takes a marker off the table; what lay under it stays hidden where it is."""

    by_unit = False

    unit: str


class SetMarker(Action):
    """Puts a marker anywhere, by the umpire's hand."""

    umpire_only = True
    by_unit = False

    unit: str
    field: str
    value: str


MARKER_KINDS = (PutMarker.kind, MoveMarker.kind, TakeMarker.kind, SetMarker.kind)
MEANT = {
    "move": MoveMarker.kind,
    "deploy": MoveMarker.kind,
    "remove_unit": TakeMarker.kind,
    "take_off": TakeMarker.kind,
    "set": SetMarker.kind,
}
"""Marker actions replacing unit commands."""


def marker(state: TableState[Any], name: str | None) -> Marker:
    """Return the marker by id. Raises Refused listing existing markers."""
    found = state.markers.get(name or "")
    if found is None:
        names = ", ".join(one.name for one in state.markers.values()) or "none"
        raise Refused(f"There is no marker “{(name or '')[:40]}”. On the table: {names}.")
    return found


@dataclass(frozen=True)
class Journey:
    """A marker's destination and distance."""

    marker: str
    place: Place
    run: float


class OfMarkers(UmpireActionType[S]):
    """Marker actions of the umpire, and of each side during set-up."""

    @override
    def side(self, state: S, action: Action) -> Viewer:
        """Return the umpire's; in the set-up the marker's."""
        if state.setting_up is None or action.umpire_only:
            return UMPIRE
        return action.side if isinstance(action, PutMarker) else marker(state, action.unit).side


class MoveMarkerType(ActionType[S, MoveMarker, Journey]):
    """A marker's move: straight, without dice, whatever the ground, past no enemy (house)."""

    action = MoveMarker

    def __init__(self, ways: Ways[Any], phases: Collection[str]) -> None:
        """Create the marker actions; `phases` limits marker moves, empty for all phases."""
        self._ways, self._phases = ways, phases

    @override
    def side(self, state: S, action: MoveMarker) -> Viewer:
        """Return the marker's."""
        return marker(state, action.unit).side

    @override
    def plan(self, state: S, action: MoveMarker) -> Journey:
        """Return where it ends. Raises Refused."""
        one = marker(state, action.unit)
        begun = state.setting_up is None
        if begun:
            self._may_move(state, one)
        allowed = state.options.marker_move if begun else None
        return whither(self._ways, state, one, action.to, allowed)

    def _may_move(self, state: S, one: Marker) -> None:
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
    def caption(self, state: S, plan: Journey) -> Caption:
        """`Marker A to C3`."""
        return Caption(f"{marker(state, plan.marker).name} to {squares.spot(plan.place.point)}")

    @override
    def resolve(self, play: Play[S], plan: Journey) -> None:
        """Move the marker and its hidden unit."""
        one = play.state.markers[plan.marker]
        began = play.state.setting_up is not None
        play.state = markers.move_marker(play.state, one, plan.place, moved_in=0 if began else play.state.turn)
        said = f"{one:are} put at" if began else f"{one:move} {inches(plan.run)}, to"
        play.note(f"{said} {squares.spot(plan.place.point)}", BY_UMPIRE, in_headline=True)
        play.tell(headline=f"{said} {squares.spot(plan.place.point)}.", side=one.side)


def whither(ways: Ways[Any], state: TableState[Any], one: Marker, words: str, allowed: float | None) -> Journey:
    """Return where words send a marker, at most so many inches and past no enemy, unless put there. Raises Refused."""
    here, known = markers.base(one), (one.side,) if in_secret(state) else tuple(side.id for side in state.sides)
    others = [each for each in state.markers.values() if each.id != one.id and each.side in known]
    there_are = (each for each in state.units.values() if each.on_table and each.place is not None)
    units = {each.id: each.name for each in there_are if each.side in known}
    goal = parse(words, {**units, **{each.id: each.name for each in others}})
    if isinstance(goal, Horses):
        raise Refused(f"{one:have} no horses. Name a place, as “C2”.")
    if isinstance(goal, Turn):
        return Journey(one.id, one.place.model_copy(update={"facing": goal.facing % markers.FULL}), 0.0)
    way = _towards(ways, state, one, here, goal) if isinstance(goal, Towards) else ways.way(state, one, here, goal)
    open_ended = isinstance(goal, Towards) and goal.inches is None
    run = way.wanted if allowed is None else min(way.wanted, allowed)
    if not open_ended and run < way.wanted - table.CLOSE:
        far, most = inches(way.wanted), inches(run)
        raise Refused(f"{one.name} may move {most} in a turn; that is {far}. “towards …” goes as far as it may.")
    facing = goal.facing if isinstance(goal, Spot | Course) and goal.facing is not None else one.place.facing
    there = here.moved(way.at(run).at, facing)
    _may_lie(state, one, there, others)
    if allowed is not None:
        refuse(BY_UMPIRE, (run <= table.CONTACT, f"{one:are} there already."))
        _passes(ways, state, one, here.moved(here.at, facing), way.bearing, run)
    return Journey(one.id, placed(there), run)


def _towards(ways: Ways[Any], state: TableState[Any], one: Marker, here: Base, goal: Towards) -> Way:
    """Straight towards a marker or a unit, an inch short of an enemy."""
    other = state.markers.get(goal.unit) or state.units[goal.unit]
    there = markers.base(other) if goal.unit in state.markers else ways.placement.base(other)
    assert there is not None
    bearing = table.bearing(here.at, there.at)
    apart = table.free_run(here, bearing, table.distance(here.at, there.at), there)
    short = SHORT_OF if other.side != one.side else 0.0
    wanted = max(apart - short, 0.0)
    return Way(bearing, wanted if goal.inches is None else min(goal.inches, wanted), here)


def _may_lie(state: TableState[Any], one: Marker, there: Base, others: Collection[Marker]) -> None:
    """Raise Refused unless the marker lies on the table, clear of other markers."""
    off = not table.on_table(there, state.width, state.height)
    size = squares.sized(state.width, state.height)
    refuse(BY_UMPIRE, (off, OFF_TABLE.format(name=one.name, size=size)))
    for other in others:
        on_it = table.overlapping(there, markers.base(other))
        refuse(BY_UMPIRE, (on_it, f"{other:lie} there. Choose another place."))


def _passes(ways: Ways[Any], state: TableState[Any], one: Marker, here: Base, bearing: float, run: float) -> None:
    """Raise Refused if an enemy blocks the path or its end."""
    for enemy in state.enemies(one.side):
        there = ways.placement.base(enemy) if ways.takes_ground(enemy) else None
        if there is None:
            continue
        free = table.free_run(here, bearing, run, there)
        ends = here.moved(table.shifted(here.at, bearing, run))
        bars = free < run or table.touching(ends, there)
        where = f"{enemy:bar} the way of {one.name} after {inches(free)}. Markers do not go into contact: stop short."
        refuse(BY_UMPIRE, (bars, where))


def marker_types(ways: Ways[Any], phases: Collection[str] = ()) -> tuple[ActionType[Any, Any, Any], ...]:
    """Return the marker actions of a system; markers move in `phases`, or in all phases."""

    def put(state: S, action: PutMarker) -> tuple[S, Report]:
        if not state.options.hidden_troops:
            raise Refused(NOT_ALLOWED)
        sides = {side.id: side for side in state.sides}
        if action.side not in sides:
            raise Refused(f"There is no side “{action.side[:40]}”. The sides: {', '.join(sides)}.")
        if not (0 <= action.x <= state.width and 0 <= action.y <= state.height):
            raise Refused(OFF_TABLE.format(name="The marker", size=squares.sized(state.width, state.height)))
        place = markers.spot_for(state, Place(x=action.x, y=action.y, facing=action.facing))
        after, one = markers.put_on(state, action.side, place, secretly=in_secret(state))
        others = [each for each in state.markers.values() if each.side == action.side or not in_secret(state)]
        _may_lie(state, one, markers.base(one), others)
        at = squares.spot(place.point)
        return after, _told(one, f"A marker of {sides[one.side]:the} is put on the table at {at}: {one.name}")

    def take(state: S, action: TakeMarker) -> tuple[S, Report]:
        one = marker(state, action.unit)
        return markers.without(state, one.id), _told(one, f"{one:are} taken off the table")

    def set_(state: S, action: SetMarker) -> tuple[S, Report]:
        one = marker(state, action.unit)
        if naming.words_of(action.field) != naming.words_of(PLACE):
            raise Refused(STAYS)
        there = whither(ways, state, one, action.value, None)
        told = f"The umpire puts {one.name} at {squares.spot(there.place.point)}"
        return markers.move_marker(state, one, there.place), _told(one, told)

    return (
        OfMarkers(PutMarker, put),
        MoveMarkerType(ways, phases),
        OfMarkers(TakeMarker, take),
        OfMarkers(SetMarker, set_),
    )


def _told(one: Marker, told: str) -> Report:
    return Report(headline=f"{told}.", steps=(umpire_step(told, in_headline=True),), side=one.side)
