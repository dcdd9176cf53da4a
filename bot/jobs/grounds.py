"""Draw the grounds of maps when a game starts, for the first pictures of its actions."""

from typing import Any

from render import scenes
from rules.core.model import PUBLIC
from rules.core.ruleset import Ruleset
from rules.core.state import State


def draw_ahead(system: Ruleset[Any], state: State, number: int) -> bool:
    """Draw the ground at scale `number` (from 0). Return whether further scales remain.

    One scale takes at most two seconds: a worker is soon free for pictures that users wait for.
    """
    scene = system.scene(state, PUBLIC)
    scales = scenes.ground_scales(scene)
    scenes.draw_ground_ahead(scene, scales[number])
    return number + 1 < len(scales)
