"""Where writing goes: a coarse map of what is taken, and the search for the best free spot near a base."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw

from rules.core.scene import Point

from .geometry import Box

CELL = 4
"""Pixels of a cell of the coarse map."""
GAP = 5.0
"""Pixels between a base and a plate that touches it."""
RINGS = 14
STEP = 15.0
"""Pixels from one ring of trials to the next."""
LEADER_FROM = 12.0
"""A plate further than this from its base gets a leader line."""
COVERED, CROSSED, ARROWED, AHEAD = 9.0, 14.0, 1.2, 7.0
"""Costs, in pixels of distance: a cell of a base covered, of a base or plate crossed by a leader, of an arrow or
place covered; standing before the unit rather than behind it."""


class Taken:
    """Cells of the picture that something lies on, each row one whole number."""

    def __init__(self, width: int, height: int) -> None:
        self._across = math.ceil(width / CELL / 8) * 8
        self._rows = [0] * math.ceil(height / CELL)

    @classmethod
    def by(cls, width: int, height: int, rings: Iterable[Sequence[Point]], lines: Iterable[Sequence[Point]]) -> "Taken":
        """The cells under shapes and lines given in pixels."""
        taken = cls(width, height)
        image = Image.new("1", (taken._across, len(taken._rows)))
        draw = ImageDraw.Draw(image)
        for ring in rings:
            draw.polygon([(x / CELL, y / CELL) for x, y in ring], fill=1, outline=1)
        for line in lines:
            draw.line([(x / CELL, y / CELL) for x, y in line], fill=1, width=3)
        stride, cells = taken._across // 8, image.tobytes()
        taken._rows = [int.from_bytes(cells[at : at + stride], "big") for at in range(0, len(cells), stride)]
        return taken

    def _mask(self, left: float, right: float) -> int:
        start = min(max(int(left // CELL), 0), self._across)
        end = min(max(math.ceil(right / CELL), start), self._across)
        return ((1 << (end - start)) - 1) << (self._across - end)

    def _span(self, box: Box) -> range:
        return range(max(int(box.top // CELL), 0), min(math.ceil(box.bottom / CELL), len(self._rows)))

    def count(self, box: Box) -> int:
        """Taken cells in `box` (pixels)."""
        mask = self._mask(box.left, box.right)
        return sum((self._rows[row] & mask).bit_count() for row in self._span(box))

    def any(self, box: Box) -> bool:
        """Whether any cell in `box` (pixels) is taken."""
        mask = self._mask(box.left, box.right)
        return any(self._rows[row] & mask for row in self._span(box))

    def add(self, box: Box) -> None:
        """Takes the cells of `box`."""
        mask = self._mask(box.left, box.right)
        for row in self._span(box):
            self._rows[row] |= mask

    def add_line(self, start: Point, end: Point) -> None:
        """Takes the cells under a line."""
        for x, y in _points(start, end):
            self.add(Box(x, y, x + 1, y + 1))

    def crossed(self, start: Point, end: Point) -> int:
        """Taken cells under a line."""
        return sum(self.any(Box(x, y, x + 1, y + 1)) for x, y in _points(start, end))


def _points(start: Point, end: Point) -> Iterator[Point]:
    steps = max(int(math.dist(start, end) / CELL), 1)
    for i in range(steps + 1):
        yield start[0] + (end[0] - start[0]) * i / steps, start[1] + (end[1] - start[1]) * i / steps


class Wish(NamedTuple):
    """A plate to be placed: its size, the base it is for (pixels), and the unit's facing."""

    width: int
    height: int
    base: Box
    facing: float


class Spot(NamedTuple):
    """Where a plate goes, and the leader line to its base, if it is displaced."""

    box: Box
    leader: tuple[Point, Point] | None


WAYS = tuple((math.sin(math.pi * i / 8), -math.cos(math.pi * i / 8)) for i in range(16))


def place(wishes: Sequence[Wish], bases: Taken, soft: Taken, frame: Box) -> tuple[Spot, ...]:
    """A spot for every wish, none over another, all within `frame`; those with least room about them first."""
    taken = Taken(math.ceil(frame.right), math.ceil(frame.bottom))
    crowd = [bases.count(wish.base.grown(90)) for wish in wishes]
    spots: dict[int, Spot] = {}
    for index in sorted(range(len(wishes)), key=lambda i: (-crowd[i], i)):
        spot = _best(wishes[index], bases, soft, taken, frame)
        taken.add(spot.box.grown(2))
        if spot.leader:
            taken.add_line(*spot.leader)
        spots[index] = spot
    return tuple(spots[index] for index in range(len(wishes)))


def _best(wish: Wish, bases: Taken, soft: Taken, taken: Taken, frame: Box) -> Spot:
    best, least = None, math.inf
    for ring in range(RINGS):
        gap = GAP + ring * STEP
        if gap >= least:
            break
        for way in WAYS:
            box = _box(wish, way, gap)
            if box.within(frame) != box or taken.any(box):
                continue
            cost = gap + _dislike(wish, way, box, bases, soft)
            if cost >= least:
                continue
            leader = _leader(box, wish.base) if gap > LEADER_FROM else None
            if leader:
                cost += CROSSED * (taken.crossed(*leader) + max(bases.crossed(*leader) - 3, 0))
            if cost < least:
                best, least = Spot(box, leader), cost
    return best or _anywhere(wish, taken, frame)


def _dislike(wish: Wish, way: Point, box: Box, bases: Taken, soft: Taken) -> float:
    front = math.sin(math.radians(wish.facing)), -math.cos(math.radians(wish.facing))
    ahead = AHEAD * (1 + way[0] * front[0] + way[1] * front[1])
    return ahead + COVERED * bases.count(box) + ARROWED * soft.count(box)


def _box(wish: Wish, way: Point, gap: float) -> Box:
    """The plate `gap` pixels off the base, in direction `way`."""
    x, y = wish.base.centre
    reach = min(
        ((wish.base.width + wish.width) / 2 + gap) / abs(way[0]) if abs(way[0]) > 1e-6 else math.inf,
        ((wish.base.height + wish.height) / 2 + gap) / abs(way[1]) if abs(way[1]) > 1e-6 else math.inf,
    )
    left = round(x + way[0] * reach - wish.width / 2)
    top = round(y + way[1] * reach - wish.height / 2)
    return Box(left, top, left + wish.width, top + wish.height)


def _leader(box: Box, base: Box) -> tuple[Point, Point]:
    """From the plate's nearest edge to the middle of the base."""
    x, y = base.centre
    return (min(max(x, box.left + 4), box.right - 4), min(max(y, box.top + 3), box.bottom - 3)), (x, y)


def _anywhere(wish: Wish, taken: Taken, frame: Box) -> Spot:
    """The free spot nearest to the base, wherever it is; over others only where the whole sheet is full."""
    x, y = wish.base.centre
    trials = [
        Box(left, top, left + wish.width, top + wish.height)
        for top in range(int(frame.top), int(frame.bottom) - wish.height, 12)
        for left in range(int(frame.left), int(frame.right) - wish.width, 12)
    ]
    trials.sort(key=lambda box: math.dist(box.centre, (x, y)))
    box = next((box for box in trials if not taken.any(box)), trials[0])
    return Spot(box, _leader(box, wish.base))
