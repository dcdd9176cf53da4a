"""Frame the picture of an action: add lines of fire and melee to the scene, and choose the area to show."""

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, pairwise

from shapely.geometry import LineString

from rules.core.hexboard.hex_scene import HexScene, HexStack, NoteKind, Track
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Arrow, Point, Sight, TableScene, UnitBase
from rules.core.tabletop.table import CONTACT, Base, bearing, is_across, shifted, touching

from .geometry import Box, around, corners
from .hexmap.plane import box_of

INCHES, HEXES = 7.0, 2.0
"""Margin around the action, in inches on a table and in hexes on a hex map."""
EDGE = 0.3
"""Margin in inches between a base and the edge of the picture."""
UPRIGHT = 0.9
"""Minimum ratio of width to height of the shown area; phones are held upright."""
FLAT = 0.55
"""Minimum ratio of height to width of the shown area of a table."""
DECISION_NOTES = (NoteKind.CHOSEN, NoteKind.CANDIDATE, NoteKind.PUT_OUT)
"""Kinds of notes that show the candidates of a decision."""
SHOTS = ("fire", "miss")
"""Kinds of arrows that show fire."""
AT_ANOTHER = ("fire", "melee")
"""Kinds of actions against another unit. Each kind is drawn as a line of that kind."""
LARGER = 1.3
"""Maximum factor by which the shown area grows so that no unit at its edge is cut."""


Acts = Sequence[tuple[str, Sequence[str]]]
"""Actions, each as its kind and the ids of the units involved."""


def table_with_actions(scene: TableScene, before: TableScene, acts: Acts) -> tuple[TableScene, Box | None]:
    """Return the scene with arrows for `acts`, and the area to show; the area is None if nothing changed.

    The area includes units that came into sight since `before`.
    """
    drawn = {(arrow.start, arrow.end): arrow for kind, units in acts for arrow in _action_arrows(scene, kind, units)}
    drawn.update({(arrow.start, arrow.end): arrow for arrow in scene.arrows})
    arrows = tuple(drawn.values())
    scene = scene.model_copy(update={"arrows": (*arrows, *_shots_across_friends(scene, arrows))})
    stood = {base.unit: (base.at, base.facing) for base in before.bases}
    turned = any(stood.get(base.unit) != (base.at, base.facing) for base in scene.bases)
    ground = _changed_terrain_corners(scene, before)
    if not turned and not scene.arrows and not ground:
        return scene, None
    named = {unit for _, units in acts for unit in units} | {base.unit for base in scene.bases} - stood.keys()
    about = [base.at for base in scene.bases if base.unit in named]
    about += [point for arrow in scene.arrows for point in (arrow.start, arrow.end)]
    about += ground
    return scene, whole_bases(scene, widen_for_phone(around(about).grown(INCHES))) if about else None


def _changed_terrain_corners(scene: TableScene, before: TableScene) -> list[Point]:
    """Return the corners of terrain pieces added, removed or moved since `before`."""
    changed = [piece for piece in scene.terrain if piece not in before.terrain]
    changed += [piece for piece in before.terrain if piece not in scene.terrain]
    return [point for piece in changed for point in piece.points]


def whole_bases(scene: TableScene, area: Box) -> Box:
    """Return `area` within the table, grown by `LARGER` at most so that no base at its edge is cut.

    A flat area is heightened first, so that the names have space.
    """
    table = Box(0, 0, scene.width, scene.height)
    first = shown = _heighten(area.within(table), table)
    most = first.width * first.height * LARGER
    boxes = [around(corners(base.at, base.facing, base.frontage, base.depth)).grown(EDGE) for base in scene.bases]
    while True:
        grown = [around([*shown.ring, *box.ring]).within(table) for box in boxes if box.grown(-EDGE).meets(shown)]
        room = [box for box in grown if box != shown and box.width * box.height <= most]
        if not room:
            return shown
        shown = min(room, key=lambda box: box.width * box.height)


