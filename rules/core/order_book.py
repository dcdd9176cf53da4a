"""One side's orders as text: parse typed orders, and write orders as text that parses to an equal order."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from .condition import Condition
from .condition_reader import ConditionReader
from .order_advice import OrderAdvice
from .order_arguments import OrderArguments
from .order_reader import OrderReader
from .order_writer import OrderWriter
from .orders import Order, OrderT, without_unable_units
from .refusal import NoPlace, UnclearGoal
from .side_units import SideUnitFinder
from .state import S


class OrderBook(SideUnitFinder[S]):
    """Reader and writer of one side's orders. The side's view `seen` gives the units and places."""

    @cached_property
    def _order_reader(self) -> OrderReader[S]:
        return OrderReader(self)

    def read(self, line: str) -> tuple[Order, ...]:
        """Return the orders that a line gives. Raises Refused naming the fault in the line."""
        return self._order_reader.read(line)

    def write(self, order: Order, most: int | None = None) -> str:
        """Return the order as readable text. Beyond `most` units, write only the number of further units."""
        return OrderWriter(self).write(order, most)

    def read_conditions(self, text: str, order: OrderT) -> OrderT:
        """Return the order with the conditions in the text, which may begin with `if`. Raises Refused."""
        return ConditionReader(self).add_conditions_in_text(text, order)

    def write_conditions(self, conditions: Sequence[Condition]) -> str:
        """Return the conditions of an order as readable text, without `if`."""
        return OrderWriter(self).write_conditions(conditions)

    def with_unit_names(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the order's arguments. If `to` ends with a unit's id, replace the id by the unit's name."""
        return OrderWriter(self).with_unit_names(args)

    def examples(self) -> Sequence[str]:
        """Return a few example orders from this game, the last one for all units."""
        return OrderAdvice(self).examples_for_form()

    def read_destination(self, unit: str, words: str) -> str:
        """Return the destination that `words` mean for a unit: `north 2`, `the wells`. Raises Refused with advice."""
        try:
            return OrderArguments(self).read_destination(words, unit)
        except UnclearGoal:
            raise
        except NoPlace:
            raise OrderAdvice(self).unknown_place_refusal(words, unit) from None

    def without_unable_units(self, order: Order) -> Order:
        """Return the order without the units that cannot execute it now. If no unit can, return the order unchanged."""
        return without_unable_units(self.system, self.seen, self.viewer, order)
