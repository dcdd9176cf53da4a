"""What an undo does to orders that other commands keep secret (CA-1.1)."""

from collections.abc import Mapping
from typing import Any

from rules.core.model import UMPIRE, Viewer

from .model import CampaignState
from .orders import Move
from .organisation import Join, Split

SECRET = frozenset((Move.kind, Join.kind, Split.kind))
"""Kinds of action that only the command and its chief read."""


class SecretOrders:
    """The secrets of a campaign for the program (see `HiddenTroops`)."""

    def hides_nothing(self, state: CampaignState) -> bool:
        """Whether everybody may read everything: once the campaign is over."""
        return state.over is not None

    def may_hide(self, state: CampaignState) -> bool:
        """Whether commands keep something from each other: until the campaign is over."""
        return state.over is None

    def is_done_unseen(self, state: CampaignState, unit: str) -> bool:  # noqa: ARG002
        """Whether orders to a column are given unseen: all are."""
        return state.over is None

    def keep_hidden(self, then: CampaignState, now: CampaignState, viewer: Viewer) -> CampaignState:
        """Return the state `then`, which a command restores on the same day, with the present orders of the others.

        An undo of a day's end restores everything, and so does the umpire's undo.
        """
        if viewer == UMPIRE or then.turn != now.turn:
            return then
        own = {key: column for key, column in then.units.items() if column.side == viewer}
        others = {key: column for key, column in now.units.items() if column.side != viewer}
        done = [side for side in now.done if side != viewer] + [side for side in then.done if side == viewer]
        wrote = [side for side in now.wrote if side != viewer] + [side for side in then.wrote if side == viewer]
        changed = {"units": {**own, **others}, "done": tuple(done), "wrote": tuple(wrote)}
        return then.model_copy(update=changed)

    def outlives_undo(self, now: CampaignState, action: Mapping[str, Any]) -> bool:
        """Whether another command's secret order stays when a command takes its own back."""
        return now.over is None and action.get("kind") in SECRET
