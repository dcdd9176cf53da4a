"""Draw pictures of a game's table for one viewer. A photograph of the real table may be the background."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from bot.errors import UserError
from render import foreign_names, framing, scenes
from render.action_lines import Acts, add_action_lines, add_sight_lines
from render.charts import draw_chart
from render.dice import draw_dice_strip
from render.foreign_names import Explained
from render.geometry import Box, bounding_box
from rules.core.chart import Chart
from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.model import PUBLIC, Viewer
from rules.core.ruleset import Ruleset, describe_tally
from rules.core.scene import DieFace, SightLines
from rules.core.state import State


class DrawnPicture(NamedTuple):
    """A picture: JPEG if it shows a photograph, otherwise PNG."""

    data: bytes
    words: str
    """Alternative text of the picture."""
    numbers: Explained = ()
    """Words that the typefaces cannot write, each with the number drawn in its place."""


def _draw_scene(
    scene: Scene, area: Box | None, photograph: bytes | None = None, style: str = scenes.USUAL
) -> DrawnPicture:
    """Draw the scene, or only the part `area`. Words that the typefaces cannot write are replaced by numbers."""
    numbers = foreign_names.number_foreign_words_in_scenes([scene])
    drawable_scene = foreign_names.replace_foreign_words_in_scene(scene, numbers)
    return DrawnPicture(
        scenes.draw(drawable_scene, area=area, style=style, photograph=photograph),
        scenes.describe(scene, area, photograph),
        foreign_names.explain_word_numbers(scene, area, numbers),
    )


def draw_table(
    system: Ruleset[Any],
    state: State,
    viewer: Viewer = PUBLIC,
    *,
    area: str | None = None,
    style: str = scenes.USUAL,
    photograph: bytes | None = None,
    letters: bool = False,
) -> DrawnPicture:
    """Draw the table, or the part that `area` names, limited to what `viewer` may see.

    If `letters` is true, a map of hexes over a photograph shows the letter of each hex's terrain. Raises UserError for
    an unknown area.
    """
    scene = system.scene(state, viewer)
    if isinstance(scene, HexScene):
        scene = scene.model_copy(update={"has_letters": letters})
    return _draw_scene(scene, None if area is None else _find_area(scene, area), photograph, style)


def draw_actions(
    system: Ruleset[Any],
    state: State,
    before: State,
    acts: Acts,
    viewer: Viewer = PUBLIC,
    *,
    only_supposed: bool = False,
    photograph: bytes | None = None,
) -> DrawnPicture | None:
    """Draw the area where these actions happened, limited to what `viewer` may see.

    Return None if nothing changed. If the actions are `only_supposed`, they are not done yet, and no dice are drawn.
    """
    scene, about = add_action_lines(system.scene(state, viewer, before), system.scene(before, viewer), acts)
    if about is None:
        return None
    if only_supposed and isinstance(scene, HexScene):
        scene = scene.model_copy(update={"dice": ()})
    return _draw_scene(scene, about, photograph)


def draw_changes(
    system: Ruleset[Any], state: State, before: State, viewer: Viewer, photograph: bytes | None = None
) -> tuple[DrawnPicture, DrawnPicture] | None:
    """Draw the changed area before and after the change, as `viewer` sees it. Return None if nothing changed."""
    earlier_view = system.view(before, viewer)
    then, now = system.scene(earlier_view, viewer), system.scene(state, viewer, earlier_view)
    area = framing.frame_changes(now, then)
    if area is None:
        return None
    return _draw_scene(then, area, photograph), _draw_scene(now, area, photograph)


def looks_different(system: Ruleset[Any], state: State, before: State) -> bool:
    """Whether the public sees a difference between the two states.

    The turn, the result, the losses and the map are compared; in a game without a map, the unit list.
    """
    return _public_appearance(system, state) != _public_appearance(system, before)


def _public_appearance(system: Ruleset[Any], state: State) -> tuple[object, ...]:
    units = () if state.keeps_positions else system.roster(state, PUBLIC)  # the unit list replaces the map
    return system.scene(state, PUBLIC), state.turn_title, state.over, describe_tally(system, state), units


def draw_units_of_sides(
    system: Ruleset[Any],
    state: State,
    before: State,
    acts: Acts,
    sides: Collection[str],
    viewer: Viewer = PUBLIC,
    *,
    show_all_actions: bool = False,
    photograph: bytes | None = None,
) -> DrawnPicture:
    """Draw the area around the units of these sides, with arrows for the actions.

    If the sides have no units, draw the whole map. With `show_all_actions`, the area includes the places of actions.
    """
    earlier_view = system.view(before, viewer)
    current_scene = system.scene(system.view(state, viewer), viewer, earlier_view)
    scene, about = add_action_lines(current_scene, system.scene(earlier_view, viewer), acts)
    area = framing.frame_sides(scene, sides)
    if show_all_actions and area is not None and about is not None:
        area = bounding_box([*area.ring, *about.ring])
    return _draw_scene(scene, area, photograph)


def draw_sight_lines(
    system: Ruleset[Any], state: State, viewer: Viewer, sight: SightLines, photograph: bytes | None = None
) -> DrawnPicture:
    """Draw arcs and lines of sight, and the map around them, limited to what `viewer` may see."""
    scene, area = add_sight_lines(system.scene(state, viewer), sight)
    return _draw_scene(scene, area, photograph)


def draw_decision(scene: Scene) -> DrawnPicture:
    """Draw the part of the map that the bot considered in a decision."""
    return _draw_scene(scene, framing.frame_decision(scene))


def draw_dice(faces: Sequence[DieFace]) -> DrawnPicture:
    """Draw a strip of dice."""
    return DrawnPicture(draw_dice_strip(faces), f"Dice: {', '.join(faces)}.")


def draw_charts(charts: Sequence[Chart]) -> list[bytes]:
    """Draw each chart as a PNG."""
    return [draw_chart(chart) for chart in charts]


def _find_area(scene: Scene, area: str) -> Box:
    try:
        return scenes.find_area(scene, area)
    except ValueError as error:
        raise UserError(str(error)) from None
