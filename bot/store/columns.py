"""Column types that SQLite and PostgreSQL both keep alike."""

import zlib
from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

FAST = 1
"""zlib's quickest level: states repeat themselves so much that it is enough."""


class Compressed(str):
    """Text packed beforehand, where there is time for it: off the event loop, where there is much of it."""

    def __init__(self, text: str) -> None:
        self.packed = zlib.compress(text.encode(), FAST)


class Packed(TypeDecorator[str]):
    """Long text, kept compressed."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        """Packs."""
        if isinstance(value, Compressed):
            return value.packed
        return None if value is None else zlib.compress(value.encode(), FAST)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Unpacks."""
        return None if value is None else zlib.decompress(value).decode()


class UtcTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite forgets time zones: they are taken off and put back here."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """UTC without its zone."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """UTC with its zone."""
        return None if value is None else value.replace(tzinfo=UTC)
