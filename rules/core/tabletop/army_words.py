"""Quoted names and bracketed fields in army lines.

`(lancer; not magazine; nation Egyptian)` sets three fields of a unit. A name that could be misread is quoted:
`"Men with guns"`. Inside the quotes, `""` is a quotation mark.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic.fields import FieldInfo

from rules.core import fields
from rules.core.refusal import Refused
from rules.core.typed_text import clean_name, with_plain_punctuation
from rules.core.wording import as_words

FieldValues = tuple[tuple[str, Any], ...]
"""Unit fields with their values."""

QUOTED = re.compile(
    r"""(?<![^\s(:,;（：，；、])(?:"(?:[^"]|"")*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»)(?![^\s):,;）：，；、])"""
)
SPACE = re.compile(r"[^\S ]")
"""Matches white space other than the plain space."""
BRACKET = re.compile(r"\(([^()]*)\)")
FIRST_SIGN, LAST_SIGN = 0xE000, 0xF8FF
"""Range of the private-use characters that replace quoted texts."""
AMBIGUOUS = re.compile(
    r"""["“”„«»():;,：，；（）、∶]|\b(?:with|under|led by|commanded by)\b|^[#\s]|^[-*+]\s|\s$|\s\s|[^\S ]"""
    r"""|^\d+(?:\s|x\s|$)|\bx ?\d+$|\bdozen$|\d [^\W\d]+$|\d\s*(?:pts?|points?)\b|\bat\s+[a-z]{0,2}\d""",
    re.IGNORECASE,
)
"""Matches names that must be quoted, because part of the name has a special meaning in army lines."""
NEGATION = "not "


class QuotedLine:
    """An army line in which placeholder characters replace the quoted texts.

    Raises Refused if the line already contains a placeholder character.
    """

    def __init__(self, line: str) -> None:
        if any(FIRST_SIGN <= ord(sign) <= LAST_SIGN for sign in line):
            raise Refused("It has a sign that cannot be shown. Write it again without.")
        self._quoted_texts: list[str] = []
        self.line = clean_name(with_plain_punctuation(QUOTED.sub(self._store_quoted_text, line)))

    def unquote(self, part: str) -> str:
        """Return the original text of a part of the line, without quotes around the whole part."""
        stripped = part.strip()
        if len(stripped) == 1 and FIRST_SIGN <= ord(stripped) <= LAST_SIGN:
            quoted = self._quoted_texts[ord(stripped) - FIRST_SIGN]
            return quoted[1:-1].replace('""', '"') if quoted.startswith('"') else quoted[1:-1]
        return self.restore_quotes(stripped)

    def restore_quotes(self, part: str) -> str:
        """Return the original text of a part of the line, with its quotes."""
        return "".join(
            self._quoted_texts[ord(sign) - FIRST_SIGN] if FIRST_SIGN <= ord(sign) <= LAST_SIGN else sign
            for sign in part
        )

    def _store_quoted_text(self, match: re.Match[str]) -> str:
        """Store a quoted text with plain spaces, and return its placeholder."""
        self._quoted_texts.append(SPACE.sub(" ", match[0]))
        return chr(FIRST_SIGN + len(self._quoted_texts) - 1)


def quote_name(name: str) -> str:
    """Return the name for an army line, in quotes if it is empty or could be misread."""
    return '"{}"'.format(name.replace('"', '""')) if not name or AMBIGUOUS.search(name) else name


def read_fields(quotes: QuotedLine, text: str, allowed_fields: Mapping[str, FieldInfo]) -> tuple[str, FieldValues]:
    """Return the text's words and its bracketed fields. Raises Refused on an invalid value.

    Bracketed words that name no field come last, without brackets.
    """
    outside, values = split_off_fields(quotes, text, allowed_fields)
    other_words = (item.strip() for inside in BRACKET.findall(outside) for item in inside.split(";"))
    return ", ".join(filter(None, (BRACKET.sub(" ", outside).strip(), *other_words))), values


def split_off_fields(quotes: QuotedLine, text: str, allowed_fields: Mapping[str, FieldInfo]) -> tuple[str, FieldValues]:
    """Return the text without its bracketed fields, and the fields. Raises Refused on an invalid value.

    Bracketed words that name no field stay in the text.
    """
    values: dict[str, Any] = {}

    def replace_bracket(bracket: re.Match[str]) -> str:
        other_words: list[str] = []
        for item in (item.strip() for item in re.split("[;,]", bracket[1])):
            match = match_field(item, allowed_fields)
            if match is None:
                other_words.append(item)
                continue
            name, words = match
            try:
                values[name] = fields.read_value(allowed_fields[name], quotes.unquote(words))
            except ValueError as error:
                raise Refused(f"{as_words(name).capitalize()}: {error}") from None
        return f"({'; '.join(other_words)})" if any(other_words) else ""

    return BRACKET.sub(replace_bracket, text), tuple(values.items())


def match_field(item: str, allowed_fields: Mapping[str, FieldInfo]) -> tuple[str, str] | None:
    """Return the field that the item names (the longest that matches) and the text of its value, or None."""
    folded = item.casefold()
    for name in sorted(allowed_fields, key=len, reverse=True):
        words, is_yes_or_no = as_words(name), allowed_fields[name].annotation is bool
        if is_yes_or_no and folded in (words, NEGATION + words):
            return name, "no" if folded.startswith(NEGATION) else "yes"
        value = item[len(words) :].strip()
        if folded.startswith(f"{words} ") and (not is_yes_or_no or value.casefold() in fields.YES_NO):
            return name, value
    return None


def write_bracketed_fields(field_values: FieldValues, *before: str) -> str:
    """Return the words `before` and the fields in brackets: ` (lancer; not magazine)`; `""` if there are none."""
    items = (*before, *describe_fields(field_values))
    return f" ({'; '.join(items)})" if items else ""


def describe_fields(field_values: FieldValues) -> Iterable[str]:
    """Yield each field as text for the brackets: `lancer`, `not magazine`, `nation Egyptian`."""
    for name, value in field_values:
        if isinstance(value, bool):
            yield as_words(name) if value else f"{NEGATION}{as_words(name)}"
        else:
            yield f"{as_words(name)} {quote_name(fields.value_in_words(value))}"
