"""Find the troops that words in an army line mean: by name, by kind, or by players' words for them.

The strictest matching test that any troops pass decides. If several troops pass, the side's nation decides. If that
does not decide either, the line is doubtful.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from rapidfuzz import fuzz

from rules.core import naming
from rules.core.naming import singular_words, words_of
from rules.core.refusal import Refused

from .army_counts import MOST_PARTS, load_count_words
from .troops import NamedTroop, Troops

NATION = "nation"
FORMATION_FIELDS = ("formation", "order", "bayonets")
"""Fields of a unit's present formation, not its kind: `line infantry` does not mean light infantry in line."""
FILLER_WORDS = frozenset(("of", "the", "with", "armed", "equipped", "carrying", "having", "w", "and", "in"))
SHORTEST_BEGINNING = 3
WORD_SIMILARITY = 85
"""Minimum similarity (0-100) of a word to a word for troops, if it is misspelt."""
NAME_SIMILARITY = 60
"""Minimum similarity (0-100) of words to a name of troops, if they are misspelt."""
CACHE_SIZE = 1024
"""Maximum number of texts whose troops are cached, because the parts of a line are searched repeatedly."""
ARMY_WORDS = "army_words.toml"
CALIBRE = re.compile(r"(?<!\S)\d+(?:[.,]\d+)?[ -]?(?:pdrs?|prs?|pounders?|inch|in|cm|mm|\")(?!\w)", re.IGNORECASE)
"""Matches the calibre of a gun, which is ignored unless a name of troops contains it: `9pdr`, `75 mm`."""

NUMBER_WITHIN = re.compile(r"(?<=[\s,;.])\d+\s")
"""Matches a number within a text."""

Stems = tuple[str, ...]
"""Words in lower case and in the singular."""


class SeveralTroops(Refused):
    """Refusal because words fit several troops."""


class UnknownTroops(Refused):
    """Refusal because `words` fit no troops."""

    def __init__(self, why: str, words: str = "") -> None:
        super().__init__(why)
        self.words = words


def split_stems(text: str) -> Stems:
    """Return the words of a text in lower case and in the singular."""
    return singular_words(words_of(text))


