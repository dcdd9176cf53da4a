"""Provide a canvas for notes, counters and names on a hex map: points within a hex, layers of one colour, labels."""

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
from .plane import centre, outline

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
    """A picture of a part of a hex map, with text at least `words` pixels high.

    `sides` are the sides' looks by id. `standing`, `names` and `tags` are the boxes in pixels of counters, of written
    names and of written labels.
    """

    def __init__(
        self,
        image: Image.Image,
        view: View,
        style: str,
        words: int = LEAST,
        sides: Mapping[str, SideLook] | None = None,
        standing: Sequence[Box] = (),
    ) -> None:
        self.image = image
        self.view = view
        self.style = style
        self.look = hex_look(style)
        self.words = max(words, LEAST)
        self.sides = sides or {}
        self.standing = standing
        self.names: list[Box] = []
        self.tags: list[Box] = []

    def ring(self, note: HexNote, size: float) -> list[Point]:
        """Return the hex's outline in pixels, scaled by `size`."""
        return [self.view.px(corner) for corner in outline(note.hex, size)]

    def at(self, note: HexNote, x: float, y: float) -> Point:
        """Return the pixel at an offset (hexes) from the hex's centre."""
        middle = centre(note.hex)
        return self.view.px((middle[0] + x, middle[1] + y))

    def lay(self, note: HexNote, colour: RGB, paint: Painter, strength: int = 255) -> None:
        """Paint one colour on the hex and its surroundings; `paint` draws in pixels."""
        x, y = self.at(note, 0, 0)
        reach = REACH * self.view.scale
        ink(self.image, Box(x - reach, y - reach, x + reach, y + reach), colour, paint, strength=strength)

    def lay_rimmed(
        self,
        note: HexNote,
        colour: RGB,
        lines: Sequence[Sequence[Point]],
        width: float,
        rim: tuple[RGB, float, int],
        *,
        closed: bool = False,
    ) -> None:
        """Draw lines, `width` pixels thick, over a `rim`: a colour, additional width in pixels, and opacity (0-255)."""
        behind, wider, strength = rim
        self.lay(note, behind, stroke(lines, width + wider, closed=closed), strength)
        self.lay(note, colour, stroke(lines, width, closed=closed))

    def draw_label(
        self, text: str, fill: RGB, colour: RGB, edge: RGB, *, round_: bool = False, size: float = LABEL
    ) -> Image.Image:
        """Return a label with letters `size` hexes high, but at least `words` pixels."""
        return label_sprite(text, max(round(self.view.scale * size), self.words), fill, colour, edge, round_=round_)

    def tag(
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
        """Draw a label at the spot that covers counters and labels least; `beside` adds spots around the first spot.

        The label shifts inwards from the edge. If every spot is outside the picture, no label is drawn. Text size is
        `size` hexes.
        """
        spots = [spot for spot in spots if Box(0, 0, *self.image.size).holds(spot)]
        if not spots:
            return
        image = self.draw_label(text, fill, colour, colour, round_=round_, size=size)
        if beside:
            (x, y), (wide, high) = spots[0], image.size
            spots = [*spots, *((x + across * wide, y + down * high) for across, down in BESIDE)]
        tag_boxes = [box.grow(APART) for box in self.tags]

        def covered_area(box: Box) -> float:
            return box.shared_area(self.standing) + OVER_TAGS * box.shared_area(tag_boxes)

        boxes = (centred_box(spot, image, self.image) for spot in spots)
        box = next((box for box in boxes if not covered_area(box)), None)
        box = box or min((centred_box(spot, image, self.image) for spot in spots), key=covered_area)
        paste_into(self.image, image, box)
        self.tags.append(box)

    def write_beside(self, image: Image.Image, spots: Iterable[Point]) -> None:
        """Paste a label at the spot that covers the counters least; omit it if every spot covers other text."""
        if free := self.free_boxes(image, spots, (*self.names, *self.tags)):
            box = min(free, key=lambda box: box.shared_area(self.standing))
            paste_into(self.image, image, box)
            self.tags.append(box)

    def free_boxes(self, image: Image.Image, spots: Iterable[Point], obstacles: Iterable[Box]) -> list[Box]:
        """Return the boxes of `image` about `spots`, shifted inwards from the edge, clear of `obstacles`."""
        obstacles = list(obstacles)
        boxes = (centred_box(spot, image, self.image) for spot in spots)
        return [box for box in boxes if not any(box.meets(obstacle) for obstacle in obstacles)]
