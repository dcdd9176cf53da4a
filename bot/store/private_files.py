"""Deny other users access to SQLite's files, which contain dice seeds and hidden information."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from .backup import list_database_copies

log = logging.getLogger(__name__)

OWNER_ALONE = 0o600
SIDE_FILE_SUFFIXES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates beside a database. They get the database's file mode."""


def restrict_files_to_owner(database: Path) -> None:
    """Create a missing database file, and deny other users access to the file, its journals and its copies.

    Never open an existing file, because closing it would release this process's locks on the file. Log a warning if a
    file's mode cannot be changed. Leave a missing folder for SQLite to report.
    """
    try:
        os.close(os.open(database, os.O_CREAT | os.O_EXCL, OWNER_ALONE))
    except FileExistsError:
        pass
    except OSError:
        return
    for file in _database_files(database):
        try:
            if file.stat().st_mode & 0o777 != OWNER_ALONE:
                file.chmod(OWNER_ALONE)
        except FileNotFoundError:  # another process has just removed it
            continue
        except OSError as error:
            log.warning("%s stays readable for others: %s", file, error)


def _database_files(database: Path) -> Iterator[Path]:
    yield database
    yield from (database.with_name(f"{database.name}{end}") for end in SIDE_FILE_SUFFIXES)
    yield from list_database_copies(database)
