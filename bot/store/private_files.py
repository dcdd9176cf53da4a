"""Restrict SQLite's files to their owner: they hold seeds of the dice and hidden information."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from .backup import copies

log = logging.getLogger(__name__)

OWNER_ALONE = 0o600
SIDE_FILE_SUFFIXES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates beside a database. They get the database's mode."""


def make_private(database: Path) -> None:
    """Create the database file if it is missing, and deny other users the file, its journals and copies.

    Modes that the file system refuses are logged. SQLite reports a missing folder. An existing file is never opened:
    closing it would release this process's locks on it.
    """
    try:
        os.close(os.open(database, os.O_CREAT | os.O_EXCL, OWNER_ALONE))
    except FileExistsError:
        pass
    except OSError:
        return
    for file in _files(database):
        try:
            if file.stat().st_mode & 0o777 != OWNER_ALONE:
                file.chmod(OWNER_ALONE)
        except FileNotFoundError:  # another process has just removed it
            continue
        except OSError as error:
            log.warning("%s stays readable for others: %s", file, error)


def _files(database: Path) -> Iterator[Path]:
    yield database
    yield from (database.with_name(f"{database.name}{end}") for end in SIDE_FILE_SUFFIXES)
    yield from copies(database)
