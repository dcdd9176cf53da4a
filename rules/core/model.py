"""The base of all values in `rules`, and citations of rules."""

import re
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WrapSerializer

_EXACT = re.compile(r"-?[0-9]{1,4300}(?:/[0-9]{1,4300}|[.][0-9]{1,4300})?")


class Model(BaseModel):
    """A frozen value. Containers in it are never changed in place; use `model_copy(update=...)`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def _require_exact_number(value: Any) -> Any:
    """Return the value unchanged. Raises ValueError for a text that is not written as 9/2, 4.5 or 4."""
    if isinstance(value, str) and not _EXACT.fullmatch(value):
        raise ValueError("a fraction is written as 9/2, 4.5 or 4")
    return value


Exact = Annotated[Fraction, BeforeValidator(_require_exact_number)]
"""A fraction. As text, it must have no exponent: with one, a few characters could stand for a huge number."""


IN_ORDER = WrapSerializer(lambda value, handler: sorted(handler(value)), when_used="json")
"""Sort a set when a model is written as JSON: equal values then have equal bytes in every process."""


class Mark(StrEnum):
    """Source of a rule: printed text, ruling, public summary or house rule."""

    TEXT = "text"
    RULING = "ruling"
    FOUND = "found"
    HOUSE = "house"


class Cite(Model):
    """A rule number with its mark, as `MM-5.4` (text)."""

    rule: str = Field(max_length=40)
    mark: Mark = Mark.TEXT

    @cached_property
    def as_ruling(self) -> "Cite":
        """Return the citation marked as a ruling."""
        return Cite(rule=self.rule, mark=Mark.RULING)

    def __str__(self) -> str:
        return self.rule if self.mark is Mark.TEXT else f"{self.rule}, {MARK_WORDS[self.mark]}"


class CitedModel(Model):
    """Base of values that a rule states, with the rule's number and mark."""

    rule: str
    mark: Mark = Mark.TEXT

    @cached_property
    def cite(self) -> Cite:
        """Return the rule number and mark as a citation."""
        return Cite(rule=self.rule, mark=self.mark)


MARK_WORDS = {
    Mark.TEXT: "printed",
    Mark.RULING: "ruling",
    Mark.FOUND: "found in a public summary",
    Mark.HOUSE: "house rule",
}

MARK_LABELS = {Mark.TEXT: "Printed", Mark.RULING: "Ruling", Mark.FOUND: "Found", Mark.HOUSE: "House rule"}
"""The label of each mark, shown before a text to name its source."""

Path = tuple[str | int, ...]
"""The path of a value in a document: keys, and list indexes from 0."""

Viewer = str
"""The viewer of a game: a side's id, `UMPIRE` or `PUBLIC`."""

Viewers = Annotated[frozenset[Viewer], IN_ORDER]
"""Several viewers."""

UMPIRE: Viewer = "umpire"
PUBLIC: Viewer = "public"
