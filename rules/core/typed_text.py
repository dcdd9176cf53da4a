"""Convert what phones and word processors type into plain characters: quotes, dashes, spaces, digits, bullets.

`simplify_signs` is for text to be parsed: orders, places, sizes, dice, hours. `clean_name` is for names; it changes
only spaces and invisible characters. `normalize_text` and `without_accents` are for comparing names.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

SAME_SIGNS: Mapping[str, str] = {
    "'": "‘’‚‛′ʹʼˈ´",
    '"': "“”„‟″ʺ〝〞«»",
    "-": "‐‑‒–—―−⁃﹘﹣",
    "/": "÷⁄∕",
    "x": "×✕✖⨯",
    "*": "∗⁎⋅",
    ",": "،、",
    ";": "؛",
    ":": "∶",
    "%": "٪",
    "°": "º˚",
}
"""Plain characters, each with the typographic characters of the same meaning."""
LONGER_SIGNS: Mapping[str, str] = {"≥": ">=", "⩾": ">=", "≤": "<=", "⩽": "<=", "≠": "!=", "…": "...", "‴": "'''"}
LINE_BREAKS = "\x85\u2028\u2029"
FULL_WIDTH: Mapping[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
"""Full-width characters (by code), each with its plain character."""
NON_JOINER, JOINER = "\u200c", "\u200d"
JOINERS = NON_JOINER + JOINER
"""Invisible characters that change how neighbouring characters are displayed, in Persian words and composed emoji."""
INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2060\ufeff" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Invisible characters without meaning: soft hyphens, zero-width spaces, marks of writing direction."""
STYLES = "\ufe0e\ufe0f"
"""Characters that display an emoji as plain or coloured."""
FLAG, TAGS = "\U0001f3f4", "".join(map(chr, range(0xE0020, 0xE0080)))
"""The black flag, and the invisible characters after it that make the flag of England or Scotland."""
FRACTIONS: Mapping[str, Fraction] = {
    sign: Fraction(unicodedata.numeric(sign)).limit_denominator(8) for sign in "½⅓⅔¼¾⅛⅜⅝⅞"
}
_GLYPH, _HALF = f"[{''.join(FRACTIONS)}]", "[1-9]/[1-9]"
NUMBER = rf"(?:{_HALF}|{_GLYPH}|[0-9]{{1,6}}(?:[.,][0-9]{{1,3}}|\s?{_GLYPH}|\s{_HALF})?)"
"""Regular expression for an unsigned length as people type it: `7`, `7.5`, `7,5`, `7½`, `7 1/2`, `½`."""

PUNCTUATION: Mapping[int, str] = {
    **{ord(wide): plain for wide, plain in zip("：，；（）", ":,;()", strict=True)},
    **{ord(sign): plain for plain in ",;:" for sign in SAME_SIGNS[plain]},
}
"""Typographic punctuation between the parts of a line, each with its plain character."""
_STATEMENT_END = re.compile(r"[;；؛\r\n\x85\u2028\u2029]")
_SIGNS: Mapping[int, str | None] = {
    **{ord(sign): plain for plain, signs in SAME_SIGNS.items() for sign in signs},
    **{ord(sign): plain for sign, plain in LONGER_SIGNS.items()},
    **FULL_WIDTH,
    **{ord(sign): None for sign in INVISIBLE + JOINERS + STYLES},
}
_UNSEEN = dict.fromkeys(map(ord, INVISIBLE))
SPACES = re.compile(r"[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_DOT_BULLET = re.compile(r"^\s*(?:[•◦▪▫●○■□‣·]\s*|[-*‐‑–—−]\s+)")
_NUMBER_BULLET = re.compile(r"^\s*\(?(\d{1,3})[.)]\s+")
_LETTERS: Mapping[int, str] = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ħ": "h", "ı": "i", "ð": "d", "þ": "th", "ŋ": "n", "ŧ": "t"}
    | {"ي": "ی", "ى": "ی", "ك": "ک"}
)
"""Letters that are not plain letters with an accent, and Arabic letters for which Persian keyboards type other ones."""


