"""What counters do not tell where it can be read: a plate for each formation, and for each lone unit that acted."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from PIL import Image

from render.arrows import draw_leader
from render.coverage import Occupied
from render.geometry import Box, View
from render.palette import SideLook, Theme
from render.plate_placement import Wish, place
from render.plates import plate
from rules.core.hexboard.hex_scene import HexScene, HexStack
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

from .plane import centre
from .stacks import covered, read

TOGETHER = 2
"""Hexes from one stack of a formation to the next that shares its plate."""
LEGIBLE = 0.6
"""Writing on counters from which they need no plates, of the smallest writing."""
EDGE = 4
"""Pixels between a plate and the edge of the map."""
Formation = tuple[str, str]
"""A side and the name of one of its formations."""


def draw_plates(
    field: Image.Image,
    scene: HexScene,
    view: View,
    look: Theme,
    sides: Mapping[str, SideLook],
    words: int,
    least: int,
    written: Sequence[Box],
) -> None:
    """The plates in letters of `words`, each with its formation and how many of its units are in sight there.

    A unit without a formation has one with its name where something happened.

    Counters have nothing smaller than `least` on them. If they can, plates are off what is `written`, and off tracks.
    """
    told = _told(scene.stacks, view.scale, words, least)
    groups = [
        (side, name, hexes)
        for side, name, hexes in _groups(scene, view.box)
        if side in sides and any((side, name) not in told[at] for at in hexes)
    ]
    drawn = [
        plate(name, str(sum(hexes.values())), (), sides[side], look.plate, look.ink, words)
        for side, name, hexes in groups
    ]
    lone = [unit for unit in _acting(scene, view, words, least) if unit[0] in sides]
    groups += lone
    drawn += [plate(name, "", (), sides[side], look.plate, look.ink, words) for side, name, _ in lone]
    stood = {stack.hex: covered(stack, view, least) for stack in scene.stacks if stack.counters}
    bases = [_outermost([stood[at] for at in hexes], stood.values()) for _, _, hexes in groups]
    seen: list[Sequence[Point]] = [box.ring for box in written]
    seen += [step for track in scene.tracks for step in pairwise(view.px(centre(at)) for at in track.hexes)]
    occupied = Occupied(field.size, [base.ring for base in bases], seen, [box.ring for box in stood.values()])
    wishes = [Wish(sign.width, sign.height, base, 0.0) for sign, base in zip(drawn, bases, strict=True)]
    positions = place(wishes, occupied, view.frame.grown(-EDGE))
    for position, (side, _, _) in zip(positions, groups, strict=True):
        if position.leader:
            draw_leader(field, *position.leader, sides[side].colour, look.paper)
    for sign, position in zip(drawn, positions, strict=True):
        field.paste(sign, (int(position.box.left), int(position.box.top)), sign)


def _outermost(stacks: Sequence[Box], everybody: Collection[Box]) -> Box:
    """The one of some stacks that is farthest from the middle of all: there is the most room beside it."""
    x, y = (sum(middle) / len(everybody) for middle in zip(*(box.centre for box in everybody), strict=True))
    return max(stacks, key=lambda box: math.dist(box.centre, (x, y)))


def _told(stacks: Iterable[HexStack], scale: float, words: int, least: int) -> Mapping[Hex, set[Formation]]:
    """The formations that counters tell themselves in each hex, in letters that are read."""
    told: dict[Hex, set[Formation]] = defaultdict(set)
    for stack in stacks:
        for counter, put in read(stack, scale, least):
            if put.formation and put.formation.size >= words * LEGIBLE:
                told[stack.hex].add((counter.side, counter.formation))
    return told


def _acting(scene: HexScene, view: View, words: int, least: int) -> Iterator[tuple[str, str, dict[Hex, int]]]:
    """Side, name and hex of units without a formation where tracks begin and end, and whose counters do not tell it."""
    about = {at for track in scene.tracks for at in (*track.hexes[:1], *track.hexes[-1:])}
    for stack in scene.stacks:
        if stack.hex in about and view.box.holds(centre(stack.hex)):
            for counter, put in read(stack, view.scale, least):
                told = put.name and put.name.words == counter.name and put.name.size >= words * LEGIBLE
                if counter.name and not counter.formation and not counter.face_down and not told:
                    yield counter.side, counter.name, {stack.hex: 1}


def _groups(scene: HexScene, shown: Box) -> Iterator[tuple[str, str, dict[Hex, int]]]:
    """Side, formation, and how many of its units are in each hex, of stacks near each other."""
    standing: dict[tuple[str, str], dict[Hex, int]] = defaultdict(lambda: defaultdict(int))
    for stack in scene.stacks:
        for counter in stack.counters:
            if counter.formation and not counter.face_down and shown.holds(centre(stack.hex)):
                standing[counter.side, counter.formation][stack.hex] += 1
    for (side, name), hexes in sorted(standing.items()):
        left = dict(sorted(hexes.items()))
        while left:
            near = [next(iter(left))]
            for at in near:
                near += [other for other in left if other not in near and at.distance(other) <= TOGETHER]
            yield side, name, {at: left.pop(at) for at in near}
