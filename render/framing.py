"""Where an action happened: the scene with a line for what one unit did to another, and the part of it to show."""

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, pairwise

from shapely.geometry import LineString

from rules.core.hexboard.hex_scene import HexScene, HexStack, NoteKind, Track
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Arrow, Point, Sight, TableScene, UnitBase
from rules.core.tabletop.table import CONTACT, Base, across, bearing, shifted, touching

from .geometry import Box, around, corners
from .hexmap.plane import box_of

INCHES, HEXES = 7.0, 2.0
"""Inches or hexes shown around what an action was about."""
EDGE = 0.3
"""Inches between a base and the edge of the picture."""
UPRIGHT = 0.9
"""Width over height of the part of the map that is shown of it, at least: it may stand upright on a telephone."""
WEIGHED = (NoteKind.CHOSEN, NoteKind.CANDIDATE, NoteKind.PUT_OUT)
SHOTS = ("fire", "miss")
AT_ANOTHER = ("fire", "melee")
"""Kinds of action that one unit does to another, drawn as a line of that kind."""
LARGER = 1.3
"""How much larger a picture may become so that no unit is cut at its edge."""


Acts = Sequence[tuple[str, Sequence[str]]]
"""Actions, each by its kind and the units that it was about."""


def on_table(scene: TableScene, before: TableScene, acts: Acts) -> tuple[TableScene, Box | None]:
    """The table after such actions, and the part to show, with whoever came into sight: None where nothing changed."""
    drawn = {(arrow.start, arrow.end): arrow for kind, units in acts for arrow in _arrow(scene, kind, units)}
    drawn.update({(arrow.start, arrow.end): arrow for arrow in scene.arrows})
    arrows = tuple(drawn.values())
    scene = scene.model_copy(update={"arrows": (*arrows, *_past_friends(scene, arrows))})
    stood = {base.unit: (base.at, base.facing) for base in before.bases}
    turned = any(stood.get(base.unit) != (base.at, base.facing) for base in scene.bases)
    ground = _new_ground(scene, before)
    if not turned and not scene.arrows and not ground:
        return scene, None
    told = {unit for _, units in acts for unit in units} | {base.unit for base in scene.bases} - stood.keys()
    about = [base.at for base in scene.bases if base.unit in told]
    about += [point for arrow in scene.arrows for point in (arrow.start, arrow.end)]
    about += ground
    return scene, whole_bases(scene, wide(around(about).grown(INCHES))) if about else None


def _new_ground(scene: TableScene, before: TableScene) -> list[Point]:
    """The corners of the terrain that was put on, taken off or laid otherwise."""
    changed = [piece for piece in scene.terrain if piece not in before.terrain]
    changed += [piece for piece in before.terrain if piece not in scene.terrain]
    return [point for piece in changed for point in piece.points]


def whole_bases(scene: TableScene, area: Box) -> Box:
    """The part of the table in `area`, grown to hold the bases at its edge whole as far as `LARGER` allows."""
    table = Box(0, 0, scene.width, scene.height)
    first = shown = area.within(table)
    most = first.width * first.height * LARGER
    boxes = [around(corners(base.at, base.facing, base.frontage, base.depth)).grown(EDGE) for base in scene.bases]
    while True:
        grown = [around([*shown.ring, *box.ring]).within(table) for box in boxes if box.grown(-EDGE).meets(shown)]
        room = [box for box in grown if box != shown and box.width * box.height <= most]
        if not room:
            return shown
        shown = min(room, key=lambda box: box.width * box.height)


def on_hexes(scene: HexScene, before: HexScene, acts: Acts) -> tuple[HexScene, Box | None]:
    """The map after such actions, and the part to show: None where nothing changed.

    It is the part with the tracks and whoever came into sight; without tracks, where counters or notes are not as they
    were.
    """
    blows = [(kind, units) for kind, units in acts if kind in AT_ANOTHER]
    if any(track.kind not in ("move", "retreat") for track in scene.tracks):
        blows = blows[:-1]  # the scene has the last of them itself
    tracks = [track for kind, units in blows for track in _track(scene, before, kind, units)]
    earlier = _gone(scene, before, {unit for _, units in acts for unit in units}) if len(acts) > 1 else ()
    scene = scene.model_copy(update={"tracks": (*scene.tracks, *earlier, *tracks)})
    about = {at for track in scene.tracks for at in track.hexes}
    if about:
        seen = _standing(before.stacks)
        about |= {at for unit, (at, _) in _standing(scene.stacks).items() if unit not in seen}
    return scene, wide(box_of(about).grown(HEXES)) if about else changed_on_hexes(scene, before)


def sighted(scene: TableScene, sight: Sight) -> tuple[TableScene, Box]:
    """The table with arcs and lines over it, and the part of it where they are."""
    ends = [point for arrow in sight.arrows for point in (arrow.start, arrow.end)]
    shown = whole_bases(scene, wide(around([*ends, *(fan.at for fan in sight.fans)]).grown(INCHES)))
    update = {"arrows": (*scene.arrows, *sight.arrows), "fans": (*scene.fans, *sight.fans)}
    return scene.model_copy(update=update), shown


def changed_on_hexes(scene: HexScene, before: HexScene) -> Box | None:
    """The part of the map with the counters and notes that are not as they were; None without any."""
    about = {stack.hex for stack in set(scene.stacks) ^ set(before.stacks)}
    about |= {note.hex for note in set(scene.notes) ^ set(before.notes)}
    return wide(box_of(about).grown(HEXES)) if about else None


