"""Alembic, run at start: the tables always have the form this version of the program wants."""

import asyncio
import logging
import sqlite3
from dataclasses import dataclass
from functools import cache

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import delete, insert, select, text
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.errors import BeingUpdated, CannotStart

from .backup import copy_beside, file_of
from .tables import FactRow

log = logging.getLogger(__name__)

ONE_AT_A_TIME = 0x756D7069
"""The lock under which PostgreSQL lets one process migrate while others wait."""
WRITTEN_BY = "versions stored"
"""The fact that says in which versions of the rules' states the program writes."""


@dataclass(frozen=True)
class Versions:
    """What a database says of who used it last: the revision of its tables, and the versions of what they hold."""

    revision: str | None
    versions: str | None


@cache
def newest_revision() -> str:
    """The newest form of the tables that this program knows."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None, "there are migrations"
    return head


def require_own_tables(connection: Connection) -> None:
    """Raises BeingUpdated where a newer program has changed the tables since this one was started."""
    if connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() != newest_revision():
        raise BeingUpdated


async def migrate(engine: AsyncEngine, versions: str | None) -> None:
    """Runs every migration that is missing, in one transaction; a SQLite file that will change is copied first.

    `versions` are those in which the rules store their states; None: it is not asked. Raises CannotStart where the
    tables are newer than the program, or the file cannot be copied.
    """
    async with engine.connect() as connection:
        found = await connection.run_sync(_found)
    wanted = Versions(newest_revision(), found.versions if versions is None else versions)
    if found == wanted:
        return
    if found.revision is not None:
        _require_known(engine, found.revision)
        await _copied(engine)
    async with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ONE_AT_A_TIME})
        await connection.run_sync(_upgrade, versions)


def _found(connection: Connection) -> Versions:
    revision = MigrationContext.configure(connection).get_current_revision()
    versions = None
    if revision is not None:
        versions = connection.scalar(select(FactRow.value).where(FactRow.name == WRITTEN_BY))
    return Versions(revision, versions)


def _require_known(engine: AsyncEngine | Engine, revision: str) -> None:
    if revision not in {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}:
        raise CannotStart(
            f"The database at {engine.url.render_as_string(hide_password=True)} has been used by a newer Umpire than "
            f"this one (its tables are of revision {revision}, and {newest_revision()} is the newest known here): "
            "update the program, or name another database by UMPIRE_DATABASE_URL."
        )


async def _copied(engine: AsyncEngine) -> None:
    file = file_of(engine.url)
    if file is None:
        return
    try:
        copy = await asyncio.to_thread(copy_beside, file)
    except (OSError, sqlite3.Error) as error:
        raise CannotStart(
            f"The database {file} cannot be copied before the update: {error}. Make room beside it, and start again."
        ) from error
    log.info("The database is copied before the update: %s", copy)


def _upgrade(connection: Connection, versions: str | None) -> None:
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None:
        _require_known(connection.engine, revision)
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if versions is not None and _found(connection).versions != versions:
        connection.execute(delete(FactRow).where(FactRow.name == WRITTEN_BY))
        connection.execute(insert(FactRow).values(name=WRITTEN_BY, value=versions))


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "bot:migrations")
    return config
