"""Draw the ground of a map when a game starts, so that the first pictures of its actions are fast."""

from typing import Any

from render import scenes
from rules.core.model import PUBLIC
from rules.core.ruleset import Ruleset
from rules.core.state import State


def draw_ground_ahead(system: Ruleset[Any], state: State, number: int) -> bool:
    """Draw and cache the ground in scale number `number`, counted from 0. Return whether further scales remain.

    Each call draws one scale, in at most two seconds. In between, the worker can draw pictures for waiting users.
    """
    scene = system.scene(state, PUBLIC)
    scales = scenes.ground_scales(scene)
    scenes.tiled_ground(scene, scales[number]).draw_ahead()
    return number + 1 < len(scales)
