"""The typefaces that pictures are set in, shipped with the program so that every machine draws the same."""

from enum import StrEnum
from functools import lru_cache
from importlib.resources import as_file, files

from PIL import ImageFont


class Face(StrEnum):
    """A typeface, by the name of its file."""

    PLAIN = "DejaVuSansCondensed.ttf"
    BOLD = "DejaVuSansCondensed-Bold.ttf"
    TITLE = "DejaVuSerifCondensed-Bold.ttf"
    PLACE = "DejaVuSerifCondensed-Italic.ttf"


@lru_cache(maxsize=64)
def font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """The face at `size` pixels. Always laid out the simple way: no library of the machine moves a letter."""
    with as_file(files(__name__) / face) as path:
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def width(text: str, face: Face, size: int) -> int:
    """Pixels that `text` takes on one line."""
    return round(font(face, size).getlength(text))


def wrap(text: str, face: Face, size: int, room: int) -> tuple[str, ...]:
    """`text` in lines of at most `room` pixels, broken between words; a word too long for a line is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", face, size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(clip(word, face, size, room))
    return tuple(lines)


def clip(text: str, face: Face, size: int, room: int) -> str:
    """`text`, or as much of it as `room` pixels hold with an ellipsis."""
    if width(text, face, size) <= room:
        return text
    while text and width(f"{text}…", face, size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