def changed_on_table(scene: TableScene, before: TableScene) -> Box | None:
    """The part of the table with the units that do not stand, or are not, as they were; None without any."""
    about = [base.at for base in set(scene.bases) ^ set(before.bases)] + _new_ground(scene, before)
    return whole_bases(scene, wide(around(about).grown(INCHES))) if about else None


def weighed_on_hexes(scene: HexScene) -> Box | None:
    """The part of the map with the candidates of a decision, and the ways to them; None without any."""
    about = {note.hex for note in scene.notes if note.kind in WEIGHED}
    about |= {hex_ for track in scene.tracks for hex_ in track.hexes}
    return wide(box_of(about).grown(HEXES)) if about else None


def weighed_on_table(scene: TableScene) -> Box | None:
    """The part of the table with what a decision weighed, as `weighed_on_hexes`."""
    about = [*(number.at for number in scene.numbers), *(arrow.start for arrow in scene.arrows)]
    return whole_bases(scene, wide(around(about).grown(INCHES))) if about else None


def _arrow(scene: TableScene, kind: str, units: Sequence[str]) -> Iterable[Arrow]:
    """The line of fire from the first to the second unit, where both are in sight, or the blows of all of them."""
    by = {base.unit: base for base in scene.bases}
    if kind == "melee":
        yield from _blows([by[unit] for unit in units if unit in by])
    elif kind in AT_ANOTHER:
        for side_of, other in pairwise([by[unit] for unit in units[:2] if unit in by]):
            yield Arrow(start=side_of.at, end=other.at, kind=kind, side=side_of.side)


def _past_friends(scene: TableScene, arrows: Sequence[Arrow]) -> Iterable[Arrow]:
    """The parts of lines of fire that lie across bases of the firing side; not between units that touch."""
    for arrow in arrows:
        if arrow.kind not in SHOTS:
            continue
        ends = [_stand(base) for base in scene.bases if base.at in (arrow.start, arrow.end)]
        if any(touching(one, other) for one, other in combinations(ends, 2)):
            continue
        for base in scene.bases:
            if base.in_the_way and base.side == arrow.side and base.at != arrow.start:
                yield from _crossing(_stand(base), arrow)


def _crossing(base: Base, arrow: Arrow) -> Iterable[Arrow]:
    """The part of a line that lies across a base, if any."""
    if across(base, arrow.start, arrow.end):
        (x, y), (to_x, to_y) = LineString((arrow.start, arrow.end)).intersection(base.outline).coords
        yield Arrow(start=(x, y), end=(to_x, to_y), kind="past", side=arrow.side)


def _blows(bases: Sequence[UnitBase]) -> Iterable[Arrow]:
    """Over where each of these units touches the nearest of its enemies among them; else between the first two."""
    met = [
        (one, other)
        for one, other in combinations(bases, 2)
        if one.side != other.side and touching(_stand(one), _stand(other))
    ]
    met.sort(key=lambda pair: math.dist(pair[0].at, pair[1].at))
    if not met and len({base.side for base in bases[:2]}) == 2:
        yield Arrow(start=bases[0].at, end=bases[1].at, kind="melee", side=bases[0].side)
    told = set[str]()
    for one, other in met:
        if one.unit not in told or other.unit not in told:
            told |= {one.unit, other.unit}
            start, end = _across(one, other)
            yield Arrow(start=start, end=end, kind="melee", side=one.side)


def _across(one: UnitBase, other: UnitBase) -> tuple[Point, Point]:
    """From the one to the other base, an inch with its middle where they touch."""
    shared = _stand(one).outline.buffer(CONTACT).intersection(_stand(other).outline.buffer(CONTACT)).centroid
    way = bearing(one.at, other.at)
    return shifted((shared.x, shared.y), way, -0.5), shifted((shared.x, shared.y), way, 0.5)


def _stand(base: UnitBase) -> Base:
    return Base(at=base.at, facing=base.facing, frontage=base.frontage, depth=base.depth)


def _track(scene: HexScene, before: HexScene, kind: str, units: Sequence[str]) -> Iterable[Track]:
    """The line of fire, or the blows, from the first to the second unit, unless the scene shows it."""
    drawn = {(track.hexes[0], track.hexes[-1]) for track in scene.tracks if track.hexes}
    stood = _standing(before.stacks) | _standing(scene.stacks)
    for (start, side), (end, _) in pairwise([stood[unit] for unit in units[:2] if unit in stood]):
        if start != end and (start, end) not in drawn:
            yield Track(hexes=(start, end), kind=kind, side=side)


def _gone(scene: HexScene, before: HexScene, units: Collection[str]) -> Iterable[Track]:
    """A line for each of the units that stands elsewhere than it did: the scene has the way of the last alone."""
    stood, shown = _standing(before.stacks), {track.hexes[-1] for track in scene.tracks if track.hexes}
    for unit, (end, side) in _standing(scene.stacks).items():
        if unit in units and unit in stood and stood[unit][0] != end and end not in shown:
            yield Track(hexes=(stood[unit][0], end), side=side)


def _standing(stacks: Sequence[HexStack]) -> dict[str, tuple[Hex, str]]:
    """Where each unit in sight stands, and its side."""
    return {
        counter.unit: (stack.hex, counter.side)
        for stack in stacks
        for counter in stack.counters
        if not counter.face_down
    }


def wide(area: Box) -> Box:
    """The area, widened where it would be too tall for a telephone held upright."""
    more = max(area.height * UPRIGHT - area.width, 0) / 2
    return Box(area.left - more, area.top, area.right + more, area.bottom)
