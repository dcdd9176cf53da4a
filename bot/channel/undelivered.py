"""Messages that Discord did not accept, stored until they can be sent.

The channels and users with waiting messages are cached in memory. The cache is reloaded regularly, because other
processes store messages, too.
"""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Delete, and_, delete, insert, or_, select
from sqlalchemy.exc import IntegrityError

from bot.store import Store
from bot.store.member_tables import UNDELIVERED
from bot.store.queries import fetch_rows

EVERYONE = 0
"""User id of a notice for the whole channel."""
MOST_KEPT = 10
"""Maximum number of stored notices for the same readers; older notices are deleted."""
LONGEST = 3900
"""Maximum characters of a notice."""
KEPT_FOR = timedelta(days=7)
LOOK_EVERY = 60.0
"""Seconds between two loads of the stored notices' readers."""


@dataclass(frozen=True)
class Notice:
    """A message that Discord did not accept, to `user` (or EVERYONE) in a channel.

    `key` names the event that the message is about. Only the first message about an event is kept.
    """

    key: str
    channel: int
    user: int
    text: str
    at: datetime


class UndeliveredMessages:
    """The stored notices of all channels."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: set[tuple[int, int]] = set()
        self._look_at = 0.0
        self._being_delivered: set[tuple[int, int]] = set()

    async def store_notice(self, key: str, channel: int, user: int, text: str) -> None:
        """Store a notice, unless the user already has a stored notice with this key."""
        row = {"key": key, "user": user, "channel": channel, "at": datetime.now(UTC), "text": text[:LONGEST]}
        try:
            await self._store.writer.execute(insert(UNDELIVERED).values(row), _delete_old_notices(channel, user))
        except IntegrityError:
            return
        self._waiting.add((channel, user))

    @asynccontextmanager
    async def deliver(self, channel: int, user: int) -> AsyncIterator[Sequence[Notice]]:
        """Yield the notices for `user` in a channel, oldest first, and delete them once they are sent.

        If the caller raises an error, the notices are kept. Only one caller at a time gets the notices.
        """
        readers = channel, user
        if not await self._has_notices_for(readers):
            yield ()
            return
        self._being_delivered.add(readers)
        try:
            notices = await self._load_notices(readers)
            yield notices
            await self._delete(notices)
            self._waiting.discard(readers)
        finally:
            self._being_delivered.discard(readers)

    async def _has_notices_for(self, readers: tuple[int, int]) -> bool:
        if time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + LOOK_EVERY
            rows = await fetch_rows(self._store, select(UNDELIVERED.c.channel, UNDELIVERED.c.user).distinct())
            self._waiting = {(row.channel, row.user) for row in rows}
        return readers in self._waiting and readers not in self._being_delivered

    async def _load_notices(self, readers: tuple[int, int]) -> Sequence[Notice]:
        fresh = UNDELIVERED.c.at > datetime.now(UTC) - KEPT_FOR
        query = select(UNDELIVERED).where(*_reader_conditions(*readers), fresh).order_by(UNDELIVERED.c.at)
        rows = await fetch_rows(self._store, query)
        return [Notice(row.key, row.channel, row.user, row.text, row.at) for row in rows]

    async def _delete(self, notices: Sequence[Notice]) -> None:
        if notices:
            keys = UNDELIVERED.c.key.in_([notice.key for notice in notices])
            await self._store.writer.execute(delete(UNDELIVERED).where(keys, UNDELIVERED.c.user == notices[0].user))


def _reader_conditions(channel: int, user: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return UNDELIVERED.c.channel == channel, UNDELIVERED.c.user == user


def _delete_old_notices(channel: int, user: int) -> Delete:
    """Delete expired notices, and all but the newest MOST_KEPT notices for `user` in the channel."""
    conditions = _reader_conditions(channel, user)
    surplus = select(UNDELIVERED.c.at).where(*conditions).order_by(UNDELIVERED.c.at.desc()).offset(MOST_KEPT).limit(1)
    too_old = UNDELIVERED.c.at < datetime.now(UTC) - KEPT_FOR
    too_many = and_(*conditions, UNDELIVERED.c.at <= surplus.scalar_subquery())
    return delete(UNDELIVERED).where(or_(too_old, too_many))
