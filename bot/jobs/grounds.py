"""Draw the ground of a map (the map without units) when a game starts, so that the first pictures are fast."""

from typing import Any

from render import scenes
from rules.core.model import PUBLIC
from rules.core.ruleset import Ruleset
from rules.core.state import State


def draw_ground_ahead(system: Ruleset[Any], state: State, number: int) -> bool:
    """Draw and cache the ground of a map in one scale. Return whether further scales remain.

    `number` counts the scales from 0. Between two calls, the worker can draw pictures for waiting users.
    """
    scene = system.scene(state, PUBLIC)
    scales = scenes.ground_scales(scene)
    scenes.tiled_ground(scene, scales[number]).draw_ahead()
    return number + 1 < len(scales)
