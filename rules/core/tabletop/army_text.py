"""Simplify typed text of armies and table sizes: remove bullets and invisible characters, replace typographic ones.

Names keep their characters, except that all spaces become plain.
"""

import re
from collections.abc import Mapping, Sequence

from rules.core.typed_text import FULL_WIDTH, SPACES

PUNCTUATION = str.maketrans({"：": ":", "，": ",", "、": ",", "；": ";", "（": "(", "）": ")", "∶": ":"})
INVISIBLE_CHARACTERS = dict.fromkeys((0x00AD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF))
BETWEEN_QUOTES = re.compile(r"""("(?:[^"]|"")*"|“[^”]*”)""")
"""Splits a text at its quoted parts. In the result, quoted parts have odd indices."""
WIDE_GAP = re.compile(r"(?<=\w|[).])[ \u00a0]{2,}(?=\w|\()")
"""Matches the space between columns that are aligned by spaces."""
DOTTED_LINE = re.compile(r"\s*(?:\.{3,}|…+|_{3,}|(?:\. ){3,}\.?)[\s.…]*")
"""Matches the dotted line between a name and a number."""
FEWEST_GAPS = 2
FENCE = re.compile(r"^\s*`{3,}\s*\w*\s*$")
DOT_BULLET = re.compile(r"^\s*(?:[•◦▪▫●○■□‣·⁃>]\s*|[-*+‐‑–—−]\s+)+(?:\[[ xX]?\]\s*)?")
NUMBER_BULLET = re.compile(r"^\s*\(?(\d{1,2}(?=[.)/])|[A-Za-z](?=[.)]))[.)/]\s+")
BEFORE_NUMBER = re.compile(r"^\s*(?!c\.)\(?(?:\d{1,2}[.)/]|[A-Za-z][.)])\s+(?=\d)", re.IGNORECASE)
"""Matches an item number or letter before a strength: `1. ` in `1. 24 British regulars`, but not `c. ` in `c. 24`."""
PLAIN_CHARACTERS: Mapping[int, str] = {
    **FULL_WIDTH,
    **{ord(sign): "x" for sign in "×✕✖⨯"},
    **{ord(sign): "-" for sign in "‐‑‒–—―−"},
    **{ord(sign): "'" for sign in "‘’‛′´ʹ"},
    **{ord(sign): '"' for sign in "“”„‟″ʺ"},
}
"""Plain replacement of each full-width or typographic character. Feet and inches are often typed as closing quotes."""


def normalize_line(line: str) -> str:
    """Return the line with plain punctuation and spaces, without invisible characters. Quoted names stay as typed.

    Spaces that align columns become tabs.
    """
    parts = BETWEEN_QUOTES.split(line)
    gaps = sum(len(WIDE_GAP.findall(part)) for part in parts[::2])
    if gaps >= FEWEST_GAPS and ":" not in line:
        parts[::2] = [WIDE_GAP.sub("\t", part) for part in parts[::2]]
    for at in range(0, len(parts), 2):
        plain = DOTTED_LINE.sub("\t", parts[at]).translate(PUNCTUATION).translate(INVISIBLE_CHARACTERS)
        parts[at] = SPACES.sub(lambda match: "\t" if "\t" in match[0] else " ", plain)
    return "".join(parts).strip()


def normalize_words(text: str) -> str:
    """Return words, but not names, in plain characters: full-width letters, `×` as `x`, dashes as hyphens."""
    return " ".join(text.translate(INVISIBLE_CHARACTERS).translate(PLAIN_CHARACTERS).split())


def split_lines(text: str) -> Sequence[tuple[int, str]]:
    """Return each line that is not empty, with its number from 1 and without its bullet.

    Numbers before names are bullets only if they count all lines from 1, because a unit may be called `17. FK`.
    """
    numbered = ((number, normalize_line(line)) for number, line in enumerate(text.splitlines(), 1))
    lines = [(number, line) for number, line in numbered if line and not line.startswith("#") and not FENCE.match(line)]
    matches = [NUMBER_BULLET.match(line) for _, line in lines]
    in_order = all(
        match and match[1].casefold() in (str(at), chr(ord("`") + at)) for at, match in enumerate(matches, 1)
    )
    bullet = NUMBER_BULLET if in_order and len(lines) > 1 else BEFORE_NUMBER
    return [(number, bullet.sub("", DOT_BULLET.sub("", line, count=1), count=1)) for number, line in lines]
