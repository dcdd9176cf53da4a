"""Prevent the same long work from running twice at a time."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from bot.errors import UserError


class SingleFlight:
    """Prevents a second start of work that is still running."""

    def __init__(self) -> None:
        self.keys: set[tuple[Hashable, ...]] = set()

    @contextmanager
    def mark_running(self, work: str, *details: Hashable, ending: str) -> Iterator[None]:
        """Mark the work as running inside the context. Raises UserError if it is running already.

        `work` and `details`, usually the channel, identify the work. `ending` tells the user where the result will
        appear.
        """
        key = (work, *details)
        if key in self.keys:
            raise UserError(f"{work} is on its way. {ending}")
        self.keys.add(key)
        try:
            yield
        finally:
            self.keys.discard(key)
