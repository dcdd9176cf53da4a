"""A refusal with the arcs and lines that show its reason on the map."""

from collections.abc import Callable

from .refusal import Refused
from .scene import SightLines


class RefusedWithSightLines(Refused):
    """A refusal with the function `sight`, which computes the arcs and lines that explain it on the map."""

    def __init__(self, why: Refused, sight: Callable[[], SightLines]) -> None:
        super().__init__(why.why, why.cite, why.prompts, why.keys)
        self.sight = sight
