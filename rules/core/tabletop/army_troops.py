"""Find the troops that words in an army's line mean, by their names, what they are, and other words for them.

The tests for a match go from the strictest to the loosest, and the first that any troops pass decides. If several pass,
the nationality of the army's side settles which, or nobody does: then the line is doubtful.
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

from .army_counts import MANY_PARTS, count_words
from .troops import NamedTroop, Troops

NATION = "nation"
PASSING = ("formation", "order", "bayonets")
"""Fields of a unit's present formation, not of its kind: `line infantry` does not mean a light company in line."""
FILLING = frozenset(("of", "the", "with", "armed", "equipped", "carrying", "having", "w", "and", "in"))
SHORTEST_BEGINNING = 3
LIKE_TROOPS = 85
"""Likeness (0-100) from which a word may be a misspelt word for troops."""
MISSPELT = 60
"""Likeness (0-100) from which words may be a misspelt name of troops."""
REMEMBERED = 1024
"""Number of texts whose troops are remembered: the parts of a line are looked up again and again."""
ARMY_WORDS = "army_words.toml"
CALIBRE = re.compile(r"(?<!\S)\d+(?:[.,]\d+)?[ -]?(?:pdrs?|prs?|pounders?|inch|in|cm|mm|\")(?!\w)", re.IGNORECASE)
"""Matches the size of a gun, which is no part of troops unless their name has it: `9pdr`, `75 mm`."""

NUMBER_WITHIN = re.compile(r"(?<=[\s,;.])\d+\s")
"""Matches a number within a text."""

Stems = tuple[str, ...]
"""Words in lower case and in the singular."""


class SeveralTroops(Refused):
    """Refusal of words that several troops fit."""


class UnknownTroops(Refused):
    """Refusal of `words` that no troops fit; `TroopFinder.hint` says what is like them."""

    def __init__(self, why: str, words: str = "") -> None:
        super().__init__(why)
        self.words = words


def stems_of(text: str) -> Stems:
    """Return the words of a text in lower case and in the singular."""
    return singular_words(words_of(text))


