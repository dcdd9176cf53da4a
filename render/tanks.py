"""Draw tanks as side silhouettes, 3 units wide and 2 units high, bow to the right."""

from rules.core.scene import Point

from .geometry import point_beside, points_at_intervals
from .palette import RGB
from .pen import Pen

HULL: tuple[Point, ...] = (
    *((-1.5, 0.14), (-1.46, -0.08), (-1.26, -0.26), (-0.6, -0.42), (0.9, -0.68), (1.2, -0.66), (1.42, -0.5)),
    *((1.5, -0.28), (1.42, -0.06), (0.66, 0.68), (0.5, 0.76), (-0.55, 0.76), (-0.8, 0.68), (-1.38, 0.36)),
)
"""Rhomboid outline of a Mark IV, along which its tracks run."""
WITHIN: tuple[Point, ...] = (
    *((-1.26, 0.1), (-1.18, -0.04), (-0.6, -0.2), (0.94, -0.47), (1.16, -0.44), (1.26, -0.28), (1.2, -0.14)),
    *((0.44, 0.54), (-0.48, 0.54), (-1.18, 0.22)),
)
"""Outline of the hull's side inside the tracks."""
CAB: tuple[Point, ...] = ((0.3, -0.55), (0.34, -0.96), (0.8, -0.96), (0.92, -0.62))
BEAM: tuple[Point, ...] = ((-0.98, -0.3), (-1.0, -0.56), (-0.58, -0.64), (-0.56, -0.4))
"""Unditching beam on its rails over the roof."""
LINK = 0.16
"""Spacing of a track's links."""


def _draw_mark_iv(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw hull, tracks, cab and beam of a Mark IV."""
    pen.area(BEAM, ink)
    pen.area(CAB, ink)
    pen.area(HULL, ink)
    pen.line(WITHIN, ground, 0.07, closed=True)
    pen.line([(0.5, -0.8), (0.68, -0.8)], ground, 0.08)
    for at in points_at_intervals(HULL, LINK, closed=True):
        pen.line([at[0], point_beside(at, 0.1)], ground, 0.05)


def draw_male_tank(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw a Mark IV with a six-pounder in its sponson."""
    _draw_mark_iv(pen, ink, ground)
    pen.area([(-0.62, -0.14), (0.34, -0.3), (0.62, -0.12), (0.6, 0.16), (0.3, 0.4), (-0.62, 0.36)], ground)
    pen.area([(-0.52, -0.04), (0.3, -0.18), (0.5, -0.06), (0.48, 0.12), (0.25, 0.29), (-0.52, 0.26)], ink)
    pen.line([(0.5, 0.03), (1.5, 0.1)], ground, 0.36)
    pen.line([(0.4, 0.02), (1.5, 0.1)], ink, 0.2)
    pen.disc((0.3, 0.02), 0.11, ground)


def draw_female_tank(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw a Mark IV with two machine guns in a smaller sponson."""
    _draw_mark_iv(pen, ink, ground)
    pen.area([(-0.66, -0.12), (0.46, -0.3), (0.46, 0.16), (-0.66, 0.24)], ground)
    for x, tip in ((-0.4, (-0.3, 0.5)), (0.2, (0.8, 0.26))):
        pen.line([(x, 0.02), tip], ground, 0.24)
        pen.line([(x, 0.02), tip], ink, 0.11)
        pen.disc((x, 0.0), 0.15, ink)


def draw_a7v(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw an armoured box with a cupola, a bow gun and a cross on its side."""
    pen.area([(-0.5, -0.55), (-0.42, -0.92), (0.42, -0.92), (0.5, -0.55)], ink)
    pen.line([(-0.26, -0.76), (0.26, -0.76)], ground, 0.07)
    pen.area([(-1.2, 0.5), (1.2, 0.5), (1.0, 0.76), (-1.0, 0.76)], ink)
    for number in range(7):
        pen.disc((-0.84 + 0.28 * number, 0.62), 0.08, ground)
    side = [(-1.36, 0.56), (-1.42, -0.1), (-1.08, -0.58), (1.08, -0.58), (1.36, -0.1), (1.3, 0.56)]
    pen.area(side, ink)
    pen.line([(-1.3, -0.12), (1.26, -0.12)], ground, 0.06)
    pen.line([(1.2, 0.16), (1.5, 0.16)], ink, 0.2)
    for x in (-0.78, 0.78):
        pen.area([(x - 0.16, 0.08), (x + 0.16, 0.08), (x + 0.16, 0.3), (x - 0.16, 0.3)], ground)
        pen.line([(x, 0.2), (x + (0.34 if x > 0 else -0.34), 0.24)], ground, 0.1)
    for turn in (0, 90, 180, 270):
        pen.move((0, 0.06)).rotate(turn).area([(0, 0), (-0.17, -0.4), (0.17, -0.4)], ground)
    pen.disc((0, 0.06), 0.1, ground)
