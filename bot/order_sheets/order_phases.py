"""Find the phase of an order, and the orders that must come before it."""

from rules.core.orders import MY_TURN, Order, actions_by_unit, prerequisites
from rules.core.refusal import Refused

from .model import SheetOrder
from .preview import Prospect


def assign_phase(prospect: Prospect, order: Order, earliest: int = 0) -> SheetOrder:
    """Return the order with its named phase, or else with the first phase in which a unit can execute it.

    `earliest` is the index of the first phase to try.
    """
    phases = [order.phase] if order.phase not in ("", MY_TURN) else prospect.phases_ahead[earliest:]
    candidates = [_order_in_phase(prospect, order, phase) for phase in phases]
    if len(candidates) == 1:
        return candidates[0]
    able = (candidate for candidate in candidates if _find_refusal(prospect, candidate) is None)
    refused_otherwise = (candidate for candidate in candidates if not _is_refused_only_for_phase(prospect, candidate))
    return next(able, None) or next(refused_otherwise, candidates[0])


def _order_in_phase(prospect: Prospect, order: Order, phase: str) -> SheetOrder:
    fields = {name: getattr(order, name) for name in Order.model_fields}
    return SheetOrder(**{**fields, "phase": phase, "turn": prospect.state.turn if phase not in ("", MY_TURN) else 0})


def _find_refusal(prospect: Prospect, order: SheetOrder) -> Refused | None:
    """Return the first unit's refusal, or None if at least one unit can execute the order in the order's phase."""
    refused = None
    for unit, action in actions_by_unit(prospect.system, prospect.state, order):
        table, possible, _ = prospect.sketch_test(prospect.expected_table(order.phase, unit), action)
        try:
            prospect.system.label(table, possible)
        except Refused as why:
            refused = refused or why
        else:
            return None
    return refused


def _is_refused_only_for_phase(prospect: Prospect, order: SheetOrder) -> bool:
    """Whether the rules refuse the order only because it belongs to another phase."""
    refused = _find_refusal(prospect, order)
    return refused is not None and prospect.system.phases is not None and refused.cite == prospect.system.phases.cite


def add_prerequisites(prospect: Prospect, order: Order) -> tuple[SheetOrder, ...]:
    """Add the prerequisites of an order to the prospect as orders, and return the added orders.

    Units whose prerequisites are refused are skipped. Raises Refused if this leaves no unit.
    """
    added_orders, refusals = [], []
    unit_actions = [*actions_by_unit(prospect.system, prospect.state, order)]
    for _, action in unit_actions:
        try:
            first = prerequisites(prospect.system, prospect.state, action) or ()
        except Refused as refused:
            refusals.append(refused)
            continue
        for prerequisite in first:
            added_orders.append(assign_phase(prospect, Order(kind=prerequisite.kind, units=(prerequisite.unit or "",))))
            prospect.add_order(added_orders[-1])
    if refusals and len(refusals) == len(unit_actions):
        raise refusals[0]
    return tuple(added_orders)