def _heighten(area: Box, table: Box) -> Box:
    """Return `area`, heightened within the table until its height is at least `FLAT` times its width."""
    height = min(max(area.height, area.width * FLAT), table.height)
    top = min(max((area.top + area.bottom - height) / 2, table.top), table.bottom - height)
    return Box(area.left, top, area.right, top + height)


def hexes_with_actions(scene: HexScene, before: HexScene, acts: Acts) -> tuple[HexScene, Box | None]:
    """Return the scene with tracks for `acts`, and the area to show; the area is None if nothing changed.

    The area includes the tracks and the units that came into sight. Without tracks, the area includes changed counters
    and notes.
    """
    blows = [(kind, units) for kind, units in acts if kind in AT_ANOTHER]
    if any(track.kind not in ("move", "retreat") for track in scene.tracks):
        blows = blows[:-1]  # the scene already has the last action's track
    tracks = [track for kind, units in blows for track in _action_tracks(scene, before, kind, units)]
    earlier = _moved_tracks(scene, before, {unit for _, units in acts for unit in units}) if len(acts) > 1 else ()
    scene = scene.model_copy(update={"tracks": (*scene.tracks, *earlier, *tracks)})
    about = {at for track in scene.tracks for at in track.hexes}
    if about:
        seen = _positions(before.stacks)
        about |= {at for unit, (at, _) in _positions(scene.stacks).items() if unit not in seen}
    return scene, widen_for_phone(box_of(about).grown(HEXES)) if about else changed_hex_area(scene, before)


def table_with_sight(scene: TableScene, sight: Sight) -> tuple[TableScene, Box]:
    """Return the scene with the arcs and lines of `sight`, and the area around those lines."""
    ends = [point for arrow in sight.arrows for point in (arrow.start, arrow.end)]
    shown = whole_bases(scene, widen_for_phone(around([*ends, *(fan.at for fan in sight.fans)]).grown(INCHES)))
    update = {"arrows": (*scene.arrows, *sight.arrows), "fans": (*scene.fans, *sight.fans)}
    return scene.model_copy(update=update), shown


def changed_hex_area(scene: HexScene, before: HexScene) -> Box | None:
    """Return the map area around counters and notes that changed since `before`; None if nothing changed."""
    about = {stack.hex for stack in set(scene.stacks) ^ set(before.stacks)}
    about |= {note.hex for note in set(scene.notes) ^ set(before.notes)}
    return widen_for_phone(box_of(about).grown(HEXES)) if about else None


def changed_table_area(scene: TableScene, before: TableScene) -> Box | None:
    """Return the table area around units and terrain that changed since `before`; None if nothing changed."""
    about = [base.at for base in set(scene.bases) ^ set(before.bases)] + _changed_terrain_corners(scene, before)
    return whole_bases(scene, widen_for_phone(around(about).grown(INCHES))) if about else None


def decision_hex_area(scene: HexScene) -> Box | None:
    """Return the map area around a decision's candidate hexes and tracks; None if the scene has neither."""
    about = {note.hex for note in scene.notes if note.kind in DECISION_NOTES}
    about |= {hex_ for track in scene.tracks for hex_ in track.hexes}
    return widen_for_phone(box_of(about).grown(HEXES)) if about else None


def decision_table_area(scene: TableScene) -> Box | None:
    """Return the table area around a decision's numbers and arrows; None if the scene has neither."""
    about = [*(number.at for number in scene.numbers), *(arrow.start for arrow in scene.arrows)]
    return whole_bases(scene, widen_for_phone(around(about).grown(INCHES))) if about else None


def _action_arrows(scene: TableScene, kind: str, units: Sequence[str]) -> Iterable[Arrow]:
    """Yield the arrow of fire from the first visible unit to the second, or the melee marks of all units."""
    by = {base.unit: base for base in scene.bases}
    if kind == "melee":
        yield from _melee_marks([by[unit] for unit in units if unit in by])
    elif kind in AT_ANOTHER:
        for side_of, other in pairwise([by[unit] for unit in units[:2] if unit in by]):
            yield Arrow(start=side_of.at, end=other.at, kind=kind, side=side_of.side)


