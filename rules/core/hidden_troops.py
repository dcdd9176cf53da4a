"""Hidden troops: rules for what a side keeps secret from other sides."""

from collections.abc import Container
from typing import TYPE_CHECKING, Protocol

from .model import UMPIRE, Viewer
from .state import S

if TYPE_CHECKING:
    from .ruleset import Ruleset


class HiddenTroops(Protocol[S]):
    """A system's interface for hidden facts: what its games hide, and what an undo may restore."""

    def is_fully_public(self, state: S) -> bool:
        """Whether the state hides nothing from any viewer, as far as public facts show."""

    def can_have_hidden_units(self, state: S) -> bool:
        """Whether the state has hidden units or markers, or options that allow hidden units."""

    def unseen_units(self, state: S) -> Container[object] | None:
        """Return the ids of units whose actions other sides do not see. None if other sides see no action."""

    def keep_hidden_facts(self, then: S, now: S, viewer: Viewer) -> S:
        """Return the earlier state `then` for an undo by `viewer`, with other sides' hidden facts from `now`.

        If the undo restores all facts, return `then` itself.
        """


def acts_unseen(troops: HiddenTroops[S], state: S, unit: str | None) -> bool:
    """Whether other sides do not see a unit's actions. An undo by another side keeps such actions."""
    unseen = troops.unseen_units(state)
    return unseen is None or unit in unseen


def is_fully_public(system: "Ruleset[S]", state: S) -> bool:
    """Whether the state hides nothing from any viewer, as far as public facts show."""
    troops = system.hidden_troops
    return not system.has_secrets if troops is None else troops.is_fully_public(state)


def viewer_for_history(system: "Ruleset[S]", state: S, viewer: Viewer) -> Viewer:
    """Return the viewer as whom `viewer` may read past entries and states: `viewer` itself or the umpire.

    It is the umpire if the game is over and the system then opens the past to everyone.
    """
    return UMPIRE if system.opens_past and state.over is not None else viewer


def knows_entire_state(system: "Ruleset[S]", state: S, viewer: Viewer) -> bool:
    """Whether `viewer` knows the entire state, and the game cannot have hidden units.

    Tell only the umpire: the answer would show a player whether the umpire keeps secrets.
    """
    troops = system.hidden_troops
    return not (troops is not None and troops.can_have_hidden_units(state)) and system.view(state, viewer) == state
