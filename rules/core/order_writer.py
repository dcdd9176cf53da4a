"""Write orders as text that parses to equal orders: `Amarar: forward 12`, `Berkshires, Marines fire Arteiga`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import naming
from .condition import Condition
from .condition_words import load_condition_words
from .order_conditions import write_conditions
from .orders import DEFAULT_KIND, HOLD, Order, unnamed_field
from .side_units import OrderTool
from .state import Action, S
from .wording import as_words

BY = "by "
"""Beginning of circumstances that are written after a goal without `with`: `Handub by road`."""


@dataclass(frozen=True)
class OrderWriter(OrderTool[S]):
    """Writer of one side's orders."""

    def write(self, order: Order, most: int | None = None) -> str:
        """Return the order as readable text. Beyond `most` units, write only the number of further units."""
        unit_names = [self.side.typeable_name(unit, among_own=True) for unit in order.units[:most]]
        omitted = len(order.units) - len(unit_names)
        names = ", ".join(unit_names) + (f" and {omitted} more" if omitted else "")
        line = self._write_line(names, order, crowded=bool(omitted))
        if order.then:
            line = f"then {line}"
        if order.conditions:
            line += f" if {self.write_conditions(order.conditions)}"
        return f"in {order.phase}: {line}" if order.phase else line

    def write_conditions(self, conditions: Sequence[Condition]) -> str:
        """Return the conditions without `if`: `an enemy is within 12" and the target is not routed`."""
        return write_conditions(conditions, self.system, self.side.seen, self.name_in_condition)

    def name_in_condition(self, unit: str) -> str:
        """Return the unit's name for a condition, or its id if the name contains words of conditions."""
        name = self.side.typeable_name(unit) if unit in self.side.names else unit
        return name if load_condition_words().syntax_words.isdisjoint(naming.words_of(name)) else unit

    def write_action(self, unit: str, action: Action) -> str:
        """Return the order that gives a unit (by id) the action."""
        args = action.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"unit"})
        return self.write(Order(kind=action.kind, units=(unit,), args=self.with_unit_names(args)))

    def with_unit_names(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with a unit's id in `to` replaced by the unit's name: `towards Prussian gun 12`."""
        direction, _, rest = str(args.get("to", "")).partition(" ")
        unit, space, inches = rest.partition(" ")
        if unit not in self.side.names or (space and not inches.replace(".", "", 1).isdigit()):
            return {**args}
        return {**args, "to": f"{direction} {self.side.typeable_name(unit)}{space}{inches}"}

    def _write_line(self, names: str, order: Order, *, crowded: bool) -> str:
        if order.kind == HOLD:
            return f"{names}: hold"
        first = unnamed_field(self.system, order.kind)
        words = order.args.get("with") or ()
        with_words = [word.strip() for word in words.split(",")] if isinstance(words, str) else [*words]
        circumstances = ", ".join(word for word in with_words if not word.startswith(BY))
        pieces = [*self._arguments_in_words(first, order)]
        moves = order.kind == DEFAULT_KIND and (
            first in order.args
            or (not pieces and self._is_read_as_move(circumstances))
            or any(name in self.system.actions[order.kind].field_words for name in order.args)  # `wait until day 3`
        )
        if moves and not pieces:
            return f"{names}: {', '.join(with_words)}"
        by_words = (word for word in with_words if word.startswith(BY))
        text = " ".join((*pieces, *by_words, *([f"with {circumstances}"] if circumstances else [])))
        return f"{names}: {text}" if moves else f"{names}{':' if crowded else ''} {as_words(order.kind)} {text}".strip()

    def _arguments_in_words(self, first: str, order: Order) -> Sequence[str]:
        """Return the arguments in words. The value of `first` stands alone, other values follow their field names."""
        action = self.system.actions[order.kind]
        values = {
            name: self.side.typeable_name(str(value)) if name in action.refers_to else value
            for name, value in order.args.items()
            if value is not None
        }
        field_texts = [
            f"{action.field_words.get(name, as_words(name))} {value}"
            for name, value in values.items()
            if name not in (first, "with")
        ]
        return [*([str(values[first])] if first in values else []), *field_texts]

    def _is_read_as_move(self, words: str) -> bool:
        """Whether an order of these words alone, such as `lie down`, is read as a circumstance of a move."""
        system: Any = self.system
        names = (
            map(naming.words_of, system.actions[DEFAULT_KIND].circumstance_names)
            if DEFAULT_KIND in system.actions
            else ()
        )
        kinds = (as_words(kind) for kind in system.actions)
        return naming.words_of(words) in names and naming.words_of(words)[:1] not in map(naming.words_of, kinds)
