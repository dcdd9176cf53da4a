"""The tables always have the form this version of the program wants: asked at start, and changed where they have not.

Alembic is loaded only where something is to be changed.
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

from bot.errors import BeingUpdated, CannotStart

from .backup import copy_beside, file_of
from .tables import FactRow

log = logging.getLogger(__name__)

ONE_AT_A_TIME = 0x756D7069
"""The lock under which PostgreSQL lets one process migrate while others wait."""
WRITTEN_BY = "versions stored"
"""The fact that says in which versions of the rules' states the program writes."""
REVISION = "alembic_version"
"""Alembic's table with the schema revision."""


@dataclass(frozen=True)
class Versions:
    """Version record of a database: schema revision, and versions of its stored data."""

    revision: str | None
    versions: str | None


@cache
def newest_revision() -> str:
    """Return the newest form of the tables that this program knows."""
    return max(known_revisions())


def known_revisions() -> set[str]:
    """Return every form of the tables that this program knows, by the numbers its migrations' files begin with."""
    names = (file.name for file in files("bot").joinpath("migrations", "versions").iterdir())
    return {name.partition("_")[0] for name in names if name[0].isdigit()}


def require_own_tables(connection: Connection) -> None:
    """Raises BeingUpdated where a newer program has changed the tables since this one was started."""
    if connection.exec_driver_sql(f"SELECT version_num FROM {REVISION}").scalar() != newest_revision():
        raise BeingUpdated


async def migrate(engine: AsyncEngine, versions: str | None) -> None:
    """Runs every migration that is missing, in one transaction; a SQLite file that will change is copied first.

    `versions` are those in which the rules store their states; None: it is not asked. Raises CannotStart where the
    tables are newer than the program, or the file cannot be copied.
    """
    async with engine.connect() as connection:
        found = await connection.run_sync(_read_versions)
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


def _read_versions(connection: Connection) -> Versions:
    revision = _revision(connection)
    versions = None
    if revision is not None:
        versions = connection.scalar(select(FactRow.value).where(FactRow.name == WRITTEN_BY))
    return Versions(revision, versions)


def _revision(connection: Connection) -> str | None:
    """Return the database's Alembic revision, or None for an empty database."""
    if not inspect(connection).has_table(REVISION):
        return None
    found: str | None = connection.exec_driver_sql(f"SELECT version_num FROM {REVISION}").scalar()
    return found


def _require_known(engine: AsyncEngine | Engine, revision: str) -> None:
    if revision not in known_revisions():
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
    from alembic import command
    from alembic.config import Config

    revision = _revision(connection)
    if revision is not None:
        _require_known(connection.engine, revision)
    config = Config()
    config.set_main_option("script_location", "bot:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if versions is not None and _read_versions(connection).versions != versions:
        connection.execute(delete(FactRow).where(FactRow.name == WRITTEN_BY))
        connection.execute(insert(FactRow).values(name=WRITTEN_BY, value=versions))