def simplify_signs(text: str) -> str:
    """Return `text` with plain quotes, dashes, spaces and digits, and without invisible characters."""
    if text.isascii():
        return text
    return "".join(map(_plain_character, text.translate(_SIGNS)))


def _plain_character(character: str) -> str:
    if character.isascii():
        return character
    if character.isspace():
        return "\n" if character in LINE_BREAKS else " "
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def clean_name(text: str) -> str:
    """Return a name with single plain spaces and without meaningless invisible characters, otherwise as typed.

    Joiners stay in Persian words and in composed emoji.
    """
    visible = text.translate(_UNSEEN)
    plain = "".join(
        sign for index, sign in enumerate(visible) if sign not in JOINERS or _joins_neighbours(visible, index)
    )
    return unicodedata.normalize("NFC", SPACES.sub(" ", plain)).strip()


def _joins_neighbours(text: str, index: int) -> bool:
    """Whether the joiner `text[index]` stands between two characters that can be joined."""
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    return all(sign and (sign in STYLES or unicodedata.category(sign)[0] in "LMS") for sign in (before, after))


def has_only_visible_signs(name: str) -> bool:
    """Whether a cleaned name has only printable characters and joiners."""
    return all(is_visible_at(name, index) for index in range(len(name)))


def is_visible_at(text: str, index: int) -> bool:
    """Whether the character `text[index]` is printable, or joins its neighbours."""
    sign = text[index]
    return sign.isprintable() or (sign in JOINERS and _joins_neighbours(text, index)) or (sign in TAGS and FLAG in text)


@lru_cache(maxsize=8192)
def normalize_text(text: str) -> str:
    """Return a text for exact comparison: with plain signs, composed, stripped, in lower case, with accents."""
    return (text if text.isascii() else unicodedata.normalize("NFC", simplify_signs(text))).strip().casefold()


def without_accents(text: str) -> str:
    """Return a text for tolerant comparison: lower case, without accents, `ł` as `l`, `æ` as `ae`."""
    plain = simplify_signs(text).casefold()
    if plain.isascii():
        return plain
    bare = (letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))
    return "".join(bare).translate(_LETTERS)


def pattern_of_any(phrases: Iterable[str]) -> str:
    """Return a pattern of any of the phrases, with any spaces between words. Without phrases, nothing matches."""
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in ordered) or "(?!)"


def split_statements(text: str) -> Sequence[str]:
    """Return the non-empty parts of a text between line breaks and semicolons, as typed."""
    return [part.strip() for part in _STATEMENT_END.split(text) if part.strip()]


def with_plain_punctuation(text: str) -> str:
    """Return a text with plain colons, commas, semicolons and brackets, otherwise as typed."""
    return text.translate(PUNCTUATION)


def remove_dot_bullet(line: str) -> str:
    """Return a line without a leading bullet character or dash."""
    return _DOT_BULLET.sub("", line, count=1).strip()


def remove_bullet(line: str) -> str:
    """Return a line without a leading bullet or number."""
    return _NUMBER_BULLET.sub("", _DOT_BULLET.sub("", line, count=1), count=1).strip()


def numbered_lines(text: str) -> Sequence[tuple[int, str]]:
    """Return the non-empty lines of a text without bullets, each with its line number from 1.

    Leading numbers are bullets only if they number all lines from 1: a unit may be called `17. FK`.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    number_bullets = [_NUMBER_BULLET.match(line) for _, line in lines]
    numbers = [int(bullet[1]) if bullet else None for bullet in number_bullets]
    bullet = _NUMBER_BULLET if numbers == [*range(1, len(lines) + 1)] else _DOT_BULLET
    return [(number, bullet.sub("", line, count=1)) for number, line in lines]


def read_number(text: str) -> Fraction:
    """Return the number in a text that matches NUMBER. Raises ValueError for any other text."""
    words = simplify_signs(text).strip().replace(",", ".")
    if not re.fullmatch(NUMBER, words):
        raise ValueError(text)
    if words[-1] in FRACTIONS:
        return Fraction(words[:-1].strip() or 0) + FRACTIONS[words[-1]]
    return sum(map(Fraction, words.split()), Fraction(0))
