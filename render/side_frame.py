"""Compute a side's part of the map: the area around its units and nearby enemies."""

import math
from collections.abc import Collection, Iterable

from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.scene import TableScene

from .framing import EDGE, whole_bases, widen_for_phone
from .geometry import Box, around, corners
from .hexmap.plane import box_of

NEAR_INCHES, NEAR_HEXES = 18.0, 5.0
"""Distance from a unit of the side within which an enemy is near, in inches and hexes."""
BESIDE_INCHES, BESIDE_HEXES = 6.0, 2.0
"""Distance shown beyond the nearest enemy if no enemy is near, in inches and hexes."""


def area_of_sides(scene: Scene, sides: Collection[str]) -> Box | None:
    """Return the area around the units of `sides` and nearby enemies; None if `sides` have no units on the map."""
    return _hex_area(scene, sides) if isinstance(scene, HexScene) else _table_area(scene, sides)


def _table_area(scene: TableScene, sides: Collection[str]) -> Box | None:
    """Return the area in inches around the units of `sides` and nearby enemies; None without such units."""
    own = [base.at for base in scene.bases if base.side in sides]
    far = [min((math.dist(base.at, at) for at in own), default=0.0) for base in scene.bases]
    reach = _enemy_reach((far_off for far_off in far if far_off), NEAR_INCHES, BESIDE_INCHES)
    near = [base for base, away in zip(scene.bases, far, strict=True) if own and away <= reach]
    shapes = [point for base in near for point in corners(base.at, base.facing, base.frontage, base.depth)]
    return whole_bases(scene, widen_for_phone(around(shapes).grown(4 * EDGE))) if shapes else None


def _hex_area(scene: HexScene, sides: Collection[str]) -> Box | None:
    """Return the area in hexes around the units of `sides` and nearby enemies; None without such units."""
    own = [stack.hex for stack in scene.stacks if any(counter.side in sides for counter in stack.counters)]
    far = {stack.hex: min((stack.hex.distance(at) for at in own), default=0) for stack in scene.stacks}
    reach = _enemy_reach((away for away in far.values() if away), NEAR_HEXES, BESIDE_HEXES)
    near = [at for at, away in far.items() if own and away <= reach]
    return widen_for_phone(box_of(near).grown(1)) if near else None


def _enemy_reach(far: Iterable[float], near: float, beside: float) -> float:
    """Return the distance within which enemies are shown: `near`, or `beside` past the nearest of `far` if more."""
    return max(near, min(far, default=0.0) + beside)
