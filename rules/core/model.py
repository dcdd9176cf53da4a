"""The base of every value in `rules`: frozen, closed to unknown fields."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A frozen value. Containers in it are never changed in place; use `model_copy(update=...)`."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Mark(StrEnum):
    """Where a rule comes from."""

    TEXT = "text"
    RULING = "ruling"
    FOUND = "found"
    HOUSE = "house"


class Cite(Model):
    """A rule number with its mark, as `MM-5.4` (text)."""

    rule: str
    mark: Mark = Mark.TEXT

    def __str__(self) -> str:
        return self.rule if self.mark is Mark.TEXT else f"{self.rule}, {MARK_WORDS[self.mark]}"


MARK_WORDS = {
    Mark.TEXT: "printed",
    Mark.RULING: "ruling",
    Mark.FOUND: "found in a public summary",
    Mark.HOUSE: "house rule",
}

Viewer = str
"""Who looks: a side's id, `UMPIRE` or `PUBLIC`."""

UMPIRE: Viewer = "umpire"
PUBLIC: Viewer = "public"
