"""Where counters are too small to be read on a telephone: a plate for each formation, beside its counters."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from PIL import Image

from render.arrows import draw_leader
from render.geometry import Box, View, around
from render.occupied import Occupied
from render.palette import SideLook, Theme
from render.placing import Wish, place
from render.plates import plate
from rules.core.hexboard.hex_scene import HexScene
from rules.core.hexboard.hexes import Hex

from .counters import FORMATION
from .plane import centre
from .stacks import ALONE

TOGETHER = 2
"""Hexes from one stack of a formation to the next that shares its plate."""
LEGIBLE = 0.6
"""Writing on counters from which they need no plates, of the smallest writing."""
EDGE = 4
"""Pixels between a plate and the edge of the map."""


def draw_plates(
    field: Image.Image,
    scene: HexScene,
    view: View,
    look: Theme,
    sides: Mapping[str, SideLook],
    words: int,
    names: Sequence[Box],
) -> None:
    """The plates, each with its formation and how many of its units are in sight there; if they can off the `names`."""
    if view.scale * ALONE * FORMATION >= words * LEGIBLE:
        return
    groups = [(side, name, hexes) for side, name, hexes in _groups(scene, view.box) if side in sides]
    drawn = [
        plate(name, str(sum(hexes.values())), (), sides[side], look.plate, look.ink, words)
        for side, name, hexes in groups
    ]
    stood = [_square(at, view).ring for _, _, hexes in groups for at in hexes]
    seen = [*stood, *(name.ring for name in names)]
    bases = [around([corner for at in hexes for corner in _square(at, view).ring]) for _, _, hexes in groups]
    occupied = Occupied(field.size, [base.ring for base in bases], seen)
    wishes = [Wish(sign.width, sign.height, base, 0.0) for sign, base in zip(drawn, bases, strict=True)]
    positions = place(wishes, occupied, view.frame.grown(-EDGE))
    for position, (side, _, _) in zip(positions, groups, strict=True):
        if position.leader:
            draw_leader(field, *position.leader, sides[side].colour, look.paper)
    for sign, position in zip(drawn, positions, strict=True):
        field.paste(sign, (int(position.box.left), int(position.box.top)), sign)


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


def _square(at: Hex, view: View) -> Box:
    """The counter in a hex, in pixels."""
    x, y = view.px(centre(at))
    return Box(x, y, x, y).grown(view.scale * ALONE / 2)
