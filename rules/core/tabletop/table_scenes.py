"""Turn a game on a table into a scene to draw: title, ground, units, arrows, and a description in words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic

from rules.core.model import UMPIRE, Viewer
from rules.core.scene import Arrow, Figure, Goal, SightLines, Symbol, TableScene, UnitBase, write_alt_text
from rules.core.scene import StatusMarker as Badge

from .battle import Marker, Place, TableState, U
from .line_of_fire import LineOfFire
from .markers import NOTHING, SIZE
from .squares import spot_name, square_name
from .table import shift_point
from .unit_short_names import short_unit_names

SQUARES = "Grid of 12 inches, letters west to east, numbers north to south."


def place_behind(place: Place, host_depth: float, depth: float, to_right: float = 0.0) -> Place:
    """Return the place just behind a host at `place`, for a companion with a base `depth` inches deep.

    The host's base is `host_depth` inches deep. The companion stands `to_right` inches to its right.
    """
    at = shift_point(place.point, place.facing + 180, (host_depth + depth) / 2)
    x, y = shift_point(at, place.facing + 90, to_right)
    return place.model_copy(update={"x": x, "y": y})


def move_arrows(
    state: TableState[U], before: TableState[U], kind: Callable[[U, U], str] = lambda *_: "move"
) -> Iterable[Arrow]:
    """Yield an arrow for each unit that moved since `before`.

    `kind` returns the kind of arrow for the unit before and after its move.
    """
    for unit in state.units.values():
        old = before.units.get(unit.id)
        if old is None or old.place is None or unit.place is None or not unit.on_table:
            continue
        if old.place.point != unit.place.point:
            yield Arrow(start=old.place.point, end=unit.place.point, kind=kind(old, unit), side=unit.side)


def marker_arrows(state: TableState[Any], before: TableState[Any]) -> Iterable[Arrow]:
    """Yield an arrow for each marker that moved since `before`."""
    for marker in state.markers.values():
        old = before.markers.get(marker.id)
        if old is not None and old.place.point != marker.place.point:
            yield Arrow(start=old.place.point, end=marker.place.point, side=marker.side)


def marker_contents(state: TableState[Any], marker: Marker, viewer: Viewer) -> str | None:
    """Return the name of the unit under the marker, or NOTHING for a dummy; None if the viewer may not know."""
    if viewer not in (UMPIRE, marker.side):
        return None
    unit = state.hidden.get(marker.unit) or state.units.get(marker.unit)
    return NOTHING if unit is None else str(unit.name)


def marker_base(marker: Marker, name: str, short: str) -> UnitBase:
    """Return a marker's base to draw. Markers look alike except for side and letter."""
    return UnitBase(
        unit=marker.id,
        name=name,
        short=short,
        side=marker.side,
        symbol=Symbol.MARKER,
        at=marker.place.point,
        facing=marker.place.facing,
        frontage=SIZE,
        depth=SIZE,
        letter=marker.letter,
    )


def scene_title(state: TableState[Any], scenario: str) -> str:
    """Return the scene's title, such as `Suakin 1885 — turn 1 of 8, British`."""
    turn = state.turn_title_with_total
    return state.heading(scenario, f"{turn[:1].lower()}{turn[1:]}")


@dataclass(frozen=True)
class UnitLook:
    """The appearance of a unit: `place`, map symbol, and the numbers, markers and figures on its base."""

    place: Place
    symbol: Symbol = Symbol.INFANTRY
    strength: str = ""
    """Text drawn on the base, such as the number of figures."""
    kills: int = 0
    """Number of losses marked on the base."""
    markers: Iterable[Badge] = ()
    words: str | None = ""
    """Description in the picture's alt text, after the unit's name and square; None leaves the unit out."""
    figures: Iterable[Figure] = ()
    """The unit's single figures, if they are drawn."""


