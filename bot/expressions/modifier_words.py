"""Modifiers of dice as typed: letters, an optional comparison and a number."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from .modifiers import AddOne, Change, Drop, Explode, Keep, Limit, Reroll
from .rolled_dice import HIGHEST, LOWEST, Choice

KEEP = "k"
EQUAL = "="


class Typed(NamedTuple):
    """`kh3` as `k`, `h`, 3; `r1` has an empty `kind`, `!` no number either."""

    name: str
    kind: str = ""
    number: int | None = None

    def __str__(self) -> str:
        return f"{self.name}{self.kind}{'' if self.number is None else self.number}"

    def choice(self, kind: str, number: int = 0) -> Choice:
        """Return which numbers it means; of the kind and number given, where it says none itself."""
        return Choice(self.kind or kind, number if self.number is None else self.number)


class Meaning(NamedTuple):
    """Meaning of modifier letters: the default comparison for a bare number, and the change to the chosen dice."""

    bare: str
    change: Callable[[Choice], Change]


_LEAST = Meaning(EQUAL, lambda choice: Limit(least=choice.number))
_MOST = Meaning(EQUAL, lambda choice: Limit(most=choice.number))
MEANINGS: Mapping[str, Meaning] = {
    "d": Meaning(LOWEST, Drop),
    "p": Meaning(EQUAL, Drop),
    "r": Meaning("<=", partial(Reroll, again=False)),
    "ir": Meaning("<=", partial(Reroll, again=True)),
    "ro": Meaning(EQUAL, partial(Reroll, again=False)),
    "rr": Meaning(EQUAL, partial(Reroll, again=True)),
    "ra": Meaning(EQUAL, AddOne),
    "e": Meaning(">=", partial(Explode, again=False)),
    "ie": Meaning(">=", partial(Explode, again=True)),
    "!": Meaning(">=", partial(Explode, again=True)),
    "mi": _LEAST,
    "min": _LEAST,
    "ma": _MOST,
    "max": _MOST,
}
"""Of all but `k`, which is put together from several, and what counts dice."""
AIMS: Mapping[str, tuple[str, int]] = {"t": (">=", 1), "tl": ("<=", 1), "f": ("<=", -1)}
"""Counting modifiers: comparison of the counted dice, and value of each."""
BANG, BOTCH = "!", "b"


def explicit(typed: Sequence[Typed]) -> tuple[Typed, ...]:
    """Write out bare `k` modifiers: a single `k3` becomes `kh3`; several in a row become `k=1k=2`."""
    found: list[Typed] = []
    for name, group in groupby(typed, key=lambda one: one.name):
        members = tuple(group)
        bare = EQUAL if sum(not one.kind for one in members) > 1 else HIGHEST
        found.extend(one._replace(kind=one.kind or bare) if name == KEEP else one for one in members)
    return tuple(found)


def changes(typed: Sequence[Typed], sides: int = 0) -> tuple[Change, ...]:
    """Return the changes for dice with `sides` faces, in order; consecutive `k` modifiers form one choice."""
    found: list[Change] = []
    for name, group in groupby(typed, key=lambda one: one.name):
        if name == KEEP:
            found.append(Keep(tuple(one.choice(HIGHEST) for one in group)))
        else:
            meaning = MEANINGS[name]
            found.extend(meaning.change(one.choice(meaning.bare, sides)) for one in group)
    return tuple(found)