class TroopFinder:
    """Finds the troops of one system that typed words mean."""

    def __init__(self, troops: Troops[Any]) -> None:
        self._troops = troops
        self._matches = lru_cache(maxsize=CACHE_SIZE)(self._find_matches)
        self._is_like_troops = lru_cache(maxsize=CACHE_SIZE)(self._is_word_for_troops)

    def nations_in_name(self, side: str) -> frozenset[str]:
        """Return the nations that a side's name contains, such as British in `The British`."""
        words = {*split_stems(side)}
        nations = {str(troop.fields[NATION]) for troop in self._troops.all.values() if NATION in troop.fields}
        return frozenset(nation for nation in nations if {*split_stems(nation)} <= words)

    def find(self, text: str, nations: frozenset[str] = frozenset()) -> NamedTroop[Any]:
        """Return the troops that `text` means, preferring troops of `nations`.

        Raises SeveralTroops if several troops remain possible, and UnknownTroops if none fit.
        """
        quoted_text = f"“{text.strip()[: naming.MOST_REPEATED]}”"
        matches = self._matches(text)
        troops = next(filter(None, matches), ())
        if len(troops) > 1:
            own = (_troops_of_nations(group, nations) for group in matches)
            troops = next(filter(None, own), troops)
        if len(troops) == 1 and not self.is_exact_name(text):
            troops = (*troops, *self._rivals_of_foreign_troop(troops[0], matches, nations))
        if len(troops) == 1:
            return troops[0]
        if troops:
            raise SeveralTroops(naming.clarifying_question(quoted_text, [troop.name for troop in troops]))
        raise UnknownTroops(f"No troops are called {quoted_text}.", text)

    def fits_any_troops(self, text: str) -> bool:
        """Whether the text fits the name or description of any troops."""
        return any(self._matches(text))

    def ends_in_troops(self, text: str) -> bool:
        """Whether the text ends with a number and words for troops: `2nd Bn., 24 British regulars`."""
        numbers = [*NUMBER_WITHIN.finditer(text)][:MOST_PARTS]
        return any(self.fits_any_troops(text[number.end() :]) for number in numbers)

    def is_exact_name(self, text: str) -> bool:
        """Whether `text` is exactly the name of some troops."""
        return words_of(text) in (words_of(troop.name) for troop in self._troops.all.values())

    def is_players_word(self, text: str) -> bool:
        """Whether players use the text for troops of a nation, such as `Marines` for British regulars."""
        translations = self._translations.get(_remove_filler_words(split_stems(text)), ())
        return any(self.nations_in_name(" ".join(words)) for words in translations)

    def sounds_like_troops(self, text: str) -> bool:
        """Whether every word means troops, perhaps misspelt, or a quality of troops."""
        words = _remove_filler_words(words_of(text))
        qualities = {word for quality in load_count_words().qualities for word in words_of(quality)}
        return bool(words) and all(word in qualities or self._is_like_troops(word) for word in words)

    def _is_word_for_troops(self, word: str) -> bool:
        """Whether the word means troops, perhaps misspelt."""
        return any(fuzz.ratio(word, term) >= WORD_SIMILARITY for term in self._vocabulary)

    def _rivals_of_foreign_troop(
        self, chosen_troop: NamedTroop[Any], matches: Sequence[Sequence[NamedTroop[Any]]], nations: frozenset[str]
    ) -> Sequence[NamedTroop[Any]]:
        """Return other matching troops if `chosen_troop` is foreign: those of `nations` or of no nation."""
        nation = chosen_troop.fields.get(NATION)
        if not nations or nation is None or nation in nations:
            return ()
        fitting = (troop for group in matches for troop in group)
        own = {troop.id: troop for troop in fitting if troop.fields.get(NATION, None) in (*nations, None)}
        return tuple(own.values())

    def _find_matches(self, text: str) -> Sequence[Sequence[NamedTroop[Any]]]:
        """Return for each matching test, strictest first, the troops that pass it.

        If none pass, the tests are repeated without the calibre of a gun in the text.
        """
        groups = self._troops_by_test(text)
        return groups if any(groups) else self._troops_by_test(CALIBRE.sub("", text))

    def _troops_by_test(self, text: str) -> Sequence[Sequence[NamedTroop[Any]]]:
        """Return for each matching test, strictest first, the troops that fit the whole text."""
        all_stems = split_stems(text)
        plain = _remove_filler_words(all_stems)
        translations = self._translate_players_words(plain)
        if not all_stems:
            return ()
        described_troops = [(troop, *self._stems_by_troop_id[troop_id]) for troop_id, troop in self._troops.all.items()]
        exact = (all_stems, plain, *translations)
        return [
            tuple(
                troop
                for troop, name, description in described_troops
                if any(test(stems, name, description) for stems in ways if stems)
            )
            for test, ways in ((SAME_WORDS, exact), *((test, translations) for test in LOOSER_TESTS))
        ]

    def _translate_players_words(self, stems: Stems) -> Sequence[Stems]:
        """Replace players' words by words of the troop lists.

        Return a version of the text for each meaning, at most MOST_PARTS. Longer phrases are replaced first.
        """
        texts: list[Stems] = [()]
        at = 0
        while at < len(stems):
            ends = range(len(stems), at, -1)
            end = next((end for end in ends if stems[at:end] in self._translations), None)
            ways = [stems[at : at + 1]] if end is None else self._translations[stems[at:end]]
            texts = [(*before, *words) for before in texts for words in ways][:MOST_PARTS]
            at = at + 1 if end is None else end
        return [tuple(dict.fromkeys(words)) for words in texts]

    def suggest_troops(self, text: str, nations: frozenset[str] = frozenset()) -> str:
        """Return a hint for words that fit no troops.

        The hint says which words to leave out, or names the side's own or the most similar troops.
        """
        parts = [part for part in re.split(r"[\s,;]+", text) if _remove_filler_words(words_of(part))]
        unknown_parts = [part for part in parts if not all(map(self._is_known_word, words_of(part)))]
        known_text = " ".join(part for part in parts if part not in unknown_parts)
        near_troops = next(filter(None, self._matches(known_text)), ())
        if unknown_parts and near_troops:
            near_names = naming.join_names([troop.name for troop in near_troops[: naming.MOST_LISTED]])
            unknown = " ".join(unknown_parts)[: naming.MOST_REPEATED]
            return f"“{unknown}” is said of no troops. Without it: {near_names}. Put the unit's own name after a colon."
        names = {troop.id: troop.name for troop in self._troops.all.values()}
        own = [troop.name for troop in _troops_of_nations(self._troops.all.values(), nations)]
        is_misspelt = any(fuzz.ratio(text.casefold(), name.casefold()) >= NAME_SIMILARITY for name in names.values())
        if own and not is_misspelt:
            return f"{' and '.join(sorted(nations))} troops here: {naming.join_names(own, naming.MOST_LISTED)}."
        return f"The nearest: {naming.join_names(naming.most_similar_names(text, names))}."

    def _is_known_word(self, word: str) -> bool:
        """Whether the troop lists contain the word, or a similar word."""
        (stem,) = singular_words([word])
        return any(_is_beginning_of_word(stem, term) for term in self._vocabulary) or self._is_like_troops(word)

    @cached_property
    def _stems_by_troop_id(self) -> Mapping[str, tuple[Stems, Stems]]:
        """Map each troop id to the stems of its name, and to the stems of its name and kind together."""
        stems_by_id: dict[str, tuple[Stems, Stems]] = {}
        for troop_id, troop in self._troops.all.items():
            values = ((name, value) for name, value in troop.fields.items() if name not in FORMATION_FIELDS)
            kinds = [value for _, value in values if isinstance(value, str)]
            stems_by_id[troop_id] = (split_stems(troop.name), split_stems(" ".join((troop.name, *kinds))))
        return stems_by_id

    @cached_property
    def _translations(self) -> Mapping[Stems, Sequence[Stems]]:
        """Return each phrase that players use, with its meanings in words of the troop lists."""
        file = files(self._troops.package) / "data" / ARMY_WORDS
        entries = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        return {
            _remove_filler_words(split_stems(words)): [
                split_stems(text) for text in ([meanings] if isinstance(meanings, str) else meanings)
            ]
            for words, meanings in entries.items()
        }

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """Return every word that means or describes troops."""
        lists = (words for _, words in self._stems_by_troop_id.values())
        return frozenset(word for words in (*lists, *self._translations) for word in words if word not in FILLER_WORDS)


