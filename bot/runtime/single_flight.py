"""Work in progress, at most one of each kind per channel."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from bot.errors import UserError


class UnderWay:
    """Everything that is being made."""

    def __init__(self) -> None:
        self.made: set[tuple[Hashable, ...]] = set()

    @contextmanager
    def one(self, what: str, *where: Hashable, then: str) -> Iterator[None]:
        """Held while `what` is made and sent there; `then` says where the result will be.

        Raises UserError where it is on its way already.
        """
        key = (what, *where)
        if key in self.made:
            raise UserError(f"{what} is on its way. {then}")
        self.made.add(key)
        try:
            yield
        finally:
            self.made.discard(key)
