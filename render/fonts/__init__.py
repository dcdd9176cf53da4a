"""Load the typefaces, shipped with the program so that every machine draws the same pictures."""

from enum import StrEnum
from functools import lru_cache
from importlib.resources import as_file, files

from PIL import ImageFont


class Face(StrEnum):
    """A typeface, named by its font file."""

    PLAIN = "DejaVuSansCondensed.ttf"
    BOLD = "DejaVuSansCondensed-Bold.ttf"
    TITLE = "DejaVuSerifCondensed-Bold.ttf"
    PLACE = "DejaVuSerifCondensed-Italic.ttf"


PROBE, UNASSIGNED = 24, "\uffff"
"""Pixel size for comparing glyphs, and a character missing from every face."""


@lru_cache(maxsize=64)
def font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """Return the face's font at `size` pixels. The basic layout places letters equally on every machine."""
    with as_file(files(__name__) / face) as path:
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def has_letter(face: Face, letter: str) -> bool:
    """Whether the face has a glyph for the letter; it draws missing letters as equal boxes."""
    letters = font(face, PROBE)
    glyph, box = (letters.getmask(text) for text in (letter, UNASSIGNED))
    return glyph.size != box.size or bytes(glyph) != bytes(box)


@lru_cache(maxsize=4096)
def text_width(text: str, face: Face, size: int) -> int:
    """Return the width of `text` on one line, in pixels."""
    return round(font(face, size).getlength(text))


def wrap_text(text: str, face: Face, size: int, limit: int) -> tuple[str, ...]:
    """Return `text` in lines of at most `limit` pixels; a longer word is truncated."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", face, size) <= limit:
            lines[-1] += f" {word}"
        else:
            lines.append(truncate_text(word, face, size, limit))
    return tuple(lines)


def truncate_text(text: str, face: Face, size: int, limit: int) -> str:
    """Return `text`, truncated with an ellipsis if wider than `limit` pixels."""
    if text_width(text, face, size) <= limit:
        return text
    while text and text_width(f"{text}…", face, size) > limit:
        text = text[:-1]
    return f"{text.rstrip()}…"
