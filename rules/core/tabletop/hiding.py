"""Who is hidden on a table, and the table as one viewer sees it."""

from typing import Any, TypeVar

from rules.core.model import UMPIRE, Viewer

from .battle import TableState, TableUnit

S = TypeVar("S", bound=TableState[Any])


def is_concealed(state: TableState[Any], unit: TableUnit) -> bool:
    """Whether other sides know nothing of it: it is hidden, or the sides deploy in secret."""
    return unit.hidden or (state.setting_up is not None and state.setting_up.in_secret)


def seen(state: S, viewer: Viewer) -> S:
    """The table without the hidden units of other sides than the viewer's, and what stands under their markers."""
    if viewer == UMPIRE:
        return state
    hidden = [unit.id for unit in state.units.values() if unit.side != viewer and is_concealed(state, unit)]
    for unit in hidden:
        state = state.without(unit)
    markers = tuple(one if one.side == viewer else one.model_copy(update={"unit": None}) for one in state.markers)
    return state.model_copy(update={"markers": markers}) if markers != state.markers else state
