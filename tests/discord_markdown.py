"""Two readers of Markdown: what a text that was sent looks like on the screen, and what it is formatted with.

One is the parser that the local table shows messages with (CommonMark with tables, and Discord's own marks); the other
goes by Discord's rules alone, which know fewer blocks and keep all spaces.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from simcord.preview._markdown import markdown_tokens

KNOWN: Mapping[str, Any] = {
    "users": {"1": "anna"},
    "roles": {"1": "umpires"},
    "channels": {"1": "table"},
    "commands": {"1": "roll"},
    "emojis": {"1": {"name": "gun", "animated": False}},
    "everyone": True,
}
"""Whom and what a text may mention here."""

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


def discord_reads(markdown: str) -> tuple[str, set[str]]:
    """What Discord shows of it, and the formats it finds there; what is formatted is left out."""
    shown, formats, at = "", set[str](), 0
    while at < len(markdown):
        starts = at == 0 or markdown[at - 1] == "\n"
        rules = {**(BLOCKS if starts else {}), **INLINE}
        if escaped := ESCAPE.match(markdown, at):
            shown, at = shown + escaped[1], escaped.end()
        elif found := next((one for one in rules.items() if re.compile(one[1]).match(markdown, at)), None):
            formats.add(found[0])
            at += 1
        else:
            shown, at = shown + markdown[at], at + 1
    return shown, formats


def table_reads(markdown: str) -> tuple[str, set[str]]:
    """What the local table shows of it, each run of blanks as one, and the formats it finds there."""
    shown, formats = "", set[str]()
    for token in _tokens(markdown_tokens(markdown, "text_display", context=KNOWN)):
        kind = token["type"]
        if kind == "text":
            shown += token["content"]
        elif kind == "break":
            shown += "\n"
        elif kind == "paragraph":
            shown += "\n\n"
        elif kind != "inline":
            formats.add(kind)
    return " ".join(shown.split()), formats


def _tokens(tokens: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for token in tokens:
        yield token
        yield from _tokens(token.get("children", ()))
