"""Column types whose values are equal in SQLite and PostgreSQL."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator
from typing_extensions import override


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC. SQLite stores no time zone, so it is removed before storing and added after reading."""

    impl = DateTime
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time in UTC without a time zone."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    @override
    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored time with the time zone UTC."""
        return None if value is None else value.replace(tzinfo=UTC)
