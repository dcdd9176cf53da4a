"""Exceptions by which rule systems refuse actions, and helpers that raise them."""

from collections.abc import Callable, Sequence

from .model import Cite
from .report import Prompt


class Refused(Exception):
    """An action is refused. Nothing was changed, nothing was thrown.

    `why` says which rule refuses and what would be allowed. `prompts` must be settled first, if they are the reason. If
    only the prompts' `keys` are known, the system adds the prompts.
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
    """Text names no place. In a game without positions, such text may still be logged."""


class NotSaid(Refused):
    """An action lacks a `field` that only people can fill in, such as the range on a table without positions."""

    def __init__(self, why: str, cite: Cite | None, field: str) -> None:
        super().__init__(why, cite)
        self.field = field


def refuse(cite: Cite | None, *grounds: tuple[object, str]) -> None:
    """Raise Refused with the words of the first of `grounds` (condition, words) whose condition holds, if any."""
    for holds, why in grounds:
        if holds:
            raise Refused(why, cite)


def require_that(true: bool, where: str, otherwise: str) -> None:
    """Raise Refused with the place `where` and the reason `otherwise`, unless `true`."""
    if not true:
        raise Refused(f"{where}: {otherwise}.")


def passes_check(check: Callable[..., object], *args: object) -> bool:
    """Whether `check` passes with these arguments, instead of raising Refused."""
    try:
        check(*args)
    except Refused:
        return False
    return True
