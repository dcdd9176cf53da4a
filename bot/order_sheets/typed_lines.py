"""Add the orders of typed lines to a prospect."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rules.core.order_book import OrderBook
from rules.core.order_reader import is_for_all, is_for_the_rest
from rules.core.orders import HOLD, LONGEST, Order
from rules.core.partial_reading import PartlyRead
from rules.core.refusal import NotNow, Refused

from .forecast import OrderForecast
from .model import SheetOrder, UnreadableLine
from .order_phases import add_prerequisites, with_phase
from .preview import Prospect


def add_lines(prospect: Prospect, lines: Iterable[str], *, partly: bool = False) -> tuple[UnreadableLine, ...]:
    """Add the orders of these lines, each with its prerequisites. Return the unreadable lines.

    Lines for the rest of the side are read after the others. `partly`: of a line understood in part, add that part.
    """
    wrong = []
    for line in sorted(filter(None, map(str.strip, lines)), key=is_for_the_rest):
        try:
            _add_line(prospect, line, partly=partly)
        except Refused as refused:
            wrong.append(UnreadableLine(text=line[:LONGEST], why=str(refused)))
    return tuple(wrong)


def is_understood_in_part(prospect: Prospect, line: str) -> bool:
    """Whether a part of an unreadable line gives orders."""
    try:
        prospect.book.read(line)
    except PartlyRead:
        return True
    except Refused:
        pass
    return False


def _add_line(prospect: Prospect, line: str, *, partly: bool) -> None:
    """Add the orders of a line. Of a line for all units, leave out orders that no unit can do. Raises Refused."""
    ordered = frozenset(unit for one in prospect.forecasts for unit in one.order.units)
    orders, everyone = _read(prospect, line, ordered, partly=partly), is_for_all(line)
    added = [each for one in (() if everyone else orders) for each in add_prerequisites(prospect, one)]
    orders = _without_prerequisites(orders, added)
    timed = _with_phases(prospect, orders)
    phase = timed[0].phase
    there = prospect.expected_table(phase)
    if there is not prospect.state:  # read “all” and “the nearest” on the table of that phase
        with suppress(NotNow):
            read = _orders(OrderBook(prospect.system, there, prospect.viewer, ordered), line, partly=partly)
            orders = _without_prerequisites(read, added)
        timed = _with_phases(prospect, [one if one.then else one.model_copy(update={"phase": phase}) for one in orders])
    found = [prospect.add(one) for one in timed]
    if everyone:
        useful = _keep_useful(prospect, found)
        if not any(one.phase or one.then or one.kind == HOLD for one in orders):
            useful = _add_in_other_phases(prospect, line, ordered, useful, partly=partly)
        if not useful:
            raise Refused(f"None of them can: {found[0].prevented[0]}")


def _without_prerequisites(orders: Sequence[Order], added: Sequence[SheetOrder]) -> tuple[Order, ...]:
    """Return the orders of a line without those that its later orders need, which are on the sheet already.

    `Deborah: order, then Deborah: 0404` orders the unit once.
    """
    given = {(one.kind, unit) for one in added if not one.args for unit in one.units}
    return tuple(
        one for one in orders if one.conditions or one.args or {(one.kind, unit) for unit in one.units} - given
    )


def _keep_useful(prospect: Prospect, found: Sequence[OrderForecast]) -> list[OrderForecast]:
    """Remove orders that no unit of theirs can do. Return the rest."""
    useless = [one for one in found if len(one.prevented) >= len(one.order.units)]
    for idle in reversed(useless):
        prospect.remove(idle)
    return [one for one in found if one not in useless]


def _add_in_other_phases(
    prospect: Prospect, line: str, ordered: frozenset[str], done: Sequence[OrderForecast], *, partly: bool
) -> list[OrderForecast]:
    """Add the orders of a line for all units whose phase comes later in the turn: rifles fire after guns.

    Return these orders and those added before.
    """
    found = [*done]
    for phase in prospect.phases_ahead[1:]:
        book = OrderBook(prospect.system, prospect.expected_table(phase), prospect.viewer, ordered)
        with suppress(Refused):
            for one in _orders(book, line, partly=partly):
                has_orders = {unit for each in found for unit in each.order.units}
                left = tuple(unit for unit in one.units if unit not in has_orders)
                timed = with_phase(prospect, one.model_copy(update={"units": left, "phase": phase})) if left else None
                found += _keep_useful(prospect, [prospect.add(timed)]) if timed else []
    return found


def _read(prospect: Prospect, line: str, ordered: frozenset[str], *, partly: bool) -> tuple[Order, ...]:
    """Return the orders of a line, read on the first table of the turn on which it means something. Raises Refused."""
    try:
        return _orders(replace(prospect.book, ordered=ordered), line, partly=partly)
    except NotNow as refused:
        for phase in filter(None, prospect.phases_ahead):
            book = OrderBook(prospect.system, prospect.prepared_table(phase), prospect.viewer, ordered)
            with suppress(NotNow):
                return _orders(book, line, partly=partly)
        raise refused


def _orders(book: OrderBook[Any], line: str, *, partly: bool) -> tuple[Order, ...]:
    """Return the orders of a line, or with `partly` those of its understood part. Raises Refused."""
    try:
        return book.read(line)
    except PartlyRead as part:
        if not partly:
            raise
        return part.orders


def _with_phases(prospect: Prospect, orders: Sequence[Order]) -> list[SheetOrder]:
    """Return the orders with their phases. An order marked `then` follows its units' previous order."""
    found: list[SheetOrder] = []
    for one in orders:
        before = [*(each.order for each in prospect.forecasts), *found] if one.then else []
        ranks = [prospect.rank(each) for each in before if not {*each.units}.isdisjoint(one.units)]
        found.append(with_phase(prospect, one, ranks[-1] if ranks else 0))
    return found
