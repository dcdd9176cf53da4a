"""Place plates with unit names near the units' bases; distant plates get leader lines.

Each plate chooses the cheapest of its candidate positions, in several rounds. Overlaps cost more in each round, until
one of the two plates gives way.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rules.core.scene import Point

from .coverage import CoverageGrid, Floats, boxes_inside, boxes_overlap
from .geometry import Box

Numbers = npt.NDArray[np.intp]

GAPS = np.array((5.0, 18.0, 34.0, 54.0, 78.0, 106.0, 140.0, 180.0, 226.0))
"""Candidate distances between base and plate, in pixels."""
LEADER_FROM = 12.0
"""Minimum distance in pixels between a plate and its base for a leader line."""
DIRECTIONS = np.array([(math.sin(math.pi * i / 10), -math.cos(math.pi * i / 10)) for i in range(20)])
"""Unit vectors of the candidate directions from base to plate, clockwise from north."""
KEPT = 60
"""Number of cheapest candidate positions kept per plate for closer evaluation."""
ROUNDS = (60.0, 90.0, 150.0, 250.0, 400.0, 700.0, 1000.0)
"""Cost of overlapping another plate, by round."""
ALONG = np.linspace(0.02, 0.98, 25)
"""Fractions of a leader line at which crossings are sampled."""
ALONGSIDE = 34.0
"""Pixels that base and plate should share along an edge."""
NEAR = 9.0
"""Distance in pixels within which a plate counts as touching a base."""
MOST_CONFLICT = 100.0
"""Total conflict cost above which all plates are placed again, in reverse order."""
BETWEEN = 3.0
"""Minimum pixels between two plates."""
STEP = 12
"""Pixels between candidate positions in the search of the whole frame."""


class Cost:
    """Costs of a plate's position, comparable to pixels of distance from the base."""

    LEADER = 14.0
    """Cost of a leader line."""
    COVERED = 1.3
    """Cost per unit of weight of covered content (see `CoverageGrid.weigh_boxes`)."""
    STRANGER = 32.0
    """Cost of each sampled point of the leader line that lies on another base."""
    CROSSED = 90.0
    """Cost of each other plate or leader line that the leader line crosses."""
    DOUBT = 18.0
    """Cost of touching another unit's base: the plate is then ambiguous, and gets a leader line."""
    CORNER = 0.8
    """Cost per pixel of `ALONGSIDE` that base and plate do not share: corner to corner is harder to read."""
    AHEAD = 9.0
    """Cost of a plate beside the unit. A plate behind the unit costs nothing, a plate in front costs double."""


class UnplacedPlate(NamedTuple):
    """A plate to place: its size, its base (pixels) and the unit's facing."""

    width: int
    height: int
    base: Box
    facing: float


class PlatePosition(NamedTuple):
    """A plate's box, and its leader line to the base, if any."""

    box: Box
    leader: tuple[Point, Point] | None


class _Candidates(NamedTuple):
    """Candidate positions by plate and rank; the leader line is NaN if a position needs none."""

    boxes: Floats
    leaders: Floats
    costs: Floats


def place_plates(plates: Sequence[UnplacedPlate], occupied: CoverageGrid, frame: Box) -> tuple[PlatePosition, ...]:
    """Return a position for each plate. Plates overlap only if `frame` is too full."""
    if not plates:
        return ()
    candidates = _find_candidates(plates, occupied, frame)
    numbers, conflicts = range(len(plates)), cache(partial(_count_conflicts, candidates))
    with np.errstate(divide="ignore", invalid="ignore"):
        best, least = _choose_positions(candidates.costs, conflicts, numbers)
        if least > MOST_CONFLICT:
            other, other_least = _choose_positions(candidates.costs, conflicts, numbers[::-1])
            best = other if other_least < least else best
    positions = [_plate_position(candidates, number, int(best[number])) for number in numbers]
    return _separate_plates(positions, plates, frame)


def _choose_positions(
    costs: Floats, conflicts_of: Callable[[int, int], Numbers], order: Sequence[int]
) -> tuple[Numbers, float]:
    """Return the candidate that each plate chooses, and the cost of the remaining conflicts.

    Plates choose in `order`. In later rounds, only plates with conflicts, or with changed neighbours, choose again.
    """
    chosen = costs.argmin(axis=1)
    conflicts = np.sum([conflicts_of(number, int(chosen[number])) for number in order], axis=0)
    unsettled = np.ones(len(chosen), dtype=bool)
    penalties = np.zeros(len(chosen))
    for overlap in ROUNDS:
        for number in order:
            if not unsettled[number]:
                continue
            penalty = overlap * conflicts[0, number] + Cost.CROSSED * conflicts[1, number]
            position = int((costs[number] + penalty).argmin())
            if position != chosen[number]:
                change = conflicts_of(number, position) - conflicts_of(number, int(chosen[number]))
                conflicts += change
                unsettled |= change.any(axis=(0, 2))
            chosen[number], penalties[number] = position, penalty[position]
            unsettled[number] = bool(penalty[position])
    return chosen, float(penalties.sum())


