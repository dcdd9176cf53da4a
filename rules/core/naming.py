"""Resolve typed names of units, sides, troops, places, circumstances, options and scenarios.

A series of tests compares the names, the strictest test first, and the first test that any name passes decides. If
several names pass, the refusal lists them. If no name passes any test, it lists the most similar names.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

from rapidfuzz import fuzz, process, utils

from .refusal import Refused
from .typed_text import normalize_text, without_accents

NEAREST = 4
MOST_LISTED = 6
"""Maximum number of names to list if several match."""
LEAST_FRAGMENT = 3
"""Minimum characters of a typed part that is found inside a word of a name."""
MOST_REPEATED = 60
"""Maximum number of characters of typed text that a message repeats."""

ARTICLE = re.compile(r"^the\s+(?=\S)")
"""An article that players add before a name."""
LINK = re.compile(r"(?:^|(?<=\s))(?:the|of|from)\s+(?=\S)")
"""Words that players add to a name: `the leader of the Rajputs`."""
WORD = re.compile(r"[^\W_]+")
ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
BETWEEN_WORDS = re.compile(r"(?<!\d) | (?!\d)")

K = TypeVar("K")
Words = Mapping[str, Sequence[str]]
"""Further words by which a named thing is known, by the key of its name."""


@lru_cache(maxsize=8192)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without accents and punctuation."""
    return tuple(WORD.findall(without_accents(text)))


@lru_cache(maxsize=8192)
def name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name, with `1st` as `1`: players write 1 Platoon, 1. Platoon and 1st Platoon."""
    return with_cardinals(words_of(text))


def with_cardinals(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words with ordinal numbers as cardinal numbers: `13th` as `13`."""
    return tuple(ORDINAL.sub(r"\1", word) for word in words)


def begins_word(typed: str, word: str) -> bool:
    """Whether a word starts with the typed text; numbers must match fully: 1 does not match 10."""
    return word == typed if typed.isdigit() else word.startswith(typed)


def begins_any_word(typed: str, words: Iterable[str]) -> bool:
    """Whether one of the words starts with the typed word or its singular."""
    singular = singular_word(typed)
    return any(begins_word(typed, word) or begins_word(singular, word) for word in words)


def all_begin_a_word(typed: Iterable[str], words: Iterable[str]) -> bool:
    """Whether each typed word is the beginning of one of `words`."""
    all_words = tuple(words)
    return all(any(begins_word(typed_word, word) for word in all_words) for typed_word in typed)


@dataclass(frozen=True)
class _NamedThing:
    """A named thing: its key, its name, and further words by which it is known."""

    key: str
    name: str
    known_by: tuple[str, ...]
    further: tuple[str, ...] = ()
    """Further words for the thing that count only if typed in full."""

    @property
    def words(self) -> tuple[str, ...]:
        return name_words(self.name)


def _begin_words_in_order(typed: Sequence[str], words: Sequence[str]) -> bool:
    remaining = iter(words)
    return all(any(begins_word(typed_word, word) for word in remaining) for typed_word in typed)