def _troops_of_nations(troops: Iterable[NamedTroop[Any]], nations: frozenset[str]) -> Sequence[NamedTroop[Any]]:
    return tuple(troop for troop in troops if troop.fields.get(NATION) in nations)


def _is_beginning_of_word(stem: str, word: str) -> bool:
    """Whether the stem is the word or its beginning. Numbers and very short stems must be the whole word."""
    return word == stem or (len(stem) >= SHORTEST_BEGINNING and not stem.isdigit() and word.startswith(stem))


def _each_begins_a_word(stems: Iterable[str], words: Stems) -> bool:
    return all(any(_is_beginning_of_word(stem, word) for word in words) for stem in stems)


def _remove_filler_words(words: Stems) -> Stems:
    return tuple(word for word in words if word not in FILLER_WORDS)


MatchingTest = Callable[[Stems, Stems, Stems], bool]
SAME_WORDS: MatchingTest = lambda stems, name, _: {*stems} == {*name}  # noqa: E731
LOOSER_TESTS: tuple[MatchingTest, ...] = (
    lambda stems, name, _: {*stems} <= {*name},
    lambda stems, name, _: _each_begins_a_word(stems, name),
    lambda stems, name, description: {*name} <= {*stems} <= {*description},
    lambda stems, _, description: {*stems} <= {*description},
    lambda stems, _, description: _each_begins_a_word(stems, description),
)
"""Tests of the typed words (`stems`) against a name of troops and their `description` (name and kind), strictest first.

In order: All typed words are in the name. All are beginnings of words in the name. The typed words contain the name and
are all in the description. All are in the description. All are beginnings of words in the description.
"""
