"""Modifiers of dice as typed: letters, an optional comparison and a number."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from .dice_choice import HIGHEST, LOWEST, Choice
from .modifiers import AddOne, Change, Drop, Explode, Keep, Limit, Reroll

KEEP = "k"
EQUAL = "="


class TypedModifier(NamedTuple):
    """A modifier as typed: `kh3` is `k`, `h`, 3; `r1` has an empty `kind`, and `!` neither kind nor number."""

    name: str
    kind: str = ""
    number: int | None = None

    def __str__(self) -> str:
        return f"{self.name}{self.kind}{'' if self.number is None else self.number}"

    def choice(self, kind: str, number: int = 0) -> Choice:
        """Return the choice of dice; `kind` and `number` are the defaults for missing fields."""
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
"""Meanings of all modifiers, except `k`, which may combine several, and counting modifiers."""
AIMS: Mapping[str, tuple[str, int]] = {"t": (">=", 1), "tl": ("<=", 1), "f": ("<=", -1)}
"""Counting modifiers: comparison of the counted dice, and value of each."""
BANG, BOTCH = "!", "b"


def write_out_keeps(typed: Sequence[TypedModifier]) -> tuple[TypedModifier, ...]:
    """Write out bare `k` modifiers: a single `k3` becomes `kh3`; several in a row become `k=1k=2`."""
    found: list[TypedModifier] = []
    for name, group in groupby(typed, key=lambda one: one.name):
        members = tuple(group)
        bare = EQUAL if sum(not one.kind for one in members) > 1 else HIGHEST
        found.extend(one._replace(kind=one.kind or bare) if name == KEEP else one for one in members)
    return tuple(found)


def make_changes(typed: Sequence[TypedModifier], sides: int = 0) -> tuple[Change, ...]:
    """Return the changes for dice with `sides` faces, in order; consecutive `k` modifiers form one choice."""
    found: list[Change] = []
    for name, group in groupby(typed, key=lambda one: one.name):
        if name == KEEP:
            found.append(Keep(tuple(one.choice(HIGHEST) for one in group)))
        else:
            meaning = MEANINGS[name]
            found.extend(meaning.change(one.choice(meaning.bare, sides)) for one in group)
    return tuple(found)
