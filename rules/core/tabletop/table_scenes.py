"""A game on a table as a scene to draw: title, ground, arrows of who moved, and its essentials in words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic

from rules.core.model import UMPIRE, Viewer
from rules.core.scene import Arrow, Figure, Goal, Sight, Symbol, TableScene, UnitBase, in_words
from rules.core.scene import Marker as Badge

from .battle import Marker, Place, TableState, U
from .line_of_fire import LineOfFire
from .markers import NOTHING, SIZE
from .squares import spot, square
from .table import shifted

SQUARES = "Grid of 12 inches, letters west to east, numbers north to south."


def behind(place: Place, host_depth: float, depth: float, aside: float = 0.0) -> Place:
    """Return where who goes with a unit at `place` is drawn: just behind its base, `aside` inches to the right."""
    at = shifted(place.point, place.facing + 180, (host_depth + depth) / 2)
    x, y = shifted(at, place.facing + 90, aside)
    return place.model_copy(update={"x": x, "y": y})


def move_arrows(state: TableState[U], before: TableState[U], kind: Callable[[U, U], str]) -> Iterable[Arrow]:
    """Yield an arrow for each moved unit; `kind` names the arrow's kind."""
    for unit in state.units.values():
        old = before.units.get(unit.id)
        if old is None or old.place is None or unit.place is None or not unit.on_table:
            continue
        if old.place.point != unit.place.point:
            yield Arrow(start=old.place.point, end=unit.place.point, kind=kind(old, unit), side=unit.side)


def markers_moved(state: TableState[Any], before: TableState[Any]) -> Iterable[Arrow]:
    """Yield an arrow for each moved marker."""
    for marker in state.markers.values():
        old = before.markers.get(marker.id)
        if old is not None and old.place.point != marker.place.point:
            yield Arrow(start=old.place.point, end=marker.place.point, side=marker.side)


def under(state: TableState[Any], marker: Marker, viewer: Viewer) -> str | None:
    """Return the marker's contents in words; None if unknown to the viewer."""
    if viewer not in (UMPIRE, marker.side):
        return None
    unit = state.hidden.get(marker.unit) or state.units.get(marker.unit)
    return NOTHING if unit is None else str(unit.name)


def marker_label(state: TableState[Any], marker: Marker, viewer: Viewer) -> str:
    """`Marker A`; for those who know, `Marker A: nothing`."""
    known = under(state, marker, viewer)
    return marker.name if known is None else f"{marker.name}: {known}"


def marker_base(marker: Marker, name: str) -> UnitBase:
    """Return a marker's base; all look alike."""
    return UnitBase(
        unit=marker.id,
        name=name,
        side=marker.side,
        symbol=Symbol.MARKER,
        at=marker.place.point,
        facing=marker.place.facing,
        frontage=SIZE,
        depth=SIZE,
        letter=marker.letter,
    )


def title_of(state: TableState[Any], scenario: str) -> str:
    """`Suakin 1885 — turn 1 of 8, British`."""
    turn = state.turn_title_with_total
    return state.heading(scenario, f"{turn[:1].lower()}{turn[1:]}")


def _goals(state: TableState[Any]) -> Iterable[str]:
    """`The British must hold the wells of El Teb, C1 E.`, of each objective."""
    for goal in state.objectives:
        yield f"{state.side(goal.side):The} must hold {goal.name}, {spot(goal.at)}."


@dataclass(frozen=True)
class Look:
    """A unit on the table: `place` where it is drawn, its map symbol and what stands on and beside its base."""

    place: Place
    symbol: Symbol = Symbol.INFANTRY
    strength: str = ""
    """The number on the base."""
    kills: int = 0
    """Losses marked on the base."""
    markers: Iterable[Badge] = ()
    words: str | None = ""
    """The description after the unit's name and square; None omits the unit."""
    figures: Iterable[Figure] = ()
    """Single figures, if drawn individually."""


class Drawing(Generic[U]):
    """Drawing of a system's tables; systems override details of their units."""

    lines: LineOfFire[U] | None = None
    """Rule for friends blocking fire."""

    def __init__(self, size: Callable[[U], tuple[float, float]]) -> None:
        """`size` is the frontage and depth of a unit's base in inches."""
        self.size = size

    def look(self, state: Any, unit: U, place: Place) -> Look:
        """Return the unit's look at its place."""
        raise NotImplementedError

    def arrow(self, before: U, unit: U) -> str:  # noqa: ARG002
        """Return the way in which the unit's move is drawn."""
        return "move"

    def arrows(self, state: Any, before: Any) -> Iterable[Arrow]:
        """Return what happened since `before`."""
        return move_arrows(state, before, self.arrow)

    def sight(self, state: Any, before: Any) -> Sight:  # noqa: ARG002
        """Arcs and lines of what was fired since `before`, of single figures."""
        return Sight()

    def gone(self, unit: U) -> str:
        """Return the text for a unit off the table."""
        return unit.name

    def base(self, state: TableState[U], unit: U, place: Place) -> UnitBase:
        """Return a unit as it stands."""
        frontage, depth = self.size(unit)
        look = self.look(state, unit, place)
        return UnitBase(
            unit=unit.id,
            name=unit.name,
            side=unit.side,
            symbol=look.symbol,
            at=look.place.point,
            facing=look.place.facing,
            frontage=frontage,
            depth=depth,
            strength=look.strength,
            kills=look.kills,
            in_the_way=self.lines is not None and self.lines.is_in_the_way(unit, state.options.friends_in_line),
            hidden=unit.id in state.hidden,
            markers=tuple(look.markers),
            figures=tuple(look.figures),
        )

    def scene(
        self, state: TableState[U], before: TableState[U] | None, scenario: str, viewer: Viewer = UMPIRE
    ) -> TableScene:
        """Return the table's scene for the viewer, with events since `before`.

        The state is as the viewer may see it.
        """
        lying = {marker.unit for marker in state.markers.values()}
        standing = (unit for unit in state.units.values() if unit.on_table and unit.id not in lying)
        placed = [(unit, unit.place) for unit in standing if unit.place is not None]
        marked = [(marker, marker_label(state, marker, viewer)) for marker in state.markers.values()]
        title = title_of(state, scenario)
        sight = Sight() if before is None else self.sight(state, before)
        told = (
            (
                unit.side,
                f"{unit.name}{' (hidden)' if unit.id in state.hidden else ''} {square(place.point)} {said}".strip(),
            )
            for unit, place in placed
            if (said := self.look(state, unit, place).words) is not None
        )
        of_markers = ((marker.side, f"{name} {square(marker.place.point)}") for marker, name in marked)
        return TableScene(
            width=state.width,
            height=state.height,
            ground=state.ground,
            title=title,
            subtitle=state.over.why if state.over else "",
            sides=state.sides,
            terrain=state.terrain,
            bases=(
                *(self.base(state, unit, place) for unit, place in placed),
                *(marker_base(marker, name) for marker, name in marked),
            ),
            arrows=()
            if before is None
            else (*self.arrows(state, before), *markers_moved(state, before), *sight.arrows),
            fans=sight.fans,
            goals=tuple(Goal(**dict(objective)) for objective in state.objectives),
            off_table=tuple(self.gone(unit) for unit in state.units.values() if not unit.on_table),
            alt=in_words(state.sides, " ".join((f"{title}. {SQUARES}", *_goals(state))), chain(told, of_markers)),
        )
