"""Exceptions of rule systems for refused actions."""

from collections.abc import Callable, Sequence

from .model import Cite
from .report import Prompt


class Refused(Exception):
    """An action that may not be done. Nothing changed, nothing was thrown.

    `why` says which rule refuses and what would be allowed; `prompts` are what stands in the way, if that is it.
    Where only the `keys` of those are known, the system fills them in.
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
    """Text without a recognizable place; without positions, such text may still be logged."""


class NotSaid(Refused):
    """Refuse an action that lacks a `field` only people can fill in, such as the range on an unmeasured table."""

    def __init__(self, why: str, cite: Cite | None, field: str) -> None:
        super().__init__(why, cite)
        self.field = field


def refuse(cite: Cite | None, *grounds: tuple[object, str]) -> None:
    """Raises Refused with the words of the first of the grounds that holds; nothing where none does."""
    for holds, why in grounds:
        if holds:
            raise Refused(why, cite)


def must(true: bool, where: str, otherwise: str) -> None:
    """Raises Refused with the place, unless it is true."""
    if not true:
        raise Refused(f"{where}: {otherwise}.")


def allowed(check: Callable[..., object], *args: object) -> bool:
    """Whether a check passes that otherwise raises Refused."""
    try:
        check(*args)
    except Refused:
        return False
    return True