def _find_candidates(plates: Sequence[UnplacedPlate], occupied: CoverageGrid, frame: Box) -> _Candidates:
    """Return the cheapest candidate positions of every plate."""
    sizes = np.array([(plate.width, plate.height) for plate in plates], dtype=float)
    bases = np.array([plate.base for plate in plates], dtype=float)
    boxes = _candidate_boxes(sizes, bases)
    leaders = _leader_lines(boxes, bases)
    far = np.repeat(GAPS > LEADER_FROM, len(DIRECTIONS))
    touched = _count_touched_bases(boxes, bases)
    leaders[~(far | (touched > 0))] = np.nan
    costs = np.repeat(GAPS, len(DIRECTIONS)) + _placement_costs(plates, boxes, occupied)
    costs += np.where(far, Cost.LEADER, Cost.DOUBT * touched)
    costs = np.where(boxes_inside(boxes, frame), costs, np.inf)
    best = costs.argsort(axis=1, kind="stable")[:, :KEPT]
    rows = np.arange(len(plates))[:, None]
    candidates = _Candidates(boxes[rows, best], leaders[rows, best], costs[rows, best])
    start, end = candidates.leaders[..., None, :2], candidates.leaders[..., None, 2:]
    samples = np.nan_to_num(start + (end - start) * ALONG[:, None], nan=-1.0)
    on_other_bases = occupied.is_on_other_base(samples, rows[..., None]) & (samples[..., 0] >= 0)
    return candidates._replace(costs=candidates.costs + Cost.STRANGER * on_other_bases.sum(axis=-1))


def _candidate_boxes(sizes: Floats, bases: Floats) -> Floats:
    """Return the box of every plate at every distance and direction from its base."""
    centres = (bases[:, :2] + bases[:, 2:]) / 2
    halves = (bases[:, 2:] - bases[:, :2] + sizes) / 2
    steep = np.where(np.abs(DIRECTIONS) > 1e-6, np.abs(DIRECTIONS), 1e-6)
    reach = ((halves[:, None, None, :] + GAPS[None, :, None, None]) / steep[None, None]).min(axis=-1)
    middles = centres[:, None, None, :] + DIRECTIONS[None, None] * reach[..., None]
    corner = np.round(middles - sizes[:, None, None, :] / 2)
    boxes = np.concatenate([corner, corner + sizes[:, None, None, :]], axis=-1)
    flat: Floats = boxes.reshape(len(sizes), -1, 4)
    return flat


def _leader_lines(boxes: Floats, bases: Floats) -> Floats:
    """Return each candidate's leader line, from the plate's nearest edge to the base's centre."""
    ends = np.broadcast_to(((bases[:, :2] + bases[:, 2:]) / 2)[:, None, :], (*boxes.shape[:2], 2))
    starts = np.clip(ends, boxes[..., :2] + 4, boxes[..., 2:] - 4)
    return np.concatenate([starts, ends], axis=-1)


def _count_touched_bases(boxes: Floats, bases: Floats) -> Numbers:
    """Return the number of other units' bases that each candidate touches."""
    close = boxes + np.array((-NEAR, -NEAR, NEAR, NEAR))
    touching = boxes_overlap(close[:, :, None, :], bases[None, None])
    touching &= ~np.eye(len(bases), dtype=bool)[:, None, :]
    return np.asarray(touching.sum(axis=-1))


def _placement_costs(plates: Sequence[UnplacedPlate], boxes: Floats, occupied: CoverageGrid) -> Floats:
    """Return each candidate's cost for its direction from the base and for what it covers."""
    facings = np.radians([plate.facing for plate in plates])[:, None]
    ahead = 1 + np.sin(facings) * DIRECTIONS[None, :, 0] - np.cos(facings) * DIRECTIONS[None, :, 1]
    cost: Floats = Cost.AHEAD * np.tile(ahead, len(GAPS)) + Cost.COVERED * occupied.weigh_boxes(boxes)
    bases = np.array([plate.base for plate in plates], dtype=float)[:, None]
    shared = np.minimum(boxes[..., 2:], bases[..., 2:]) - np.maximum(boxes[..., :2], bases[..., :2])
    cost += Cost.CORNER * np.maximum(ALONGSIDE - shared.max(axis=-1), 0)
    return cost


