"""Photographs of the real table: read, shown under a grid, laid flat."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from render import photo_grid, photograph
from render.photo_grid import Square
from rules.core.scene import Point

__all__ = ["Laid", "Prepared", "Square", "closer", "laid", "lying", "prepared", "tag_of"]


class Laid(NamedTuple):
    """A photograph that lies under the table since an entry of a turn; none from there on where `jpeg` is None."""

    seq: int
    turn: int
    jpeg: bytes | None


class Prepared(NamedTuple):
    """A photograph that is fit to be looked for corners: as it was sent in pixels, a JPEG, and one under the grid."""

    wide: int
    high: int
    jpeg: bytes
    gridded: bytes

    @property
    def tag(self) -> str:
        """Its short name."""
        return tag_of(self.jpeg)


def tag_of(jpeg: bytes) -> str:
    """The short name of a photograph that waits for its corners, by which its buttons know it again."""
    return hashlib.blake2s(jpeg, digest_size=4).hexdigest()


def prepared(data: bytes) -> Prepared:
    """The photograph of a file, upright and without its metadata. Raises Unfit with what is wrong."""
    size, image = photograph.read(data)
    return Prepared(*size, photograph.packed(image), photograph.packed(photo_grid.gridded(image)))


def closer(jpeg: bytes, corners: Sequence[Square]) -> list[bytes]:
    """Each of these squares of a prepared photograph, enlarged under a grid of its own."""
    _, image = photograph.read(jpeg)
    return [
        photograph.packed(photo_grid.gridded(image, photo_grid.closely(corner), photo_grid.FINE_ROWS))
        for corner in corners
    ]


def laid(jpeg: bytes, corners: Sequence[Point], width: float, height: float) -> bytes:
    """The table seen from above, of so many inches. Raises Unfit where the corners are not round one."""
    _, image = photograph.read(jpeg)
    return photograph.flattened(image, corners, width, height)


def lying(every: Sequence[Laid], turn: int, seq: int) -> bytes | None:
    """Of all of a game, oldest first, the one for how the table stood after that entry: its turn's own, if it has one.

    Before the first of a turn was laid, that one already stands for the turn; a turn without any has the last before.
    After an undo the last may be of a later turn: it lies there still.
    """
    before = [one for one in every if one.seq <= seq]
    if before and before[-1].turn >= turn:
        return before[-1].jpeg
    own = next((one.jpeg for one in every if one.turn == turn and one.jpeg is not None), None)
    return own if own is not None or not before else before[-1].jpeg
