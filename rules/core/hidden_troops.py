"""Hidden troops: rules for what a side keeps secret from other sides."""

from collections.abc import Container
from typing import TYPE_CHECKING, Protocol

from .model import UMPIRE, Viewer
from .state import S

if TYPE_CHECKING:
    from .ruleset import Ruleset


class HiddenTroops(Protocol[S]):
    """The interface of a system for hidden facts: what its games hide, and what an undo may restore."""

    def hides_nothing(self, state: S) -> bool:
        """Whether every viewer knows the entire state, judged by public facts."""

    def can_have_hidden_units(self, state: S) -> bool:
        """Whether the state has hidden units or markers, or its options allow them."""

    def unseen_units(self, state: S) -> Container[object] | None:
        """Return the ids of the units that act unseen by other sides; None if every action is unseen."""

    def keep_hidden_facts(self, then: S, now: S, viewer: Viewer) -> S:
        """Return the earlier state `then`, with other sides' hidden facts from the state `now`, for `viewer`'s undo.

        Return `then` itself if the undo restores all facts.
        """


def is_done_unseen(troops: HiddenTroops[S], state: S, unit: str | None) -> bool:
    """Whether a unit (by id) acts unseen by other sides, so that an undo by them keeps the unit's action."""
    unseen = troops.unseen_units(state)
    return unseen is None or unit in unseen


def hides_nothing(system: "Ruleset[S]", state: S) -> bool:
    """Whether every viewer knows the entire state, judged by public facts."""
    troops = system.hidden_troops
    return not system.has_secrets if troops is None else troops.hides_nothing(state)


def viewer_for_past(system: "Ruleset[S]", state: S, viewer: Viewer) -> Viewer:
    """Return the viewer as whom `viewer` may read past entries and states: usually `viewer` itself.

    Once a game is over, return the umpire if the system opens the past to everyone.
    """
    return UMPIRE if system.opens_past and state.over is not None else viewer


def hides_nothing_from(system: "Ruleset[S]", state: S, viewer: Viewer) -> bool:
    """Whether `viewer` knows the entire state, and no troops may be hidden.

    Ask this for the umpire alone: a player could learn from the answer whether the umpire keeps secrets.
    """
    troops = system.hidden_troops
    return not (troops is not None and troops.can_have_hidden_units(state)) and system.view(state, viewer) == state
