"""Read order lines with conditions and with `then`: `Marines: fire at Amarar if an enemy is within 12, then hold`."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from .condition import Condition
from .condition_reader import EDGES, ConditionReader, UnclearCondition
from .condition_words import ConditionWords, load_condition_words
from .orders import HOLD, Order
from .refusal import Refused
from .side_units import OrderTool
from .state import S

MOST_WAYS = 40
"""Maximum number of readings tried for one line."""
MOST_SPLITS = 5
"""Maximum number of condition openers tried in a text, and of ends tried for each opener."""
JOINED = re.compile(r"\s*(?:[,;]\s*(?:and\s+)?|\s(?:and|&|\+)\s+)(?=\S)", re.IGNORECASE)
"""The separator of two orders in one line."""
LONGEST_OF_TWO = 200
"""Maximum characters of two orders in one line without `then`."""
SEPARATOR = re.compile(r"\s*(:|,(?!\d)|\bthen\b)\s*(?=\S)", re.IGNORECASE)
"""Separators between a condition and its order."""

ReadPlain = Callable[[str, Sequence[Order]], tuple[Order, ...]]
"""Reads a line without a condition; the given orders are carried out before it. Raises Refused."""


@dataclass(frozen=True)
class ConditionalLineReader(OrderTool[S]):
    """Reader of one line of a side's orders."""

    _ways: Iterator[int] = field(default_factory=lambda: iter(range(MOST_WAYS)))

    @property
    def words(self) -> ConditionWords:
        """Return the spellings of each part of a condition."""
        return load_condition_words()

    def read(self, text: str, read_plain: ReadPlain) -> tuple[Order, ...]:
        """Return the orders of a line, with their conditions. Orders after `then` are marked. Raises Refused."""
        self._count_reading()
        leading = next(iter(self.side.matches_outside_names(self.words.leading_then_pattern, text)), None)
        if leading is not None:
            return tuple(_mark_as_following(order) for order in self.read(text[leading.end() :], read_plain))
        for match in self.side.matches_outside_names(self.words.then_pattern, text)[::-1]:
            if text[: match.start()].endswith(":"):
                continue  # `Amarar: then forward 4`
            try:
                before = self.read(text[: match.start()], read_plain)
            except Refused:
                continue  # the words follow a condition, or are part of the order
            return (*before, *self._read_following(text[match.end() :], before, read_plain))
        try:
            return self._read_conditional(text, read_plain)
        except Refused as refused:
            orders, why = self._read_two_orders(text, read_plain)
            if orders:
                return orders
            raise why or refused from None

    def _read_two_orders(self, text: str, read_plain: ReadPlain) -> tuple[tuple[Order, ...], Refused | None]:
        """Return two orders joined by a comma or `and`, or no orders.

        A second order without unit names is for the same units: `limber and go to C3`. If it is refused, return its
        refusal.
        """
        if len(text) > LONGEST_OF_TWO:
            return (), None
        refused: Refused | None = None
        for match in self.side.matches_outside_names(JOINED, text)[:MOST_SPLITS]:
            first, second = text[: match.start()], text[match.end() :]
            goes_on = any(spelling.start_pattern.match(second) for spelling in self.side.words.spellings)
            try:
                before = self.read(first, read_plain)
            except Refused:
                continue
            if goes_on and any(order.kind == HOLD for order in before):
                continue  # no order of the same units can follow a hold
            try:
                after = self._read_following(second, before, read_plain) if goes_on else self.read(second, read_plain)
            except Refused as why:
                refused = why if goes_on else refused
                continue
            return (*before, *after), None
        return (), refused

    def _count_reading(self) -> None:
        """Count an attempt to read the line. Raises Refused after MOST_WAYS attempts."""
        if next(self._ways, None) is None:
            raise Refused("That is too long to be understood as one line. Write its orders one a line.")

    def _read_following(self, text: str, before: Sequence[Order], read_plain: ReadPlain) -> tuple[Order, ...]:
        """Return the orders in `text`, which the units of the orders `before` execute next. Raises Refused."""
        units = tuple(dict.fromkeys(unit for order in before for unit in order.units))
        names = ", ".join(self.side.typeable_name(unit, among_own=True) for unit in units)
        try:
            orders = self._read_conditional(f"{names}: {text}", read_plain, before)
        except Refused as refused:
            try:
                orders = self._read_conditional(text, read_plain, before)
            except Refused:
                raise refused from None
            if not {unit for order in orders for unit in order.units} <= {*units}:
                raise Refused(
                    "“then” is for the same units. Write the orders of other units on lines of their own."
                ) from None
        return tuple(map(_mark_as_following, orders))

    def _read_conditional(self, text: str, read_plain: ReadPlain, before: Sequence[Order] = ()) -> tuple[Order, ...]:
        """Return the orders of a text without `then`, for execution after the orders `before`. Raises Refused."""
        self._count_reading()
        refused: Refused | None = None
        for order_text, conditions, why in self._split_off_conditions(text):
            if why is not None:
                refused = why if refused is None or isinstance(refused, UnclearCondition) else refused
                continue
            try:
                orders = self._read_conditional(order_text, read_plain, before)
            except Refused as order_refused:
                refused = order_refused if refused is None or isinstance(refused, UnclearCondition) else refused
                continue
            reader = ConditionReader(self.side)
            return tuple(reader.with_conditions(order, conditions) for order in orders)
        if refused is not None:
            raise refused
        return read_plain(text, before)

    def _split_off_conditions(self, text: str) -> Iterator[tuple[str, tuple[Condition, ...], Refused | None]]:
        """Yield each split of a text into an order and conditions, or the refusal of unclear conditions."""
        for match in self.side.matches_outside_names(self.words.opener_pattern, text)[:MOST_SPLITS]:
            before, after = text[: match.start()].rstrip(EDGES), text[match.end() :].strip()
            ends = [(after, "", "")] if before.rstrip(" :") else []
            separators = self.side.matches_outside_names(SEPARATOR, after)
            ends += [(after[: separator.start()], separator[1], after[separator.end() :]) for separator in separators]
            if not ends:
                question = f"What is to be done {match[0].casefold()} {after}? Write “…: forward 6” after it."
                yield "", (), Refused(question)
            for condition_text, sign, rest in ends[:MOST_SPLITS]:
                try:
                    conditions = ConditionReader(self.side).read(condition_text, unless=bool(match["unless"]))
                except Refused as why:
                    yield "", (), why
                    continue
                colon = ":" if before and rest and sign == ":" and ":" not in before else ""
                yield f"{before}{colon} {rest}".strip(), conditions, None


def _mark_as_following(order: Order) -> Order:
    return order.model_copy(update={"then": True})
