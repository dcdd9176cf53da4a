"""A refusal that the map shows better than words: with the arcs and lines that are why."""

from collections.abc import Callable

from .refusal import Refused
from .scene import Sight


class RefusedInSight(Refused):
    """A refusal illustrated by `sight`, computed when drawn."""

    def __init__(self, why: Refused, sight: Callable[[], Sight]) -> None:
        super().__init__(why.why, why.cite, why.prompts, why.keys)
        self.sight = sight
