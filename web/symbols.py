"""Convert the symbols of arms to SVG elements. The functions that draw the pictures in the chat draw them here too."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

from PIL import ImageDraw

from render.palette import RGB
from render.pen import Pen
from render.symbols import DRAWERS
from rules.core.scene import Point, Symbol

ZOOM = 100
"""SVG units per unit of a symbol, which is 3 wide and 2 high."""
INK, GROUND = RGB(1, 1, 1), RGB(2, 2, 2)
"""Placeholder colours of symbols, which the page replaces by the colours of the unit's side."""
CLASSES = {INK: "i", GROUND: "g"}
Element = tuple[str, Mapping[str, str]]
"""An element's name and attributes."""


class SvgCanvas:
    """Replacement for Pillow's drawing surface. It records SVG elements."""

    def __init__(self) -> None:
        self.elements: list[Element] = []

    def polygon(self, points: Sequence[Point], fill: RGB) -> None:
        """Record a filled polygon."""
        self.elements.append(("polygon", {"class": f"f{CLASSES[fill]}", "points": _svg_points(points)}))

    def line(self, points: Sequence[Point], fill: RGB, width: int) -> None:
        """Record a line with round joints and ends."""
        paint = {"class": f"s{CLASSES[fill]}", "stroke-width": str(width)}
        self.elements.append(("polyline", {**paint, "points": _svg_points(points)}))

    def ellipse(
        self,
        box: tuple[float, float, float, float],
        fill: RGB | None = None,
        outline: RGB | None = None,
        width: int = 0,
    ) -> None:
        """Record a disc or a ring."""
        x, y, r = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (box[2] - box[0]) / 2
        paint = f"f{CLASSES[fill]}" if fill is not None else f"s{CLASSES[outline or INK]}"
        place = {"cx": f"{x:.0f}", "cy": f"{y:.0f}", "r": f"{r:.0f}"}
        self.elements.append(("circle", {"class": paint, "stroke-width": str(width), **place}))


@cache
def symbol_svg(symbol: Symbol) -> Sequence[Element]:
    """Return the elements of a symbol with its front up. The view box is 300 by 200 units about the origin."""
    canvas = SvgCanvas()
    pen = Pen(cast("ImageDraw.ImageDraw", cast("Any", canvas)), zoom=ZOOM)
    DRAWERS[symbol](pen, INK, GROUND)
    return tuple(canvas.elements)


def _svg_points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
