"""The writing on the map: a unit's plate (name, strength left, markers) and the names of places."""

from functools import lru_cache

from PIL import Image, ImageDraw

from rules.core.scene import Marker

from .fonts import Face, font, width, wrap
from .markers import badge
from .palette import RGB, SideLook, mix
from .pen import Pen, rounded, sprite

TEXT = 19
LINE = 22
BADGE = 21
ROOM = 150
"""Pixels of a line of a name, if its words allow."""
BAND = 7
"""Pixels of the side's colour at a plate's edge."""


def _balanced(name: str) -> tuple[str, ...]:
    """The name in as few lines as `ROOM` allows, as even as its words make them."""
    longest = max((width(word, Face.PLAIN, TEXT) for word in name.split()), default=0)
    room = max(ROOM, longest)
    lines = wrap(name, Face.PLAIN, TEXT, room)
    while room > longest:
        room -= 8
        tighter = wrap(name, Face.PLAIN, TEXT, max(room, longest))
        if len(tighter) > len(lines):
            break
        lines = tighter
    return lines


@lru_cache(maxsize=512)
def plate(name: str, strength: str, markers: tuple[Marker, ...], look: SideLook, paper: RGB, ink: RGB) -> Image.Image:
    """A unit's plate, with see-through corners. Kept: never draw on it."""
    lines = list(_balanced(name)) or [""]
    tail = _tail_width(strength, markers)
    room = max(width(line, Face.PLAIN, TEXT) for line in lines)
    if tail and width(lines[-1], Face.PLAIN, TEXT) + tail > max(room, ROOM):
        lines.append("")
    across = max(room, width(lines[-1], Face.PLAIN, TEXT) + tail) + BAND + 13
    down = LINE * len(lines) + 7
    image = _blank(across, down, look, paper, ink)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        draw.text((BAND + 6, 3 + LINE * (row + 1) - 5), line, fill=ink, font=font(Face.PLAIN, TEXT), anchor="ls")
    x = BAND + 6 + width(lines[-1], Face.PLAIN, TEXT) + (6 if lines[-1] else 0)
    top = 3 + LINE * (len(lines) - 1)
    if strength:
        dark = mix(look.colour, ink, 0.2)
        draw.text((x, top + LINE - 5), strength, fill=dark, font=font(Face.BOLD, TEXT), anchor="ls")
        x += width(strength, Face.BOLD, TEXT) + 5
    for marker in markers:
        icon = badge(marker, BADGE)
        image.alpha_composite(icon, (x, top))
        x += BADGE + 3
    return image


def _tail_width(strength: str, markers: tuple[Marker, ...]) -> int:
    written = width(strength, Face.BOLD, TEXT) + 5 if strength else 0
    return written + (BADGE + 3) * len(markers) + 4 if strength or markers else 0


def _blank(across: int, down: int, look: SideLook, paper: RGB, ink: RGB) -> Image.Image:
    def paint(pen: Pen) -> None:
        shape = rounded(across - 1, down - 1, 6)
        pen.area(shape, paper)
        left = -across / 2 + 0.5
        pen.area(
            [
                (left, -down / 2 + 5),
                (left + 5, -down / 2 + 0.5),
                (left + BAND, -down / 2 + 0.5),
                (left + BAND, down / 2 - 0.5),
                (left + 5, down / 2 - 0.5),
                (left, down / 2 - 5),
            ],
            look.colour,
        )
        pen.line(shape, mix(look.colour, ink, 0.25), 1.3, closed=True)

    return sprite(across, down, paint)


@lru_cache(maxsize=128)
def place_name(name: str, colour: RGB, halo: RGB, size: int = 21) -> Image.Image:
    """The name of a place, with a halo that lifts it off the ground. Kept: never draw on it."""
    face = font(Face.PLACE, size)
    across, down = width(name, Face.PLACE, size) + 10, size + 12
    image = Image.new("RGBA", (across, down), (*halo, 0))
    draw = ImageDraw.Draw(image)
    draw.text((5, size + 3), name, font=face, fill=colour, anchor="ls", stroke_width=3, stroke_fill=(*halo, 235))
    return image
