"""One side's orders as text: parse typed orders, and write orders as text that parses to an equal order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from .condition import Condition
from .condition_reader import ConditionReader
from .model import Viewer
from .order_advice import OrderAdvice
from .order_arguments import OrderArguments
from .order_reader import OrderReader
from .order_writer import OrderWriter
from .orders import Order, OrderT, without_unable_units
from .refusal import NoPlace, UnclearGoal
from .ruleset import Ruleset
from .side_units import SideUnits
from .state import S


@dataclass(frozen=True)
class OrderBook(Generic[S]):
    """Reads and writes the orders of one side. The side's view `seen` gives the units and places."""

    system: Ruleset[S]
    seen: S
    viewer: Viewer
    ordered: frozenset[str] | None = None
    """Units (by id) that already have an order, excluded from “the rest”; None without an order sheet."""

    @cached_property
    def _side(self) -> SideUnits[S]:
        return SideUnits(self.system, self.seen, self.viewer, self.ordered)

    @cached_property
    def _reader(self) -> OrderReader[S]:
        return OrderReader(self._side)

    @property
    def own(self) -> Mapping[str, str]:
        """Return the names of the side's own units and markers, by id; for the umpire, of all units."""
        return self._side.own

    def read(self, line: str) -> tuple[Order, ...]:
        """Return the orders that a line gives. Raises Refused naming the fault in the line."""
        return self._reader.read(line)

    def write(self, order: Order, most: int | None = None) -> str:
        """Return the order as readable text; beyond `most` units, add the number of omitted ones."""
        return OrderWriter(self._side).write(order, most)

    def read_conditions(self, text: str, order: OrderT) -> OrderT:
        """Return the order with the conditions in the text, which may begin with `if`. Raises Refused."""
        return ConditionReader(self._side).add_conditions_in_text(text, order)

    def write_conditions(self, conditions: Sequence[Condition]) -> str:
        """Return the conditions of an order as readable text, without `if`."""
        return OrderWriter(self._side).write_conditions(conditions)

    def with_unit_names(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the order's arguments. If `to` ends with a unit's id, replace the id by the unit's name."""
        return OrderWriter(self._side).with_unit_names(args)

    def examples(self) -> Sequence[str]:
        """Return a few example orders from this game, the last one for all units."""
        return OrderAdvice(self._side).for_form()

    def units(self, text: str) -> tuple[str, ...]:
        """Return the side's units that a list means: names with commas, `all`, `all Hadendoa`, `all guns`.

        Raises Refused.
        """
        return self._side.listed(text)

    def destination(self, unit: str, words: str) -> str:
        """Return the destination of a unit (by id) that `words` mean in an order line: `north 2`, `the wells`.

        Raises Refused with advice on writing destinations.
        """
        try:
            return OrderArguments(self._side).destination(words, unit)
        except UnclearGoal:
            raise
        except NoPlace:
            raise OrderAdvice(self._side).no_place(words, unit) from None

    def written_name(self, unit: str) -> str:
        """Return a name for the unit, of either side, that is unambiguous in an order."""
        return self._side.written_name(unit)

    def able(self, order: Order) -> Order:
        """Return the order without the units that cannot execute it now. If no unit can, return the order unchanged."""
        return without_unable_units(self.system, self.seen, self.viewer, order)