class TroopFinder:
    """Finds troops of one system."""

    def __init__(self, troops: Troops[Any]) -> None:
        self._troops = troops
        self._matches = lru_cache(maxsize=REMEMBERED)(self._find_matches)
        self._is_like_troops = lru_cache(maxsize=REMEMBERED)(self._find_like)

    def nations_of(self, side: str) -> frozenset[str]:
        """Return the nations of troops that the name of a side speaks of: British for `The British`."""
        words = {*stems_of(side)}
        nations = {str(troop.fields[NATION]) for troop in self._troops.all.values() if NATION in troop.fields}
        return frozenset(nation for nation in nations if {*stems_of(nation)} <= words)

    def find(self, text: str, nations: frozenset[str] = frozenset()) -> NamedTroop[Any]:
        """Return the troops that `text` means. Raises SeveralTroops, or UnknownTroops if none are meant.

        Among several troops, those of `nations` are meant if they are of one kind.
        """
        quoted_text = f"“{text.strip()[: naming.MOST_REPEATED]}”"
        matches = self._matches(text)
        troops = next(filter(None, matches), ())
        if len(troops) > 1:
            own = (self._select_nations(group, nations) for group in matches)
            troops = next(filter(None, own), troops)
        if len(troops) == 1 and not self.is_exact_name(text):
            troops = (*troops, *self._own_rivals(troops[0], matches, nations))
        if len(troops) == 1:
            return troops[0]
        if troops:
            raise SeveralTroops(naming.list_candidates(quoted_text, [troop.name for troop in troops]))
        raise UnknownTroops(f"No troops are called {quoted_text}.", text)

    def fits_any(self, text: str) -> bool:
        """Whether `text` means some troops, be it one kind of them or several."""
        return any(self._matches(text))

    def ends_in_troops(self, text: str) -> bool:
        """Whether the text ends in a number and words for troops: `2nd Bn., 24 British regulars`."""
        numbers = [*NUMBER_WITHIN.finditer(text)][:MANY_PARTS]
        return any(self.fits_any(text[number.end() :]) for number in numbers)

    def is_exact_name(self, text: str) -> bool:
        """Whether `text` is the name of troops, word by word."""
        return words_of(text) in (words_of(troop.name) for troop in self._troops.all.values())

    def is_peoples_word(self, text: str) -> bool:
        """Whether `text` is one of the players' words for troops of a nation, as `Marines` for British regulars."""
        translations = self._other_words.get(_without_filling(stems_of(text)), ())
        return any(self.nations_of(" ".join(words)) for words in translations)

    def sounds_like_troops(self, text: str) -> bool:
        """Whether each word of `text` is, perhaps misspelt, a word for troops, or tells how good they are."""
        words = _without_filling(words_of(text))
        qualities = {word for quality in count_words().qualities for word in words_of(quality)}
        return bool(words) and all(word in qualities or self._is_like_troops(word) for word in words)

    def _find_like(self, word: str) -> bool:
        """Whether the word is, perhaps misspelt, a word for troops."""
        return any(fuzz.ratio(word, term) >= LIKE_TROOPS for term in self._vocabulary)

    def _own_rivals(
        self, chosen_troop: NamedTroop[Any], matches: Sequence[Sequence[NamedTroop[Any]]], nations: frozenset[str]
    ) -> Sequence[NamedTroop[Any]]:
        """Return troops of the side's or of no nation that fit the words too, if `chosen_troop` is another nation's."""
        nation = chosen_troop.fields.get(NATION)
        if not nations or nation is None or nation in nations:
            return ()
        fitting = (troop for group in matches for troop in group)
        own = {troop.id: troop for troop in fitting if troop.fields.get(NATION, None) in (*nations, None)}
        return tuple(own.values())

    def _select_nations(self, troops: Sequence[NamedTroop[Any]], nations: frozenset[str]) -> Sequence[NamedTroop[Any]]:
        """Return the troops of the nations."""
        return tuple(troop for troop in troops if troop.fields.get(NATION) in nations)

    def _find_matches(self, text: str) -> Sequence[Sequence[NamedTroop[Any]]]:
        """Return the troops that pass each test, from the strictest test to the loosest."""
        return self._find_fitting(text) if any(self._find_fitting(text)) else self._find_fitting(CALIBRE.sub("", text))

    def _find_fitting(self, text: str) -> Sequence[Sequence[NamedTroop[Any]]]:
        """Return the troops that pass each test with all the words of the text."""
        all_stems = stems_of(text)
        plain = _without_filling(all_stems)
        translations = self._translate(plain)
        if not all_stems:
            return ()
        described_troops = [(troop, *self._stems[troop_id]) for troop_id, troop in self._troops.all.items()]
        exact = (all_stems, plain, *translations)
        return [
            tuple(
                troop
                for troop, name, description in described_troops
                if any(test(stems, name, description) for stems in ways if stems)
            )
            for test, ways in ((SAME_WORDS, exact), *((test, translations) for test in LOOSER_TESTS))
        ]

    def _translate(self, stems: Stems) -> Sequence[Stems]:
        """Return the words with the lists' own words in place of other words for them, the longest first.

        Words that may mean several troops give as many texts, up to MANY_PARTS.
        """
        texts: list[Stems] = [()]
        at = 0
        while at < len(stems):
            ends = range(len(stems), at, -1)
            end = next((end for end in ends if stems[at:end] in self._other_words), None)
            ways = [stems[at : at + 1]] if end is None else self._other_words[stems[at:end]]
            texts = [(*before, *words) for before in texts for words in ways][:MANY_PARTS]
            at = at + 1 if end is None else end
        return [tuple(dict.fromkeys(words)) for words in texts]

    def hint(self, text: str, nations: frozenset[str] = frozenset()) -> str:
        """Return what is wrong with words that no troops fit: the words that are nobody's, or what is nearest.

        For a side with `nations`, their troops are listed if nothing is near.
        """
        parts = [part for part in re.split(r"[\s,;]+", text) if _without_filling(words_of(part))]
        unknown_parts = [part for part in parts if not all(map(self._is_known, words_of(part)))]
        known_text = " ".join(part for part in parts if part not in unknown_parts)
        near_troops = next(filter(None, self._matches(known_text)), ())
        if unknown_parts and near_troops:
            near_names = naming.join_names([troop.name for troop in near_troops[: naming.MOST_LISTED]])
            unknown = " ".join(unknown_parts)[: naming.MOST_REPEATED]
            return f"“{unknown}” is said of no troops. Without it: {near_names}. Put the unit's own name after a colon."
        names = {troop.id: troop.name for troop in self._troops.all.values()}
        own = [troop.name for troop in self._select_nations(tuple(self._troops.all.values()), nations)]
        is_misspelt = any(fuzz.ratio(text.casefold(), name.casefold()) >= MISSPELT for name in names.values())
        if own and not is_misspelt:
            return f"{' and '.join(sorted(nations))} troops here: {naming.join_names(own, naming.MOST_LISTED)}."
        return f"The nearest: {naming.join_names(naming.nearest(text, names))}."

    def _is_known(self, word: str) -> bool:
        """Whether the troop lists have the word, or a similar word."""
        (stem,) = singular_words([word])
        return any(_is_beginning(stem, term) for term in self._vocabulary) or self._is_like_troops(word)

    @cached_property
    def _stems(self) -> Mapping[str, tuple[Stems, Stems]]:
        """Map each troops' id to the words of the name, and to those words with class, nation and weapon."""
        stems_by_id: dict[str, tuple[Stems, Stems]] = {}
        for troop_id, troop in self._troops.all.items():
            kinds = [value for name, value in troop.fields.items() if isinstance(value, str) and name not in PASSING]
            stems_by_id[troop_id] = (stems_of(troop.name), stems_of(" ".join((troop.name, *kinds))))
        return stems_by_id

    @cached_property
    def _other_words(self) -> Mapping[Stems, Sequence[Stems]]:
        """Map players' words for troops to the words of the troop lists that they may mean."""
        file = files(self._troops.package) / "data" / ARMY_WORDS
        entries = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        return {
            _without_filling(stems_of(words)): [
                stems_of(text) for text in ([meanings] if isinstance(meanings, str) else meanings)
            ]
            for words, meanings in entries.items()
        }

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """Every word by which troops are known."""
        lists = (words for _, words in self._stems.values())
        return frozenset(word for words in (*lists, *self._other_words) for word in words if word not in FILLING)


