"""Photographs of the real table: read, shown under a grid, laid flat."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from render import photo_grid, photograph
from render.photo_grid import Square
from rules.core.scene import Point

__all__ = ["Laid", "Prepared", "Square", "closer", "flatten", "photograph_at", "prepared", "tag_of"]


class Laid(NamedTuple):
    """A photograph under the table since an entry of a turn; `jpeg` is None after its removal."""

    seq: int
    turn: int
    jpeg: bytes | None


class Prepared(NamedTuple):
    """A photograph ready for marking corners: original size in pixels, JPEG, and copy with a grid."""

    wide: int
    high: int
    jpeg: bytes
    gridded: bytes

    @property
    def tag(self) -> str:
        """Its short name."""
        return tag_of(self.jpeg)


def tag_of(jpeg: bytes) -> str:
    """Return a short tag for an unfinished photograph, used in button ids."""
    return hashlib.blake2s(jpeg, digest_size=4).hexdigest()


def prepared(data: bytes) -> Prepared:
    """Return the photograph of a file, upright and without its metadata. Raises Unfit with what is wrong."""
    size, image = photograph.read(data)
    return Prepared(*size, photograph.encode_jpeg(image), photograph.encode_jpeg(photo_grid.draw_with_grid(image)))


def closer(jpeg: bytes, corners: Sequence[Square]) -> list[bytes]:
    """Return enlargements of the given grid squares, each with a finer grid."""
    _, image = photograph.read(jpeg)
    return [
        photograph.encode_jpeg(photo_grid.draw_with_grid(image, photo_grid.enlarged_box(corner), photo_grid.FINE))
        for corner in corners
    ]


def flatten(jpeg: bytes, corners: Sequence[Point], width: float, height: float) -> bytes:
    """Return the photographed table as seen from above, in inches.

    Raises Unfit for corners that form no quadrilateral.
    """
    _, image = photograph.read(jpeg)
    return photograph.rectify(image, corners, width, height)


def photograph_at(every: Sequence[Laid], turn: int, seq: int) -> bytes | None:
    """Return the photograph under the table after entry `seq`: the photograph of its turn, else the previous one.

    Before the first of a turn was laid, that one already stands for the turn; a turn without any has the last before.
    After an undo the last may be of a later turn: it lies there still.
    """
    before = [one for one in every if one.seq <= seq]
    if before and before[-1].turn >= turn:
        return before[-1].jpeg
    own = next((one.jpeg for one in every if one.turn == turn and one.jpeg is not None), None)
    return own if own is not None or not before else before[-1].jpeg
