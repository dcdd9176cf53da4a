"""Add lines to a scene, for actions (fire, melee, moves) and for lines of sight."""

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, pairwise

from shapely.geometry import LineString

from rules.core.hexboard.hex_scene import HexScene, HexStack, Scene, Track
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Arrow, SightLines, TableScene, UnitBase
from rules.core.tabletop.table import CONTACT, Base, are_touching, bearing, is_across_line, shift_point

from .framing import MIXED_SCENES, changed_terrain_corners, frame_changes, frame_hexes, frame_points
from .geometry import Box

SHOTS = ("fire", "miss")
"""Kinds of arrows that show fire."""
ATTACKS = ("fire", "melee")
"""Kinds of actions against another unit. A line has the kind of its action."""

Acts = Sequence[tuple[str, Sequence[str]]]
"""Actions, each as its kind and the ids of the units involved."""


def add_action_lines(scene: Scene, before: Scene, acts: Acts) -> tuple[Scene, Box | None]:
    """Return the scene with lines for the actions `acts`, and the area to show.

    The area is None if nothing changed since `before`. Raises TypeError if only one of the scenes is a hex map.
    """
    if isinstance(scene, HexScene) and isinstance(before, HexScene):
        return _add_tracks(scene, before, acts)
    if isinstance(scene, HexScene) or isinstance(before, HexScene):
        raise TypeError(MIXED_SCENES)
    return _add_arrows(scene, before, acts)


def add_sight_lines(scene: Scene, sight: SightLines) -> tuple[Scene, Box | None]:
    """Return the table with the arcs and lines of `sight`, and the area around them.

    Raises TypeError for a hex map.
    """
    if isinstance(scene, HexScene):
        raise TypeError("lines of sight are drawn on tables")
    ends = [point for arrow in sight.arrows for point in (arrow.start, arrow.end)]
    area = frame_points(scene, [*ends, *(fan.at for fan in sight.fans)])
    update = {"arrows": (*scene.arrows, *sight.arrows), "fans": (*scene.fans, *sight.fans)}
    return scene.model_copy(update=update), area


def _add_arrows(scene: TableScene, before: TableScene, acts: Acts) -> tuple[TableScene, Box | None]:
    attacks = (arrow for kind, units in acts for arrow in _attack_arrows(scene, kind, units))
    arrows = tuple({(arrow.start, arrow.end): arrow for arrow in (*attacks, *scene.arrows)}.values())
    scene = scene.model_copy(update={"arrows": (*arrows, *_blocked_shots(scene, arrows))})
    stood = {base.unit: (base.at, base.facing) for base in before.bases}
    turned = any(stood.get(base.unit) != (base.at, base.facing) for base in scene.bases)
    ground = changed_terrain_corners(scene, before)
    if not turned and not scene.arrows and not ground:
        return scene, None
    ids = {unit for _, units in acts for unit in units} | {base.unit for base in scene.bases} - stood.keys()
    points = [base.at for base in scene.bases if base.unit in ids]
    points += [point for arrow in scene.arrows for point in (arrow.start, arrow.end)]
    points += ground
    return scene, frame_points(scene, points)


def _add_tracks(scene: HexScene, before: HexScene, acts: Acts) -> tuple[HexScene, Box | None]:
    """Return the scene with tracks for `acts`, and the area around all tracks.

    Without tracks, the area surrounds the changed counters and notes.
    """
    blows = [(kind, units) for kind, units in acts if kind in ATTACKS]
    if any(track.kind not in ("move", "retreat") for track in scene.tracks):
        blows = blows[:-1]  # the scene already has the last action's track
    tracks = [track for kind, units in blows for track in _attack_tracks(scene, before, kind, units)]
    earlier = _move_tracks(scene, before, {unit for _, units in acts for unit in units}) if len(acts) > 1 else ()
    scene = scene.model_copy(update={"tracks": (*scene.tracks, *earlier, *tracks)})
    hexes = {at for track in scene.tracks for at in track.hexes}
    if hexes:
        stood = _unit_positions(before.stacks)
        hexes |= {at for unit, (at, _) in _unit_positions(scene.stacks).items() if unit not in stood}
    return scene, frame_hexes(hexes) if hexes else frame_changes(scene, before)