def _is_beginning(stem: str, word: str) -> bool:
    """Whether the stem is the word or its beginning; numbers and short beginnings must be the whole word."""
    return word == stem or (len(stem) >= SHORTEST_BEGINNING and not stem.isdigit() and word.startswith(stem))


def _are_beginnings(stems: Iterable[str], words: Stems) -> bool:
    return all(any(_is_beginning(stem, word) for word in words) for stem in stems)


def _without_filling(words: Stems) -> Stems:
    return tuple(word for word in words if word not in FILLING)


Test = Callable[[Stems, Stems, Stems], bool]
SAME_WORDS: Test = lambda stems, name, _: {*stems} == {*name}  # noqa: E731
LOOSER_TESTS: tuple[Test, ...] = (
    lambda stems, name, _: {*stems} <= {*name},
    lambda stems, name, _: _are_beginnings(stems, name),
    lambda stems, name, description: {*name} <= {*stems} <= {*description},
    lambda stems, _, description: {*stems} <= {*description},
    lambda stems, _, description: _are_beginnings(stems, description),
)
"""Tests of typed words, the words of a troops' name, and the words of name and kind, from the strictest:

They are words of the name; they begin such words; they are the name and words of what the troops are; they are words of
the name or of what the troops are; they begin such words.
"""
