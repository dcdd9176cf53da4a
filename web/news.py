"""News for open pages: a counter of the entries that a seat may see, and nothing else."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import func, select

from bot.errors import UserError
from bot.services import Games
from bot.store import Store
from bot.store.tables import ENTRIES, SHEETS

from .sessions import Seat, SeatFinder

log = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two looks at the watched games, one query for all of them."""
LEFT = "left"
"""The news for a page whose user has left the seat."""


@dataclass(eq=False)
class Watcher:
    """An open page: its seat, and the newest news that it has not been sent. Older news are dropped."""

    seat: Seat
    told: str = ""
    news: "asyncio.Queue[str]" = field(default_factory=lambda: asyncio.Queue(maxsize=1))

    def tell(self, counter: str) -> None:
        """Replace the unsent news by `counter`, unless the page knows it already."""
        if counter == self.told:
            return
        self.told = counter
        with suppress(asyncio.QueueEmpty):
            self.news.get_nowait()
        self.news.put_nowait(counter)


class News:
    """The open pages of this process, and the task that looks for news."""

    def __init__(self, games: Games, store: Store, seats: SeatFinder) -> None:
        self._games, self._store, self._seats = games, store, seats
        self._watchers: set[Watcher] = set()
        self._heads: dict[str, tuple[int, int]] = {}
        self._task: asyncio.Task[None] | None = None

    def watch(self, seat: Seat) -> Watcher:
        """Begin to watch for a page."""
        watcher = Watcher(seat)
        self._watchers.add(watcher)
        self._heads.pop(seat.game.id, None)
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="news of the live map")
        return watcher

    def forget(self, watcher: Watcher) -> None:
        """Stop watching for a page."""
        self._watchers.discard(watcher)

    async def close(self) -> None:
        """Stop looking for news."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            if self._watchers:
                try:
                    await self.look()
                except UserError as error:
                    log.info("no news of the live map at the moment: %s", error)
                except Exception:
                    log.exception("the news of the live map")
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Tell the pages of every game that has changed since the last look."""
        watched = {watcher.seat.game.id for watcher in self._watchers}
        heads = await self._load_heads(watched)
        changed = {game for game in watched if heads.get(game) != self._heads.get(game)}
        self._heads = heads
        for watcher in [one for one in self._watchers if one.seat.game.id in changed]:
            try:
                seat = await self._seats.seat_of(watcher.seat.session)
            except UserError:
                watcher.tell(LEFT)
                continue
            sheet = await self._games.sheets.own_sheet(seat.game, seat.session.user) if seat.may_order else None
            watcher.tell(f"{seat.progress}.{0 if sheet is None else sheet.revision}")

    async def _load_heads(self, games: set[str]) -> dict[str, tuple[int, int]]:
        """Return the number of each game's newest entry, and the sum of its sheets' revisions."""
        newest = (
            select(ENTRIES.c.game, func.max(ENTRIES.c.seq)).where(ENTRIES.c.game.in_(games)).group_by(ENTRIES.c.game)
        )
        sheets = (
            select(SHEETS.c.game, func.sum(SHEETS.c.revision)).where(SHEETS.c.game.in_(games)).group_by(SHEETS.c.game)
        )
        async with self._store.ask() as connection:
            heads = {row[0]: row[1] for row in await connection.execute(newest)}
            revisions = {row[0]: row[1] for row in await connection.execute(sheets)}
        return {game: (heads.get(game, 0), revisions.get(game, 0)) for game in games}