def _is_part_of_name(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Whether typed words of at least LEAST_FRAGMENT characters are part of a name. Numbers must match fully."""
    part = " ".join(typed)
    return len(part) >= LEAST_FRAGMENT and bool(re.search(rf"(?<!\d){re.escape(part)}(?!\d)", " ".join(words)))


def _join_without_spaces(words: Iterable[str]) -> str:
    """Return the words without spaces between them, except between digits: `Black Watch 6` as `blackwatch6`."""
    return BETWEEN_WORDS.sub("", " ".join(words))


def singular_words(words: Iterable[str]) -> tuple[str, ...]:
    """Return each word in the singular, so that `Marines` finds the Royal Marine Light Infantry."""
    return tuple(singular_word(word) for word in words)


def singular_word(word: str) -> str:
    """Return the word in the singular, judged by its ending: `impis` as `impi`, `batteries` as `battery`."""
    if len(word) <= LEAST_FRAGMENT or not word.endswith("s"):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


TESTS: tuple[Callable[[str, tuple[str, ...], _NamedThing], bool], ...] = (
    lambda text, _, thing: text == normalize_text(thing.key),
    lambda text, _, thing: text == normalize_text(thing.name),
    lambda _, typed, thing: bool(typed) and typed == thing.words,
    lambda _, typed, thing: bool(typed) and set(typed) <= set(thing.words),
    lambda _, typed, thing: bool(typed) and _begin_words_in_order(typed, thing.words),
    lambda _, typed, thing: bool(typed) and _is_part_of_name(typed, thing.words),
    lambda _, typed, thing: bool(typed) and _join_without_spaces(typed) == _join_without_spaces(thing.words),
    lambda _, typed, thing: bool(typed) and typed in map(name_words, thing.known_by),
    lambda _, typed, thing: (
        bool(typed) and all_begin_a_word(typed, (*thing.words, *name_words(" ".join(thing.known_by))))
    ),
    lambda _, typed, thing: bool(typed) and all_begin_a_word(singular_words(typed), thing.words),
    lambda _, typed, thing: (
        bool(typed)
        and all(begins_any_word(word, thing.words) or {word, singular_word(word)} & {*thing.further} for word in typed)
    ),
)
"""Tests of a typed text (in its normalized form), its words and a named thing, from the strictest to the loosest.

1. The text is the key. 2. The text is the name. 3. The typed words are all words of the name. 4. They are some words of
the name. 5. They begin words of the name, in order. 6. They are a part of the name. 7. They are the name except for
spaces. 8. They are further words for the thing. 9. They begin words of the name or further words. 10. In the singular,
they begin words of the name. 11. They begin or abbreviate words of the name.
"""
EXACT = 3
"""Number of the first tests, which compare the whole key or name."""


class Names(dict[str, str]):
    """An immutable mapping from keys to names. The forms for comparison are computed once."""

    def exact_keys(self, form: str, typed: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys of names that match exactly: by key, else by name, else by words."""
        keys = (*((form,) if form in self else ()), *self._keys_by_form.get(form, ()))
        return keys or self._keys_by_name.get(form) or self._keys_by_words.get(with_cardinals(typed), ())

    def loose_matches(self, typed: tuple[str, ...], known_by: Words | None) -> list[_NamedThing]:
        """Return the things whose names or further words contain each typed word or its singular."""
        parts, joined = [(word, singular_word(word)) for word in typed], _join_without_spaces(typed)
        things = []
        for key, words in self._searched_words.items():
            known_words = tuple((known_by or {}).get(key, ()))
            all_words = " ".join((words, *name_words(" ".join(known_words)))) if known_words else words
            is_whole = joined == self._joined_names_by_key[key]
            if is_whole or all(singular in all_words or word in all_words for word, singular in parts):
                things.append(_NamedThing(key, self[key], known_words, self.further_words(key)))
        return things

    def further_words(self, key: str) -> tuple[str, ...]:  # noqa: ARG002
        """Return further words for the named thing, such as abbreviations. They count only if typed in full."""
        return ()

    @cached_property
    def _keys_by_form(self) -> Mapping[str, tuple[str, ...]]:
        """Return the keys that differ from their normalized form, grouped by that form."""
        return group_keys((form, key) for key in self if (form := normalize_text(key)) != key)

    @cached_property
    def _keys_by_name(self) -> Mapping[str, tuple[str, ...]]:
        return group_keys((normalize_text(name), key) for key, name in self.items())

    @cached_property
    def _keys_by_words(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        return group_keys((name_words(name), key) for key, name in self.items() if name_words(name))

    @cached_property
    def _words_by_key(self) -> Mapping[str, str]:
        return {key: " ".join(name_words(name)) for key, name in self.items()}

    @cached_property
    def _searched_words(self) -> Mapping[str, str]:
        """Return the words that a loose search covers, by key: the words of the name, and further words."""
        return {key: " ".join((words, *self.further_words(key))) for key, words in self._words_by_key.items()}

    @cached_property
    def _joined_names_by_key(self) -> Mapping[str, str]:
        return {key: BETWEEN_WORDS.sub("", words) for key, words in self._words_by_key.items()}


def group_keys(pairs: Iterable[tuple[K, str]]) -> Mapping[K, tuple[str, ...]]:
    """Return the keys (the second items of `pairs`), grouped by the first items."""
    keys_by_item: dict[K, tuple[str, ...]] = {}
    for item, key in pairs:
        keys_by_item[item] = (*keys_by_item.get(item, ()), key)
    return keys_by_item


def find_matches(text: str, names: Mapping[str, str], known_by: Words | None = None) -> tuple[str, ...]:
    """Return the keys of the names that match `text`: one if the match is clear, else several or none."""
    form, typed = normalize_text(text), name_words(text)
    all_names = names if isinstance(names, Names) else Names(names)
    if exact := all_names.exact_keys(form, typed):
        return exact
    bearers = all_names.loose_matches(typed, known_by) if typed else ()
    keys_by_test = ([thing.key for thing in bearers if test(form, typed, thing)] for test in TESTS[EXACT:])
    matches = _narrow_by_ordinals(text, tuple(next(filter(None, keys_by_test), ())), all_names)
    if not matches and LINK.search(form):
        return find_matches(LINK.sub(" ", form).strip(), all_names, known_by)
    return matches


def _narrow_by_ordinals(text: str, keys: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return those `keys` whose names contain the ordinals in `text`, or all `keys` if no name does.

    `12th` means the 12th Japanese rather than 12-pounders, `12` may mean both.
    """
    ordinals = {word for word in words_of(text) if ORDINAL.match(word)} if len(keys) > 1 else set()
    return tuple(key for key in keys if ordinals <= {*words_of(names[key])}) or keys


def rank_matches(text: str, names: Mapping[str, str], known_by: Words | None = None) -> tuple[str, ...]:
    """Return the keys of all names that pass one of TESTS. Names that pass a stricter test come first."""
    form, typed = normalize_text(text), name_words(text)
    bearers = [_NamedThing(key, name, tuple((known_by or {}).get(key, ()))) for key, name in names.items()]
    return tuple(dict.fromkeys(thing.key for test in TESTS for thing in bearers if test(form, typed, thing)))


def resolve_name(text: str, names: Mapping[str, str], unknown: str, known_by: Words | None = None) -> str:
    """Return the key of the name that matches `text`. Raises Refused with the names if several match.

    If none matches, the refusal is `unknown` (“No unit here is called {}.”) with the most similar names.
    """
    matches = find_matches(text, names, known_by)
    quoted = f"“{text.strip()[:MOST_REPEATED]}”"
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise Refused(clarifying_question(quoted, [names[key] for key in matches]))
    raise Refused(" ".join((unknown.format(quoted), _suggest_names(text, names))).strip())


def _suggest_names(text: str, names: Mapping[str, str]) -> str:
    if 0 < len(names) <= MOST_LISTED:
        return f"There are: {join_names([*dict.fromkeys(names.values())])}."
    near = most_similar_names(text, names)
    return f"The nearest: {join_names(near)}." if near else ""


def clarifying_question(quoted: str, names: Sequence[str]) -> str:
    """Return a question which of `names` is meant; `quoted` is the typed text in quotes."""
    different = list(dict.fromkeys(names))
    if len(different) == 1:
        return f"There are {len(names)} named “{different[0]}”. Choose one from the list as you type."
    remaining = len(different) - MOST_LISTED
    first = join_names(different[:MOST_LISTED]) + (f" or {remaining} more" if remaining > 0 else "")
    return f"{quoted} may be any of these: {first}. Say which."


def join_names(names: Sequence[str], most: int | None = None) -> str:
    """Join names by commas, or by semicolons if a name has a comma. Beyond `most` names: `A, B and 3 more`."""
    first_names = names[:most]
    joined = ("; " if any("," in name for name in first_names) else ", ").join(first_names)
    return f"{joined} and {len(names) - len(first_names)} more" if len(first_names) < len(names) else joined


def most_similar_names(text: str, names: Mapping[str, str], least: float = 0) -> list[str]:
    """Return the most similar names, with similarity of at least `least` (0-100)."""
    ranked = process.extract(text, names, scorer=fuzz.WRatio, processor=utils.default_process, limit=NEAREST)
    return list(dict.fromkeys(name for name, likeness, _ in ranked if likeness >= least))
