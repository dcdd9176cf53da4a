"""Resolve typed names of units, sides, troops, places, circumstances, options and scenarios.

Names are tested from the strictest test to the loosest; the first test that any name passes decides. If one name
passes, that name is the result. If several pass, the refusal lists them. If no name passes, it lists the nearest names.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

from rapidfuzz import fuzz, process, utils

from .refusal import Refused
from .typed_text import exact_form, letters

NEAREST = 4
MOST_LISTED = 6
"""Maximum number of names to list when several may be meant."""
LEAST_FRAGMENT = 3
"""Minimum characters of a name fragment inside a word."""
MOST_REPEATED = 60
"""Maximum characters of typed text to repeat."""

ARTICLE = re.compile(r"^the\s+(?=\S)")
"""An article that players write before a name that has none."""
LINK = re.compile(r"(?:^|(?<=\s))(?:the|of|from)\s+(?=\S)")
"""Words that players write in a name that has none: `the leader of the Rajputs`."""
WORD = re.compile(r"[^\W_]+")
ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
BETWEEN_WORDS = re.compile(r"(?<!\d) | (?!\d)")

K = TypeVar("K")
Words = Mapping[str, Sequence[str]]
"""Further words by which a named thing is known, by the key of its name."""


@lru_cache(maxsize=8192)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without accents and punctuation."""
    return tuple(WORD.findall(letters(text)))


@lru_cache(maxsize=8192)
def name_words(text: str) -> tuple[str, ...]:
    """Return the words of a name, `1st` as `1`: players write 1 Platoon, 1. Platoon and 1st Platoon."""
    return with_cardinals(words_of(text))