def _count_conflicts(candidates: _Candidates, number: int, chosen: int) -> Numbers:
    """Count the conflicts of one plate, at the position `chosen`, with all candidates of the other plates.

    The result's axes are the kind of conflict (overlap or crossed leader line), the plate, and the candidate.
    """
    box, leader = candidates.boxes[number, chosen], candidates.leaders[number, chosen]
    overlaps = boxes_overlap(box + np.array((-BETWEEN, -BETWEEN, BETWEEN, BETWEEN)), candidates.boxes)
    crossings = _lines_cross_boxes(candidates.leaders, box).astype(int)
    if not math.isnan(leader[0]):
        crossings += _lines_cross_boxes(leader, candidates.boxes)
        crossings += _line_crosses_lines(leader, candidates.leaders)
    conflicts = np.stack((overlaps.astype(int), crossings))
    conflicts[:, number] = 0
    return conflicts


def _lines_cross_boxes(leaders: Floats, boxes: Floats) -> npt.NDArray[np.bool_]:
    """Whether each leader line crosses the box at the same index."""
    start_x, start_y, end_x, end_y = (leaders[..., part] for part in range(4))
    left, top, right, bottom = (boxes[..., part] for part in range(4))
    long, high = end_x - start_x, end_y - start_y
    half_x, half_y = (right - left) / 2, (bottom - top) / 2
    off_x, off_y = (start_x + end_x - left - right) / 2, (start_y + end_y - top - bottom) / 2
    wide, tall = np.abs(long), np.abs(high)
    return np.asarray(
        (np.abs(off_x) < wide / 2 + half_x)
        & (np.abs(off_y) < tall / 2 + half_y)
        & (np.abs(long * off_y - high * off_x) < wide * half_y + tall * half_x)
    )


def _line_crosses_lines(line: Floats, lines: Floats) -> npt.NDArray[np.bool_]:
    """Whether the leader line `line` crosses each of the leader lines `lines`."""
    ux, uy = line[2] - line[0], line[3] - line[1]
    vx, vy = lines[..., 2] - lines[..., 0], lines[..., 3] - lines[..., 1]
    off_x, off_y = lines[..., 0] - line[0], lines[..., 1] - line[1]
    span = ux * vy - uy * vx
    along, across = (off_x * vy - off_y * vx) / span, (off_x * uy - off_y * ux) / span
    return np.asarray((along > 0) & (along < 1) & (across > 0) & (across < 1))


def _plate_position(candidates: _Candidates, number: int, chosen: int) -> PlatePosition:
    box = Box(*candidates.boxes[number, chosen].tolist())
    x0, y0, x1, y1 = candidates.leaders[number, chosen].tolist()
    return PlatePosition(box, None if math.isnan(x0) else ((x0, y0), (x1, y1)))


def _separate_plates(
    positions: list[PlatePosition], plates: Sequence[UnplacedPlate], frame: Box
) -> tuple[PlatePosition, ...]:
    """Return the positions; plates that overlap or leave `frame` move to free positions if possible."""
    settled: list[PlatePosition] = []
    for number, position in enumerate(positions):
        obstacles = [obstacle.box for obstacle in (*settled, *positions[number + 1 :])]
        overlaps = any(position.box.overlaps(earlier.box) for earlier in settled)
        is_clear = position.box.clip_to(frame) == position.box and not overlaps
        settled.append(position if is_clear else _nearest_free_position(plates[number], obstacles, frame) or position)
    return tuple(settled)


def _nearest_free_position(plate: UnplacedPlate, obstacles: Sequence[Box], frame: Box) -> PlatePosition | None:
    """Return the free position in `frame` nearest to the base, or None if the frame is full."""
    x, y = plate.base.centre
    lefts = np.arange(int(frame.left), int(frame.right) - plate.width + 1, STEP)
    tops = np.arange(int(frame.top), int(frame.bottom) - plate.height + 1, STEP)
    corner = np.stack(np.meshgrid(lefts, tops), axis=-1).reshape(-1, 2).astype(float)
    boxes = np.concatenate([corner, corner + np.array((plate.width, plate.height))], axis=-1)
    free = boxes[~boxes_overlap(boxes[:, None], np.array(obstacles, dtype=float).reshape(1, -1, 4)).any(axis=1)]
    if not len(free):
        return None
    away = np.hypot(*((free[:, :2] + free[:, 2:]) / 2 - (x, y)).T)
    box = Box(*free[away.argmin()].tolist())
    start = min(max(x, box.left + 4), box.right - 4), min(max(y, box.top + 4), box.bottom - 4)
    return PlatePosition(box, (start, (x, y)))
