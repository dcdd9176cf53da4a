"""Messages about something done that Discord did not accept: kept until they can be sent.

Rows are written only when telling fails, so nearly always there are none: which channels have one waiting is held in
memory, and looked up once a minute, for other processes keep some too.
"""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bot.store import Store
from bot.store.tables import UntoldRow

EVERYONE = 0
"""Stands for a user where a whole channel is to be told."""
MOST_KEPT = 10
"""Notices for the same readers; the oldest are dropped."""
LONGEST = 3900
"""Characters of a notice."""
KEPT_FOR = timedelta(days=7)
LOOK_EVERY = 60.0
"""Seconds."""


@dataclass(frozen=True)
class Notice:
    """What `user` (or EVERYONE) in a channel was not told. `text` is Markdown, ready to be sent.

    `key` names what is told of, so that two processes that fail to tell of the same keep it once.
    """

    key: str
    channel: int
    user: int
    text: str
    at: datetime


class Untold:
    """The notices of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: set[tuple[int, int]] = set()
        self._look_at = 0.0
        self._being_told: set[tuple[int, int]] = set()

    async def keep(self, key: str, channel: int, user: int, text: str) -> None:
        """Store a notice until Discord accepts it."""
        row = UntoldRow(key=key, user=user, channel=channel, at=datetime.now(UTC), text=text[:LONGEST])
        try:
            async with self._store.write() as session:
                session.add(row)
                await session.flush()
                await _drop_old(session, channel, user)
        except IntegrityError:
            return
        self._waiting.add((channel, user))

    @asynccontextmanager
    async def telling(self, channel: int, user: int) -> AsyncIterator[Sequence[Notice]]:
        """Yield the notices for those readers, oldest first; they are deleted afterwards, unless an error was raised.

        There are none for who comes while they are being told.
        """
        readers = channel, user
        if not await self._are_waiting(readers):
            yield ()
            return
        self._being_told.add(readers)
        try:
            notices = await self._kept(readers)
            yield notices
            await self._forget(notices)
            self._waiting.discard(readers)
        finally:
            self._being_told.discard(readers)

    async def _are_waiting(self, readers: tuple[int, int]) -> bool:
        if time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + LOOK_EVERY
            async with self._store.read() as session:
                found = await session.execute(select(UntoldRow.channel, UntoldRow.user).distinct())
                self._waiting = {(row.channel, row.user) for row in found}
        return readers in self._waiting and readers not in self._being_told

    async def _kept(self, readers: tuple[int, int]) -> Sequence[Notice]:
        fresh = UntoldRow.at > datetime.now(UTC) - KEPT_FOR
        async with self._store.read() as session:
            rows = await session.scalars(select(UntoldRow).where(*_for(*readers), fresh).order_by(UntoldRow.at))
            return [Notice(row.key, row.channel, row.user, row.text, row.at) for row in rows]

    async def _forget(self, notices: Sequence[Notice]) -> None:
        if not notices:
            return
        keys = [notice.key for notice in notices]
        async with self._store.write() as session:
            await session.execute(delete(UntoldRow).where(UntoldRow.key.in_(keys), UntoldRow.user == notices[0].user))


def _for(channel: int, user: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return UntoldRow.channel == channel, UntoldRow.user == user


async def _drop_old(session: AsyncSession, channel: int, user: int) -> None:
    """Delete expired notices, and all but the newest notices of each reader."""
    theirs = _for(channel, user)
    surplus = select(UntoldRow.at).where(*theirs).order_by(UntoldRow.at.desc()).offset(MOST_KEPT).limit(1)
    too_old = UntoldRow.at < datetime.now(UTC) - KEPT_FOR
    too_many = and_(*theirs, UntoldRow.at <= surplus.scalar_subquery())
    await session.execute(delete(UntoldRow).where(or_(too_old, too_many)))
