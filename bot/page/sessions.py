"""Links to the live map, and the sessions that they open. Only hashes of keys and secrets are stored."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.engine import Connection

from bot.errors import NotAllowed
from bot.journal.game import Actor, Game
from bot.store import Store
from bot.store.member_tables import WEB_LINKS, WEB_SESSIONS
from bot.store.queries import fetch_row, fetch_rows, fetch_value, fetch_values
from rules.core.model import Viewer

LINK_LASTS = timedelta(minutes=15)
IDLE_LASTS = timedelta(days=30)
"""Time after which an unused session ends."""
NOTED_EVERY = timedelta(hours=1)
"""Minimum time between two updates of a session's last use, so that a request usually needs no write."""
MOST_SESSIONS = 20
"""Maximum number of sessions per user. One more session ends the least recently used one."""
KEY_BYTES = 24
TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Form of keys, secrets and ids of sessions. A text of another form is refused without a query of the database."""
BAD_LINK = "This link was used already, or is older than 15 minutes. /page open gives you a new one."
ENDED = "This session has ended. /page open gives you a new link."


@dataclass(frozen=True)
class WebSession:
    """A browser's session for one user in one game. The user sees the game as `viewer` does."""

    id: str
    game: str
    user: Actor
    viewer: Viewer
    began: datetime
    used: datetime
    noted: bool = False
    """Whether the present request updated the session's last use."""


@dataclass(frozen=True)
class NewSession:
    """A new session, with the secret for its cookie."""

    session: WebSession
    secret: str


class WebSessions:
    """Service for links and sessions of the live map."""

    def __init__(self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._store, self._now = store, now

    async def make_link(self, game: Game, actor: Actor) -> str:
        """Return the key of a new link for the actor's seat. The link opens a single session, within LINK_LASTS."""
        key, now = secrets.token_urlsafe(KEY_BYTES), self._now()
        row = {
            "key": _hash_secret(key),
            "game": game.id,
            "user": actor.id,
            "name": actor.name,
            "viewer": game.viewer(actor.id),
            "until": now + LINK_LASTS,
        }
        expired = delete(WEB_LINKS).where(WEB_LINKS.c.until < now)
        await self._store.writer.execute(expired, insert(WEB_LINKS).values(row))
        return key

    async def open_session(self, key: str) -> NewSession:
        """Begin a session with the key of a link. Delete the link. Raises NotAllowed for an unknown or old key."""
        if TOKEN.fullmatch(key) is None:
            raise NotAllowed(BAD_LINK)
        secret, session_id, now = secrets.token_urlsafe(KEY_BYTES), secrets.token_hex(8), self._now()
        hashed, opened = _hash_secret(key), list[WebSession]()
        stored_key = await fetch_value(self._store, select(WEB_LINKS.c.key).where(WEB_LINKS.c.key == hashed))
        if stored_key is None:  # a wrong key, which anybody can send, costs no write
            raise NotAllowed(BAD_LINK)

        def store_session(connection: Connection) -> None:
            opened.clear()
            link = connection.execute(select(WEB_LINKS).where(WEB_LINKS.c.key == hashed)).first()
            used_up = connection.execute(delete(WEB_LINKS).where(WEB_LINKS.c.key == hashed)).rowcount
            if link is None or used_up != 1 or link.until < now:
                return
            _end_oldest_sessions(connection, link.user)
            bound = {"game": link.game, "user": link.user, "name": link.name, "viewer": link.viewer}
            row = {"id": session_id, "secret": _hash_secret(secret), "began": now, "used": now, **bound}
            connection.execute(insert(WEB_SESSIONS).values(row))
            opened.append(WebSession(session_id, link.game, Actor(link.user, link.name), link.viewer, now, now))

        await self._store.writer.run(store_session)
        if not opened:
            raise NotAllowed(BAD_LINK)
        return NewSession(opened[0], secret)

    async def find_session(self, session_id: str, secret: str) -> WebSession:
        """Return the session with this id and secret, and update its last use. Raises NotAllowed if there is none."""
        if TOKEN.fullmatch(session_id) is None or TOKEN.fullmatch(secret) is None:
            raise NotAllowed(ENDED)
        row = await fetch_row(self._store, select(WEB_SESSIONS).where(WEB_SESSIONS.c.id == session_id))
        now = self._now()
        if row is None or not hmac.compare_digest(row.secret, _hash_secret(secret)) or row.used < now - IDLE_LASTS:
            raise NotAllowed(ENDED)
        noted = row.used < now - NOTED_EVERY
        if noted:
            used = update(WEB_SESSIONS).where(WEB_SESSIONS.c.id == session_id).values(used=now)
            await self._store.writer.execute(used)
        return replace(_read_session(row), noted=noted)

    async def find_open_ids(self, ids: Iterable[str]) -> frozenset[str]:
        """Return the given ids of sessions that are still open."""
        live = select(WEB_SESSIONS.c.id).where(
            WEB_SESSIONS.c.id.in_({*ids}), WEB_SESSIONS.c.used >= self._now() - IDLE_LASTS
        )
        return frozenset(await fetch_values(self._store, live))

    async def find_authenticated_ids(self, secrets_by_id: Mapping[str, str]) -> frozenset[str]:
        """Return the ids of open sessions for which `secrets_by_id` has the right secret."""
        ids = {
            session_id
            for session_id, secret in secrets_by_id.items()
            if TOKEN.fullmatch(session_id) and TOKEN.fullmatch(secret)
        }
        rows = await fetch_rows(self._store, select(WEB_SESSIONS).where(WEB_SESSIONS.c.id.in_(ids)))
        oldest = self._now() - IDLE_LASTS
        return frozenset(
            row.id
            for row in rows
            if row.used >= oldest and hmac.compare_digest(row.secret, _hash_secret(secrets_by_id[row.id]))
        )

    async def list_sessions(self, user: int) -> Sequence[WebSession]:
        """Return the user's sessions, the most recently used first."""
        own_sessions = select(WEB_SESSIONS).where(WEB_SESSIONS.c.user == user).order_by(WEB_SESSIONS.c.used.desc())
        return [_read_session(row) for row in await fetch_rows(self._store, own_sessions)]

    async def end_sessions(self, user: int, session_id: str | None = None) -> int:
        """End the session, or all the user's sessions if `session_id` is None. Return the number of ended sessions."""
        own_sessions = delete(WEB_SESSIONS).where(WEB_SESSIONS.c.user == user)
        statement = own_sessions if session_id is None else own_sessions.where(WEB_SESSIONS.c.id == session_id)
        return await self._store.writer.execute(statement)


def _end_oldest_sessions(connection: Connection, user: int) -> None:
    """End the user's least recently used sessions, to make room for one more."""
    own_sessions = select(WEB_SESSIONS.c.id).where(WEB_SESSIONS.c.user == user).order_by(WEB_SESSIONS.c.used.desc())
    kept_ids = [row.id for row in connection.execute(own_sessions.limit(MOST_SESSIONS - 1))]
    surplus = WEB_SESSIONS.c.user == user, WEB_SESSIONS.c.id.not_in(kept_ids)
    connection.execute(delete(WEB_SESSIONS).where(*surplus))


def _read_session(row: Row[Any]) -> WebSession:
    """Return the session in a row of the table."""
    return WebSession(row.id, row.game, Actor(row.user, row.name), row.viewer, row.began, row.used)


def _hash_secret(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
