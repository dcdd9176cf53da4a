"""Provide a canvas for notes on hexes: points within a hex, single-colour layers, small labels."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from render.fonts import Face, font, width
from render.geometry import Box, View
from render.palette import RGB
from render.pen import Painter, Pen, ink, rounded, sprite, stroke
from rules.core.hexboard.hex_scene import HexNote
from rules.core.scene import Point

from .looks import HexLook
from .plane import centre, outline

LABEL = 0.2
"""Text size of a label, as a fraction of a hex."""
LEAST = 10
"""Minimum text size in pixels."""
EDGE = 2
"""Margin in pixels between a label and the map's edge."""
BESIDE = tuple((across, down) for across in (0.5, -0.5, 0.8, -0.8, 1.1, -1.1) for down in (0, 1, -1, 2, -2))
"""Further positions of a label about its first spot, in multiples of the label's width and height."""
APART, OVER_TAGS = 2, 4
"""Pixels between labels, and how much worse than a counter a covered label is."""
REACH = 0.7
"""Maximum distance in hexes of a note's drawing from the hex's centre."""


class NoteCanvas:
    """A picture and its view, on which notes are drawn; `tags` collects the boxes of drawn labels."""

    def __init__(
        self, image: Image.Image, view: View, look: HexLook, least: int = LEAST, standing: Sequence[Box] = ()
    ) -> None:
        self.image = image
        self.least = max(least, LEAST)
        self.view = view
        self.standing = standing
        self.tags: list[Box] = []
        self.look = look

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
        """Draw lines, `width` pixels thick, over a rim: its colour, how much wider it is, and its opacity (0-255)."""
        behind, wider, strength = rim
        self.lay(note, behind, stroke(lines, width + wider, closed=closed), strength)
        self.lay(note, colour, stroke(lines, width, closed=closed))

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
        """Draw a label where it covers counters and other labels least: at a spot, or `beside` the first spot.

        The label shifts inwards from the edge. If every spot is outside the picture, no label is drawn. Text size is
        `size` hexes.
        """
        spots = [spot for spot in spots if Box(0, 0, *self.image.size).holds(spot)]
        if not spots:
            return
        drawn = label(text, max(round(self.view.scale * size), self.least), fill, colour, colour, round_=round_)
        if beside:
            (x, y), (wide, high) = spots[0], drawn.size
            spots = [*spots, *((x + across * wide, y + down * high) for across, down in BESIDE)]
        taken = [box.grown(APART) for box in self.tags]

        def covered(box: Box) -> float:
            return box.shared_area(self.standing) + OVER_TAGS * box.shared_area(taken)

        boxes = (about(spot, drawn, self.image) for spot in spots)
        box = next((box for box in boxes if not covered(box)), None)
        box = box or min((about(spot, drawn, self.image) for spot in spots), key=covered)
        self.image.paste(drawn, (int(box.left), int(box.top)), drawn)
        self.tags.append(box)


def about(middle: Point, drawn: Image.Image, field: Image.Image) -> Box:
    """Return the box of `drawn` centred on `middle`, shifted inwards from the edge of `field`."""
    left, top = round(middle[0] - drawn.width / 2), round(middle[1] - drawn.height / 2)
    left = min(max(left, EDGE), max(field.width - drawn.width - EDGE, EDGE))
    top = min(max(top, EDGE), max(field.height - drawn.height - EDGE, EDGE))
    return Box(left, top, left + drawn.width, top + drawn.height)


@lru_cache(maxsize=256)
def label(text: str, letters: int, fill: RGB, colour: RGB, edge: RGB, *, round_: bool = False) -> Image.Image:
    """Return a small plate with `text` in letters `letters` pixels high. Cached: never draw on it."""
    high = round(letters * 1.5)
    wide = max(width(text, Face.BOLD, letters) + round(letters * 0.8), high)
    radius = high / 2 if round_ else letters * 0.3

    def plate(pen: Pen) -> None:
        pen.area(rounded(wide, high, radius), edge)
        pen.area(rounded(wide - 2.4, high - 2.4, radius - 1), fill)

    drawn = sprite(wide, high, plate)
    ImageDraw.Draw(drawn).text((wide / 2, high / 2), text, fill=colour, font=font(Face.BOLD, letters), anchor="mm")
    return drawn
