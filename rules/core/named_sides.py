"""Find the side that a list of units names: `all British`, `all of the Mahdists`, `all British units`."""

from .naming import singular_words, words_of
from .state import State

AROUND = frozenset(("of", "the", "unit", "troop", "men", "side"))
"""Words around the name of a side that say nothing more of it."""


def find_named_side(state: State, text: str) -> str | None:
    """Return the id of the side whose whole name or id is `text`, in the singular or plural; None if there is none."""
    typed = _bare_words(text)
    found = [side.id for side in state.sides if typed and typed in (_bare_words(side.name), _bare_words(side.id))]
    return found[0] if len(found) == 1 else None


def _bare_words(text: str) -> tuple[str, ...]:
    return tuple(word for word in singular_words(words_of(text)) if word not in AROUND)
