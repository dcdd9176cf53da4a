"""Draw plates for formations and units whose counters are too small to read."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from render.arrows import draw_leader_line
from render.coverage import CoverageGrid
from render.geometry import Box, View
from render.plate_placement import UnplacedPlate, place_plates
from render.plates import plate_sprite
from render.stamp import paste_into
from rules.core.hexboard.hex_scene import HexScene, HexStack
from rules.core.hexboard.hexes import Hex

from .map_canvas import MapCanvas
from .plane import hex_centre
from .stacks import legible_counters, stack_box

TOGETHER = 2
"""Maximum distance in hexes between stacks of a formation that share a plate."""
EDGE = 4
"""Margin in pixels between a plate and the map's edge."""
Formation = tuple[str, str]
"""A side's id and the name of a formation."""


def draw_plates(canvas: MapCanvas, scene: HexScene) -> None:
    """Draw plates with the names of formations and units whose counters are too small to read.

    Nearby stacks of a formation share a plate, which also shows the number of visible units.
    """
    view, look, sides, text_size = canvas.view, canvas.look.theme, canvas.sides, canvas.text_size
    legible_formations = _legible_formations(scene.stacks, view.scale, text_size)
    groups = [
        (side, name, str(sum(hexes.values())), [*hexes])
        for side, name, hexes in _formation_clusters(scene, view.box)
        if side in sides and any((side, name) not in legible_formations[at] for at in hexes)
    ]
    groups += [(side, name, "", [at]) for side, name, at in _illegible_units(scene, view, text_size) if side in sides]
    colours = look.plate, look.ink
    plates = [plate_sprite(name, units, (), sides[side], *colours, text_size) for side, name, units, _ in groups]
    stack_boxes = {stack.hex: stack_box(stack, view, text_size) for stack in scene.stacks if stack.counters}
    bases = [_outermost_box([stack_boxes[at] for at in hexes], stack_boxes.values()) for *_, hexes in groups]
    courses = ([view.pixel(hex_centre(at)) for at in track.hexes] for track in scene.tracks)
    track_lines = [step for course in courses for step in pairwise(course)]
    obstacles = [box.ring for box in (*stack_boxes.values(), *canvas.name_boxes, *canvas.label_boxes)]
    occupied = CoverageGrid(canvas.image.size, [base.ring for base in bases], track_lines, obstacles)
    unplaced = [UnplacedPlate(sign.width, sign.height, base, 0.0) for sign, base in zip(plates, bases, strict=True)]
    positions = place_plates(unplaced, occupied, view.frame.grow(-EDGE))
    for position, (side, *_) in zip(positions, groups, strict=True):
        if position.leader:
            draw_leader_line(canvas.image, *position.leader, sides[side].colour, look.paper)
    for sign, position in zip(plates, positions, strict=True):
        paste_into(canvas.image, sign, position.box)


def _outermost_box(stacks: Sequence[Box], every_stack: Collection[Box]) -> Box:
    """Return the box of `stacks` farthest from the middle of all stacks, where space is plentiful."""
    x, y = (sum(middle) / len(every_stack) for middle in zip(*(box.centre for box in every_stack), strict=True))
    return max(stacks, key=lambda box: math.dist(box.centre, (x, y)))


def _legible_formations(stacks: Iterable[HexStack], scale: float, text_size: int) -> Mapping[Hex, set[Formation]]:
    """Return the formations, by hex, whose names can be read on a counter."""
    formations: dict[Hex, set[Formation]] = defaultdict(set)
    for stack in stacks:
        for counter, layout in legible_counters(stack, scale, text_size):
            if layout.formation:
                formations[stack.hex].add((counter.side, counter.formation))
    return formations


def _illegible_units(scene: HexScene, view: View, text_size: int) -> Iterator[tuple[str, str, Hex]]:
    """Yield side, name and hex of units without a formation whose counters do not show their names."""
    for stack in scene.stacks:
        if view.box.contains(hex_centre(stack.hex)):
            for counter, layout in legible_counters(stack, view.scale, text_size):
                is_legible = layout.name and layout.name.words == counter.name
                if counter.name and not counter.formation and not counter.face_down and not is_legible:
                    yield counter.side, counter.name, stack.hex


def _formation_clusters(scene: HexScene, area: Box) -> Iterator[tuple[str, str, dict[Hex, int]]]:
    """Yield each group of a formation's nearby stacks: side, formation, and number of units by hex."""
    by_formation: dict[tuple[str, str], dict[Hex, int]] = defaultdict(lambda: defaultdict(int))
    for stack in scene.stacks:
        for counter in stack.counters:
            if counter.formation and not counter.face_down and area.contains(hex_centre(stack.hex)):
                by_formation[counter.side, counter.formation][stack.hex] += 1
    for (side, name), hexes in sorted(by_formation.items()):
        ungrouped = dict(sorted(hexes.items()))
        while ungrouped:
            near = [next(iter(ungrouped))]
            for at in near:
                others = (hex_ for hex_ in ungrouped if hex_ not in near)
                near += [hex_ for hex_ in others if at.distance(hex_) <= TOGETHER]
            yield side, name, {at: ungrouped.pop(at) for at in near}
