"""Words in units' names that players abbreviate or write out, as data: `coy` and `company`, `bty` and `battery`."""

from collections.abc import Mapping
from functools import cache, lru_cache

from .data_files import read_data_file
from .model import Model

FILE = "unit_words.toml"


class UnitWordsFile(Model):
    """The content of the file: lists of spellings of one word."""

    same: tuple[tuple[str, ...], ...]


@cache
def _spellings() -> Mapping[str, tuple[str, ...]]:
    """Map each spelling to the others of the same word. Raises ValidationError for an unknown key in the file."""
    lists = read_data_file(UnitWordsFile, "rules.core", FILE).same
    return {word: tuple(one for one in same if one != word) for same in lists for word in same}


@lru_cache(maxsize=4096)
def further_spellings(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the other spellings of each of the words."""
    return tuple(spelling for word in words for spelling in _spellings().get(word, ()))
