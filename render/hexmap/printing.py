"""What is written on a counter of a size: formation, name, range and factors, what decides first; the rest is left out.

Nothing is written smaller than may be: rather is it left out, and the symbol drawn larger.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from render.fonts import Face, width
from render.symbols import SILHOUETTES
from rules.core.hexboard.hex_scene import Counter
from rules.core.scene import Marker, Symbol

FORMATION, FACTOR, NAME = 0.21, 0.27, 0.19
"""Usual sizes of the writing, of the counter's edge."""
LEAST = 8
"""Pixels of the smallest writing where a picture is meant to be enlarged."""
NAMED = 46
"""Pixels of a counter from which it has its range, and its name on a line of its own."""
MARGIN, LEAST_MARGIN = 0.06, 3
"""Between the counter's edge and its writing: of the edge, and pixels."""
CAPITAL, GAP = 0.73, 0.16
"""Height of a figure, and what is left free above it, of the size of the writing."""
APART = 2
"""Pixels between figures on a line."""
HEAD = 0.24
"""An arrow head beside a range, of the size of the writing."""
SYMBOL, LONE_SYMBOL = 0.33, 0.5
"""Height of the arm's symbol at most, of the edge: beside writing, and alone."""
LEAST_SYMBOL, LEAST_OF_WORDS = 0.2, 0.65
"""And at least: of the edge, and of the smallest writing."""
SILHOUETTE, LEAST_SILHOUETTE = 0.53, 0.42
"""The same of a silhouette, of the edge."""
BETWEEN = 0.72
"""Room for a silhouette's name between two badges, of the edge."""

LETTERS = 4
"""Of the word after a number, where a name does not fit."""


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


class Line(NamedTuple):
    """Words on a counter, their size in pixels, and their middle below the counter's top."""

    words: str
    size: int
    middle: float


class Printing(NamedTuple):
    """The writing on a counter; what is left out is None or empty. The symbol by its middle and its height."""

    formation: Line | None
    name: Line | None
    figures: int
    left: str
    middle: str
    right: str
    symbol: tuple[float, float]


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


def margin(size: int) -> int:
    """Pixels between a counter's edge and its writing."""
    return max(round(size * MARGIN), LEAST_MARGIN)


@lru_cache(maxsize=2048)
def printing(shown: Printed, size: int, least: int) -> Printing:
    """The writing on a counter of `size` pixels, none of it smaller than `least`.

    A silhouette leaves room for one line over it, which is the name: the formation of a unit without one.
    """
    pictured = shown.symbol in SILHOUETTES
    if pictured and shown.name:
        shown = shown._replace(formation="")
    top, bottom = float(margin(size)), float(size - margin(size))
    inner, symbol = bottom - top, max(size * LEAST_SYMBOL, least * LEAST_OF_WORDS) if shown.symbol else 0.0
    symbol, across = (size * LEAST_SILHOUETTE, size * BETWEEN) if pictured else (symbol, inner)

    def line(text: str, part: float, room: float) -> tuple[str, int]:
        """The text and its size, as large as usual or smaller; nothing where the smallest does not fit."""
        sizes = range(max(round(size * part), least), least - 1, -1)
        fits = (pixels for pixels in sizes if high(pixels) <= room and width(text, Face.BOLD, pixels) <= across)
        return (text, pixels) if text and (pixels := next(fits, 0)) else ("", 0)

    def upper(found: tuple[str, int], top: float) -> tuple[Line | None, float]:
        """A line at the top, and where the next begins."""
        text, pixels = found
        return (Line(text, pixels, top + pixels * CAPITAL / 2), top + high(pixels)) if text else (None, top)

    figures, left, middle, right = _factors(shown, size, least, inner) if high(least) + symbol <= inner else NOTHING
    foot = bottom - figures * CAPITAL / 2
    bottom -= high(figures)
    formation, top = upper(line(shown.formation, FORMATION, bottom - top - symbol), top)
    name = None
    if size >= NAMED:
        lines = (line(text, NAME, bottom - top - symbol) for text in _shorter(shown.name))
        text, pixels = next((found for found in lines if found[0]), ("", 0))
        if formation is None:
            name, top = upper((text, pixels), top)
        elif text:
            name = Line(text, pixels, bottom - pixels * CAPITAL / 2)
            bottom -= high(pixels)
    elif figures:
        pixels = max(round(size * NAME), least)
        wide = sum(width(text, Face.BOLD, figures) + APART for text in (left, right))
        if width(shown.name, Face.BOLD, pixels) + wide <= inner:
            name = Line(shown.name, pixels, foot)
    most = size * (SILHOUETTE if pictured else SYMBOL if figures or formation else LONE_SYMBOL)
    return Printing(formation, name, figures, left, middle, right, ((top + bottom) / 2, min(bottom - top, most)))


NOTHING = 0, "", "", ""


def _factors(shown: Printed, size: int, least: int, inner: float) -> tuple[int, str, str, str]:
    """The size of the factors, and which of them: all with the range between them, else both, else the first."""
    ranges = (shown.middle, "") if size >= NAMED else ("",)
    for left, middle, right in (*((shown.left, reach, shown.right) for reach in ranges), (shown.left, "", "")):
        for pixels in range(max(round(size * FACTOR), least), least - 1, -1):
            heads = 2 * (pixels * HEAD + APART) if middle else 0
            wide = sum(width(text, Face.BOLD, pixels) for text in (left, middle, right)) + heads + APART
            if wide <= inner:
                return (pixels, left, middle, right) if left or middle or right else NOTHING
    return NOTHING


def _shorter(name: str) -> Iterator[str]:
    """The name, then less and less of it: `2nd Middlesex`, `2nd Midd`, down to `2nd`; `Mitchell's tank`, `Mitch`."""
    yield name
    first, *words = name.split() or [""]
    if any(letter.isdigit() for letter in first):
        yield from (f"{first} {word[:count]}" for word in words[:1] for count in range(LETTERS, 0, -1))
        yield first
    else:
        yield from (first[:count].rstrip("'’") for count in range(len(first), LETTERS - 1, -1))


def high(pixels: int) -> float:
    """Pixels that a line of writing takes, with what is left free beside it."""
    return pixels * (CAPITAL + GAP)
