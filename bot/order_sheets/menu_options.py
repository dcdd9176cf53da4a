"""Menu options of an order sheet: units, actions_by_unit, destinations and targets."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from rules.core.action_type import Chance
from rules.core.ad_hoc import FactsToAsk
from rules.core.order_book import OrderBook
from rules.core.orders import DEFAULT_KIND, Order, actions_by_unit
from rules.core.refusal import Refused
from rules.core.state import Action

from .model import SheetOrder
from .preview import Prospect

FEW = 4
"""A share of units below one in FEW is small."""
LAST = 3
"""How far down something can belong."""
SHARE = 5
"""Options per phase listed before further options of other phases."""


@dataclass(frozen=True)
class Option:
    """An order offered in the menu, described without unit names; `able` lists units known to be able."""

    order: Order
    words: str
    able: tuple[str, ...]


def able_units(prospect: Prospect, phase: str = "") -> tuple[str, ...]:
    """Return the side's units able to act in the phase, in order of battle."""
    found = [prospect.able(time) for time in prospect.spans(phase)]
    return tuple(unit for unit in prospect.book.own if any(unit in able for able in found))


def options(prospect: Prospect, units: tuple[str, ...], phase: str = "") -> list[Option]:
    """Return the options of these units in the phase; for a whole turn, alternate between phases."""
    times = [_of_time(prospect, units, time) for time in prospect.spans(phase)]
    turns = range(-(-max(map(len, times)) // SHARE))
    return [option for turn in turns for time in times for option in time[turn * SHARE : (turn + 1) * SHARE]]


def _of_time(prospect: Prospect, units: tuple[str, ...], phase: str) -> list[Option]:
    """Return the options of these units in one phase, most widely possible and most useful first."""
    thought: dict[str, Option] = {}
    found = prospect.offered(phase, units)
    offered = [(unit, one.kind, _args(one)) for unit in units for one in found.get(unit, ())]
    first = next(iter(units), "")
    places = prospect.possible_places(phase, first) if units else ()
    for unit, kind, args in (*offered, *((first, DEFAULT_KIND, {"to": place}) for place in places)):
        order = Order(kind=kind, units=units, args=prospect.book.with_unit_names(args), phase=phase)
        words = prospect.book.write(order.model_copy(update={"units": (), "phase": ""})).lstrip(": ")
        known = thought[words].able if words in thought else ()
        thought[words] = Option(order, words, tuple(dict.fromkeys((*known, unit))))
    own = {*prospect.book.own.values()}
    suits: dict[str, int] = {}
    for one in thought.values():
        suits[_way(one)[0]] = max(suits.get(_way(one)[0], 0), len(one.able))
    ways = sorted(suits, key=lambda way: -suits[way])
    return sorted(
        thought.values(), key=lambda one: (*_rarely_wanted(one, own), ways.index(_way(one)[0]), -_way(one)[1])
    )


def _way(option: Option) -> tuple[str, float]:
    """Return an option's words without inches, and the inches: among equal words longer moves come first."""
    to = str(option.order.args.get("to", ""))
    way, _, last = to.rpartition(" ")
    counted = last.replace(".", "", 1).isdigit()
    return (option.words.replace(to, way, 1), float(last)) if counted else (option.words, 0.0)


def _rarely_wanted(option: Option, own: Collection[str]) -> tuple[int, int]:
    """Return a sort key: actions and targets first, then ways to the enemy, formations, other ways, what few can do."""
    order = option.order
    if order.kind != DEFAULT_KIND:
        return 0 if "target" in order.args or not order.args else LAST, 0
    way, _, goal = str(order.args.get("to", "")).partition(" ")
    ahead = (way == "forward" or (way == "towards" and goal not in own)) and "with" not in order.args
    few = FEW * len(option.able) < len(order.units)
    return LAST - 1 if few else 1, 0 if not order.args else 1 if ahead else 2 if not way else 3


def chances(prospect: Prospect, option: Option) -> tuple[Chance, ...]:
    """Return the chances of the first able unit."""
    unit, action = next(
        actions_by_unit(prospect.system, prospect.state, option.order.model_copy(update={"units": option.able[:1]}))
    )
    try:
        caption = prospect.system.caption(prospect.supposed(option.order.phase, unit), action)
    except Refused:
        return ()
    return caption.chances


def questions_for(prospect: Prospect, option: Option) -> FactsToAsk | None:
    """Return what people are asked about the option, or None if nothing is asked."""
    unit, action = next(
        actions_by_unit(prospect.system, prospect.state, option.order.model_copy(update={"units": option.able[:1]}))
    )
    found: FactsToAsk | None = prospect.system.facts_to_ask(prospect.supposed(option.order.phase, unit), action)
    return found


def order_of(prospect: Prospect, option: Option) -> SheetOrder:
    """Return the option's order, for units able to execute it one after another.

    Their prerequisites in earlier phases count as done: the sheet takes these up with the order.
    """
    order = option.order
    book = OrderBook(prospect.system, prospect.prepared(order.phase, option.able[0]), prospect.viewer)
    return prospect.timely(book.able(order))


def _args(action: Action) -> dict[str, Any]:
    return action.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"unit"})
