"""Cache the last view of each seat as JSON, until the seat's viewer learns something new."""

import asyncio
import json

from cachetools import LRUCache

from bot.journal.game import Game
from bot.order_sheets.model import StoredSheet
from rules.core.model import PUBLIC, Viewer

from .sessions import PageSeat
from .umpire_page import tools_for_set_up_json, umpire_tools_json
from .views import view_json

MOST_VIEWS = 256
"""Maximum number of views in memory, about 40 KB each for a large table."""
Key = tuple[str, Viewer, Viewer, int]


class ViewCache:
    """Makes views as JSON, and keeps the newest. All onlookers of a game share one view.

    The seats must be steady (see `SteadyGames`), or slower answers would reveal hidden actions.
    """

    def __init__(self) -> None:
        self._views: LRUCache[Key, tuple[Game, StoredSheet | None, str]] = LRUCache(MOST_VIEWS)

    async def get_view_text(self, seat: PageSeat, shown_seat: PageSeat, stored: StoredSheet | None) -> str:
        """Return the view of `shown_seat` as JSON text, with the umpire's or set-up tools of `seat`."""
        user = 0 if seat.viewer == PUBLIC else seat.session.user.id
        key = seat.game.id, seat.viewer, shown_seat.viewer, user
        cached = self._views.get(key)
        if cached is not None and cached[0] is seat.game and cached[1] == stored:
            return cached[2]
        text = await asyncio.to_thread(_dump_view, seat, shown_seat, stored)
        self._views[key] = seat.game, stored, text
        return text


def _dump_view(seat: PageSeat, shown_seat: PageSeat, stored: StoredSheet | None) -> str:
    by_hand = {"umpire": umpire_tools_json(seat, shown_seat.viewer), "setUp": tools_for_set_up_json(seat)}
    view = {**view_json(shown_seat, stored), **by_hand, "ownProgress": seat.progress}
    return json.dumps(view, separators=(",", ":"))
