"""Prevent the same long work from running twice at the same time."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from bot.errors import UserError


class SingleFlight:
    """The work in progress. `keys` name each piece of work: what is made, and where."""

    def __init__(self) -> None:
        self.keys: set[tuple[Hashable, ...]] = set()

    @contextmanager
    def hold(self, what: str, *where: Hashable, then: str) -> Iterator[None]:
        """Mark the work as running inside the context. `where` is usually its channel.

        Raises UserError if the same work is already running; `then` is the end of the message, such as where the result
        will appear.
        """
        key = (what, *where)
        if key in self.keys:
            raise UserError(f"{what} is on its way. {then}")
        self.keys.add(key)
        try:
            yield
        finally:
            self.keys.discard(key)
