"""Elements of HTML put together so that text stays text, whatever it holds."""

import re
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

from .literal import UNSEEN

SPACE = re.compile(r"\s+")
Content: TypeAlias = "str | Element"


def element(name: str, *content: Content, **attributes: str) -> Element:
    """An element with its content in order; `class_` is the attribute `class`."""
    made = Element(name, {key.rstrip("_"): _seen(value) for key, value in attributes.items()})
    for part in content:
        if isinstance(part, Element):
            made.append(part)
        elif len(made):
            made[-1].tail = f"{made[-1].tail or ''}{_seen(part)}"
        else:
            made.text = f"{made.text or ''}{_seen(part)}"
    return made


def written(part: Element) -> str:
    """The element as HTML."""
    return tostring(part, encoding="unicode", method="html")


def _seen(text: str) -> str:
    """The text on one line, without characters that show nothing."""
    return SPACE.sub(" ", UNSEEN.sub("", text))
