"""Hidden troops of battles on a table, as the rest of the program asks about them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rules.core.model import UMPIRE, Viewer

from . import hidden_units, markers
from .battle import TableState

if TYPE_CHECKING:
    from .system import TableRuleset

S = TypeVar("S", bound=TableState[Any])


class TableHiddenTroops(Generic[S]):
    """Hidden units and markers of a table."""

    def __init__(self, system: "TableRuleset[S]") -> None:
        self._system = system

    def hides_nothing(self, state: S) -> bool:
        """Whether no troops may be hidden, and the system itself hides nothing."""
        return not (self._system.has_secrets or state.hidden or state.markers or state.may_hide)

    def is_done_unseen(self, state: S, unit: str) -> bool:
        """Whether the unit (by its id) is hidden, or everyone sets up in secret."""
        return unit in state.hidden or hidden_units.is_secret_set_up(state)

    def keep_hidden(self, then: S, now: S, viewer: Viewer) -> S:
        """Return the restored state `then` with other sides' present hidden units."""
        if viewer == UMPIRE:
            return then
        theirs = {unit: each for unit, each in now.hidden.items() if each.side != viewer}
        own = {unit: each for unit, each in then.hidden.items() if each.side == viewer}
        found = {unit: each for unit, each in then.hidden.items() if each.side != viewer and unit in now.units}
        kept = hidden_units.hide_units(hidden_units.merge_ambushes(then, now, viewer), theirs)
        kept = kept.model_copy(update={"hidden": {**own, **found, **theirs}})
        return (
            markers.keep_contents(kept, now, viewer, secretly=hidden_units.is_secret_set_up(now))
            if then.markers or now.markers
            else kept
        )

    def outlives_undo(self, now: S, action: Mapping[str, Any]) -> bool:
        """Whether the action concerns a still hidden unit, or a secret set-up."""
        return action.get("unit") in now.hidden or hidden_units.is_secret_set_up(now)
