"""Read typed lines as orders, and add the orders to a prospect."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rules.core.order_book import OrderBook
from rules.core.order_reader import is_for_all_units, is_for_remaining_units
from rules.core.orders import HOLD, LONGEST, Order
from rules.core.partial_reading import PartlyUnderstood
from rules.core.refusal import NotPossibleNow, Refused

from .forecast import OrderForecast
from .model import SheetOrder, UnreadableLine
from .order_phases import add_prerequisites, assign_phase
from .preview import Prospect


def add_order_lines(prospect: Prospect, lines: Iterable[str], *, partly: bool = False) -> tuple[UnreadableLine, ...]:
    """Add the orders of typed lines to the prospect. Return the lines that failed, with the reasons.

    Lines for the rest of the side's units are read last. With `partly`, add the understood part of a partly unreadable
    line.
    """
    unreadable_lines = []
    for line in sorted(filter(None, map(str.strip, lines)), key=is_for_remaining_units):
        try:
            _add_line(prospect, line, partly=partly)
        except Refused as refused:
            unreadable_lines.append(UnreadableLine(text=line[:LONGEST], why=str(refused)))
    return tuple(unreadable_lines)


def is_understood_in_part(prospect: Prospect, line: str) -> bool:
    """Whether a part of the line gives orders, although the whole line cannot be read."""
    try:
        prospect.book.read(line)
    except PartlyUnderstood:
        return True
    except Refused:
        pass
    return False


def _add_line(prospect: Prospect, line: str, *, partly: bool) -> None:
    """Add the orders of a typed line to the prospect.

    If the line is for all units, omit orders that no unit can do. Raises Refused if the line cannot be read, or if no
    order is left.
    """
    ordered = frozenset(unit for forecast in prospect.forecasts for unit in forecast.order.units)
    orders, for_all = _read_line_in_first_phase(prospect, line, ordered, partly=partly), is_for_all_units(line)
    first_orders = () if for_all else orders
    added_orders = [added_order for order in first_orders for added_order in add_prerequisites(prospect, order)]
    orders = _drop_prerequisites(orders, added_orders)
    timed_orders = _assign_phases(prospect, orders)
    phase = timed_orders[0].phase
    table = prospect.expected_table(phase)
    if table is not prospect.state:  # read “all” and “the nearest” on the table of that phase
        with suppress(NotPossibleNow):
            line_orders = _read_line(OrderBook(prospect.system, table, prospect.viewer, ordered), line, partly=partly)
            orders = _drop_prerequisites(line_orders, added_orders)
        in_phase = [order if order.then else order.model_copy(update={"phase": phase}) for order in orders]
        timed_orders = _assign_phases(prospect, in_phase)
    forecasts = [prospect.add_order(order) for order in timed_orders]
    if for_all:
        useful = _remove_impossible_orders(prospect, forecasts)
        if not any(order.phase or order.then or order.kind == HOLD for order in orders):
            useful = _add_orders_of_later_phases(prospect, line, ordered, useful, partly=partly)
        if not useful:
            raise Refused(f"None of them can: {forecasts[0].prevented[0]}")


def _drop_prerequisites(orders: Sequence[Order], added_orders: Sequence[SheetOrder]) -> tuple[Order, ...]:
    """Return a line's orders without orders that were already added as prerequisites.

    In `Deborah: order, then Deborah: 0404`, the move requires `order`, which the line also contains.
    """
    added_pairs = {(order.kind, unit) for order in added_orders if not order.args for unit in order.units}
    return tuple(
        order
        for order in orders
        if order.conditions or order.args or {(order.kind, unit) for unit in order.units} - added_pairs
    )


def _remove_impossible_orders(prospect: Prospect, forecasts: Sequence[OrderForecast]) -> list[OrderForecast]:
    """Remove each order that no unit of the order can do. Return the forecasts of the remaining orders."""
    useless = [forecast for forecast in forecasts if len(forecast.prevented) >= len(forecast.order.units)]
    for idle in reversed(useless):
        prospect.remove_order(idle)
    return [forecast for forecast in forecasts if forecast not in useless]


def _add_orders_of_later_phases(
    prospect: Prospect, line: str, ordered: frozenset[str], earlier: Sequence[OrderForecast], *, partly: bool
) -> list[OrderForecast]:
    """Add a line's orders for units that act only in later phases. Return all forecasts of the line.

    The line is for all units: if all are ordered to fire, rifles fire in a later phase than guns.
    """
    forecasts = [*earlier]
    for phase in prospect.phases_ahead[1:]:
        book = OrderBook(prospect.system, prospect.expected_table(phase), prospect.viewer, ordered)
        with suppress(Refused):
            for order in _read_line(book, line, partly=partly):
                has_orders = {unit for forecast in forecasts for unit in forecast.order.units}
                units = tuple(unit for unit in order.units if unit not in has_orders)
                if units:
                    timed_order = assign_phase(prospect, order.model_copy(update={"units": units, "phase": phase}))
                    forecasts += _remove_impossible_orders(prospect, [prospect.add_order(timed_order)])
    return forecasts


def _read_line_in_first_phase(
    prospect: Prospect, line: str, ordered: frozenset[str], *, partly: bool
) -> tuple[Order, ...]:
    """Read a line in the first phase in which its orders are possible. Raises Refused."""
    try:
        return _read_line(replace(prospect.book, ordered=ordered), line, partly=partly)
    except NotPossibleNow as refused:
        for phase in filter(None, prospect.phases_ahead):
            book = OrderBook(prospect.system, prospect.prepared_table(phase), prospect.viewer, ordered)
            with suppress(NotPossibleNow):
                return _read_line(book, line, partly=partly)
        raise refused


def _read_line(book: OrderBook[Any], line: str, *, partly: bool) -> tuple[Order, ...]:
    """Return the orders of a line; with `partly`, of its understood part. Raises Refused for an unreadable line."""
    try:
        return book.read(line)
    except PartlyUnderstood as part:
        if not partly:
            raise
        return part.orders


def _assign_phases(prospect: Prospect, orders: Sequence[Order]) -> list[SheetOrder]:
    """Return the orders with their phases. An order marked `then` comes after its units' previous order."""
    timed_orders: list[SheetOrder] = []
    for order in orders:
        before = [*(forecast.order for forecast in prospect.forecasts), *timed_orders] if order.then else []
        ranks = [prospect.phase_rank(earlier.phase) for earlier in before if {*earlier.units} & {*order.units}]
        timed_orders.append(assign_phase(prospect, order, ranks[-1] if ranks else 0))
    return timed_orders
