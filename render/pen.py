"""Draw smooth shapes: Pillow's edges are jagged, so shapes are drawn enlarged, then reduced."""

import math
from collections.abc import Callable, Iterable, Sequence

from PIL import Image, ImageDraw

from rules.core.scene import Point

from .geometry import Box, View, rotate
from .palette import RGB

Paint = RGB | int | tuple[int, int, int, int]
"""A colour, a mask value (0-255), or a colour with opacity (0-255)."""
QUARTER = [math.pi / 2 * step / 10 for step in range(11)]
"""Angles, in radians, of the points of a rounded corner."""
JOINED = 4
"""Maximum line width in pixels at which the gap at a corner is invisible."""
FINER = 4
"""Enlargement factor of a sprite before its reduction."""


def map_pen(image: Image.Image, view: View) -> "Pen":
    """Return a pen that draws in map units (inches or hexes) from the map's origin."""
    return Pen(ImageDraw.Draw(image), view.pixel((0, 0)), 0, view.scale)


class Pen:
    """Pen in local coordinates: origin at `at`, rotated clockwise by `degrees`, `zoom` pixels per unit."""

    def __init__(self, draw: ImageDraw.ImageDraw, at: Point = (0, 0), degrees: float = 0, zoom: float = 1) -> None:
        self.draw = draw
        self._at = at
        self._degrees = degrees
        self._zoom = zoom

    def zoom(self, by: float) -> "Pen":
        """Return a pen with the same origin and the unit scaled by `by`."""
        return Pen(self.draw, self._at, self._degrees, self._zoom * by)

    def move(self, to: Point) -> "Pen":
        """Return a pen with its origin moved to `to`."""
        return Pen(self.draw, self._to_pixel(to), self._degrees, self._zoom)

    def rotate(self, degrees: float) -> "Pen":
        """Return a pen with the same origin, rotated further clockwise."""
        return Pen(self.draw, self._at, self._degrees + degrees, self._zoom)

    def _to_pixel(self, point: Point) -> Point:
        x, y = rotate(point, self._degrees) if self._degrees else point
        return self._at[0] + x * self._zoom, self._at[1] + y * self._zoom

    def area(self, points: Sequence[Point], fill: Paint) -> None:
        """Draw a filled polygon."""
        self.draw.polygon([self._to_pixel(point) for point in points], fill=fill)

    def line(self, points: Sequence[Point], colour: Paint, width: float, *, closed: bool = False) -> None:
        """Draw a line with round joints and ends, `width` units thick."""
        pixels = [self._to_pixel(point) for point in points]
        thick = max(round(width * self._zoom), 1)
        self.draw.line([*pixels, pixels[0]] if closed else pixels, fill=colour, width=thick)
        if thick <= 2:
            return
        r = thick / 2 - 0.5
        ends = () if closed else (pixels[0], pixels[-1])
        for x, y in pixels if thick > JOINED else ends:
            self.draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def disc(self, at: Point, radius: float, fill: Paint) -> None:
        """Draw a filled circle."""
        x, y = self._to_pixel(at)
        r = radius * self._zoom
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def ring(self, at: Point, radius: float, colour: Paint, width: float) -> None:
        """Draw a circle's outline."""
        x, y = self._to_pixel(at)
        r = radius * self._zoom
        self.draw.ellipse((x - r, y - r, x + r, y + r), outline=colour, width=max(round(width * self._zoom), 1))


Painter = Callable[[Pen], None]
"""Function that draws with a pen."""


def sprite(width: int, height: int, paint: Painter, degrees: float = 0) -> Image.Image:
    """Return a transparent picture; `paint` draws on it about the centre, turned by `degrees`."""
    image = Image.new("RGBA", (width * FINER, height * FINER))
    paint(Pen(ImageDraw.Draw(image), (width * FINER / 2, height * FINER / 2), degrees, FINER))
    return image.reduce(FINER)


def stroke(lines: Iterable[Sequence[Point]], width: float, *, closed: bool = False) -> Painter:
    """Return a painter for `ink` that draws lines `width` units thick."""

    def paint(pen: Pen) -> None:
        for line in lines:
            pen.line(line, 255, width, closed=closed)

    return paint


def dot(points: Iterable[Point], radius: float) -> Painter:
    """Return a painter for `ink` that draws filled circles."""

    def paint(pen: Pen) -> None:
        for point in points:
            pen.disc(point, radius, 255)

    return paint


def fill(points: Sequence[Point]) -> Painter:
    """Return a painter for `ink` that draws a filled polygon."""
    return lambda pen: pen.area(points, 255)


def combine(*painters: Painter) -> Painter:
    """Return a painter that calls all `painters` in order."""

    def paint(pen: Pen) -> None:
        for painter in painters:
            painter(pen)

    return paint


def ink(onto: Image.Image, box: Box, colour: RGB, paint: Painter, *, strength: int = 255, finer: int = 3) -> None:
    """Draw with `paint` in one colour on the part `box` of `onto`, in pixels.

    `strength` is the opacity (0-255). The drawing is made `finer` times larger, then reduced.
    """
    left, top = max(int(box.left), 0), max(int(box.top), 0)
    right, bottom = min(int(box.right) + 1, onto.width), min(int(box.bottom) + 1, onto.height)
    if right <= left or bottom <= top:
        return
    mask = Image.new("L", ((right - left) * finer, (bottom - top) * finer))
    paint(Pen(ImageDraw.Draw(mask), (-left * finer, -top * finer), 0, finer))
    mask = mask.reduce(finer)
    if strength < 255:
        mask = mask.point([value * strength // 255 for value in range(256)])
    if onto.mode == "RGBA":
        layer = Image.new("RGBA", mask.size, colour)
        layer.putalpha(mask)
        onto.alpha_composite(layer, (left, top))
    else:
        onto.paste(colour, (left, top, right, bottom), mask)


def rounded_box(width: float, height: float, radius: float) -> list[Point]:
    """Return the corners of a box about the origin with rounded corners."""
    x, y = width / 2, height / 2
    r = min(radius, x, y)
    quarter = [(x - r + r * math.cos(turn), y - r + r * math.sin(turn)) for turn in QUARTER]
    next_quarter = [(-px, py) for px, py in reversed(quarter)]
    return quarter + next_quarter + [(-px, -py) for px, py in quarter] + [(-px, -py) for px, py in next_quarter]
