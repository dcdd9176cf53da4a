"""Build HTML from elements, with all text escaped."""

import re
from html import escape
from typing import TypeAlias
from xml.etree.ElementTree import Element

from bot.markdown_escape import INVISIBLE

SPACE = re.compile(r"\s+")
VOID_ELEMENTS = frozenset({"br", "hr", "img", "link", "meta"})
"""Void elements of HTML, which have no end tag."""
Content: TypeAlias = "str | Element"


def element(name: str, *content: Content, **attributes: str) -> Element:
    """Return an element with this content. Pass the attribute `class` as `class_`."""
    result = Element(name, {key.rstrip("_"): _visible_text(value) for key, value in attributes.items()})
    for part in content:
        if isinstance(part, Element):
            result.append(part)
        elif len(result):
            result[-1].tail = f"{result[-1].tail or ''}{_visible_text(part)}"
        else:
            result.text = f"{result.text or ''}{_visible_text(part)}"
    return result


def to_html(part: Element) -> str:
    """Return the element as HTML. ElementTree's own function would leave `<` in attributes unescaped."""
    start_tag = "".join((part.tag, *(f' {name}="{escape(value)}"' for name, value in part.items())))
    if part.tag in VOID_ELEMENTS:
        return f"<{start_tag}>"
    inside = "".join(to_html(child) + escape(child.tail or "", quote=False) for child in part)
    return f"<{start_tag}>{escape(part.text or '', quote=False)}{inside}</{part.tag}>"


def _visible_text(text: str) -> str:
    """Return the text on one line, without invisible characters."""
    return SPACE.sub(" ", INVISIBLE.sub("", text))
