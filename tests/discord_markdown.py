"""Two Markdown readers that return a text's visible words and its formats.

One is the parser of the local table (CommonMark with tables, and Discord's own marks). The other follows Discord's
rules alone, which have fewer blocks and keep all spaces.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from simcord.preview._markdown import markdown_tokens

KNOWN_MENTIONS: Mapping[str, Any] = {
    "users": {"1": "anna"},
    "roles": {"1": "umpires"},
    "channels": {"1": "table"},
    "commands": {"1": "roll"},
    "emojis": {"1": {"name": "gun", "animated": False}},
    "everyone": True,
}
"""Users, roles, channels, commands and emojis that a text may mention."""

ESCAPE = re.compile(r"\\([^0-9A-Za-z\s])")
INLINE = {
    "code": r"(`+)[\s\S]*?[^`]\1(?!`)",
    "link": r"\[[\s\S]*?\]\([\s\S]*?\)",
    "angle link": r"<[^: >]+:/[^ >]+>|<(?:mailto|tel|sms):[^ >]+>|<\+\d+>",
    "bare link": r"(?:https?|steam|discord)://[^\s<]+",
    "mention": r"<(?:@[!&]?|#|id:)\w+>|@(?:everyone|here)",
    "command": r"</[^:\n]+:\d+>",
    "timestamp": r"<t:-?\d+(?::\w)?>",
    "emoji": r"<a?:\w+:\d+>|:[^\s:]+:",
    "spoiler": r"\|\|[\s\S]+?\|\|",
    "struck out": r"~~[\s\S]+?~~",
    "bold": r"\*\*[\s\S]+?\*\*",
    "underlined": r"__[\s\S]+?__",
    "italic": r"_[\s\S]+?_|\*(?=\S)[\s\S]+?\*",
}
BLOCKS = {
    "heading": r" *#{1,3}(?!#)",
    "small print": r" *-#",
    "quotation": r" *>(?:>>)? ",
    "list": r" *(?:[*-]|\d+\.) ",
}


def read_like_discord(markdown: str) -> tuple[str, set[str]]:
    """Return the text that Discord shows, without formatted parts, and the names of the formats."""
    text, formats, at = "", set[str](), 0
    while at < len(markdown):
        starts = at == 0 or markdown[at - 1] == "\n"
        rules = {**(BLOCKS if starts else {}), **INLINE}
        if escaped := ESCAPE.match(markdown, at):
            text, at = text + escaped[1], escaped.end()
        elif rule := next((rule for rule in rules.items() if re.compile(rule[1]).match(markdown, at)), None):
            formats.add(rule[0])
            at += 1
        else:
            text, at = text + markdown[at], at + 1
    return text, formats


def read_like_local_table(markdown: str) -> tuple[str, set[str]]:
    """Return the text that the local table shows, with single spaces, and the names of the formats."""
    text, formats = "", set[str]()
    for token in _tokens(markdown_tokens(markdown, "text_display", context=KNOWN_MENTIONS)):
        kind = token["type"]
        if kind == "text":
            text += token["content"]
        elif kind == "break":
            text += "\n"
        elif kind == "paragraph":
            text += "\n\n"
        elif kind != "inline":
            formats.add(kind)
    return " ".join(text.split()), formats


def _tokens(tokens: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for token in tokens:
        yield token
        yield from _tokens(token.get("children", ()))
