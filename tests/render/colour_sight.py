"""Colours as people with a colour deficiency see them, and how far two colours are apart."""

import math
from collections.abc import Sequence

from render.palette import RGB

Row = tuple[float, float, float]
SIMULATIONS: dict[str, tuple[Row, Row, Row]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "high contrast": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
"""Matrices of Machado, Oliveira and Fernandes (2009) at severity 1, for linear RGB; high contrast changes nothing."""
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
D65 = (0.95047, 1.0, 1.08883)
"""Reference white of sRGB."""


def linear(colour: RGB) -> Row:
    """Return the linear components of an sRGB colour, 0-1."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (p / 255 for p in colour))
    return red, green, blue


def times(matrix: Sequence[Row], vector: Row) -> Row:
    """Return the matrix times the vector."""
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third


def lab(colour: RGB, sight: str) -> Row:
    """Return the CIE L*a*b* values of the colour as it is seen with `sight`."""
    red, green, blue = (min(max(part, 0), 1) for part in times(SIMULATIONS[sight], linear(colour)))
    scaled = (part / white for part, white in zip(times(TO_XYZ, (red, green, blue)), D65, strict=True))
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(first: RGB, second: RGB, sight: str) -> float:
    """Return the CIE76 distance of two colours as they are seen with `sight`; about 2 is just noticeable."""
    return math.dist(lab(first, sight), lab(second, sight))


def contrast(first: RGB, second: RGB) -> float:
    """Return the WCAG 2 contrast ratio of two colours, 1-21."""
    light, dark = sorted((times(TO_XYZ, linear(colour))[1] for colour in (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
