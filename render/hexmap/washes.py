"""Paint blotched colour washes as palette numbers, and fill in the colours at the end."""

from collections.abc import Iterator

import shapely
from PIL import Image, ImageChops, ImageDraw
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from render.geometry import View
from render.palette import RGB
from render.wash import draw_blotches

BLOTCH = 0.9
"""Size of a wash blotch, in hexes."""
MARGIN = 0.3
"""Margin in hexes beyond the view, where shapes are clipped."""
Tones = tuple[RGB, RGB, RGB]


class Washes:
    """The colour washes of one view. Blotches are drawn `finer` times smaller, then enlarged."""

    def __init__(self, view: View, finer: int) -> None:
        self._view = view
        self._finer = finer
        self._seen = view.box.grow(MARGIN)
        self._picture = Image.new("L", (round(view.frame.width), round(view.frame.height)))
        self._draw = ImageDraw.Draw(self._picture)
        self._colours: list[RGB] = []

    def fill_base(self, tones: Tones) -> None:
        """Set the three tones of the lowest wash; call this before all other methods."""
        self._colours += tones

    def fill(self, shape: BaseGeometry, tones: Tones) -> None:
        """Fill a shape with a wash."""
        number = self._add_tones(tones)
        rings = list(self._visible_rings(shape))
        if not any(hole for _, hole in rings):
            for ring, _ in rings:
                self._draw.polygon(ring, fill=number)
            return
        mask = Image.new("1", self._picture.size)
        draw = ImageDraw.Draw(mask)
        for ring, hole in rings:
            draw.polygon(ring, fill=0 if hole else 1)
        self._picture.paste(number, mask=mask)

    def stroke(self, shape: BaseGeometry, colour: RGB, width: float) -> None:
        """Draw a line along a shape's edge, `width` hexes thick."""
        number, thick = self._add_tones((colour, colour, colour)), max(round(width * self._view.scale), 1)
        for ring, _ in self._visible_rings(shape):
            self._draw.line(ring, fill=number, width=thick)

    def to_picture(self) -> Image.Image:
        """Return all washes as an RGB picture."""
        wide, high = self._picture.size
        small = (max(wide // self._finer, 1), max(high // self._finer, 1))
        tones = draw_blotches(self._view.box, BLOTCH, small).resize((wide, high), Image.Resampling.NEAREST)
        toned = ImageChops.add(self._picture, tones)
        toned.putpalette([part for colour in self._colours for part in colour])
        return toned.convert("RGB")

    def _add_tones(self, tones: Tones) -> int:
        """Add three tones to the palette; return the palette number of the first."""
        self._colours += tones
        return len(self._colours) - len(tones)

    def _visible_rings(self, shape: BaseGeometry) -> Iterator[tuple[list[float], bool]]:
        """Yield each visible edge of a shape in pixels, and whether it bounds a hole, holes last."""
        cut = shapely.clip_by_rect(shape, *self._seen)
        parts = [part for part in getattr(cut, "geoms", (cut,)) if isinstance(part, Polygon) and not part.is_empty]
        for part in parts:
            yield self._to_pixels(part.exterior), False
        for part in parts:
            for hole in part.interiors:
                yield self._to_pixels(hole), True

    def _to_pixels(self, ring: BaseGeometry) -> list[float]:
        corner = self._view.box.left, self._view.box.top
        pixels: list[float] = ((shapely.get_coordinates(ring) - corner) * self._view.scale).ravel().tolist()
        return pixels
