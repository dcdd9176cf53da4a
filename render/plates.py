"""Draw small signs: unit plates (name, strength, markers), labels and the names of places."""

from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from rules.core.scene import StatusMarker

from .badges import badge_sprite
from .fonts import Face, font, text_width, wrap_text
from .palette import RGB, SideLook, mix
from .pen import Pen, rounded_box, sprite
from .pips import kill_pip_sprite

BAND = 7
"""Width in pixels of the coloured band at a plate's left edge."""


def _name_width(size: int) -> int:
    """Return the preferred maximum width in pixels of a line of a unit's name."""
    return size * 8


def _wrap_name_evenly(name: str, size: int) -> tuple[str, ...]:
    """Return the name in as few lines as possible, nearly equal in width."""
    longest = max((text_width(word, Face.PLAIN, size) for word in name.split()), default=0)
    limit = max(_name_width(size), longest)
    lines = wrap_text(name, Face.PLAIN, size, limit)
    while limit > longest:
        limit -= 8
        tighter = wrap_text(name, Face.PLAIN, size, max(limit, longest))
        if len(tighter) > len(lines):
            break
        lines = tighter
    return lines


class _Layout(NamedTuple):
    """Lines of a plate, width of the last line in pixels, and size of the plate."""

    lines: tuple[str, ...]
    last: int
    size: tuple[int, int]


@lru_cache(maxsize=2048)
def _lay_out_plate(name: str, strength: str, markers: int, size: int, kills: int) -> _Layout:
    """Return the layout of a plate: the name, then strength, pips and markers."""
    step, icon = size + 3, size + 1
    lines = _wrap_name_evenly(name, size) or ("",)
    tail = (text_width(strength, Face.BOLD, size) + 5 if strength else 0) + (icon + 3) * markers + (size - 3) * kills
    tail += 6 if tail else 0
    widest = max(text_width(line, Face.PLAIN, size) for line in lines)
    if tail and text_width(lines[-1], Face.PLAIN, size) + tail > max(widest, _name_width(size) * 1.2):
        lines = (*lines, "")
    last = text_width(lines[-1], Face.PLAIN, size)
    return _Layout(lines, last, (max(widest, last + tail) + BAND + 12, step * len(lines) + 7))


def plate_size(name: str, strength: str, markers: int, size: int, kills: int = 0) -> tuple[int, int]:
    """Return the width and height of a unit's plate in pixels."""
    return _lay_out_plate(name, strength, markers, size, kills).size


@lru_cache(maxsize=512)
def plate_sprite(
    name: str,
    strength: str,
    markers: tuple[StatusMarker, ...],
    look: SideLook,
    paper: RGB,
    ink: RGB,
    size: int,
    kills: int = 0,
) -> Image.Image:
    """Return a unit's plate with name, strength, pips and markers. The image is cached: never draw on it."""
    step, icon = size + 3, size + 1
    lines, last, (across, down) = _lay_out_plate(name, strength, len(markers), size, kills)
    image = _blank_plate(across, down, look, paper, ink)
    draw = ImageDraw.Draw(image)
    left, top = BAND + 6, 3 + step * (len(lines) - 1)
    for row, line in enumerate(lines):
        draw.text((left, step * (row + 1) - 2), line, fill=ink, font=font(Face.PLAIN, size), anchor="ls")
    x = left + last + (6 if last else 0)
    if strength:
        dark = mix(look.colour, ink, 0.2)
        draw.text((x, top + step - 5), strength, fill=dark, font=font(Face.BOLD, size), anchor="ls")
        x += text_width(strength, Face.BOLD, size) + 5
    for _ in range(kills):
        image.alpha_composite(kill_pip_sprite(size - 5), (x, top + 3))
        x += size - 3
    for marker in markers:
        image.alpha_composite(badge_sprite(marker, icon), (x, top))
        x += icon + 3
    return image


def _blank_plate(across: int, down: int, look: SideLook, paper: RGB, ink: RGB) -> Image.Image:
    """Return an empty plate with a left band and an edge in the side's colour."""
    left, right, top, bottom = -across / 2 + 0.5, -across / 2 + BAND, -down / 2 + 0.5, down / 2 - 0.5
    band = [
        (left, top + 4.5),
        (left + 4.5, top),
        (right, top),
        (right, bottom),
        (left + 4.5, bottom),
        (left, bottom - 4.5),
    ]

    def paint(pen: Pen) -> None:
        shape = rounded_box(across - 1, down - 1, 6)
        pen.area(shape, paper)
        pen.area(band, look.colour)
        pen.line(shape, mix(look.colour, ink, 0.25), 1.3, closed=True)

    return sprite(across, down, paint)


@lru_cache(maxsize=256)
def label_sprite(text: str, letters: int, fill: RGB, colour: RGB, edge: RGB, *, round_: bool = False) -> Image.Image:
    """Return a small plate with `text`. The image is cached: never draw on it."""
    high = round(letters * 1.5)
    wide = max(text_width(text, Face.BOLD, letters) + round(letters * 0.8), high)
    radius = high / 2 if round_ else letters * 0.3

    def paint(pen: Pen) -> None:
        pen.area(rounded_box(wide, high, radius), edge)
        pen.area(rounded_box(wide - 2.4, high - 2.4, radius - 1), fill)

    image = sprite(wide, high, paint)
    ImageDraw.Draw(image).text((wide / 2, high / 2), text, fill=colour, font=font(Face.BOLD, letters), anchor="mm")
    return image


@lru_cache(maxsize=128)
def place_name_sprite(name: str, colour: RGB, halo: RGB, size: int) -> Image.Image:
    """Return a drawn place name with a halo. The image is cached: never draw on it."""
    image = Image.new("RGBA", (text_width(name, Face.PLACE, size) + 10, size + 12), (*halo, 0))
    ImageDraw.Draw(image).text(
        (5, size + 3),
        name,
        font=font(Face.PLACE, size),
        fill=colour,
        anchor="ls",
        stroke_width=3,
        stroke_fill=(*halo, 235),
    )
    return image
