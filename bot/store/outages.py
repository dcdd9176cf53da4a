"""A database that does not answer: known by its errors, said once a minute, and not waited for by everybody in turn."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from bot.errors import DatabaseAway, OutcomeUnknown

log = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds that a lock, a connection or a statement is waited for."""
REST = 2.0
"""Seconds without attempts after a failure; queued requests fail immediately."""
SAID_EVERY = 60.0

SQLITE = {"BUSY": 5, "LOCKED": 6, "READONLY": 8, "IOERR": 10, "FULL": 13, "CANTOPEN": 14, "PROTOCOL": 15}
"""SQLite's primary result codes of a database that cannot be used now; after none of them anything was written."""
POSTGRESQL = ("08", "53", "57", "58")
"""Classes of PostgreSQL's errors: the connection, its resources, an operator's doing, the machine below it."""


class Watch:
    """Watches what is asked of a database."""

    def __init__(self) -> None:
        self._rests_until = 0.0
        self._say_at = 0.0
        self._away = False

    @contextmanager
    def over(self, *, writing: bool = False) -> Iterator[None]:
        """Translate the database errors of one query or change.

        Raises DatabaseAway, or OutcomeUnknown if a change may have been stored.
        """
        self.require()
        try:
            yield
        except Exception as error:
            if not is_away(error):
                raise
            self.failed(error)
            raise (OutcomeUnknown if writing and may_be_done(error) else DatabaseAway) from error
        self._answered()

    def require(self) -> None:
        """Raises DatabaseAway right after a failure, in place of waiting for another."""
        if time.monotonic() < self._rests_until:
            raise DatabaseAway

    def failed(self, error: Exception) -> None:
        """Takes note that it does not answer."""
        self._away, now = True, time.monotonic()
        self._rests_until = now + REST
        if now >= self._say_at:
            self._say_at = now + SAID_EVERY
            log.error("The database does not answer: %s: %s", type(error).__name__, _reason(error))

    def _answered(self) -> None:
        if self._away:
            self._away = False
            log.info("The database answers again.")


def is_away(error: BaseException) -> bool:
    """Whether it is the database that cannot be used now, and no mistake of ours."""
    if isinstance(error, OSError | exc.TimeoutError):  # refused, broken off, not answered in time
        return True
    if not isinstance(error, exc.DBAPIError) or isinstance(error, exc.IntegrityError):
        return False
    return error.connection_invalidated or _sqlite_code(error) is not None or _sqlstate(error)[:2] in POSTGRESQL


def may_be_done(error: Exception) -> bool:
    """Whether the request may have succeeded, or may still succeed, despite the lost answer."""
    never_begun = isinstance(error, exc.TimeoutError | ConnectionRefusedError | FileNotFoundError)
    return not never_begun and not (isinstance(error, exc.DBAPIError) and _sqlite_code(error) is not None)


def _sqlite_code(error: exc.DBAPIError) -> int | None:
    """Return the primary SQLite result code if it signals an outage, else None."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) and code & 0xFF in SQLITE.values() else None


def _sqlstate(error: exc.DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")


def _reason(error: Exception) -> str:
    """Return the reason in one line."""
    said = str(getattr(error, "orig", None) or error) or "no answer in time"
    return " ".join(said.split())[:300]
