"""Exceptions by which rule systems refuse actions, and helpers that raise them."""

from collections.abc import Callable, Sequence

from .model import Cite
from .report import Prompt


class Refused(Exception):
    """Refusal of an action. Nothing was changed, and no dice were thrown.

    `why` says which rule refuses and what would be allowed. `prompts` are the open prompts that must be settled first;
    a system may give only their `keys`.
    """

    def __init__(
        self, why: str, cite: Cite | None = None, prompts: Sequence[Prompt] = (), keys: Sequence[str] = ()
    ) -> None:
        super().__init__(why)
        self.why = why
        self.cite = cite
        self.prompts = tuple(prompts)
        self.keys = tuple(keys)

    def __str__(self) -> str:
        return f"{self.why} ({self.cite})" if self.cite else self.why


class NoPlace(Refused):
    """Refusal of a text that names no place. In a game without positions, the text may still be logged."""


class UnclearGoal(NoPlace):
    """Refusal of a unit's name after `towards` that matches no unit or several units. Lists the possible units."""


class AmbiguousGoal(Refused):
    """Refusal of a target or goal that may be several units."""


class UnknownOrderWords(Refused):
    """Refusal of an order with unknown words. If other words give orders, `PartlyUnderstood` replaces this refusal."""


class NotPossibleNow(Refused):
    """Refusal of a text that may mean something in a later phase, such as `towards` before units can move."""


class MissingField(Refused):
    """Refusal of an action with a missing `field` that only people know, such as the range."""

    def __init__(self, why: str, cite: Cite | None, field: str) -> None:
        super().__init__(why, cite)
        self.field = field


def refuse(cite: Cite | None, *grounds: tuple[object, str]) -> None:
    """Raise Refused with the words of the first true condition, if any. `grounds` are (condition, words) pairs."""
    for holds, why in grounds:
        if holds:
            raise Refused(why, cite)


def require_that(true: bool, place: str, otherwise: str) -> None:
    """Raise Refused unless `true`. `place` is the faulty field of a file, `otherwise` the reason."""
    if not true:
        raise Refused(f"{place}: {otherwise}.")


def passes_check(check: Callable[..., object], *args: object) -> bool:
    """Whether `check` accepts these arguments, without raising Refused."""
    try:
        check(*args)
    except Refused:
        return False
    return True
