"""Counters: squares of card in the side's colour, with formation, arm and factors, and badges for their state."""

from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from render.fonts import Face, clip, font, width
from render.markers import badge
from render.palette import INK, WHITE, SideLook, mix
from render.pen import Pen, rounded, sprite
from render.symbols import DRAWN
from rules.core.hexboard.hex_scene import Counter
from rules.core.scene import Marker, Point, Symbol

ROOM = 0.2
"""Around a counter, of its edge: for its shadow and for badges that stand out."""
FORMATION, FACTOR, NAME = 0.21, 0.27, 0.19
"""Sizes of the writing, of the counter's edge."""
LEAST = 8
"""Pixels of the smallest writing."""
NAMED = 46
"""Pixels of a counter from which its name has a line of its own."""
BADGE = 0.42
"""Size of a marker's badge, of the counter's edge."""
BADGES = (0.42, -0.04), (-0.42, -0.04), (0.0, 0.42)
"""Where the badges go, off the middle: clear of formation, arm and factors."""
MARGIN = 0.06


class Printed(NamedTuple):
    """What a counter shows."""

    name: str = ""
    symbol: Symbol | None = None
    left: str = ""
    middle: str = ""
    right: str = ""
    formation: str = ""
    markers: tuple[Marker, ...] = ()
    face_down: bool = False


def printed(counter: Counter) -> Printed:
    """What may be seen of a counter: of a face-down one its back alone."""
    if counter.face_down:
        return Printed(face_down=True)
    return Printed(
        counter.name,
        counter.symbol,
        counter.left,
        counter.middle,
        counter.right,
        counter.formation,
        counter.markers,
        face_down=False,
    )


@lru_cache(maxsize=1024)
def counter_sprite(shown: Printed, look: SideLook, size: int) -> Image.Image:
    """A counter of `size` pixels in the middle of a see-through picture. Kept: never draw on it."""
    room = round(size * ROOM)
    image = sprite(size + 2 * room, size + 2 * room, lambda pen: _card(pen, shown, look, size))
    if shown.face_down:
        _middle(image, "?", Face.TITLE, round(size * 0.62), look, image.height / 2)
        return image
    _writing(image, shown, look, size, room)
    icon = max(round(size * BADGE), LEAST)
    for marker, (x, y) in zip(shown.markers, BADGES, strict=False):
        left, top = (round(image.width / 2 + off * size - icon / 2) for off in (x, y))
        image.alpha_composite(badge(marker, icon), (left, top))
    return image


def _card(pen: Pen, shown: Printed, look: SideLook, size: int) -> None:
    """The card with its shadow, its lit and shaded edge, and the arm's symbol."""
    thick = max(size * 0.035, 1.2)
    for off, part in ((2.4, 70), (1.2, 110)):
        pen.moved((off, off)).area(rounded(size, size, size * 0.1), (*INK, part))
    pen.area(rounded(size, size, size * 0.1), mix(look.colour, INK, 0.55))
    pen.area(rounded(size - 2, size - 2, size * 0.09), mix(look.colour, WHITE, 0.35))
    pen.moved((thick / 2, thick / 2)).area(
        rounded(size - 2 - thick, size - 2 - thick, size * 0.08), mix(look.colour, INK, 0.3)
    )
    inner = size - 2 - 2 * thick
    pen.area(rounded(inner, inner, size * 0.07), look.fill)
    if shown.face_down:
        pen.line(rounded(inner * 0.82, inner * 0.82, size * 0.05), mix(look.fill, look.drawn, 0.45), 1.2, closed=True)
    elif shown.symbol is not None:
        middle, high = (-0.075, 0.14) if size >= NAMED and shown.name else (-0.015, 0.165)
        DRAWN[shown.symbol](pen.moved((0, size * middle)).zoomed(size * high), look.drawn, look.fill)


def _writing(image: Image.Image, shown: Printed, look: SideLook, size: int, room: int) -> None:
    edge = max(round(size * MARGIN), 3)
    inner = size - 2 * edge
    _middle(image, shown.formation, Face.BOLD, round(size * FORMATION), look, room + size * 0.155, inner)
    draw = ImageDraw.Draw(image)
    figures = max(round(size * FACTOR), LEAST)
    face, foot = font(Face.BOLD, figures), room + size - edge
    draw.text((room + edge, foot), shown.left, fill=look.drawn, font=face, anchor="ls")
    draw.text((room + size - edge, foot), shown.right, fill=look.drawn, font=face, anchor="rs")
    lettering = max(round(size * NAME), LEAST)
    if size >= NAMED:
        _range(image, shown.middle, look, (room + size / 2, foot - figures * 0.36), figures)
        _middle(image, shown.name, Face.BOLD, lettering, look, room + size * 0.65, inner)
        return
    between = inner - width(shown.left, Face.BOLD, figures) - width(shown.right, Face.BOLD, figures) - 2
    if width(shown.name, Face.BOLD, lettering) <= between:
        _middle(image, shown.name, Face.BOLD, lettering, look, foot - lettering * 0.36)


def _range(image: Image.Image, reach: str, look: SideLook, at: Point, size: int) -> None:
    """A range between two arrow heads, so that it is not taken for a factor."""
    if not reach:
        return
    (x, y), draw, half = at, ImageDraw.Draw(image), width(reach, Face.BOLD, size) / 2 + 1
    draw.text((x, y), reach, fill=look.drawn, font=font(Face.BOLD, size), anchor="mm")
    for way in (-1, 1):
        tip, back = x + way * (half + size * 0.3), x + way * half
        draw.polygon([(tip, y), (back, y - size * 0.22), (back, y + size * 0.22)], fill=look.drawn)


def _middle(
    image: Image.Image, text: str, face: Face, size: int, look: SideLook, y: float, inner: int | None = None
) -> None:
    """A line of writing across the counter's middle, smaller where it would not fit."""
    size = max(size, LEAST)
    if inner is not None:
        while size > LEAST and width(text, face, size) > inner:
            size -= 1
        face = face if width(text, face, size) <= inner else Face.PLAIN
        text = clip(text, face, size, inner)
    ImageDraw.Draw(image).text((image.width / 2, y), text, fill=look.drawn, font=font(face, size), anchor="mm")
