"""The words for `with:` of a system: every *circumstances.toml of its data, and which of them contradict each other."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from .data_files import ending
from .state import Circumstance


def load_circumstances(package: str) -> Mapping[str, Circumstance]:
    """Every word of a package's data by name. Raises as `read_circumstances` does."""
    return read_circumstances(file.read_text(encoding="utf-8") for file in ending(package, "circumstances.toml"))


def read_circumstances(texts: Iterable[str]) -> Mapping[str, Circumstance]:
    """Every word by name; a word of several groups once, with all it excludes. Of two, either may name the other.

    Raises ValidationError on an unknown key, ValueError on the exclusion of a word that there is not.
    """
    known: dict[str, Circumstance] = {}
    for text in texts:
        for group in tomllib.loads(text).values():
            for name, meant in group.items():
                word = Circumstance.model_validate({"name": name, **meant})
                known[name] = _excluding(word, known[name].excludes if name in known else frozenset())
    for word in tuple(known.values()):
        for other in word.excludes:
            if other not in known:
                raise ValueError(f"“{word.name}” excludes “{other}”, which is no circumstance")
            known[other] = _excluding(known[other], frozenset((word.name,)))
    return known


def meanings(package: str, end: str) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """By group and word, the fields that a unit has when that is said of it: of the data files whose names end so."""
    groups = (item for file in ending(package, end) for item in tomllib.loads(file.read_text(encoding="utf-8")).items())
    return {group: {word: meant.get("makes", {}) for word, meant in words.items()} for group, words in groups}


def contradiction(known: Mapping[str, Circumstance], words: Sequence[str]) -> tuple[str, str] | None:
    """The first two of these words that cannot both be true; None where they go together."""
    pairs = combinations(words, 2)
    return next(((one, other) for one, other in pairs if one in known and other in known[one].excludes), None)


def _excluding(word: Circumstance, more: frozenset[str]) -> Circumstance:
    return word.model_copy(update={"excludes": word.excludes | more})
