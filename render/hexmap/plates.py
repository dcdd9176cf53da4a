"""Label formations and units without one with plates, if their counters are too small to read."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from render.arrows import draw_leader
from render.coverage import Occupied
from render.geometry import Box, View
from render.plate_placement import PlateRequest, place
from render.plates import plate
from render.stamp import paste_into
from rules.core.hexboard.hex_scene import HexScene, HexStack
from rules.core.hexboard.hexes import Hex

from .map_canvas import MapCanvas
from .plane import centre
from .stacks import covered_box, legible_counters

TOGETHER = 2
"""Maximum distance in hexes between stacks of a formation that share a plate."""
EDGE = 4
"""Margin in pixels between a plate and the map's edge."""
Formation = tuple[str, str]
"""A side's id and the name of a formation."""


def draw_plates(pad: MapCanvas, scene: HexScene) -> None:
    """Draw a plate per cluster of a formation, with its number of visible units.

    A unit without a formation gets a plate with its name. Plates avoid tracks and other text if possible.
    """
    view, look, sides, words = pad.view, pad.look.theme, pad.sides, pad.words
    named = _legible_formations(scene.stacks, view.scale, words)
    groups = [
        (side, name, str(sum(hexes.values())), [*hexes])
        for side, name, hexes in _formation_clusters(scene, view.box)
        if side in sides and any((side, name) not in named[at] for at in hexes)
    ]
    groups += [(side, name, "", [at]) for side, name, at in _unnamed_units(scene, view, words) if side in sides]
    drawn = [plate(name, units, (), sides[side], look.plate, look.ink, words) for side, name, units, _ in groups]
    stood = {stack.hex: covered_box(stack, view, words) for stack in scene.stacks if stack.counters}
    bases = [_outermost([stood[at] for at in hexes], stood.values()) for *_, hexes in groups]
    seen = [step for track in scene.tracks for step in pairwise(view.px(centre(at)) for at in track.hexes)]
    others = [box.ring for box in (*stood.values(), *pad.names, *pad.tags)]
    occupied = Occupied(pad.image.size, [base.ring for base in bases], seen, others)
    requests = [PlateRequest(sign.width, sign.height, base, 0.0) for sign, base in zip(drawn, bases, strict=True)]
    positions = place(requests, occupied, view.frame.grow(-EDGE))
    for position, (side, *_) in zip(positions, groups, strict=True):
        if position.leader:
            draw_leader(pad.image, *position.leader, sides[side].colour, look.paper)
    for sign, position in zip(drawn, positions, strict=True):
        paste_into(pad.image, sign, position.box)


def _outermost(stacks: Sequence[Box], every_stack: Collection[Box]) -> Box:
    """Return the box in `stacks` farthest from the middle of all stacks, where plates have most space."""
    x, y = (sum(middle) / len(every_stack) for middle in zip(*(box.centre for box in every_stack), strict=True))
    return max(stacks, key=lambda box: math.dist(box.centre, (x, y)))


def _legible_formations(stacks: Iterable[HexStack], scale: float, words: int) -> Mapping[Hex, set[Formation]]:
    """Return, by hex, the formations whose names are legible on their own counters."""
    named: dict[Hex, set[Formation]] = defaultdict(set)
    for stack in stacks:
        for counter, put in legible_counters(stack, scale, words):
            if put.formation:
                named[stack.hex].add((counter.side, counter.formation))
    return named


def _unnamed_units(scene: HexScene, view: View, words: int) -> Iterator[tuple[str, str, Hex]]:
    """Yield side, name and hex of each unit without formation whose name is illegible on its counter."""
    for stack in scene.stacks:
        if view.box.holds(centre(stack.hex)):
            for counter, put in legible_counters(stack, view.scale, words):
                named = put.name and put.name.words == counter.name
                if counter.name and not counter.formation and not counter.face_down and not named:
                    yield counter.side, counter.name, stack.hex


def _formation_clusters(scene: HexScene, shown: Box) -> Iterator[tuple[str, str, dict[Hex, int]]]:
    """Yield side, formation and number of units by hex, for each cluster of nearby stacks of a formation."""
    by_formation: dict[tuple[str, str], dict[Hex, int]] = defaultdict(lambda: defaultdict(int))
    for stack in scene.stacks:
        for counter in stack.counters:
            if counter.formation and not counter.face_down and shown.holds(centre(stack.hex)):
                by_formation[counter.side, counter.formation][stack.hex] += 1
    for (side, name), hexes in sorted(by_formation.items()):
        left = dict(sorted(hexes.items()))
        while left:
            near = [next(iter(left))]
            for at in near:
                near += [other for other in left if other not in near and at.distance(other) <= TOGETHER]
            yield side, name, {at: left.pop(at) for at in near}
