"""Copies of a SQLite database beside it, made before an update changes what is stored."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL

KEPT = 2
"""The newest copies that stay; older ones go when another is made."""
MOMENT = "%Y%m%d-%H%M%S"


def file_of(url: URL) -> Path | None:
    """Return a SQLite database's file, or None for other databases and in-memory databases."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":memory:", "file:")):
        return None
    return Path(url.database)


def copies(database: Path) -> list[Path]:
    """Return existing backups of a database, oldest first."""
    return sorted(_copies(database))


def copy_beside(database: Path) -> Path:
    """Copies the database as it stands, whoever else uses it, and drops older copies. Raises OSError, sqlite3.Error.

    The copy has its name only once it is whole.
    """
    copy = database.with_name(f"{database.name}.{datetime.now(UTC):{MOMENT}}.copy")
    unfinished = copy.with_name(f"{copy.name}-{os.getpid()}")
    try:
        unfinished.touch(mode=0o600)
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(unfinished)) as target:
            source.backup(target)
        unfinished.replace(copy)
    finally:
        unfinished.unlink(missing_ok=True)
    for old in copies(database)[:-KEPT]:
        old.unlink(missing_ok=True)
    return copy


def _copies(database: Path) -> Iterator[Path]:
    for path in database.parent.iterdir():
        if path.name.startswith(f"{database.name}.") and path.name.endswith(".copy"):
            yield path
