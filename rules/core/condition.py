"""A condition of an order, as data."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from .model import IN_ORDER, Model


class ConditionAspect(StrEnum):
    """What a condition tests: distance, state, contact, sight or chance."""

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

    The subject `who` is a unit's id, TARGETED or ORDERED. An empty `who` means any enemy, or any enemy of the `group`
    with these `classes`. Distances are measured from the unit `near`, or else from the ordered unit. `number` is a
    distance (inches or hexes) or a chance (percent).
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
