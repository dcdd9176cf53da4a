"""Formation changes and similar changes of a unit: the word, the effect, and the units barred from the change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from rules.core.model import Cite
from rules.core.refusal import Refused

from .battle import S, U

Update = Mapping[str, Any]
"""New values of a unit's fields by name."""


@dataclass(frozen=True)
class FormationChange(Generic[S, U]):
    """A change, such as to another formation, which a unit makes when ordered by `word`.

    It happens before the unit's move, or after it if `at_halt` is true. `makes` holds the new field values, or a
    function that returns them. Each of the `bars` is a test for units that cannot make the change, with the reason.
    `says` is the plural verb for a report, if it is not `word`.
    """

    word: str
    rule: Cite
    makes: Update | Callable[[S, U], Update]
    bars: tuple[tuple[Callable[[U], bool], str], ...] = ()
    at_halt: bool = False
    says: str = ""

    @property
    def report_verb(self) -> str:
        """Return the plural verb for the change in a report."""
        return self.says or self.word

    def check(self, unit: U) -> None:
        """Raise Refused if the unit is barred from the change."""
        for is_barred, why in self.bars:
            if is_barred(unit):
                raise Refused(why.format(unit=unit, word=self.word), self.rule)

    def apply(self, state: S, unit: U) -> U:
        """Return the unit after the change. Raises Refused if the unit is barred, or the change has no effect."""
        self.check(unit)
        changed = unit.model_copy(update=self.makes(state, unit) if callable(self.makes) else self.makes)
        if changed == unit:
            raise Refused(f"“{self.word}” would change nothing: {unit:are} so already.", self.rule)
        return changed


def changes_by_word(*changes: FormationChange[S, U]) -> Mapping[str, FormationChange[S, U]]:
    """Return the changes by word, in the order in which a unit makes several of them."""
    return {change.word: change for change in changes}
