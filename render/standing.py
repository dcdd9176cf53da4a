"""Where a side stands: the part of the map with its units, and with the enemies that are near any of them."""

import math
from collections.abc import Collection

from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.scene import TableScene

from .focus import EDGE, wide
from .geometry import Box, around, corners
from .hexmap.plane import box_of

NEAR_INCHES, NEAR_HEXES = 18.0, 5
"""An enemy is near who is no farther from one of them."""


def of_sides(scene: Scene, sides: Collection[str]) -> Box | None:
    """The part of the map with the units of these sides and the enemies near them; None where none stands on it."""
    return _on_hexes(scene, sides) if isinstance(scene, HexScene) else _on_table(scene, sides)


def _on_table(scene: TableScene, sides: Collection[str]) -> Box | None:
    own = [base for base in scene.bases if base.side in sides]
    near = [base for base in scene.bases if any(math.dist(base.at, one.at) <= NEAR_INCHES for one in own)]
    shapes = [point for base in near for point in corners(base.at, base.facing, base.frontage, base.depth)]
    table = Box(0, 0, scene.width, scene.height)
    return wide(around(shapes).grown(4 * EDGE)).within(table) if shapes else None


def _on_hexes(scene: HexScene, sides: Collection[str]) -> Box | None:
    own = [stack.hex for stack in scene.stacks if any(counter.side in sides for counter in stack.counters)]
    near = {stack.hex for stack in scene.stacks if any(stack.hex.distance(at) <= NEAR_HEXES for at in own)}
    return wide(box_of(near).grown(1)) if near else None
