"""Check whether the conditions of orders hold in the view of the side that gave the orders."""

from typing import Any

from rules.core.model import Viewer
from rules.core.order_book import OrderBook
from rules.core.order_conditions import unmet_condition
from rules.core.orders import Order, actions_by_unit
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import State

NOT_AFTER = "the order before it is not done"


def explain_unmet_condition(system: Ruleset[Any], state: State, side: Viewer, order: Order) -> str:
    """Return why a condition leaves the order undone now, such as `no enemy is within 12"`.

    Return an empty string if the conditions hold for all units, or if the rules refuse the order.
    """
    if not order.conditions:
        return ""
    view = system.view(state, side)
    try:
        actions = dict(actions_by_unit(system, view, order))
    except Refused:
        return ""
    for unit in order.units:
        unmet = unmet_condition(system, view, side, unit, actions.get(unit), order.conditions)
        if unmet is not None:
            return OrderBook(system, view, side).write_conditions((unmet.opposite,))
    return ""
