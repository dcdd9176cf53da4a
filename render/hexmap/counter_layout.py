"""Choose which texts fit on a counter: first its factors, then the formation, then the name.

Text that does not fit at the minimum size is omitted, and the symbol grows instead.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from render.fonts import Face, text_width
from render.symbols import SILHOUETTES
from rules.core.hexboard.hex_scene import Counter
from rules.core.scene import StatusMarker, Symbol

FORMATION, FACTOR, NAME = 0.21, 0.27, 0.19
"""Usual text sizes, as fractions of the counter's edge."""
LEAST = 8
"""Minimum text size in pixels, for pictures meant to be enlarged."""
NAMED = 46
"""Minimum counter size in pixels for a range, and for a name on its own line."""
MARGIN, LEAST_MARGIN = 0.06, 3
"""Margin between a counter's edge and its text: as a fraction of the edge, and a minimum in pixels."""
CAPITAL, GAP = 0.73, 0.16
"""Height of a digit, and free space above it, as fractions of the text size."""
APART = 2
"""Pixels between the numbers on a line."""
HEAD = 0.24
"""Width of the arrow head beside a range, as a fraction of the text size."""
SYMBOL, LONE_SYMBOL = 0.33, 0.5
"""Maximum symbol height beside text, and without text, as fractions of the edge."""
LEAST_SYMBOL, LEAST_OF_WORDS = 0.2, 0.65
"""Minimum symbol height, as a fraction of the edge and of the minimum text size."""
SILHOUETTE, LEAST_SILHOUETTE = 0.53, 0.42
"""Maximum and minimum height of a silhouette, as fractions of the edge."""
BETWEEN = 0.72
"""Space for the name above a silhouette, between two badges, as a fraction of the edge."""

LETTERS = 4
"""Maximum number of letters kept of the word after a number in a shortened name."""


class CounterFace(NamedTuple):
    """Visible content of a counter."""

    name: str = ""
    symbol: Symbol | None = None
    left: str = ""
    middle: str = ""
    right: str = ""
    formation: str = ""
    markers: tuple[StatusMarker, ...] = ()
    face_down: bool = False
    pips: int = 0


class CounterText(NamedTuple):
    """A line of text on a counter; `middle` is its distance in pixels from the counter's top."""

    words: str
    size: int
    middle: float


class CounterLayout(NamedTuple):
    """Texts on a counter, None or empty if omitted; `symbol` holds the symbol's middle and height in pixels."""

    formation: CounterText | None
    name: CounterText | None
    figures: int
    left: str
    middle: str
    right: str
    symbol: tuple[float, float]


def visible_face(counter: Counter) -> CounterFace:
    """Return the visible content of a counter; a face-down counter shows only its back."""
    if counter.face_down:
        return CounterFace(face_down=True)
    return CounterFace(*(getattr(counter, field) for field in CounterFace._fields))


def text_margin(size: int) -> int:
    """Return the margin in pixels between a counter's edge and its text."""
    return max(round(size * MARGIN), LEAST_MARGIN)


@lru_cache(maxsize=2048)
def lay_out_counter(face: CounterFace, size: int, least: int) -> CounterLayout:
    """Return the positions and sizes of a counter's texts and symbol, in pixels.

    `least` is the minimum text size. Above a silhouette, there is space for only one line. Without a formation, a name
    too long is omitted, because the unit's plate shows it.
    """
    names = tuple(_shorter_names(face.name)) if face.formation else (face.name,)
    is_silhouette = face.symbol in SILHOUETTES
    if is_silhouette and face.name:
        face = face._replace(formation="")
    top, bottom = float(text_margin(size)), float(size - text_margin(size))
    inner, symbol = bottom - top, max(size * LEAST_SYMBOL, least * LEAST_OF_WORDS) if face.symbol else 0.0
    symbol, across = (size * LEAST_SILHOUETTE, size * BETWEEN) if is_silhouette else (symbol, inner)

    def fit_text(text: str, part: float, height: float) -> tuple[str, int]:
        """Return the text and the largest size that fits, or an empty text and 0."""
        largest = max(round(size * part), least)
        sizes = (pixels for pixels in range(largest, least - 1, -1) if line_height(pixels) <= height)
        pixels = next((pixels for pixels in sizes if text_width(text, Face.BOLD, pixels) <= across), 0)
        return (text, pixels) if text and pixels else ("", 0)

    def place_line(line: tuple[str, int], top: float) -> tuple[CounterText | None, float]:
        """Return the line placed below `top`, and the top of the next line."""
        text, pixels = line
        if not text:
            return None, top
        return CounterText(text, pixels, top + pixels * CAPITAL / 2), top + line_height(pixels)

    has_space = line_height(least) + symbol <= inner
    figures, left, middle, right = _fit_factors(face, size, least, inner) if has_space else NO_FACTORS
    foot = bottom - figures * CAPITAL / 2
    bottom -= line_height(figures)
    formation, top = place_line(fit_text(face.formation, FORMATION, bottom - top - symbol), top)
    name = None
    if size >= NAMED:
        lines = (fit_text(text, NAME, bottom - top - symbol) for text in names)
        text, pixels = next((line for line in lines if line[0]), ("", 0))
        if formation is None:
            name, top = place_line((text, pixels), top)
        elif text:
            name = CounterText(text, pixels, bottom - pixels * CAPITAL / 2)
            bottom -= line_height(pixels)
    elif figures:
        pixels = max(round(size * NAME), least)
        wide = sum(text_width(text, Face.BOLD, figures) + APART for text in (left, right))
        if text_width(face.name, Face.BOLD, pixels) + wide <= inner:
            name = CounterText(face.name, pixels, foot)
    most = size * (SILHOUETTE if is_silhouette else SYMBOL if figures or formation else LONE_SYMBOL)
    return CounterLayout(formation, name, figures, left, middle, right, ((top + bottom) / 2, min(bottom - top, most)))


NO_FACTORS = 0, "", "", ""


def _fit_factors(face: CounterFace, size: int, least: int, inner: float) -> tuple[int, str, str, str]:
    """Return what fits on a counter: text size, left factor, range and right factor."""
    ranges = (face.middle, "") if size >= NAMED else ("",)
    for left, middle, right in (*((face.left, reach, face.right) for reach in ranges), (face.left, "", "")):
        for pixels in range(max(round(size * FACTOR), least), least - 1, -1):
            heads = 2 * (pixels * HEAD + APART) if middle else 0
            wide = sum(text_width(text, Face.BOLD, pixels) for text in (left, middle, right)) + heads + APART
            if wide <= inner:
                return (pixels, left, middle, right) if left or middle or right else NO_FACTORS
    return NO_FACTORS


def _shorter_names(name: str) -> Iterator[str]:
    """Yield the name, then ever shorter forms: `2nd Middlesex`, `2nd Midd`, `2nd`; `Mitchell's tank`, `Mitch`."""
    yield name
    first, *words = name.split() or [""]
    if any(letter.isdigit() for letter in first):
        yield from (f"{first} {word[:count]}" for word in words[:1] for count in range(LETTERS, 0, -1))
        yield first
    else:
        yield from (first[:count].rstrip("'’") for count in range(len(first), LETTERS - 1, -1))


def line_height(pixels: int) -> float:
    """Return the height in pixels of a text line with its spacing."""
    return pixels * (CAPITAL + GAP)
