"""Hidden troops of battles on a table: implements the protocol in `rules.core.hidden_troops`."""

from collections.abc import Container
from typing import TYPE_CHECKING, Generic

from rules.core.model import UMPIRE, Viewer

from . import hidden_units, markers
from .battle import S

if TYPE_CHECKING:
    from .system import TableRuleset


class TableHiddenTroops(Generic[S]):
    """Hidden units and markers on the tables of a system (see `HiddenTroops`)."""

    def __init__(self, system: "TableRuleset[S]") -> None:
        self._system = system

    def is_fully_public(self, state: S) -> bool:
        """Whether the system has no secrets, and the game neither has nor allows hidden units and markers."""
        return not (self._system.has_secrets or self.can_have_hidden_units(state))

    def can_have_hidden_units(self, state: S) -> bool:
        """Whether the state has hidden units or markers, or its options allow them."""
        return bool(state.hidden or state.markers or state.can_have_hidden_units)

    def unseen_units(self, state: S) -> Container[object] | None:
        """Return the hidden units, whose actions other sides do not see. In a secret set-up, return None."""
        return None if hidden_units.is_secret_set_up(state) else state.hidden

    def keep_hidden_facts(self, then: S, now: S, viewer: Viewer) -> S:
        """Return the earlier state `then` after an undo by `viewer`, without revealing other sides' units.

        Other sides keep their hidden units of the present state `now`. Their units that were found since `then`
        are hidden again. An undo by the umpire restores `then` unchanged.
        """
        if viewer == UMPIRE:
            return then
        others = {unit_id: unit for unit_id, unit in now.hidden.items() if unit.side != viewer}
        own = {unit_id: unit for unit_id, unit in then.hidden.items() if unit.side == viewer}
        found_since = {
            unit_id: unit for unit_id, unit in then.hidden.items() if unit.side != viewer and unit_id in now.units
        }
        restored = hidden_units.hide_units(hidden_units.merge_ambushes(then, now, viewer), others)
        restored = restored.model_copy(update={"hidden": {**own, **found_since, **others}})
        if not (then.markers or now.markers):
            return restored
        return markers.keep_marker_contents(restored, now, viewer, secretly=hidden_units.is_secret_set_up(now))
