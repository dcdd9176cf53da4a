"""Paste small drawn pictures on a map."""

from typing import NamedTuple

from PIL import Image

from rules.core.scene import Point

from .geometry import Box

EDGE = 2
"""Margin in pixels between a picture and the map's edge."""


class Stamp(NamedTuple):
    """A drawn picture, and the offset in pixels from its anchor to its top left corner."""

    image: Image.Image
    left: int
    top: int

    def paste_on(self, field: Image.Image, at: Point) -> None:
        """Paste the picture with its anchor at a pixel of `field`."""
        field.paste(self.image, (round(at[0]) + self.left, round(at[1]) + self.top), self.image)


def paste_centred(field: Image.Image, image: Image.Image, at: Point) -> None:
    """Paste `image` with its centre at a pixel of `field`."""
    field.paste(image, (round(at[0] - image.width / 2), round(at[1] - image.height / 2)), image)


def paste_into(field: Image.Image, image: Image.Image, box: Box) -> None:
    """Paste `image` into a box of its size on `field`."""
    field.paste(image, (int(box.left), int(box.top)), image)


def centred_box(middle: Point, image: Image.Image, field: Image.Image) -> Box:
    """Return the box of `image` centred on `middle`, but shifted inwards from the edge of `field`."""
    left, top = round(middle[0] - image.width / 2), round(middle[1] - image.height / 2)
    left = min(max(left, EDGE), max(field.width - image.width - EDGE, EDGE))
    top = min(max(top, EDGE), max(field.height - image.height - EDGE, EDGE))
    return Box(left, top, left + image.width, top + image.height)
