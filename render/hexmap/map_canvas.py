"""Provide the canvas on which the notes, counters and names of a hex map are drawn."""

from collections.abc import Iterable, Mapping, Sequence

from PIL import Image

from render.geometry import Box, View
from render.palette import RGB, SideLook
from render.pen import Painter, ink, stroke
from render.plates import label_sprite
from render.stamp import centred_box, paste_into
from rules.core.hexboard.hex_scene import HexNote
from rules.core.scene import Point

from .looks import hex_look
from .plane import hex_centre, hex_outline

LABEL = 0.2
"""Text size of a label, as a fraction of a hex."""
LEAST = 10
"""Minimum text size in pixels."""
BESIDE = tuple((across, down) for across in (0.5, -0.5, 0.8, -0.8, 1.1, -1.1) for down in (0, 1, -1, 2, -2))
"""Alternative offsets of a label from its first spot, in multiples of the label's width and height."""
APART, OVER_TAGS = 2, 4
"""Pixels between labels, and cost of covering a label as a multiple of the cost of covering a counter."""
REACH = 0.7
"""Maximum distance in hexes of a note's drawing from the hex's centre."""


class MapCanvas:
    """A picture of a part of a hex map, and the boxes of what is drawn on it.

    The boxes and `text_size`, the minimum height of text, are in pixels. `sides` are the looks of sides by id.
    """

    def __init__(
        self,
        image: Image.Image,
        view: View,
        style: str,
        text_size: int = LEAST,
        sides: Mapping[str, SideLook] | None = None,
        counter_boxes: Sequence[Box] = (),
    ) -> None:
        self.image = image
        self.view = view
        self.style = style
        self.look = hex_look(style)
        self.text_size = max(text_size, LEAST)
        self.sides = sides or {}
        self.counter_boxes = counter_boxes
        self.name_boxes: list[Box] = []
        self.label_boxes: list[Box] = []

    def outline_pixels(self, note: HexNote, size: float) -> list[Point]:
        """Return the hex's outline in pixels, scaled by `size`."""
        return [self.view.pixel(corner) for corner in hex_outline(note.hex, size)]

    def pixel_at(self, note: HexNote, x: float, y: float) -> Point:
        """Return the pixel at an offset (hexes) from the hex's centre."""
        middle = hex_centre(note.hex)
        return self.view.pixel((middle[0] + x, middle[1] + y))

    def paint_near_hex(self, note: HexNote, colour: RGB, paint: Painter, strength: int = 255) -> None:
        """Paint in one colour on the note's hex and around it; `paint` draws the shape in pixels."""
        x, y = self.pixel_at(note, 0, 0)
        reach = REACH * self.view.scale
        ink(self.image, Box(x - reach, y - reach, x + reach, y + reach), colour, paint, strength=strength)

    def draw_rimmed_lines(
        self,
        note: HexNote,
        colour: RGB,
        lines: Sequence[Sequence[Point]],
        width: float,
        rim: tuple[RGB, float, int],
        *,
        closed: bool = False,
    ) -> None:
        """Draw lines over a rim, which has a colour, additional width in pixels, and opacity (0-255)."""
        behind, wider, strength = rim
        self.paint_near_hex(note, behind, stroke(lines, width + wider, closed=closed), strength)
        self.paint_near_hex(note, colour, stroke(lines, width, closed=closed))

    def make_label(
        self, text: str, fill: RGB, colour: RGB, edge: RGB, *, round_: bool = False, size: float = LABEL
    ) -> Image.Image:
        """Return a label with letters `size` hexes high, but at least `text_size` pixels."""
        return label_sprite(text, max(round(self.view.scale * size), self.text_size), fill, colour, edge, round_=round_)

    def draw_label(
        self,
        spots: Sequence[Point],
        text: str,
        fill: RGB,
        colour: RGB,
        *,
        round_: bool = False,
        size: float = LABEL,
        beside: bool = False,
    ) -> None:
        """Draw a label at the point of `spots` where it covers counters and other labels least.

        `beside` also tries points around the first. Points outside the picture are ignored. `size` is in hexes.
        """
        spots = [spot for spot in spots if Box(0, 0, *self.image.size).contains(spot)]
        if not spots:
            return
        image = self.make_label(text, fill, colour, colour, round_=round_, size=size)
        if beside:
            (x, y), (wide, high) = spots[0], image.size
            spots = [*spots, *((x + across * wide, y + down * high) for across, down in BESIDE)]
        tag_boxes = [box.grow(APART) for box in self.label_boxes]

        def covered_area(box: Box) -> float:
            return box.shared_area(self.counter_boxes) + OVER_TAGS * box.shared_area(tag_boxes)

        box = min((centred_box(spot, image, self.image) for spot in spots), key=covered_area)
        paste_into(self.image, image, box)
        self.label_boxes.append(box)

    def paste_label(self, image: Image.Image, spots: Iterable[Point]) -> None:
        """Paste a label at the point of `spots` where it covers counters least, but no other text."""
        if free := self.free_boxes(image, spots, (*self.name_boxes, *self.label_boxes)):
            box = min(free, key=lambda box: box.shared_area(self.counter_boxes))
            paste_into(self.image, image, box)
            self.label_boxes.append(box)

    def free_boxes(self, image: Image.Image, spots: Iterable[Point], obstacles: Iterable[Box]) -> list[Box]:
        """Return the boxes around `spots` that `image` can fill without overlapping `obstacles`."""
        obstacles = list(obstacles)
        boxes = (centred_box(spot, image, self.image) for spot in spots)
        return [box for box in boxes if not any(box.overlaps(obstacle) for obstacle in obstacles)]