def with_cardinals(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words with ordinal numbers as cardinal numbers: `13th` as `13`."""
    return tuple(ORDINAL.sub(r"\1", word) for word in words)


def begins_word(typed: str, word: str) -> bool:
    """Whether a word starts with the typed text; numbers must match fully: 1 does not match 10."""
    return word == typed if typed.isdigit() else word.startswith(typed)


def begins_a_word(typed: str, words: Iterable[str]) -> bool:
    """Whether the typed text begins one of the words, in the plural or singular."""
    one = singular_word(typed)
    return any(begins_word(typed, word) or begins_word(one, word) for word in words)


def all_begin_a_word(typed: Iterable[str], words: Iterable[str]) -> bool:
    """Whether each word in `typed` begins one of `words`."""
    known = tuple(words)
    return all(any(begins_word(one, word) for word in known) for one in typed)


@dataclass(frozen=True)
class _NamedThing:
    """A named thing: its key, its name, and further words by which it is known."""

    key: str
    name: str
    known_by: tuple[str, ...]
    further: tuple[str, ...] = ()
    """Further words that count if they are typed in full."""

    @property
    def words(self) -> tuple[str, ...]:
        return name_words(self.name)


def _begin_in_order(typed: Sequence[str], words: Sequence[str]) -> bool:
    left = iter(words)
    return all(any(begins_word(one, word) for word in left) for one in typed)


def _is_part(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the typed words are part of the name and have at least SHORTEST characters; numbers must match fully."""
    part = " ".join(typed)
    return len(part) >= LEAST_FRAGMENT and bool(re.search(rf"(?<!\d){re.escape(part)}(?!\d)", " ".join(words)))


def _joined(words: Iterable[str]) -> str:
    """Return the words without spaces between them, except between digits: `Black Watch 6` as `blackwatch6`."""
    return BETWEEN_WORDS.sub("", " ".join(words))


def singular_words(words: Iterable[str]) -> tuple[str, ...]:
    """Return each word in the singular, so that `Marines` finds the Royal Marine Light Infantry."""
    return tuple(singular_word(word) for word in words)


def singular_word(word: str) -> str:
    """Return the word in the singular, as far as its letters tell: `impis` as `impi`, `batteries` as `battery`."""
    if len(word) <= LEAST_FRAGMENT or not word.endswith("s"):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


TESTS: tuple[Callable[[str, tuple[str, ...], _NamedThing], bool], ...] = (
    lambda text, _, one: text == exact_form(one.key),
    lambda text, _, one: text == exact_form(one.name),
    lambda _, typed, one: bool(typed) and typed == one.words,
    lambda _, typed, one: bool(typed) and set(typed) <= set(one.words),
    lambda _, typed, one: bool(typed) and _begin_in_order(typed, one.words),
    lambda _, typed, one: bool(typed) and _is_part(typed, one.words),
    lambda _, typed, one: bool(typed) and _joined(typed) == _joined(one.words),
    lambda _, typed, one: bool(typed) and typed in map(name_words, one.known_by),
    lambda _, typed, one: bool(typed) and all_begin_a_word(typed, (*one.words, *name_words(" ".join(one.known_by)))),
    lambda _, typed, one: bool(typed) and all_begin_a_word(singular_words(typed), one.words),
    lambda _, typed, one: (
        bool(typed)
        and all(begins_a_word(word, one.words) or {word, singular_word(word)} & {*one.further} for word in typed)
    ),
)
"""Tests of a typed text (in its exact form), its words and a named thing, from the strictest to the loosest:

The text is the key; the text is the name; the words are those of the name; they are some words of the name; they
begin words of the name, in order; they are a part of the name; they are the name but for spaces; they are further
words for the thing; they begin words of the name or further words; in the singular, they begin words of the name; they
begin words of the name or are abbreviations of them.
"""
EXACT = 3
"""Number of tests that compare the whole key or name."""


def _named_things(names: Mapping[str, str], known_by: Words | None) -> list[_NamedThing]:
    return [_NamedThing(key, name, tuple((known_by or {}).get(key, ()))) for key, name in names.items()]


class Names(dict[str, str]):
    """A mapping from keys to names that never changes. The forms for comparison are computed once."""

    def exact_keys(self, wanted: str, typed: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys of names that match exactly: by key, else by name, else by words."""
        keys = (*((wanted,) if wanted in self else ()), *self._keys_by_form.get(wanted, ()))
        return keys or self._keys_by_name.get(wanted) or self._keys_by_words.get(with_cardinals(typed), ())

    def loose_matches(self, typed: tuple[str, ...], known_by: Words | None) -> list[_NamedThing]:
        """Return the names that may match loosely: each typed word, or its singular, is part of the name's words."""
        parts, joined = [(word, singular_word(word)) for word in typed], _joined(typed)
        found = []
        for key, words in self._searched_words.items():
            more = tuple((known_by or {}).get(key, ()))
            all_words = " ".join((words, *name_words(" ".join(more)))) if more else words
            whole = joined == self._joined_by_key[key]
            if whole or all(one in all_words or several in all_words for several, one in parts):
                found.append(_NamedThing(key, self[key], more, self.further_words(key)))
        return found

    def further_words(self, key: str) -> tuple[str, ...]:  # noqa: ARG002
        """Return further words for the named thing, such as abbreviations, which count only if typed in full."""
        return ()

    @cached_property
    def _keys_by_form(self) -> Mapping[str, tuple[str, ...]]:
        """Map the exact form to its keys, for all keys that differ from that form."""
        return group_keys((typed, key) for key in self if (typed := exact_form(key)) != key)

    @cached_property
    def _keys_by_name(self) -> Mapping[str, tuple[str, ...]]:
        return group_keys((exact_form(name), key) for key, name in self.items())

    @cached_property
    def _keys_by_words(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        return group_keys((name_words(name), key) for key, name in self.items() if name_words(name))

    @cached_property
    def _words_by_key(self) -> Mapping[str, str]:
        return {key: " ".join(name_words(name)) for key, name in self.items()}

    @cached_property
    def _searched_words(self) -> Mapping[str, str]:
        """Return the words in which a loose search looks, by key: those of the name, and further words."""
        return {key: " ".join((words, *self.further_words(key))) for key, words in self._words_by_key.items()}

    @cached_property
    def _joined_by_key(self) -> Mapping[str, str]:
        return {key: BETWEEN_WORDS.sub("", words) for key, words in self._words_by_key.items()}


def group_keys(pairs: Iterable[tuple[K, str]]) -> Mapping[K, tuple[str, ...]]:
    """Return the keys of the pairs by their first item."""
    found: dict[K, tuple[str, ...]] = {}
    for said, key in pairs:
        found[said] = (*found.get(said, ()), key)
    return found


def find_matches(text: str, names: Mapping[str, str], known_by: Words | None = None) -> tuple[str, ...]:
    """Return the keys of the names that match `text`: one key for a clear match, several candidates, or none."""
    wanted, typed = exact_form(text), name_words(text)
    known = names if isinstance(names, Names) else Names(names)
    if exact := known.exact_keys(wanted, typed):
        return exact
    bearers = known.loose_matches(typed, known_by) if typed else ()
    passed = ([one.key for one in bearers if test(wanted, typed, one)] for test in TESTS[EXACT:])
    found = _with_ordinals(text, tuple(next(filter(None, passed), ())), known)
    if not found and LINK.search(wanted):
        return find_matches(LINK.sub(" ", wanted).strip(), known, known_by)
    return found


def _with_ordinals(text: str, found: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys of the names with the ordinals of a text; all keys without such a name.

    `12th` means the 12th Japanese rather than 12-pounders, `12` may mean both.
    """
    ordinals = {word for word in words_of(text) if ORDINAL.match(word)} if len(found) > 1 else set()
    return tuple(key for key in found if ordinals <= {*words_of(names[key])}) or found


def rank_matches(text: str, names: Mapping[str, str], known_by: Words | None = None) -> tuple[str, ...]:
    """Return the keys of all names that pass any test, those that pass a stricter test first."""
    wanted, typed = exact_form(text), name_words(text)
    bearers = _named_things(names, known_by)
    return tuple(dict.fromkeys(one.key for test in TESTS for one in bearers if test(wanted, typed, one)))


def resolve(text: str, names: Mapping[str, str], unknown: str, known_by: Words | None = None) -> str:
    """Return the key of the only name that matches `text`. Raises Refused for several matches or none.

    Several candidates are listed. Without a candidate, the refusal is `unknown` with the typed text in place of {} (“No
    unit here is called {}.”), followed by the nearest names, or by all names if they are few.
    """
    found = find_matches(text, names, known_by)
    said = f"“{text.strip()[:MOST_REPEATED]}”"
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused(list_candidates(said, [names[key] for key in found]))
    raise Refused(" ".join((unknown.format(said), _hint(text, names))).strip())


def _hint(text: str, names: Mapping[str, str]) -> str:
    if 0 < len(names) <= MOST_LISTED:
        return f"There are: {join_names([*dict.fromkeys(names.values())])}."
    near = nearest(text, names)
    return f"The nearest: {join_names(near)}." if near else ""


def list_candidates(said: str, names: Sequence[str]) -> str:
    """Return the sentence that asks which of several names is meant; `said` is what was typed, in quotes."""
    different = list(dict.fromkeys(names))
    if len(different) == 1:
        return f"There are {len(names)} named “{different[0]}”. Choose one from the list as you type."
    more = len(different) - MOST_LISTED
    first = join_names(different[:MOST_LISTED]) + (f" or {more} more" if more > 0 else "")
    return f"{said} may be any of these: {first}. Say which."


def join_names(names: Sequence[str], most: int | None = None) -> str:
    """Join names with commas, or semicolons if a name contains a comma: beyond `most` names, `A, B and 3 more`."""
    named = names[:most]
    joined = ("; " if any("," in name for name in named) else ", ").join(named)
    return f"{joined} and {len(names) - len(named)} more" if len(named) < len(names) else joined


def nearest(text: str, names: Mapping[str, str], least: float = 0) -> list[str]:
    """Return the most similar names, with similarity of at least `least` (0-100)."""
    ranked = process.extract(text, names, scorer=fuzz.WRatio, processor=utils.default_process, limit=NEAREST)
    return list(dict.fromkeys(name for name, likeness, _ in ranked if likeness >= least))
