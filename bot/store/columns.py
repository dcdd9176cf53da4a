"""Column types that SQLite and PostgreSQL both keep alike."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator
from typing_extensions import override


class UtcTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets time zones: they are taken off and put back here."""

    impl = DateTime
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """UTC without its zone."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    @override
    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """UTC with its zone."""
        return None if value is None else value.replace(tzinfo=UTC)
