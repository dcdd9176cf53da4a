"""Decide whether orders of a sheet are due."""

from rules.core.model import UMPIRE, Viewer
from rules.core.orders import MY_TURN
from rules.core.state import State

from .model import SheetOrder


def is_due(order: SheetOrder, state: State, side: Viewer) -> bool:
    """Whether the order's side acts now, in the order's phase."""
    acts = side == UMPIRE or side in state.acting_sides
    return acts and order.phase in ("", MY_TURN, state.phase) and order.turn in (0, state.turn)


def is_over(order: SheetOrder, state: State) -> bool:
    """Whether the order's turn has ended."""
    return 0 < order.turn < state.turn