def _attack_arrows(scene: TableScene, kind: str, units: Sequence[str]) -> Iterable[Arrow]:
    """Yield the arrow of fire between the first two visible units, or the marks of a melee."""
    bases = {base.unit: base for base in scene.bases}
    if kind == "melee":
        yield from _melee_marks([bases[unit] for unit in units if unit in bases])
    elif kind in ATTACKS:
        for attacker, target in pairwise([bases[unit] for unit in units[:2] if unit in bases]):
            yield Arrow(start=attacker.at, end=target.at, kind=kind, side=attacker.side)


def _blocked_shots(scene: TableScene, arrows: Sequence[Arrow]) -> Iterable[Arrow]:
    """Yield the segments of shots that cross friendly bases, except shots between touching units."""
    for arrow in arrows:
        if arrow.kind not in SHOTS:
            continue
        ends = [_convert_base(base) for base in scene.bases if base.at in (arrow.start, arrow.end)]
        if any(are_touching(first, second) for first, second in combinations(ends, 2)):
            continue
        for base in scene.bases:
            if base.in_the_way and base.side == arrow.side and base.at != arrow.start:
                friend = _convert_base(base)
                if is_across_line(friend, arrow.start, arrow.end):
                    (x, y), (to_x, to_y) = LineString((arrow.start, arrow.end)).intersection(friend.outline).coords
                    yield Arrow(start=(x, y), end=(to_x, to_y), kind="past", side=arrow.side)


def _melee_marks(bases: Sequence[UnitBase]) -> Iterable[Arrow]:
    """Yield a melee arrow, one inch long, where each unit touches its nearest enemy.

    If no enemies touch, yield one arrow between the first two units.
    """
    contacts = [
        (first, second)
        for first, second in combinations(bases, 2)
        if first.side != second.side and are_touching(_convert_base(first), _convert_base(second))
    ]
    contacts.sort(key=lambda pair: math.dist(pair[0].at, pair[1].at))
    if not contacts and len({base.side for base in bases[:2]}) == 2:
        yield Arrow(start=bases[0].at, end=bases[1].at, kind="melee", side=bases[0].side)
    marked_units = set[str]()
    for first, second in contacts:
        if first.unit not in marked_units or second.unit not in marked_units:
            marked_units |= {first.unit, second.unit}
            reach, other_reach = (_convert_base(base).outline.buffer(CONTACT) for base in (first, second))
            contact = reach.intersection(other_reach).centroid
            middle, direction = (contact.x, contact.y), bearing(first.at, second.at)
            start, end = shift_point(middle, direction, -0.5), shift_point(middle, direction, 0.5)
            yield Arrow(start=start, end=end, kind="melee", side=first.side)


def _convert_base(base: UnitBase) -> Base:
    return Base(at=base.at, facing=base.facing, frontage=base.frontage, depth=base.depth)


def _attack_tracks(scene: HexScene, before: HexScene, kind: str, units: Sequence[str]) -> Iterable[Track]:
    """Yield a track of fire or melee between two units' hexes, unless the scene has it already."""
    track_ends = {(track.hexes[0], track.hexes[-1]) for track in scene.tracks if track.hexes}
    stood = _unit_positions(before.stacks) | _unit_positions(scene.stacks)
    for (start, side), (end, _) in pairwise([stood[unit] for unit in units[:2] if unit in stood]):
        if start != end and (start, end) not in track_ends:
            yield Track(hexes=(start, end), kind=kind, side=side)


def _move_tracks(scene: HexScene, before: HexScene, units: Collection[str]) -> Iterable[Track]:
    """Yield a track for each moved unit, unless the scene already has a track to its hex."""
    stood, track_ends = _unit_positions(before.stacks), {track.hexes[-1] for track in scene.tracks if track.hexes}
    for unit, (end, side) in _unit_positions(scene.stacks).items():
        if unit in units and unit in stood and stood[unit][0] != end and end not in track_ends:
            yield Track(hexes=(stood[unit][0], end), side=side)


def _unit_positions(stacks: Sequence[HexStack]) -> dict[str, tuple[Hex, str]]:
    """Return the hex and side of each visible unit, by unit id."""
    visible = ((stack.hex, counter) for stack in stacks for counter in stack.counters if not counter.face_down)
    return {counter.unit: (hex_, counter.side) for hex_, counter in visible}
