"""Photographs of a real table: read the file, draw a grid for marking corners, correct the perspective."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from render import photo_grid, photograph, rectification
from render.hexmap.areas import map_box
from render.hexmap.plane import hex_centre
from render.photo_grid import Square
from rules.core.hexboard.hex_scene import HexScene
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point


class HexMark(NamedTuple):
    """A hex, and the position of its centre in a picture, as fractions (0-1) of the picture's width and height."""

    hex: Hex
    at: Point


class MapPhotograph(NamedTuple):
    """A photograph put under the map by entry `seq` in turn `turn`.

    If `jpeg` is None, the entry removed the photograph under the map.
    """

    seq: int
    turn: int
    jpeg: bytes | None


class Illustration(NamedTuple):
    """The JPEG picture of an event. `seq` is the number of the event's entry."""

    seq: int
    jpeg: bytes


class PreparedPhotograph(NamedTuple):
    """A photograph on which a user can mark corners: its size in pixels, its JPEG, and a JPEG with a grid over it."""

    wide: int
    high: int
    jpeg: bytes
    gridded: bytes

    @property
    def tag(self) -> str:
        """The photograph's short tag for button ids."""
        return photograph_tag(self.jpeg)


def photograph_tag(jpeg: bytes) -> str:
    """Return a short tag that names the photograph in button ids."""
    return hashlib.blake2s(jpeg, digest_size=4).hexdigest()


def prepare_photograph(data: bytes) -> PreparedPhotograph:
    """Read a photograph from a file, turn it upright, and drop its metadata. Raises UnfitPicture with the fault."""
    size, image = photograph.read_photograph(data)
    return PreparedPhotograph(
        *size, photograph.encode_jpeg(image), photograph.encode_jpeg(photo_grid.draw_photograph_grid(image))
    )


def enlarge_corners(jpeg: bytes, corners: Sequence[Square]) -> list[bytes]:
    """Return an enlarged JPEG of each of these grid squares, with a finer grid."""
    _, image = photograph.read_photograph(jpeg)
    boxes = (photo_grid.box_around_square(corner) for corner in corners)
    return [photograph.encode_jpeg(photo_grid.draw_photograph_grid(image, box, photo_grid.FINE)) for box in boxes]


def flatten_photograph(jpeg: bytes, corners: Sequence[Point], width: float, height: float) -> bytes:
    """Return a JPEG that shows the photographed table, `width` by `height` inches, from above.

    Raises UnfitPicture if the corners form no quadrilateral.
    """
    _, image = photograph.read_photograph(jpeg)
    return rectification.rectify(image, corners, width, height)


def fit_photograph_to_hexes(jpeg: bytes, scene: HexScene, marks: Sequence[HexMark]) -> bytes:
    """Return a JPEG of a photographed hex map, fitted to the hexes of the scene. Raises UnfitPicture."""
    _, image = photograph.read_photograph(jpeg)
    on_map = [hex_centre(mark.hex) for mark in marks]
    return rectification.fit_to_hex_map(image, on_map, [mark.at for mark in marks], map_box(scene))


def find_photograph_under_map(photographs: Sequence[MapPhotograph], turn: int, seq: int) -> bytes | None:
    """Return the photograph under the map after entry `seq` of `turn`, or None without one.

    This is the newest photograph up to the entry. If that is from an earlier turn, the first photograph of `turn`
    replaces it, even if added after the entry.
    """
    before = [laid for laid in photographs if laid.seq <= seq]
    if before and before[-1].turn >= turn:
        return before[-1].jpeg
    own = next((laid.jpeg for laid in photographs if laid.turn == turn and laid.jpeg is not None), None)
    return own if own is not None or not before else before[-1].jpeg
