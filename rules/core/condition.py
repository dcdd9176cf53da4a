"""A condition of an order, as data."""

from enum import StrEnum

from .model import Model


class Test(StrEnum):
    """What a condition looks at."""

    WITHIN = "within"
    STATE = "state"
    CHARGED = "charged"
    IN_SIGHT = "in sight"
    CHANCE = "chance"


class Condition(Model):
    """A condition of an order. `negated`: the order is done if it does not hold.

    `who` is the unit (by id) that it looks at; empty means any enemy, and `target` the target of the order or, without
    one, the ordered unit. `number` is a distance (inches or hexes) or a chance (percent), `state` an adjective.
    """

    test: Test
    negated: bool = False
    who: str = ""
    number: float = 0
    state: str = ""


TARGETED, ORDERED = "target", "unit"
"""Values of `Condition.who` for the order's target and for the ordered unit."""
