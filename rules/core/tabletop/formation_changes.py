"""Formation changes and similar actions: word, resulting unit, and prohibitions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rules.core.model import Cite
from rules.core.refusal import Refused

from .battle import TableState, U

S = TypeVar("S", bound=TableState[Any])
Update = Mapping[str, Any]
"""Fields of a unit, as they become."""


@dataclass(frozen=True)
class Change(Generic[S, U]):
    """A change ordered by a `word`, made where the unit halts, or else before it sets out. `done` says it of many.

    `bars` are who cannot make it, and why, in words of the {unit}, agreeing, and perhaps the {word}.
    """

    word: str
    done: str
    rule: Cite
    makes: Update | Callable[[S, U], Update]
    bars: tuple[tuple[Callable[[U], bool], str], ...] = ()
    at_halt: bool = False

    def check(self, unit: U) -> None:
        """Raises Refused where such a unit never makes it."""
        for barred, why in self.bars:
            if barred(unit):
                raise Refused(why.format(unit=unit, word=self.word), self.rule)

    def apply(self, state: S, unit: U) -> U:
        """Return the unit after it. Raises Refused where it cannot be made, or would change nothing."""
        self.check(unit)
        changed = unit.model_copy(update=self.makes(state, unit) if callable(self.makes) else self.makes)
        if changed == unit:
            raise Refused(f"“{self.word}” would change nothing: {unit:are} so already.", self.rule)
        return changed


def index_by_word(*changes: Change[S, U]) -> Mapping[str, Change[S, U]]:
    """Return the changes by word, in order of execution."""
    return {change.word: change for change in changes}
