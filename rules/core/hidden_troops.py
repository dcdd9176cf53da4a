"""Hidden troops: rules for what a side keeps secret from other sides."""

from collections.abc import Container
from typing import TYPE_CHECKING, Protocol

from .model import UMPIRE, Viewer
from .state import S

if TYPE_CHECKING:
    from .ruleset import Ruleset


class HiddenTroops(Protocol[S]):
    """The interface for hidden facts: which facts a system's games hide, and which facts an undo may restore."""

    def hides_nothing(self, state: S) -> bool:
        """Whether every viewer knows the entire state, judged by public facts."""

    def may_hide(self, state: S) -> bool:
        """Whether the state has hidden units or markers, or its options allow them."""

    def unseen_units(self, state: S) -> Container[object] | None:
        """Return the ids of the units that act unseen by other sides; None if every action is unseen."""

    def keep_hidden(self, then: S, now: S, viewer: Viewer) -> S:
        """Return the earlier state `then` for `viewer`'s undo, with other sides' hidden facts as they are `now`.

        Return `then` itself if the undo restores everything: no later action has to be kept.
        """


def is_done_unseen(troops: HiddenTroops[S], state: S, unit: str | None) -> bool:
    """Whether other sides see nothing of an action by a unit (by id), and their undo leaves the action in place."""
    unseen = troops.unseen_units(state)
    return unseen is None or unit in unseen


def hides_nothing(system: "Ruleset[S]", state: S) -> bool:
    """Whether every viewer knows the entire state, judged by public facts."""
    troops = system.hidden_troops
    return not system.has_secrets if troops is None else troops.hides_nothing(state)


def reader_of_past(system: "Ruleset[S]", state: S, viewer: Viewer) -> Viewer:
    """Return the viewer as whom `viewer` reads past entries and states.

    That is the umpire once a game is over and its system opens the past to everyone.
    """
    return UMPIRE if system.opens_past and state.over is not None else viewer


def shows_all_to(system: "Ruleset[S]", state: S, viewer: Viewer) -> bool:
    """Whether `viewer` knows the entire state, and no troops may be hidden.

    Ask this for the umpire alone: a player could learn from the answer whether the umpire keeps secrets.
    """
    troops = system.hidden_troops
    return not (troops is not None and troops.may_hide(state)) and system.view(state, viewer) == state