def _shots_across_friends(scene: TableScene, arrows: Sequence[Arrow]) -> Iterable[Arrow]:
    """Yield the segments where lines of fire cross friendly bases; skip lines between touching units."""
    for arrow in arrows:
        if arrow.kind not in SHOTS:
            continue
        ends = [_rules_base(base) for base in scene.bases if base.at in (arrow.start, arrow.end)]
        if any(touching(one, other) for one, other in combinations(ends, 2)):
            continue
        for base in scene.bases:
            if base.in_the_way and base.side == arrow.side and base.at != arrow.start:
                yield from _crossing_segment(_rules_base(base), arrow)


def _crossing_segment(base: Base, arrow: Arrow) -> Iterable[Arrow]:
    """Yield the segment of a line across a base, if the line crosses the base."""
    if is_across(base, arrow.start, arrow.end):
        (x, y), (to_x, to_y) = LineString((arrow.start, arrow.end)).intersection(base.outline).coords
        yield Arrow(start=(x, y), end=(to_x, to_y), kind="past", side=arrow.side)


def _melee_marks(bases: Sequence[UnitBase]) -> Iterable[Arrow]:
    """Yield a melee mark where each unit touches its nearest enemy; without contact, between the first two."""
    met = [
        (one, other)
        for one, other in combinations(bases, 2)
        if one.side != other.side and touching(_rules_base(one), _rules_base(other))
    ]
    met.sort(key=lambda pair: math.dist(pair[0].at, pair[1].at))
    if not met and len({base.side for base in bases[:2]}) == 2:
        yield Arrow(start=bases[0].at, end=bases[1].at, kind="melee", side=bases[0].side)
    named = set[str]()
    for one, other in met:
        if one.unit not in named or other.unit not in named:
            named |= {one.unit, other.unit}
            start, end = _contact_line(one, other)
            yield Arrow(start=start, end=end, kind="melee", side=one.side)


def _contact_line(one: UnitBase, other: UnitBase) -> tuple[Point, Point]:
    """Return a line one inch long, along the direction between two bases, centred on their contact."""
    shared = _rules_base(one).outline.buffer(CONTACT).intersection(_rules_base(other).outline.buffer(CONTACT)).centroid
    way = bearing(one.at, other.at)
    return shifted((shared.x, shared.y), way, -0.5), shifted((shared.x, shared.y), way, 0.5)


def _rules_base(base: UnitBase) -> Base:
    return Base(at=base.at, facing=base.facing, frontage=base.frontage, depth=base.depth)


def _action_tracks(scene: HexScene, before: HexScene, kind: str, units: Sequence[str]) -> Iterable[Track]:
    """Yield a track of fire or melee from the first unit's hex to the second's, unless the scene already has one."""
    drawn = {(track.hexes[0], track.hexes[-1]) for track in scene.tracks if track.hexes}
    stood = _positions(before.stacks) | _positions(scene.stacks)
    for (start, side), (end, _) in pairwise([stood[unit] for unit in units[:2] if unit in stood]):
        if start != end and (start, end) not in drawn:
            yield Track(hexes=(start, end), kind=kind, side=side)


def _moved_tracks(scene: HexScene, before: HexScene, units: Collection[str]) -> Iterable[Track]:
    """Yield a track for each moved unit, unless the scene already has a track to the unit's hex."""
    stood, shown = _positions(before.stacks), {track.hexes[-1] for track in scene.tracks if track.hexes}
    for unit, (end, side) in _positions(scene.stacks).items():
        if unit in units and unit in stood and stood[unit][0] != end and end not in shown:
            yield Track(hexes=(stood[unit][0], end), side=side)


def _positions(stacks: Sequence[HexStack]) -> dict[str, tuple[Hex, str]]:
    """Return the hex and side of each visible unit, by unit id."""
    return {
        counter.unit: (stack.hex, counter.side)
        for stack in stacks
        for counter in stack.counters
        if not counter.face_down
    }


def widen_for_phone(area: Box) -> Box:
    """Return `area`, widened until its width is at least `UPRIGHT` times its height."""
    more = max(area.height * UPRIGHT - area.width, 0) / 2
    return Box(area.left - more, area.top, area.right + more, area.bottom)
