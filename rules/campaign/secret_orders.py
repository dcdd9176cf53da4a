"""Secret orders of commands, and what an undo by one command leaves of them (CA-1.1)."""

from collections.abc import Container, Mapping, Sequence

from rules.core.model import UMPIRE, Viewer

from .dispatches import sort_by_sender
from .intelligence import Dispatch, Sightings
from .model import CampaignState
from .riders import deliver_dispatch


class SecretOrders:
    """Secrecy of a campaign's orders. Other systems hide units instead (see `HiddenTroops`)."""

    def is_fully_public(self, state: CampaignState) -> bool:
        """Whether the campaign is over, so that no orders are secret."""
        return state.over is not None

    def can_have_hidden_units(self, state: CampaignState) -> bool:
        """Whether the campaign is running: commands keep their orders secret until its end."""
        return state.over is None

    def unseen_units(self, state: CampaignState) -> Container[object] | None:
        """Return None (all units) while orders are secret; an empty tuple once the campaign is over."""
        return None if state.over is None else ()

    def keep_hidden_facts(self, then: CampaignState, now: CampaignState, viewer: Viewer) -> CampaignState:
        """Return the state after a command's undo: the earlier state `then`, with other commands' orders of `now`.

        An undo by the umpire, of a day's end, or of a battle's result restores all commands' orders.
        """
        is_same_day = (then.turn, then.is_withheld) == (now.turn, now.is_withheld)
        if viewer == UMPIRE or not is_same_day or then.battles.keys() != now.battles.keys():
            return then
        restored = now.sides_represented_by(viewer)
        own = {key: column for key, column in then.units.items() if column.side in restored}
        others = {key: column for key, column in now.units.items() if column.side not in restored}
        dispatches, sightings = _restore_dispatches(then, now, viewer)
        changed = {
            "units": {**own, **others},
            "battles": now.battles,
            "powers": now.powers,
            "dispatches": dispatches,
            "sightings": sightings,
            "wrote": _merge_commands(then.wrote, now.wrote, restored),
            "deputised": _merge_commands(then.deputised, now.deputised, restored),
        }
        return then.model_copy(update=changed)


def _merge_commands(earlier: Sequence[str], present: Sequence[str], restored: Container[str]) -> tuple[str, ...]:
    """Return the commands of `present`, but take the restored commands from `earlier`."""
    kept = (side for side in present if side not in restored)
    return (*kept, *(side for side in earlier if side in restored))


def _restore_dispatches(
    then: CampaignState, now: CampaignState, viewer: Viewer
) -> tuple[Sequence[Dispatch], Mapping[str, Sightings]]:
    """Return the dispatches and sightings after an undo by `viewer`, to the earlier state `then`.

    Only the viewer's own dispatches are restored. A receiver that loses a dispatch has its earlier sightings again,
    plus those in its remaining dispatches.
    """
    restored = [dispatch for dispatch in then.dispatches if dispatch.sender == viewer]
    others = [dispatch for dispatch in now.dispatches if dispatch.sender != viewer]
    dispatches = sort_by_sender(then, (*restored, *others))
    sightings = dict(now.sightings)
    for command in sightings:
        received = [dispatch for dispatch in dispatches if _arrived_at_once_today(dispatch, now, command)]
        if received != [dispatch for dispatch in now.dispatches if _arrived_at_once_today(dispatch, now, command)]:
            state = then
            for dispatch in received:
                state, _ = deliver_dispatch(state, dispatch)
            sightings[command] = state.sightings.get(command, {})
    return dispatches, sightings


def _arrived_at_once_today(dispatch: Dispatch, now: CampaignState, command: str) -> bool:
    return dispatch.to == command and dispatch.arrived == now.turn and not dispatch.rode
