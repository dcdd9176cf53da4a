"""Draw counters: cards in the side's colour with formation, arm symbol, factors, and badges of the unit's state."""

from functools import lru_cache

from PIL import Image, ImageDraw

from render.badges import badge_sprite
from render.fonts import Face, font, text_width
from render.palette import INK, WHITE, SideLook, mix
from render.pen import Pen, rounded_box, sprite
from render.symbols import DRAWERS, SILHOUETTES
from rules.core.scene import Point

from .counter_layout import CAPITAL, HEAD, LEAST, CounterFace, CounterLayout, CounterText, lay_out_counter, text_margin

ROOM = 0.2
"""Margin around a counter for its shadow and badges, as a fraction of the edge."""
BADGE = 0.42
"""Size of a marker's badge, as a fraction of the counter's edge."""
EAST, WEST, SOUTH = (0.42, -0.04), (-0.42, -0.04), (0.0, 0.42)
"""Badge positions, as offsets from the centre: clear of formation, arm symbol and factors."""
OVER, OVER_EAST, OVER_WEST = 0.36, (0.5, -0.5), (-0.5, -0.5)
"""Badge size and positions on a counter with a silhouette: beside the unit's name."""
PIP, PIPS_APART = 0.1, 0.26
"""Radius of a dot in place of a symbol, and distance between two of them, as fractions of the edge."""
BACK = 0.62
"""Size of the “?” on a counter's back, as a fraction of the edge."""


@lru_cache(maxsize=1024)
def counter_sprite(face: CounterFace, look: SideLook, size: int, least: int = LEAST) -> Image.Image:
    """Return a counter of `size` pixels, with text at least `least` pixels high.

    The image is cached: never draw on it.
    """
    margin, layout = round(size * ROOM), lay_out_counter(face, size, least)
    image = sprite(size + 2 * margin, size + 2 * margin, lambda pen: _draw_card(pen, face, layout, look, size))
    if face.face_down:
        letters, middle = font(Face.TITLE, max(round(size * BACK), least)), image.width / 2
        ImageDraw.Draw(image).text((middle, middle), "?", fill=look.foreground, font=letters, anchor="mm")
        return image
    _write_text(image, layout, look, size, margin)
    is_silhouette = face.symbol in SILHOUETTES
    icon = max(round(size * (OVER if is_silhouette else BADGE)), LEAST)
    places = (OVER_EAST, OVER_WEST, SOUTH) if is_silhouette else _badge_positions(layout, size)
    for marker, (x, y) in zip(face.markers, places, strict=False):
        left, top = (round(image.width / 2 + off * size - icon / 2) for off in (x, y))
        image.alpha_composite(badge_sprite(marker, icon), (left, top))
    return image


def _badge_positions(layout: CounterLayout, size: int) -> tuple[Point, ...]:
    """Return the positions of badges, preferred first: between the factors, or at the sides."""
    factors = (layout.left, layout.right) if layout.figures else ()
    between = size - 2 * text_margin(size) - sum(text_width(text, Face.BOLD, layout.figures) for text in factors)
    full = layout.middle or (layout.name and layout.name.middle > size / 2) or between < BADGE * size
    return (EAST, WEST, SOUTH) if full else (EAST, SOUTH, WEST)


def _draw_card(pen: Pen, face: CounterFace, layout: CounterLayout, look: SideLook, size: int) -> None:
    """Draw the card with its shadow, bevelled edge and arm symbol."""
    thick = max(size * 0.035, 1.2)
    for off, part in ((2.4, 70), (1.2, 110)):
        pen.move((off, off)).area(rounded_box(size, size, size * 0.1), (*INK, part))
    pen.area(rounded_box(size, size, size * 0.1), mix(look.colour, INK, 0.55))
    pen.area(rounded_box(size - 2, size - 2, size * 0.09), mix(look.colour, WHITE, 0.35))
    shaded = size - 2 - thick
    pen.move((thick / 2, thick / 2)).area(rounded_box(shaded, shaded, size * 0.08), mix(look.colour, INK, 0.3))
    inner = size - 2 - 2 * thick
    pen.area(rounded_box(inner, inner, size * 0.07), look.fill)
    if face.face_down:
        frame = rounded_box(inner * 0.82, inner * 0.82, size * 0.05)
        pen.line(frame, mix(look.fill, look.foreground, 0.45), 1.2, closed=True)
    elif face.pips:
        for number in range(face.pips):
            pen.disc(((number - (face.pips - 1) / 2) * PIPS_APART * size, 0), PIP * size, look.foreground)
    elif face.symbol is not None:
        middle, high = layout.symbol
        DRAWERS[face.symbol](pen.move((0, middle - size / 2)).zoom(high / 2), look.foreground, look.fill)


def _write_text(image: Image.Image, layout: CounterLayout, look: SideLook, size: int, margin: int) -> None:
    """Write the text lines of a counter whose edge lies `margin` pixels inside the picture."""
    draw, edge = ImageDraw.Draw(image), text_margin(size)
    for line in (layout.formation, layout.name):
        if line is not None:
            _write_centred(draw, line, look, image.width / 2, margin)
    if layout.figures:
        face, foot = font(Face.BOLD, layout.figures), margin + size - edge
        draw.text((margin + edge, foot), layout.left, fill=look.foreground, font=face, anchor="ls")
        draw.text((margin + size - edge, foot), layout.right, fill=look.foreground, font=face, anchor="rs")
    if layout.middle:
        line = CounterText(layout.middle, layout.figures, size - edge - layout.figures * CAPITAL / 2)
        _write_range(draw, line, look, image.width / 2, margin)


def _write_range(draw: ImageDraw.ImageDraw, line: CounterText, look: SideLook, x: float, margin: int) -> None:
    """Write a range between two arrow heads, which distinguish the range from a factor."""
    _write_centred(draw, line, look, x, margin)
    half, y = text_width(line.words, Face.BOLD, line.size) / 2 + 1, margin + line.middle
    for way in (-1, 1):
        tip, back = x + way * (half + line.size * HEAD), x + way * half
        draw.polygon([(tip, y), (back, y - line.size * 0.22), (back, y + line.size * 0.22)], fill=look.foreground)


def _write_centred(draw: ImageDraw.ImageDraw, line: CounterText, look: SideLook, x: float, margin: int) -> None:
    """Write a line centred at `x`. Descenders do not count in the vertical centre."""
    foot = margin + line.middle + line.size * CAPITAL / 2
    draw.text((x, foot), line.words, fill=look.foreground, font=font(Face.BOLD, line.size), anchor="ms")
