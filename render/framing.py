"""Choose the part of a map to show: around changes, a decision, a side, or all units.

An area is a box in inches, or in distances between hex centres.
"""

import math
from collections.abc import Collection, Iterable, Sequence

from rules.core.hexboard.hex_scene import HexScene, NoteKind, Scene
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point, TableScene

from .geometry import Box, base_corners, bounding_box
from .hexmap.plane import box_around_hexes

INCHES, HEXES = 7.0, 2.0
"""Margin around the action, in inches on a table and in hexes on a hex map."""
UNITS_INCHES, UNITS_HEXES = 2.0, 1.0
"""Margin around all units and moves."""
SIDE_INCHES, SIDE_HEXES = 1.2, 1.0
"""Margin around a side's units and the enemies near them."""
EDGE = 0.3
"""Margin in inches between a base and the edge of the picture."""
UPRIGHT = 0.9
"""Minimum ratio of width to height of the shown area; phones are held upright."""
FLAT = 0.55
"""Minimum ratio of height to width of the shown area of a table."""
LARGER = 1.3
"""Maximum factor by which the shown area grows to include units at its edge whole."""
NEAR_INCHES, NEAR_HEXES = 18.0, 5.0
"""Distance from a unit of the side within which an enemy is near, in inches and hexes."""
BESIDE_INCHES, BESIDE_HEXES = 6.0, 2.0
"""If no enemy is near: distance shown beyond the nearest enemy, in inches and hexes."""
DECISION_NOTES = (NoteKind.CHOSEN, NoteKind.CANDIDATE, NoteKind.PUT_OUT)
"""Kinds of notes that show the candidates of a decision."""
MIXED_SCENES = "a game does not go from a table to a map of hexes"


def frame_changes(scene: Scene, before: Scene) -> Box | None:
    """Return the area around what changed since `before`, or None if nothing changed.

    Raises TypeError if only one of the scenes is a hex map.
    """
    if isinstance(scene, HexScene) and isinstance(before, HexScene):
        hexes = {stack.hex for stack in set(scene.stacks) ^ set(before.stacks)}
        return frame_hexes(hexes | {note.hex for note in set(scene.notes) ^ set(before.notes)})
    if isinstance(scene, HexScene) or isinstance(before, HexScene):
        raise TypeError(MIXED_SCENES)
    points = [base.at for base in set(scene.bases) ^ set(before.bases)]
    return frame_points(scene, points + changed_terrain_corners(scene, before))


def frame_decision(scene: Scene) -> Box | None:
    """Return the area around the places that a decision chooses from, or None without any."""
    if isinstance(scene, HexScene):
        hexes = {note.hex for note in scene.notes if note.kind in DECISION_NOTES}
        return frame_hexes(hexes.union(*(track.hexes for track in scene.tracks)))
    return frame_points(scene, [*(number.at for number in scene.numbers), *(arrow.start for arrow in scene.arrows)])


def frame_sides(scene: Scene, sides: Collection[str]) -> Box | None:
    """Return the area around the units of `sides` and nearby enemies, or None if `sides` have no units."""
    if isinstance(scene, HexScene):
        own_hexes = [stack.hex for stack in scene.stacks if any(counter.side in sides for counter in stack.counters)]
        away = {stack.hex: min((stack.hex.distance(at) for at in own_hexes), default=0) for stack in scene.stacks}
        hex_reach = _visible_enemy_distance(away.values(), NEAR_HEXES, BESIDE_HEXES)
        return frame_hexes([at for at, far in away.items() if own_hexes and far <= hex_reach], SIDE_HEXES)
    own_points = [base.at for base in scene.bases if base.side in sides]
    distances = [min((math.dist(base.at, at) for at in own_points), default=0.0) for base in scene.bases]
    reach = _visible_enemy_distance(distances, NEAR_INCHES, BESIDE_INCHES)
    near = [base for base, far in zip(scene.bases, distances, strict=True) if own_points and far <= reach]
    return frame_points(scene, [corner for base in near for corner in base_corners(base)], SIDE_INCHES)


def _visible_enemy_distance(distances: Iterable[float], near: float, beside: float) -> float:
    """Return the distance from a side's units within which enemies are shown.

    It is at least `near`, and reaches `beside` beyond the nearest enemy. `distances` are measured to the side's nearest
    unit.
    """
    return max(near, min(filter(None, distances), default=0.0) + beside)


def frame_units(scenes: Iterable[Scene]) -> Box | None:
    """Return the area around all units and moves in `scenes`, or None if no unit is on the map."""
    points, margin = list[Point](), UNITS_INCHES
    for scene in scenes:
        if isinstance(scene, HexScene):
            occupied = {stack.hex for stack in scene.stacks if stack.counters}
            hexes, margin = occupied.union(*(track.hexes for track in scene.tracks)), UNITS_HEXES
            points += box_around_hexes(hexes).ring if hexes else ()
        else:
            points += [corner for base in scene.bases for corner in base_corners(base)]
            points += [end for arrow in scene.arrows for end in (arrow.start, arrow.end)]
    return bounding_box(points).grow(margin) if points else None


def frame_hexes(hexes: Collection[Hex], margin: float = HEXES) -> Box | None:
    """Return the area around `hexes` with a `margin` in hexes, or None without hexes."""
    return widen_for_phone(box_around_hexes(hexes).grow(margin)) if hexes else None


def frame_points(scene: TableScene, points: Sequence[Point], margin: float = INCHES) -> Box | None:
    """Return the area around points of a table with a `margin` in inches, or None without points."""
    return enlarge_to_whole_bases(scene, widen_for_phone(bounding_box(points).grow(margin))) if points else None


def changed_terrain_corners(scene: TableScene, before: TableScene) -> list[Point]:
    """Return the corners of terrain pieces added, removed or moved since `before`."""
    changed = [piece for piece in scene.terrain if piece not in before.terrain]
    changed += [piece for piece in before.terrain if piece not in scene.terrain]
    return [point for piece in changed for point in piece.points]


def enlarge_to_whole_bases(scene: TableScene, area: Box) -> Box:
    """Clip `area` to the table, and enlarge it so that its edge cuts no base.

    A flat area first becomes higher, to make space for names. It then grows at most by the factor `LARGER`.
    """
    table = Box(0, 0, scene.width, scene.height)
    area = area.clip_to(table)
    height = min(max(area.height, area.width * FLAT), table.height)
    top = min(max((area.top + area.bottom - height) / 2, table.top), table.bottom - height)
    frame = Box(area.left, top, area.right, top + height)
    most = frame.width * frame.height * LARGER
    boxes = [bounding_box(base_corners(base)).grow(EDGE) for base in scene.bases]
    while True:
        cut = [box for box in boxes if box.grow(-EDGE).overlaps(frame)]
        grown = [bounding_box([*frame.ring, *box.ring]).clip_to(table) for box in cut]
        allowed = [box for box in grown if box != frame and box.width * box.height <= most]
        if not allowed:
            return frame
        frame = min(allowed, key=lambda box: box.width * box.height)


def widen_for_phone(area: Box) -> Box:
    """Return `area` with its width raised to at least `UPRIGHT` times its height."""
    margin = max(area.height * UPRIGHT - area.width, 0) / 2
    return Box(area.left - margin, area.top, area.right + margin, area.bottom)
