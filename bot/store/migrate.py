"""Migrate the tables at the program's start to the newest revision that the program knows.

Alembic is imported only if a migration is necessary.
"""

import asyncio
import logging
import sqlite3
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sqlalchemy import delete, insert, inspect, select, text
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.errors import CannotStart, ProgramOutdated

from .backup import copy_database, database_file
from .tables import FactRow

log = logging.getLogger(__name__)

MIGRATION_LOCK = 0x756D7069
"""Key of the PostgreSQL advisory lock: one process migrates while the other processes wait."""
VERSIONS_FACT = "versions stored"
"""Name of the fact that holds the versions of the rules' stored states."""
REVISION = "alembic_version"
"""Alembic's table with the schema revision."""


@dataclass(frozen=True)
class DatabaseVersions:
    """The revision of a database's tables, and the versions of the rule systems that last wrote it, as a text."""

    revision: str | None
    versions: str | None


@cache
def newest_revision() -> str:
    """Return the newest table revision that this program knows."""
    return max(known_revisions())


def known_revisions() -> set[str]:
    """Return every table revision that this program knows: the numbers of its migration files."""
    names = (file.name for file in files("bot").joinpath("migrations", "versions").iterdir())
    return {name.partition("_")[0] for name in names if name[0].isdigit()}


def require_current_program(connection: Connection) -> None:
    """Raise ProgramOutdated if a newer program has migrated the tables."""
    if connection.exec_driver_sql(f"SELECT version_num FROM {REVISION}").scalar() != newest_revision():
        raise ProgramOutdated


def read_versions(connection: Connection) -> DatabaseVersions:
    """Return the versions with which the database was last written. Both are None for a database without tables."""
    revision = _read_revision(connection)
    versions = None
    if revision is not None:
        versions = connection.scalar(select(FactRow.value).where(FactRow.name == VERSIONS_FACT))
    return DatabaseVersions(revision, versions)


async def migrate(engine: AsyncEngine, stored_versions: DatabaseVersions, versions: str | None) -> None:
    """Copy an existing SQLite file, then run all missing migrations in one transaction.

    `versions`, which lists each rule system with its version, is stored in the database; None keeps the stored text.
    Raises CannotStart if the tables are newer than the program, or if the file cannot be copied.
    """
    if stored_versions.revision is not None:
        _require_known_revision(engine, stored_versions.revision)
        await _make_backup(engine)
    async with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        await connection.run_sync(_run_migrations, versions)


def _read_revision(connection: Connection) -> str | None:
    """Return the database's Alembic revision, or None for a database without tables."""
    if not inspect(connection).has_table(REVISION):
        return None
    revision: str | None = connection.exec_driver_sql(f"SELECT version_num FROM {REVISION}").scalar()
    return revision


def _require_known_revision(engine: AsyncEngine | Engine, revision: str) -> None:
    if revision not in known_revisions():
        raise CannotStart(
            f"The database at {engine.url.render_as_string(hide_password=True)} has been used by a newer Umpire than "
            f"this one (its tables are of revision {revision}, and {newest_revision()} is the newest known here): "
            "update the program, or name another database by UMPIRE_DATABASE_URL."
        )


async def _make_backup(engine: AsyncEngine) -> None:
    file = database_file(engine.url)
    if file is None:
        return
    try:
        copy = await asyncio.to_thread(copy_database, file)
    except (OSError, sqlite3.Error) as error:
        raise CannotStart(
            f"The database {file} cannot be copied before the update: {error}. Make room beside it, and start again."
        ) from error
    log.info("The database is copied before the update: %s", copy)


def _run_migrations(connection: Connection, versions: str | None) -> None:
    from alembic import command
    from alembic.config import Config

    revision = _read_revision(connection)
    if revision is not None:
        _require_known_revision(connection.engine, revision)
    config = Config()
    config.set_main_option("script_location", "bot:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if versions is not None and read_versions(connection).versions != versions:
        connection.execute(delete(FactRow).where(FactRow.name == VERSIONS_FACT))
        connection.execute(insert(FactRow).values(name=VERSIONS_FACT, value=versions))
