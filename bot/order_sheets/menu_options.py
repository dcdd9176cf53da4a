"""Menu options of an order sheet: units, actions, destinations and targets."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from rules.core.action_type import Chance
from rules.core.ad_hoc import FactsToAsk
from rules.core.order_book import OrderBook
from rules.core.orders import DEFAULT_KIND, Order, actions_by_unit
from rules.core.refusal import Refused
from rules.core.state import Action, State

from .model import SheetOrder
from .order_phases import assign_phase
from .preview import Prospect

FEW_DIVISOR = 4
"""A move is listed late if fewer than 1/FEW_DIVISOR of the chosen units can make the move."""
LAST_RANK = 3
"""The last rank in the sort order of options."""
OPTIONS_PER_PHASE = 5
"""Number of options listed for one phase before the options of the next phase."""


@dataclass(frozen=True)
class OrderOption:
    """An order offered in the menu. `words` describe the order without units. `able` are the units that can do it."""

    order: Order
    words: str
    able: tuple[str, ...]


def units_able_to_act(prospect: Prospect, phase: str = "") -> tuple[str, ...]:
    """Return the side's units that can act in the phase, sorted as in the order of battle."""
    able = set[str]().union(*map(prospect.find_able_units, prospect.phases_of_menu_value(phase)))
    return tuple(unit for unit in prospect.book.own_names if unit in able)


def list_order_options(prospect: Prospect, units: tuple[str, ...], phase: str = "") -> list[OrderOption]:
    """Return the menu options of these units in the phase.

    For a whole turn, the phases alternate: OPTIONS_PER_PHASE options of each, then the next ones.
    """
    by_phase = [_options_in_phase(prospect, units, chosen) for chosen in prospect.phases_of_menu_value(phase)]
    starts = range(0, max(map(len, by_phase)), OPTIONS_PER_PHASE)
    return [option for start in starts for options in by_phase for option in options[start : start + OPTIONS_PER_PHASE]]


def _options_in_phase(prospect: Prospect, units: tuple[str, ...], phase: str) -> list[OrderOption]:
    """Return these units' options in one phase, the most useful first.

    Equally useful options are sorted by the number of units that can do the option.
    """
    found_options: dict[str, OrderOption] = {}
    unit_actions = prospect.offered_actions(phase, units)
    choices = [
        (unit, action.kind, _typed_arguments(action))
        for unit in units
        for action in unit_actions.get(unit, ())
        if prospect.system.places.has_no_coordinates(action)
    ]
    first = next(iter(units), "")
    places = prospect.possible_destinations(phase, first) if units else ()
    for unit, kind, args in (*choices, *((first, DEFAULT_KIND, {"to": place}) for place in places)):
        order = Order(kind=kind, units=units, args=prospect.book.with_unit_names(args), phase=phase)
        words = prospect.book.write(order.model_copy(update={"units": (), "phase": ""})).lstrip(": ")
        able = found_options[words].able if words in found_options else ()
        found_options[words] = OrderOption(order, words, tuple(dict.fromkeys((*able, unit))))
    own = {*prospect.book.own_names.values()}
    able_counts: dict[str, int] = {}
    for found_option in found_options.values():
        words, _ = _split_off_inches(found_option)
        able_counts[words] = max(able_counts.get(words, 0), len(found_option.able))
    by_count = sorted(able_counts, key=lambda words: -able_counts[words])

    def sort_key(option: OrderOption) -> tuple[int, int, int, float]:
        words, inches = _split_off_inches(option)
        return *_usefulness_rank(option, own), by_count.index(words), -inches  # longer moves first

    return sorted(found_options.values(), key=sort_key)


def _split_off_inches(option: OrderOption) -> tuple[str, float]:
    """Split an option's words into the words without the distance, and the distance in inches (0 for none)."""
    to = str(option.order.args.get("to", ""))
    way, _, last = to.rpartition(" ")
    has_inches = last.replace(".", "", 1).isdigit()
    return (option.words.replace(to, way, 1), float(last)) if has_inches else (option.words, 0.0)


def _usefulness_rank(option: OrderOption, own: Collection[str]) -> tuple[int, int]:
    """Return a sort key: attacks and actions without arguments, then moves, then all other actions.

    Moves that few of the chosen units can make come after the other moves.
    """
    order = option.order
    if order.kind != DEFAULT_KIND:
        return 0 if "target" in order.args or not order.args else LAST_RANK, 0
    way, _, goal = str(order.args.get("to", "")).partition(" ")
    ahead = (way == "forward" or (way == "towards" and goal not in own)) and "with" not in order.args
    few_are_able = FEW_DIVISOR * len(option.able) < len(order.units)
    return LAST_RANK - 1 if few_are_able else 1, 0 if not order.args else 1 if ahead else 2 if not way else 3


def _action_of_first_unit(prospect: Prospect, option: OrderOption) -> tuple[State, Action]:
    """Return the table expected in the option's phase, and the option's action for its first able unit."""
    order = option.order.model_copy(update={"units": option.able[:1]})
    unit, action = next(actions_by_unit(prospect.system, prospect.state, order))
    return prospect.expected_table(order.phase, unit), action


def option_chances(prospect: Prospect, option: OrderOption) -> tuple[Chance, ...]:
    """Return the chances of the option for the first able unit, or an empty tuple if the rules refuse it."""
    try:
        return prospect.system.caption(*_action_of_first_unit(prospect, option)).chances
    except Refused:
        return ()


def option_effect(prospect: Prospect, option: OrderOption) -> str:
    """Return the option's effect on the first able unit, such as the inches used. May be empty."""
    state, action = _action_of_first_unit(prospect, option)
    circumstances = prospect.system.circumstances
    meanings = [circumstances[name].meaning for name in action.circumstances if name in circumstances]
    return "; ".join(filter(None, (*meanings, prospect.system.effect_on_move(state, action))))


def questions_for_option(prospect: Prospect, option: OrderOption) -> FactsToAsk | None:
    """Return the questions that the player must answer before he gives the order, or None without questions."""
    questions: FactsToAsk | None = prospect.system.facts_to_ask(*_action_of_first_unit(prospect, option))
    return questions


def make_order(prospect: Prospect, option: OrderOption) -> SheetOrder:
    """Return the option as an order for the units that can do it one after another.

    A unit is left out if an earlier unit makes the order impossible for it. Prerequisites count as done, because the
    sheet gets them together with the order.
    """
    order = option.order
    book = OrderBook(prospect.system, prospect.prepared_table(order.phase, option.able[0]), prospect.viewer)
    return assign_phase(prospect, book.without_unable_units(order))


def _typed_arguments(action: Action) -> dict[str, Any]:
    """Return the arguments of an action in the form that a typed order has."""
    args = action.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"unit"})
    words = {"with": ", ".join(args["with"])} if args.get("with") else {}
    numbers = {name: str(value) for name, value in args.items() if type(value) is int}
    return {**args, **words, **numbers}