class Drawing(Generic[U]):
    """Draws scenes of a system's states. Systems override how their units look."""

    lines: LineOfFire[U] | None = None
    """The system's lines of fire, in which friends may stand; None if the system has no such rule."""
    sight: Callable[[Any, Any], SightLines] | None = None
    """Function that returns the arcs and lines of fire of the actions since an earlier state; None to draw none."""

    def __init__(self, size: Callable[[U], tuple[float, float]]) -> None:
        """Create the drawing. `size` returns the frontage and depth of a unit's base in inches."""
        self.size = size

    def unit_look(self, state: Any, unit: U, place: Place) -> UnitLook:
        """Return the unit's appearance at a place. Every system must override this."""
        raise NotImplementedError

    def arrows(self, state: Any, before: Any) -> Iterable[Arrow]:
        """Return the arrows for units that moved since `before`."""
        return move_arrows(state, before)

    def off_table_text(self, unit: U) -> str:
        """Return the unit's entry in the list of units off the table."""
        return unit.name

    def base(self, state: TableState[U], unit: U, place: Place) -> UnitBase:
        """Return the unit's base to draw at a place."""
        short_name = short_unit_names(state)[unit.id]
        frontage, depth = self.size(unit)
        look = self.unit_look(state, unit, place)
        return UnitBase(
            unit=unit.id,
            name=unit.name,
            short=short_name,
            side=unit.side,
            symbol=look.symbol,
            at=look.place.point,
            facing=look.place.facing,
            frontage=frontage,
            depth=depth,
            strength=look.strength,
            kills=look.kills,
            in_the_way=self.lines is not None and self.lines.can_block_fire(unit, state.options.friends_in_line),
            hidden=unit.id in state.hidden,
            markers=tuple(look.markers),
            figures=tuple(look.figures),
        )

    def scene(
        self, state: TableState[U], before: TableState[U] | None, scenario: str, viewer: Viewer = UMPIRE
    ) -> TableScene:
        """Return the scene of the table, with arrows for events since `before`.

        Both states must already be the viewer's view. `scenario` is the scenario's title.
        """
        under_markers = {marker.unit for marker in state.markers.values()}
        standing = (unit for unit in state.units.values() if unit.on_table and unit.id not in under_markers)
        placed_units = [(unit, unit.place) for unit in standing if unit.place is not None]
        contents = [(marker, marker_contents(state, marker, viewer)) for marker in state.markers.values()]
        labelled_markers = [
            (marker, marker.name if words is None else f"{marker.name}: {words}") for marker, words in contents
        ]
        title = scene_title(state, scenario)
        sight = SightLines() if before is None or self.sight is None else self.sight(state, before)
        hidden, short_names = state.hidden, short_unit_names(state)
        of_units = (
            (
                unit.side,
                f"{unit.name}{' (hidden)' if unit.id in hidden else ''} {square_name(place.point)} {words}".strip(),
            )
            for unit, place in placed_units
            if (words := self.unit_look(state, unit, place).words) is not None
        )
        of_markers = ((marker.side, f"{name} {square_name(marker.place.point)}") for marker, name in labelled_markers)
        duties = (f"{state.side(o.side):The} must hold {o.name}, {spot_name(o.at)}." for o in state.objectives)
        return TableScene(
            width=state.width,
            height=state.height,
            ground=state.ground,
            title=title,
            subtitle=state.over.why if state.over else "",
            sides=state.sides,
            terrain=state.terrain,
            bases=(
                *(self.base(state, unit, place) for unit, place in placed_units),
                *(marker_base(marker, name, short_names[marker.id]) for marker, name in labelled_markers),
            ),
            arrows=()
            if before is None
            else (*self.arrows(state, before), *marker_arrows(state, before), *sight.arrows),
            fans=sight.fans,
            goals=tuple(Goal(**dict(objective)) for objective in state.objectives),
            off_table=tuple(self.off_table_text(unit) for unit in state.units.values() if not unit.on_table),
            alt=write_alt_text(
                state.sides,
                " ".join((f"{title}. {SQUARES}", *duties)),
                chain(of_units, of_markers),
            ),
        )
