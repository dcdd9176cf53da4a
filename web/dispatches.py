"""Show the dispatches that a seat knows, and write new ones. The chat's command for both is `/campaign dispatch`."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from bot.campaigns.dispatch_lines import describe_dispatches, possible_receivers
from bot.games.rights import require_right_to_act
from rules.campaign.dispatches import WriteDispatch
from rules.campaign.intelligence import MOST_LETTERS
from rules.campaign.model import CampaignState
from rules.core.state import Action

from .orders import ActionRequest, Word
from .sessions import PageSeat

Json = Mapping[str, Any]
MOST_SHOWN = 40
"""Maximum number of dispatches on the page. The chat shows older ones."""
OTHER_GAME = "Another game runs in this channel now, so nothing was sent."


class DispatchRequest(ActionRequest):
    """Request to write a dispatch to another command (side) of the seat's power."""

    too_late = OTHER_GAME
    to: Word
    text: Annotated[str, Field(max_length=4 * MOST_LETTERS)]
    with_sightings: bool = False

    def make_action(self, seat: PageSeat) -> Action:
        """Return the action that writes the dispatch for the seat's command. Raises NotAllowed, Refused."""
        game, user = seat.game, seat.session.user
        action = game.ruleset.parse(WriteDispatch.kind, {"side": game.viewer(user.id), **self.model_dump()})
        require_right_to_act(game, user, action)
        return action


def dispatches_json(seat: PageSeat, *, is_own: bool) -> Json | None:
    """Return the dispatches that the seat knows, and the possible receivers of a new dispatch.

    Return None if there are neither. Unless `is_own`, an umpire looks at another command's view, and cannot write.
    """
    if not isinstance(seat.state, CampaignState):
        return None
    to = possible_receivers(seat.game, seat.viewer) if is_own else {}
    dispatches = [dispatch._asdict() for dispatch in describe_dispatches(seat.state, seat.viewer)][:MOST_SHOWN]
    if not to and not dispatches:
        return None
    return {"to": [{"id": key, "name": name} for key, name in to.items()], "known": dispatches, "most": MOST_LETTERS}
