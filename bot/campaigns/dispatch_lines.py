"""The dispatches that a viewer knows, in words, and their possible receivers (CA-7)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bot.journal.game import Game
from rules.campaign.dispatches import other_command_names
from rules.campaign.ground import board_of
from rules.campaign.intelligence import Dispatch
from rules.campaign.knowledge import view
from rules.campaign.model import CampaignState
from rules.campaign.options import Knowledge
from rules.campaign.riders import dispatch_in_words
from rules.core.model import Viewer


class DispatchLine(NamedTuple):
    """A dispatch in words: its day and correspondents, its text, and its fate."""

    heading: str
    contents: str
    fate: str


def possible_receivers(game: Game, viewer: Viewer) -> Mapping[str, str]:
    """Return the names of the commands (sides of a campaign) to which a viewer may write, by id.

    The result is empty in a game without dispatches.
    """
    state = game.state
    if not isinstance(state, CampaignState) or state.options.knowledge is Knowledge.SHARED or game.ended is not None:
        return {}
    return other_command_names(state, viewer) if viewer in {side.id for side in state.sides} else {}


def describe_dispatches(state: CampaignState, viewer: Viewer, day: int = 0) -> Iterable[DispatchLine]:
    """Yield each dispatch that the viewer knows, the newest first. With `day`, only dispatches written on that day."""
    dispatches = (dispatch for dispatch in view(state, viewer).dispatches if day in (0, dispatch.day))
    for dispatch in sorted(dispatches, key=lambda dispatch: -dispatch.day):
        sender, to = (f"{state.side(side):the}" for side in (dispatch.sender, dispatch.to))
        names = {dispatch.sender: f"to {to}", dispatch.to: f"from {sender}"}
        heading = f"Day {dispatch.day}, {names.get(viewer, f'from {sender} to {to}')}"
        words = dispatch_in_words(board_of(state), dispatch)
        yield DispatchLine(heading, words, _describe_fate(state, dispatch))


def _describe_fate(state: CampaignState, dispatch: Dispatch) -> str:
    """Return the dispatch's fate in words, as far as the viewer of `state` knows it."""
    if dispatch.caught_by:
        return f"caught by {state.side(dispatch.caught_by):the}"
    if dispatch.rider is not None:  # only the umpire knows the rider, and after the game everyone
        return f"on its way, in {' or '.join(hex_.label for hex_ in dispatch.rider.at)}"
    return f"arrived on day {dispatch.arrived}" if dispatch.arrived else "no word that it arrived"
