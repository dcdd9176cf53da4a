"""Modifiers of dice as typed: letters, an optional comparison and a number."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from .dice_choice import HIGHEST, LOWEST, DiceChoice
from .modifiers import DiceChange, DropModifier, Explosion, ExtraDie, FaceLimit, KeepModifier, Reroll

KEEP = "k"
EQUAL = "="


class TypedModifier(NamedTuple):
    """A modifier as typed: `kh3` has the name `k`, the kind `h` and the number 3. Only the name is required."""

    name: str
    kind: str = ""
    number: int | None = None

    def __str__(self) -> str:
        return f"{self.name}{self.kind}{'' if self.number is None else self.number}"

    def make_choice(self, kind: str, number: int = 0) -> DiceChoice:
        """Return the modifier's choice of dice. `kind` and `number` are defaults for parts that were not typed."""
        return DiceChoice(self.kind or kind, number if self.number is None else self.number)


class ModifierMeaning(NamedTuple):
    """Meaning of a modifier: how it changes the chosen dice. `bare` is the kind of choice if none was typed."""

    bare: str
    change: Callable[[DiceChoice], DiceChange]


_LEAST = ModifierMeaning(EQUAL, lambda choice: FaceLimit(least=choice.number))
_MOST = ModifierMeaning(EQUAL, lambda choice: FaceLimit(most=choice.number))
MEANINGS: Mapping[str, ModifierMeaning] = {
    "d": ModifierMeaning(LOWEST, DropModifier),
    "p": ModifierMeaning(EQUAL, DropModifier),
    "r": ModifierMeaning("<=", partial(Reroll, again=False)),
    "ir": ModifierMeaning("<=", partial(Reroll, again=True)),
    "ro": ModifierMeaning(EQUAL, partial(Reroll, again=False)),
    "rr": ModifierMeaning(EQUAL, partial(Reroll, again=True)),
    "ra": ModifierMeaning(EQUAL, ExtraDie),
    "e": ModifierMeaning(">=", partial(Explosion, again=False)),
    "ie": ModifierMeaning(">=", partial(Explosion, again=True)),
    "!": ModifierMeaning(">=", partial(Explosion, again=True)),
    "mi": _LEAST,
    "min": _LEAST,
    "ma": _MOST,
    "max": _MOST,
}
"""Meanings of all modifiers except `k` and the counting modifiers."""
AIMS: Mapping[str, tuple[str, int]] = {"t": (">=", 1), "tl": ("<=", 1), "f": ("<=", -1)}
"""Counting modifiers: the comparison that counted dice meet, and the score of each counted die."""
BANG, BOTCH = "!", "b"


def add_missing_keep_kinds(modifiers: Sequence[TypedModifier]) -> tuple[TypedModifier, ...]:
    """Return the modifiers with a kind for each `k` without one: `k3` becomes `kh3`, `k1k2` becomes `k=1k=2`."""
    full_modifiers: list[TypedModifier] = []
    for name, group in groupby(modifiers, key=lambda modifier: modifier.name):
        members = tuple(group)
        bare = EQUAL if sum(not modifier.kind for modifier in members) > 1 else HIGHEST
        full_modifiers.extend(
            modifier._replace(kind=modifier.kind or bare) if name == KEEP else modifier for modifier in members
        )
    return tuple(full_modifiers)


def make_dice_changes(modifiers: Sequence[TypedModifier], sides: int = 0) -> tuple[DiceChange, ...]:
    """Return the modifiers' changes to dice with `sides` faces. Consecutive `k` modifiers become one change."""
    changes: list[DiceChange] = []
    for name, group in groupby(modifiers, key=lambda modifier: modifier.name):
        if name == KEEP:
            changes.append(KeepModifier(tuple(modifier.make_choice(HIGHEST) for modifier in group)))
        else:
            meaning = MEANINGS[name]
            changes.extend(meaning.change(modifier.make_choice(meaning.bare, sides)) for modifier in group)
    return tuple(changes)
