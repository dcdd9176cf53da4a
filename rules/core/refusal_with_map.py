"""A refusal with the arcs and lines that show its reason on the map."""

from collections.abc import Callable

from .refusal import Refused
from .scene import SightLines


class RefusedWithSightLines(Refused):
    """A refusal that the map explains: the function `sight` computes arcs and lines to draw."""

    def __init__(self, why: Refused, sight: Callable[[], SightLines]) -> None:
        super().__init__(why.why, why.cite, why.prompts, why.keys)
        self.sight = sight
