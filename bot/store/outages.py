"""Detect an outage of the database by errors, log it at intervals, and refuse further queries for a while."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from bot.errors import DatabaseUnavailable, OutcomeUnknown

log = logging.getLogger(__name__)

PATIENCE = 5.0
"""Maximum seconds to wait for a lock, a connection or a statement."""
REST = 2.0
"""Seconds after a failure during which queries fail at once."""
LOG_EVERY = 60.0
"""Minimum seconds between two log messages about an outage."""

SQLITE = {"BUSY": 5, "LOCKED": 6, "READONLY": 8, "IOERR": 10, "FULL": 13, "CANTOPEN": 14, "PROTOCOL": 15}
"""SQLite's primary result codes for an outage. After such an error, nothing was written."""
POSTGRESQL = ("08", "53", "57", "58")
"""PostgreSQL's error classes for an outage: connection, resources, operator intervention, system error."""
NOT_CONNECTED = ("57P03", "53300")
"""PostgreSQL's errors while connecting: the server starts or shuts down, or has too many connections."""


class OutageWatch:
    """Detects outages of a database by the errors of its queries."""

    def __init__(self) -> None:
        self._refuses_until = 0.0
        self._log_at = 0.0
        self._away = False

    @contextmanager
    def guard_query(self, *, writing: bool = False) -> Iterator[None]:
        """Translate the database errors of a query or change that runs inside the context.

        Raises DatabaseUnavailable, or OutcomeUnknown if a change may have been stored.
        """
        self.require_available()
        try:
            yield
        except Exception as error:
            if not is_outage(error):
                raise
            self.record_failure(error)
            raise (OutcomeUnknown if writing and may_have_succeeded(error) else DatabaseUnavailable) from error
        self._record_success()

    def require_available(self) -> None:
        """Raise DatabaseUnavailable if a query failed less than REST seconds ago."""
        if time.monotonic() < self._refuses_until:
            raise DatabaseUnavailable

    def record_failure(self, error: Exception) -> None:
        """Record an outage. Log outages at most once in LOG_EVERY seconds."""
        self._away, now = True, time.monotonic()
        self._refuses_until = now + REST
        if now >= self._log_at:
            self._log_at = now + LOG_EVERY
            message = str(getattr(error, "orig", None) or error) or "no answer in time"
            in_one_line = " ".join(message.split())[:300]
            log.error("The database does not answer: %s: %s", type(error).__name__, in_one_line)

    def _record_success(self) -> None:
        if self._away:
            self._away = False
            log.info("The database answers again.")


def is_outage(error: BaseException) -> bool:
    """Whether the error means an outage of the database rather than a mistake of the program."""
    if isinstance(error, OSError | exc.TimeoutError):  # connection refused or lost, timeout
        return True
    if not isinstance(error, exc.DBAPIError) or isinstance(error, exc.IntegrityError):
        return False
    return error.connection_invalidated or _sqlite_outage_code(error) is not None or _sqlstate(error)[:2] in POSTGRESQL


def may_have_succeeded(error: Exception) -> bool:
    """Whether the database may have stored a change that raised the error, or may store it later."""
    never_begun = isinstance(error, exc.TimeoutError | ConnectionRefusedError | FileNotFoundError)
    if isinstance(error, exc.DBAPIError) and _sqlstate(error) in NOT_CONNECTED:
        return False
    return not never_begun and not (isinstance(error, exc.DBAPIError) and _sqlite_outage_code(error) is not None)


def _sqlite_outage_code(error: exc.DBAPIError) -> int | None:
    """Return the primary SQLite result code if it means an outage, otherwise None."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) and code & 0xFF in SQLITE.values() else None


def _sqlstate(error: exc.DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")
