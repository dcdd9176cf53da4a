"""Names and words in an army's lines: names between quotes, and in brackets what a unit has otherwise than its troops.

`(lancer; not magazine; nation Egyptian)` says three fields of a unit. A name that could be read as something else
stands between quotes: `"Men with guns"`, in which two quotes stand for one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic.fields import FieldInfo

from rules.core import fields
from rules.core.refusal import Refused
from rules.core.typed_text import fold_name, with_plain_punctuation
from rules.core.wording import as_words

Given = tuple[tuple[str, Any], ...]
"""Unit fields with their values."""

QUOTED = re.compile(
    r"""(?<![^\s(:,;（：，；、])(?:"(?:[^"]|"")*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»)(?![^\s):,;）：，；、])"""
)
BRACKET = re.compile(r"\(([^()]*)\)")
FIRST_SIGN, LAST_SIGN = 0xE000, 0xF8FF
"""Signs that nobody writes: each stands for something between quotes."""
LOOKS_OTHERWISE = re.compile(r"""["“”„«»():;,：，；（）、]|\bwith\b|^[#\s]|\s$|\s\s""", re.IGNORECASE)
"""Parts of a name with syntactic meaning in lines."""
NO = "not "


class Quotes:
    """A line with quoted texts replaced by placeholder characters."""

    def __init__(self, line: str) -> None:
        if any(FIRST_SIGN <= ord(sign) <= LAST_SIGN for sign in line):
            raise Refused("It has a sign that cannot be shown. Write it again without.")
        self._kept: list[str] = []
        self.line = fold_name(with_plain_punctuation(QUOTED.sub(self._take, line)))

    def said(self, part: str) -> str:
        """Return a part of the line without its quotes, if entirely quoted."""
        stripped = part.strip()
        if len(stripped) == 1 and FIRST_SIGN <= ord(stripped) <= LAST_SIGN:
            quoted = self._kept[ord(stripped) - FIRST_SIGN]
            return quoted[1:-1].replace('""', '"') if quoted.startswith('"') else quoted[1:-1]
        return self.written(stripped)

    def written(self, part: str) -> str:
        """Return a part of the line as written."""
        return "".join(
            self._kept[ord(sign) - FIRST_SIGN] if FIRST_SIGN <= ord(sign) <= LAST_SIGN else sign for sign in part
        )

    def _take(self, found: re.Match[str]) -> str:
        self._kept.append(found[0])
        return chr(FIRST_SIGN + len(self._kept) - 1)


def quoted(name: str) -> str:
    """Return a name for a line, quoted if ambiguous."""
    return '"{}"'.format(name.replace('"', '""')) if not name or LOOKS_OTHERWISE.search(name) else name


def split_fields(quotes: Quotes, text: str, known: Mapping[str, FieldInfo]) -> tuple[str, Given]:
    """Split bracketed fields off a text. Return remaining text and fields.

    What in brackets is no field stays, as words. Raises Refused on a value that a field does not take.
    """
    given: dict[str, Any] = {}
    left: list[str] = []
    for item in (item for inside in BRACKET.findall(text) for item in re.split("[;,]", inside)):
        said = _field(item.strip(), known)
        if said is None:
            left.append(item.strip())
            continue
        name, words = said
        try:
            given[name] = fields.read(known[name], quotes.said(words))
        except ValueError as error:
            raise Refused(f"{as_words(name).capitalize()}: {error}") from None
    return ", ".join(filter(None, (BRACKET.sub(" ", text).strip(), *left))), tuple(given.items())


def _field(item: str, known: Mapping[str, FieldInfo]) -> tuple[str, str] | None:
    """Return the longest field name at the item's start and its value's words; None for other text."""
    folded = item.casefold()
    for name in sorted(known, key=len, reverse=True):
        words, is_yes_or_no = as_words(name), known[name].annotation is bool
        if is_yes_or_no and folded in (words, NO + words):
            return name, "no" if folded.startswith(NO) else "yes"
        value = item[len(words) :].strip()
        if folded.startswith(f"{words} ") and (not is_yes_or_no or value.casefold() in fields.YES_NO):
            return name, value
    return None


def in_brackets(items: Sequence[str]) -> str:
    """` (lancer; nation Egyptian)`; nothing without any."""
    return f" ({'; '.join(items)})" if items else ""


def words_of(given: Given) -> Iterable[str]:
    """Fields as they stand in brackets."""
    for name, value in given:
        if isinstance(value, bool):
            yield as_words(name) if value else f"{NO}{as_words(name)}"
        else:
            yield f"{as_words(name)} {quoted(fields.in_words(value))}"
