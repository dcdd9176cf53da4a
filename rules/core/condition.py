"""A condition of an order, as data."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from .model import IN_ORDER, Model


class ConditionAspect(StrEnum):
    """The fact that a condition is about."""

    WITHIN = "within"
    STATE = "state"
    CHARGED = "charged"
    IN_SIGHT = "in sight"
    CHANCE = "chance"


TARGETED, ORDERED = "*target", "*unit"
"""Values of `Condition.who` for the order's target and for the ordered unit; no unit has such an id."""
LONGEST_ID = 80
FARTHEST = 9999


class Condition(Model):
    """A condition of an order. If `negated`, the opposite must hold.

    The condition is about the unit `who`: an id, TARGETED or ORDERED. If `who` is empty, the condition
    is about any enemy, or any enemy of the `group` with these `classes`. Distances are measured from the unit `near`
    (by id), by default from the ordered unit. `number` is a distance (inches or hexes) or a chance (percent), `state`
    an adjective.
    """

    aspect: ConditionAspect
    negated: bool = False
    who: str = Field(default="", max_length=LONGEST_ID)
    group: str = Field(default="", max_length=LONGEST_ID)
    classes: Annotated[frozenset[str], IN_ORDER] = frozenset()
    near: str = Field(default="", max_length=LONGEST_ID)
    number: float = Field(default=0, ge=0, le=FARTHEST)
    state: str = Field(default="", max_length=LONGEST_ID)

    @property
    def opposite(self) -> "Condition":
        """Return the condition with its negation reversed."""
        return self.model_copy(update={"negated": not self.negated})
