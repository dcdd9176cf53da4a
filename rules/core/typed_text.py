"""Fold what telephones and word processors type into plain signs: quotes, dashes, spaces, digits, bullets.

`fold` is for text that is read: orders, places, sizes, dice, hours. `fold_name` is for names, which stay as typed
except for spaces and invisible signs. `letters` is for comparing names.
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
"""Plain signs, each with the typographic signs that mean the same."""
LONGER_SIGNS: Mapping[str, str] = {"≥": ">=", "⩾": ">=", "≤": "<=", "⩽": "<=", "≠": "!=", "…": "...", "‴": "'''"}
LINE_BREAKS = "\x85\u2028\u2029"
FULL_WIDTH: Mapping[int, str] = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
"""Full-width signs (by code), each with its plain sign."""
NON_JOINER, JOINER = "\u200c", "\u200d"
JOINERS = NON_JOINER + JOINER
"""Invisible signs that change how their neighbours are shown, as in Persian words and in emoji of several parts."""
INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2060\ufeff" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Invisible signs without meaning for a text: soft hyphens, empty spaces, directions of writing."""
STYLES = "\ufe0e\ufe0f"
"""Signs that make an emoji plain or coloured."""
FLAG, TAGS = "\U0001f3f4", "".join(map(chr, range(0xE0020, 0xE0080)))
"""The black flag, and the invisible letters behind it that make the flag of England or Scotland."""
FRACTIONS: Mapping[str, Fraction] = {
    sign: Fraction(unicodedata.numeric(sign)).limit_denominator(8) for sign in "½⅓⅔¼¾⅛⅜⅝⅞"
}
_GLYPH, _HALF = f"[{''.join(FRACTIONS)}]", "[1-9]/[1-9]"
NUMBER = rf"(?:{_HALF}|{_GLYPH}|[0-9]{{1,6}}(?:[.,][0-9]{{1,3}}|\s?{_GLYPH}|\s{_HALF})?)"
"""Regular expression for a length without sign, as people type it: `7`, `7.5`, `7,5`, `7½`, `7 1/2`, `½`."""

PUNCTUATION: Mapping[int, str] = {
    **{ord(wide): plain for wide, plain in zip("：，；（）", ":,;()", strict=True)},
    **{ord(sign): plain for plain in ",;:" for sign in SAME_SIGNS[plain]},
}
"""Signs between the parts of a line, each with its plain sign."""
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
"""Letters that no accent explains, and Arabic letters that Persian keyboards type otherwise."""


def fold(text: str) -> str:
    """Return `text` with plain quotes, dashes, spaces, digits and signs, without invisible signs."""
    if text.isascii():
        return text
    return "".join(map(_plain_character, text.translate(_SIGNS)))


def _plain_character(character: str) -> str:
    if character.isascii():
        return character
    if character.isspace():
        return "\n" if character in LINE_BREAKS else " "
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def fold_name(text: str) -> str:
    """Return a name as typed, with single plain spaces and without signs that nobody sees.

    Joiners stay between letters and signs that they join: in Persian words and in emoji of several parts.
    """
    visible = text.translate(_UNSEEN)
    plain = "".join(sign for index, sign in enumerate(visible) if sign not in JOINERS or _joins(visible, index))
    return unicodedata.normalize("NFC", SPACES.sub(" ", plain)).strip()


def _joins(text: str, index: int) -> bool:
    """Whether the joiner at that place stands between two signs that can be joined."""
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    return all(sign and (sign in STYLES or unicodedata.category(sign)[0] in "LMS") for sign in (before, after))


def is_shown(name: str) -> bool:
    """Whether a folded name has only printable signs and joiners."""
    return all(is_seen(name, index) for index in range(len(name)))


def is_seen(text: str, index: int) -> bool:
    """Whether the sign `text[at]` is printable, or joins its neighbours."""
    sign = text[index]
    return sign.isprintable() or (sign in JOINERS and _joins(text, index)) or (sign in TAGS and FLAG in text)


@lru_cache(maxsize=8192)
def exact_form(text: str) -> str:
    """Return a text for exact comparison: folded, composed, stripped and in lower case, with its accents."""
    return (text if text.isascii() else unicodedata.normalize("NFC", fold(text))).strip().casefold()


def letters(text: str) -> str:
    """Return a text for comparison: lower case, without accents, `ł` as `l` and `æ` as `ae`."""
    plain = fold(text).casefold()
    if plain.isascii():
        return plain
    bare = (letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))
    return "".join(bare).translate(_LETTERS)


def any_of(phrases: Iterable[str]) -> str:
    """Return a pattern of any of the phrases, the longest first, whatever spaces stand in them; of nothing for none."""
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in ordered) or "(?!)"


def statements(text: str) -> Sequence[str]:
    """Return the parts of a text between line breaks and semicolons that say something, as typed."""
    return [part.strip() for part in _STATEMENT_END.split(text) if part.strip()]


def with_plain_punctuation(text: str) -> str:
    """Return a text as typed except for its colons, commas, semicolons and brackets, which become plain."""
    return text.translate(PUNCTUATION)


def without_dot(line: str) -> str:
    """Return a line without the dot or dash of a list at its beginning."""
    return _DOT_BULLET.sub("", line, count=1).strip()


def without_bullet(line: str) -> str:
    """Return a line without the bullet or number at its beginning."""
    return _NUMBER_BULLET.sub("", _DOT_BULLET.sub("", line, count=1), count=1).strip()


def lines_of(text: str) -> Sequence[tuple[int, str]]:
    """Return the non-empty lines without bullets, each with its line number from 1.

    Numbers at the beginning are bullets only if they count all the lines from 1: a unit may be called `17. FK`.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    number_bullets = [_NUMBER_BULLET.match(line) for _, line in lines]
    bullet = _NUMBER_BULLET if _count_from_one(number_bullets) else _DOT_BULLET
    return [(number, bullet.sub("", line, count=1)) for number, line in lines]


def _count_from_one(bullets: Sequence[re.Match[str] | None]) -> bool:
    return bool(bullets) and all(
        bullet is not None and int(bullet[1]) == number for number, bullet in enumerate(bullets, 1)
    )


def number_of(text: str) -> Fraction:
    """Return the number that a text of the form NUMBER means. Raises ValueError for any other text."""
    words = fold(text).strip().replace(",", ".")
    if not re.fullmatch(NUMBER, words):
        raise ValueError(text)
    if words[-1] in FRACTIONS:
        return Fraction(words[:-1].strip() or 0) + FRACTIONS[words[-1]]
    return sum(map(Fraction, words.split()), Fraction(0))
