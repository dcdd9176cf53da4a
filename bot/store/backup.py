"""Copies of a SQLite database, made in its folder before an update of the program changes the stored data."""

import glob
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL

MOST_COPIES = 2
"""Number of copies to keep. A new copy replaces the oldest."""
TIME_FORMAT = "%Y%m%d-%H%M%S"


def database_file(url: URL) -> Path | None:
    """Return the file of a SQLite database. Return None for other databases, and for a database in memory."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith((":memory:", "file:")):
        return None
    return Path(url.database)


def list_database_copies(database: Path) -> list[Path]:
    """Return the existing copies of a database, oldest first."""
    paths = database.parent.glob(f"{glob.escape(database.name)}.*")
    return sorted(path for path in paths if path.suffix == ".copy")


def copy_database(database: Path) -> Path:
    """Copy a database, even while it is in use, and delete old copies.

    The copy gets its final file name only when it is complete. Raises OSError, sqlite3.Error.
    """
    copy = database.with_name(f"{database.name}.{datetime.now(UTC):{TIME_FORMAT}}.copy")
    unfinished = copy.with_name(f"{copy.name}-{os.getpid()}")
    try:
        unfinished.touch(mode=0o600)
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(unfinished)) as target:
            source.backup(target)
        unfinished.replace(copy)
    finally:
        unfinished.unlink(missing_ok=True)
    for old in list_database_copies(database)[:-MOST_COPIES]:
        old.unlink(missing_ok=True)
    return copy
