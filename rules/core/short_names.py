"""Short names of units: unique abbreviations that are drawn on crowded maps, and that players may type."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import takewhile

from typing_extensions import override

from .data_files import read_data_file
from .model import Model
from .naming import Names, group_keys, name_words
from .typed_text import normalize_text

LINKS = frozenset({"of", "the", "and", "de", "von", "al", "el"})
LETTERS, MOST_LETTERS = 3, 6
"""Letters of a one-word name's abbreviation, and maximum letters of a first word to make names unique."""


class UnitWords(Model):
    """The content of unit_words.toml: lists of equivalent spellings, such as `coy` and `company`."""

    same: tuple[tuple[str, ...], ...]


@cache
def _load_other_spellings() -> Mapping[str, tuple[str, ...]]:
    """Return the other spellings of each word. Raises ValidationError for an unknown key in the file."""
    lists = read_data_file(UnitWords, "rules.core", "unit_words.toml").same
    return {
        word: tuple(spelling for spelling in spellings if spelling != word) for spellings in lists for word in spellings
    }


@lru_cache(maxsize=4096)
def further_spellings(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the other spellings of each word, such as `company` for `coy`."""
    return tuple(spelling for word in words for spelling in _load_other_spellings().get(word, ()))


class UnitNames(Names):
    """Names of units by id. A unit is also found by its short name, and by `further` words.

    `find_short_names` returns the short names by id; it is called only for a text that is no whole name.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        find_short_names: Callable[[], Mapping[str, str]],
        further: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        super().__init__(names)
        self._find_short_names = find_short_names
        self._further = further or {}

    @override
    def exact_keys(self, form: str, typed: tuple[str, ...]) -> tuple[str, ...]:
        """Return the ids of units with this whole name, or else with this short name."""
        return super().exact_keys(form, typed) or self._keys_by_short_name.get(form, ())

    @override
    def further_words(self, key: str) -> tuple[str, ...]:
        """Return further words for the unit: other spellings such as `coy`, the name's initials, and `further`."""
        words = [word for word in self[key].split() if word.casefold() not in LINKS and not word[0].isdigit()]
        initials = ("".join(word[0] for word in words).casefold(),) if len(words) > 1 else ()
        return (*further_spellings(name_words(self[key])), *initials, *self._further.get(key, ()))

    @cached_property
    def _keys_by_short_name(self) -> Mapping[str, tuple[str, ...]]:
        names_by_unit = self._find_short_names()
        return group_keys((normalize_text(names_by_unit[unit]), unit) for unit in self if unit in names_by_unit)


def abbreviate_names(names: Sequence[str]) -> Mapping[str, str]:
    """Return an abbreviation for each name. Equal ones, ignoring case, get more letters, or else a number."""
    abbreviations = {name: _abbreviate_name(name, 1) for name in names}
    for letters in range(2, MOST_LETTERS):
        frequencies = Counter(words.casefold() for words in abbreviations.values())
        abbreviations = {
            name: _abbreviate_name(name, letters) if frequencies[words.casefold()] > 1 else words
            for name, words in abbreviations.items()
        }
    counts = Counter[str]()
    frequencies = Counter(words.casefold() for words in abbreviations.values())
    for name, words in abbreviations.items():
        if frequencies[words.casefold()] > 1:
            counts[words.casefold()] += 1
            abbreviations[name] = f"{words}{counts[words.casefold()]}"
    return _abbreviate_detachments(abbreviations)


def _abbreviate_detachments(abbreviations: Mapping[str, str]) -> Mapping[str, str]:
    """Return the abbreviations of all units, with those of detachments.

    A detachment's name is another unit's name and one more word. Its abbreviation adds that word's first letter, if the
    result is unique.
    """
    used_names, extended_names = {words.casefold() for words in abbreviations.values()}, dict(abbreviations)
    for name in abbreviations:
        beginning, _, word = name.rpartition(" ")
        if beginning in abbreviations and (new := f"{abbreviations[beginning]}{word[:1]}").casefold() not in used_names:
            extended_names[name] = new
            used_names.add(new.casefold())
    return extended_names


def _abbreviate_name(name: str, letters: int) -> str:
    """Return an abbreviation: `1B` for 1st Berkshires, `HEd` for Hadendoa of Erkowit detachment, `Art` for Arteiga."""
    words: list[str] = [word for word in re.findall(r"\w+", name) if word.casefold() not in LINKS] or [name]
    if len(words) == 1:
        return words[0][: LETTERS - 1 + letters]
    first = next((number for number, word in enumerate(words) if not word[0].isdigit()), 0)
    return "".join(_abbreviate_word(word, letters if number == first else 1) for number, word in enumerate(words))


def _abbreviate_word(word: str, letters: int) -> str:
    if word[0].isdigit():
        return "".join(takewhile(str.isdigit, word))
    return word if word.isupper() else word[:letters]
