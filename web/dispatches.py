"""Dispatches between commands on the page: show the known ones, and write new ones, like the command in the chat."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from bot.campaigns.dispatch_lines import dispatch_lines, receivers_of
from bot.errors import Stale
from bot.games.rights import require_right
from bot.journal.game import Game
from bot.page.channel_port import ChannelPort
from bot.services import Games
from rules.campaign.dispatches import WriteDispatch
from rules.campaign.messages import MOST_LETTERS
from rules.campaign.model import CampaignState
from rules.core.state import Action

from .orders import Request, Word
from .sessions import Seat

Json = Mapping[str, Any]
MOST_SHOWN = 40
"""Maximum number of dispatches on the page. The chat shows older ones."""
OTHER_GAME = "Another game runs in this channel now, so nothing was sent."


class DispatchRequest(Request):
    """A dispatch to another command of the seat's power."""

    to: Word
    text: Annotated[str, Field(max_length=4 * MOST_LETTERS)]
    with_sightings: bool = False


def dispatches_json(seat: Seat, *, is_own: bool) -> Json | None:
    """Return the seat's known dispatches and possible receivers, or None without either.

    `is_own` is false if an umpire looks at a command's view; then nobody can be written to.
    """
    if not isinstance(seat.state, CampaignState):
        return None
    to = receivers_of(seat.game, seat.viewer) if is_own else {}
    known = [one._asdict() for one in dispatch_lines(seat.state, seat.viewer)][:MOST_SHOWN]
    if not to and not known:
        return None
    return {"to": [{"id": one, "name": name} for one, name in to.items()], "known": known, "most": MOST_LETTERS}


class PageDispatches:
    """Writes dispatches from the page."""

    def __init__(self, games: Games, port: ChannelPort) -> None:
        self._games, self._port = games, port

    async def write(self, seat: Seat, asked: DispatchRequest) -> None:
        """Write a dispatch for the seat's command. Raises Stale, NotAllowed, Refused."""

        def make(game: Game) -> Action:
            if game.id != seat.game.id:
                raise Stale(OTHER_GAME)
            said = {"side": game.viewer(seat.session.user.id), **asked.model_dump()}
            action = game.ruleset.parse(WriteDispatch.kind, said)
            require_right(game, seat.session.user, action)
            return action

        played = await self._games.actions.act(seat.game.channel, seat.session.user, make)
        self._port.go_on(played.game)
