"""Find a side by its name in players' words: `British`, `of the Mahdists`, `British units`."""

from collections.abc import Mapping

from .naming import singular_words, words_of
from .state import State

AROUND = frozenset(("of", "the", "unit", "troop", "men", "side"))
"""Words that may surround the name of a side without changing its meaning."""


def find_named_side(state: State, text: str, known_by: Mapping[tuple[str, ...], tuple[str, ...]]) -> str | None:
    """Return the id of the only side whose id or whole name is `text`, in singular or plural, or None.

    `known_by` maps synonyms (as words) to the names or ids of sides.
    """
    spelling = _words_of_side_name(text)
    meanings = {
        spelling,
        *(
            _words_of_side_name(name)
            for words, names in known_by.items()
            for name in names
            if _words_of_side_name(" ".join(words)) == spelling
        ),
    }
    matches = [
        side.id
        for side in state.sides
        if spelling and not meanings.isdisjoint((_words_of_side_name(side.name), _words_of_side_name(side.id)))
    ]
    return matches[0] if len(matches) == 1 else None


def _words_of_side_name(text: str) -> tuple[str, ...]:
    return tuple(word for word in singular_words(words_of(text)) if word not in AROUND)
