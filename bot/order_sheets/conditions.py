"""Judge the conditions of orders on what their side sees."""

from typing import Any

from rules.core.model import Viewer
from rules.core.order_conditions import ConditionReader, unmet_condition, why_unmet
from rules.core.orders import Order, actions_by_unit
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.side_units import SideUnits
from rules.core.state import State


def find_unmet(system: Ruleset[Any], state: State, side: Viewer, order: Order) -> str:
    """Return why the order of one unit is left undone now, or an empty string if its conditions hold."""
    if not order.conditions:
        return ""
    seen = system.view(state, side)
    try:
        given = [*actions_by_unit(system, seen, order)]
    except Refused:
        return ""
    for unit, action in given:
        if unit in seen.units and (unmet := unmet_condition(system, seen, unit, action, order.conditions)) is not None:
            return why_unmet(ConditionReader(SideUnits(system, seen, side)).describe(unmet))
    return ""
