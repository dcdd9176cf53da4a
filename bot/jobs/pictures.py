"""Pictures of a game's table for one viewer, over the photograph if there is one."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from bot.errors import UserError
from render import foreign_names, scenes, side_frame
from render.charts import draw_chart
from render.dice import strip
from render.foreign_names import Explained
from render.framing import Acts
from render.geometry import Box, around
from rules.core.chart import Chart
from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.model import PUBLIC, Viewer
from rules.core.ruleset import Ruleset, tally_of
from rules.core.scene import DieFace, Sight
from rules.core.state import State


class Drawn(NamedTuple):
    """A PNG, or a JPEG over a photograph, with alternative text, and numbers with the words that they replace."""

    data: bytes
    words: str
    numbers: Explained = ()


def _draw(scene: Scene, area: Box | None, photograph: bytes | None = None, style: str = scenes.USUAL) -> Drawn:
    """Draw the scene, or `area` of it. Words that the typefaces cannot write become numbers."""
    numbers = foreign_names.numbers_of([scene])
    drawn = foreign_names.without_foreign_words(scene, numbers)
    return Drawn(
        scenes.draw(drawn, area=area, style=style, photograph=photograph),
        scenes.in_words(scene, area, photograph),
        foreign_names.explain_numbers(scene, area, numbers),
    )


def table(
    system: Ruleset[Any],
    state: State,
    viewer: Viewer = PUBLIC,
    *,
    area: str | None = None,
    style: str = scenes.USUAL,
    photograph: bytes | None = None,
) -> Drawn:
    """Draw the table as `viewer` may see it, or the part that `area` names. Raises UserError with what it may name."""
    scene = system.scene(state, viewer)
    part = None if area is None else _part(scene, area)
    return _draw(scene, part, photograph, style)


def draw_actions(
    system: Ruleset[Any],
    state: State,
    before: State,
    acts: Acts,
    viewer: Viewer = PUBLIC,
    *,
    only_supposed: bool = False,
    photograph: bytes | None = None,
) -> Drawn | None:
    """Draw where actions of these kinds and units happened, as `viewer` may see it; None if nothing changed.

    Of what is `only_supposed` no dice are drawn: none have fallen.
    """
    seen = system.scene(state, viewer, before), system.scene(before, viewer)
    scene, about = scenes.with_actions(*seen, acts)
    if about is None:
        return None
    if only_supposed and isinstance(scene, HexScene):
        scene = scene.model_copy(update={"dice": ()})
    return _draw(scene, about, photograph)


def since(
    system: Ruleset[Any], state: State, before: State, viewer: Viewer, photograph: bytes | None = None
) -> tuple[Drawn, Drawn] | None:
    """Return pictures of the changed area, before and after, for the viewer; None without changes."""
    known = system.view(before, viewer)
    then, now = system.scene(known, viewer), system.scene(state, viewer, known)
    area = scenes.changed_area(now, then)
    if area is None:
        return None
    return _draw(then, area, photograph), _draw(now, area, photograph)


def looks_different(system: Ruleset[Any], state: State, before: State) -> bool:
    """Whether the public map or its description changed."""
    return _looks(system, state) != _looks(system, before)


def _looks(system: Ruleset[Any], state: State) -> tuple[object, ...]:
    units = () if state.keeps_positions else system.roster(state, PUBLIC)  # the unit list replaces the map
    return system.scene(state, PUBLIC), state.turn_title, state.over, tally_of(system, state), units


def draw_sides(
    system: Ruleset[Any],
    state: State,
    before: State,
    acts: Acts,
    sides: Collection[str],
    viewer: Viewer = PUBLIC,
    *,
    and_all: bool = False,
    photograph: bytes | None = None,
) -> Drawn:
    """Draw the area around the sides' units, with arrows for the actions; the whole map for sides without units.

    `and_all`: with where else they did anything.
    """
    known = system.view(before, viewer)
    seen = system.scene(system.view(state, viewer), viewer, known)
    scene, about = scenes.with_actions(seen, system.scene(known, viewer), acts)
    area = side_frame.area_of_sides(scene, sides)
    if and_all and area is not None and about is not None:
        area = around([*area.ring, *about.ring])
    return _draw(scene, area, photograph)


def in_sight(
    system: Ruleset[Any], state: State, viewer: Viewer, sight: Sight, photograph: bytes | None = None
) -> Drawn:
    """Draw the area with arcs and lines of sight, for the viewer."""
    scene, area = scenes.with_sight(system.scene(state, viewer), sight)
    return _draw(scene, area, photograph)


def weighed(scene: Scene) -> Drawn:
    """Return a decision's map: the part with the hexes that it weighed."""
    area = scenes.decision_area(scene)
    return _draw(scene, area)


def dice(faces: Sequence[DieFace]) -> Drawn:
    """Dice as they fell, alone."""
    return Drawn(strip(faces), f"Dice: {', '.join(faces)}.")


def charts(drawn: Sequence[Chart]) -> list[bytes]:
    """Return each printed table as a PNG."""
    return [draw_chart(chart) for chart in drawn]


def _part(scene: Scene, area: str) -> Box:
    try:
        return scenes.area_of(scene, area)
    except ValueError as error:
        raise UserError(str(error)) from None
