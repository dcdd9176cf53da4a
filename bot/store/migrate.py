"""Alembic, run at start: the tables always have the form this version of the program wants."""

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

ONE_AT_A_TIME = 0x756D7069
"""The lock under which PostgreSQL lets one process migrate while others wait."""


async def migrate(engine: AsyncEngine) -> None:
    """Runs every migration that is missing, in one transaction."""
    async with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ONE_AT_A_TIME})
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "bot:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
