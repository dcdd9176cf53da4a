"""Measure how much drawn content lies in a box, on a coarse grid of the picture."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from rules.core.scene import Point

from .geometry import Box

Floats = npt.NDArray[np.float64]
CELL = 4
"""Edge of a grid cell, in pixels."""
BASE = 10
"""Weight of a cell under a base; a cell under other content weighs 1."""


class CoverageGrid:
    """Grid that records where a picture has content, and which base lies where."""

    def __init__(
        self,
        size: tuple[int, int],
        rings: Sequence[Sequence[Point]],
        soft: Iterable[Sequence[Point]],
        obstacles: Iterable[Sequence[Point]] = (),
    ) -> None:
        """Fill the grid for a picture of `size`; all shapes are in pixels.

        `rings` are the bases' outlines. `soft` shapes and lines weigh less than bases. `obstacles` weigh as much as
        bases, but have no number.
        """
        self._across, self._down = math.ceil(size[0] / CELL), math.ceil(size[1] / CELL)
        weights = Image.new("L", (self._across, self._down))
        owners = Image.new("I", weights.size)
        on_weights, on_owners = ImageDraw.Draw(weights), ImageDraw.Draw(owners)
        for shape in soft:
            line = _convert_to_cells(shape)
            if len(line) == 2:
                on_weights.line(line, fill=1, width=3)
            else:
                on_weights.polygon(line, fill=1)
        for ring in obstacles:
            on_weights.polygon(_convert_to_cells(ring), fill=BASE, outline=BASE)
        for number, ring in enumerate(rings, start=1):
            on_weights.polygon(_convert_to_cells(ring), fill=BASE, outline=BASE)
            on_owners.polygon(_convert_to_cells(ring), fill=number, outline=number)
        self._owners = np.asarray(owners)
        self._sums = np.zeros((self._down + 1, self._across + 1), dtype=np.int64)
        np.asarray(weights).cumsum(axis=0, out=self._sums[1:, 1:], dtype=np.int64)
        self._sums.cumsum(axis=1, out=self._sums)

    def weigh_boxes(self, boxes: Floats) -> Floats:
        """Return the weight of the content in each box; the last axis is left, top, right, bottom."""
        left, right = (np.clip(boxes[..., side] // CELL, 0, self._across).astype(np.intp) for side in (0, 2))
        top, bottom = (np.clip(boxes[..., side] // CELL, 0, self._down).astype(np.intp) for side in (1, 3))
        sums = self._sums
        weights: Floats = (sums[bottom, right] - sums[bottom, left] - sums[top, right] + sums[top, left]).astype(float)
        return weights

    def is_on_other_base(self, points: Floats, own: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
        """Whether each point (x, y on the last axis) lies on a base other than number `own`."""
        x = np.clip(points[..., 0] // CELL, 0, self._across - 1).astype(np.intp)
        y = np.clip(points[..., 1] // CELL, 0, self._down - 1).astype(np.intp)
        owner = self._owners[y, x]
        return np.asarray((owner != 0) & (owner != own + 1))


def boxes_overlap(first: Floats, second: Floats) -> npt.NDArray[np.bool_]:
    """Whether the two boxes of each pair overlap; the last axis is left, top, right, bottom."""
    return np.asarray(
        (first[..., 0] < second[..., 2])
        & (second[..., 0] < first[..., 2])
        & (first[..., 1] < second[..., 3])
        & (second[..., 1] < first[..., 3])
    )


def boxes_inside(boxes: Floats, frame: Box) -> npt.NDArray[np.bool_]:
    """Whether each box lies inside `frame`; the last axis is left, top, right, bottom."""
    return np.asarray(
        (boxes[..., 0] >= frame.left)
        & (boxes[..., 1] >= frame.top)
        & (boxes[..., 2] <= frame.right)
        & (boxes[..., 3] <= frame.bottom)
    )


def _convert_to_cells(points: Sequence[Point]) -> list[Point]:
    return [(x / CELL, y / CELL) for x, y in points]
