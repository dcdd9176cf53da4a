"""Escape text for Markdown, so that it is shown as written, without formatting, links and mentions."""

import re
from functools import lru_cache

INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Invisible characters: control characters, and characters that change the text direction."""
ANYWHERE = re.compile(r"[\\`*_~|<@#]|&(?=#?\w+;)|(?<=\])\(|:(?=//|[^\s:]*:)|(?<=www)\.", re.IGNORECASE)
"""Characters that Discord or CommonMark interpret anywhere in a line: emphasis, code, spoilers, tags and mentions,
ends of headings, entities, links, emoji."""
BLOCK = re.compile(r"[ \t]*(?:\d+(?=[.)])|(?=[\[>=+-]))")
"""Where Markdown might see a list, quotation, small print, rule, heading or link at the beginning of a line."""
INDENT = re.compile(r"[ \t]*")
NO_BREAK = "\u00a0"
"""A space that indents a line without making it a code block."""
SMALL_PRINT = "\\-\\# "
"""Escaped `-#`. The non-breaking space keeps the local table from rendering small print."""
TAB = 4
"""Number of spaces for a tab."""


@lru_cache(maxsize=1024)
def escape_markdown(text: str) -> str:
    """Return Markdown that shows the text as written. Line breaks stay; invisible characters are removed."""
    lines = INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).splitlines(keepends=True)
    return "".join(map(_escape_line, lines))


def _escape_line(line: str) -> str:
    inline = ANYWHERE.sub(r"\\\g<0>", line)
    block = BLOCK.match(inline)
    whole = f"{block[0]}\\{inline[block.end() :]}" if block else inline
    indented = INDENT.sub(lambda indent: NO_BREAK * len(indent[0].expandtabs(TAB)), whole, count=1)
    return indented.replace(SMALL_PRINT, SMALL_PRINT.rstrip() + NO_BREAK)
