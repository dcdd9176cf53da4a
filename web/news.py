"""News for open pages.

A page's news is one counter. It changes with each entry that the page's seat may see, and with each revision of the
seat's order sheet.
"""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import func, select

from bot.errors import NoGame, NotAllowed, UserError
from bot.journal.game import Game
from bot.page.sessions import WebSessions
from bot.services import Games
from bot.store import Store
from bot.store.tables import ENTRIES, SHEETS

from .sessions import PageSeat, SeatFinder

log = logging.getLogger(__name__)

CHECK_INTERVAL = 1.0
"""Seconds between two checks of the watched games. One check needs only a few queries."""
SHORT_INTERVAL = 0.2
"""Seconds between two checks if this process has just written an entry of a watched game."""
MOST_STREAMS = 4
"""Maximum number of open pages per session. One more page ends the oldest."""
LEFT = "left"
"""The last news of a page whose session has ended, or whose user has left the seat."""
REPLACED = "replaced"
"""The last news of a page that a newer page of the same session replaces."""
CLOSED = "closed"
"""Marks the end of a page's news when the server stops. This mark is not sent to the page."""


@dataclass(eq=False)
class PageWatcher:
    """An open page, with its seat and its newest unsent news. Newer news replaces unsent news."""

    seat: PageSeat
    told: str = ""
    failed: bool = False
    """Whether the last check failed to send the page its news."""
    news: "asyncio.Queue[str]" = field(default_factory=lambda: asyncio.Queue(maxsize=1))

    def queue_news(self, counter: str) -> None:
        """Replace the page's unsent news by `counter`, unless `counter` is unchanged or the page has ended."""
        if counter == self.told or self.told in (LEFT, REPLACED, CLOSED):
            return
        self.told = counter
        with suppress(asyncio.QueueEmpty):
            self.news.get_nowait()
        self.news.put_nowait(counter)


class PageNews:
    """The open pages of this process, and the task that checks their games for news."""

    def __init__(self, games: Games, store: Store, sessions: WebSessions, seats: SeatFinder) -> None:
        self._games, self._store, self._sessions, self._seats = games, store, sessions, seats
        self._watchers: dict[PageWatcher, None] = {}  # the oldest first
        self._heads: dict[str, tuple[int, int]] = {}
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._is_closed = False
        games.add_entry_listener(self._wake_for_watched_game)

    def add_watcher(self, seat: PageSeat) -> PageWatcher:
        """Return a new watcher for a page. If the session has more than MOST_STREAMS pages, end the oldest ones."""
        watcher = PageWatcher(seat)
        if self._is_closed:
            watcher.queue_news(CLOSED)
            return watcher
        pages = [page for page in self._watchers if page.seat.session.id == seat.session.id and page.told != REPLACED]
        for oldest in pages[: max(len(pages) + 1 - MOST_STREAMS, 0)]:
            oldest.queue_news(REPLACED)
        self._watchers[watcher] = None
        self._heads.pop(seat.game.id, None)
        self._woken.set()
        if self._task is None:
            self._task = asyncio.create_task(self._check_repeatedly(), name="news of the live map")
        return watcher

    def remove_watcher(self, watcher: PageWatcher) -> None:
        """Remove a page's watcher."""
        self._watchers.pop(watcher, None)

    def _wake_for_watched_game(self, game: str) -> None:
        """Wake the checking task if a page watches the game."""
        if game in self._heads:
            self._woken.set()

    async def close(self) -> None:
        """Stop the checking task, and end the news of every page."""
        self._is_closed = True
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for watcher in self._watchers:
            watcher.queue_news(CLOSED)

    async def _check_repeatedly(self) -> None:
        while True:
            self._woken.clear()
            if self._watchers:
                try:
                    await self.check_games()
                except UserError as error:
                    log.info("no news of the live map at the moment: %s", error)
                except Exception:
                    log.exception("the news of the live map")
            await asyncio.sleep(SHORT_INTERVAL)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), CHECK_INTERVAL - SHORT_INTERVAL)

    async def check_games(self) -> None:
        """Send news to the pages whose games have changed since the last check. End the pages of ended sessions."""
        live = await self._sessions.find_open_ids(watcher.seat.session.id for watcher in self._watchers)
        watched = {watcher.seat.game.id for watcher in self._watchers}
        heads = await self._load_game_counters(watched)
        changed = {game for game in watched if heads.get(game) != self._heads.get(game)}
        self._heads, games = heads, dict[str, Game]()
        for watcher in [*self._watchers]:
            if watcher.seat.session.id not in live:
                watcher.queue_news(LEFT)
            elif watcher.seat.game.id in changed:
                await self._send_news(watcher, games)

    async def _send_news(self, watcher: PageWatcher, games: dict[str, Game]) -> None:
        """Send a page the counter of its seat, or LEFT if the user has left the seat.

        If this fails, the next check tries again. `games` caches the games loaded by this check.
        """
        game = watcher.seat.game.id
        try:
            games[game] = games.get(game) or await self._games.game_by_id(game)
            seat = self._seats.find_seat_in(games[game], watcher.seat.session)
            sheet = await self._games.sheets.load_own_sheet(seat.game, seat.session.user) if seat.has_sheet else None
            watcher.queue_news(f"{seat.progress}.{0 if sheet is None else sheet.revision}")
            watcher.failed = False
        except (NotAllowed, NoGame):
            watcher.queue_news(LEFT)
        except Exception as error:
            self._heads.pop(game, None)
            if not watcher.failed:  # log only once, not at every check
                log.warning("a page of the live map has no news: %s", error, exc_info=not isinstance(error, UserError))
            watcher.failed = True

    async def _load_game_counters(self, games: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Return the number of each game's newest entry, and the sum of the revisions of its sheets."""
        newest = (
            select(ENTRIES.c.game, func.max(ENTRIES.c.seq)).where(ENTRIES.c.game.in_(games)).group_by(ENTRIES.c.game)
        )
        sheets = (
            select(SHEETS.c.game, func.sum(SHEETS.c.revision)).where(SHEETS.c.game.in_(games)).group_by(SHEETS.c.game)
        )
        async with self._store.query_connection() as connection:
            heads = {row[0]: row[1] for row in await connection.execute(newest)}
            revisions = {row[0]: row[1] for row in await connection.execute(sheets)}
        return {game: (heads.get(game, 0), revisions.get(game, 0)) for game in games}
