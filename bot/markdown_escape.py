"""Text put into Markdown so that it reads as it was written: it formats, links and mentions nothing."""

import re
from functools import lru_cache

UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Characters that show nothing: controls, and those that turn the direction of what follows them."""
ANYWHERE = re.compile(r"[\\`*_~|<@#]|&(?=#?\w+;)|(?<=\])\(|:(?=//|[^\s:]*:)|(?<=www)\.", re.IGNORECASE)
"""What Discord or CommonMark may read as more than a sign wherever it stands: emphasis, code, spoilers, tags and
mentions, the ends of headings, entities, links, emoji."""
BLOCK = re.compile(r"[ \t]*(?:\d+(?=[.)])|(?=[\[>=+-]))")
"""A line's beginning before a sign that makes it a list, a quotation, small print, a rule, a heading or an address."""
INDENT = re.compile(r"[ \t]*")
NO_BREAK = "\u00a0"
"""A space that indents and makes no block of code."""
SMALL_PRINT = "\\-\\# "
"""Escaped `-#`. The non-breaking space keeps the local table from rendering small print."""
TAB = 4
"""Spaces of a tab."""


@lru_cache(maxsize=1024)
def literal(text: str) -> str:
    """Markdown that shows the text, whatever it holds. Lines stay lines; what cannot be seen is left out."""
    lines = UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).splitlines(keepends=True)
    return "".join(map(_line, lines))


def _line(line: str) -> str:
    inline = ANYWHERE.sub(r"\\\g<0>", line)
    block = BLOCK.match(inline)
    whole = f"{block[0]}\\{inline[block.end() :]}" if block else inline
    return INDENT.sub(_keep_indent, whole, count=1).replace(SMALL_PRINT, SMALL_PRINT.rstrip() + NO_BREAK)


def _keep_indent(indent: re.Match[str]) -> str:
    return NO_BREAK * len(indent[0].expandtabs(TAB))
