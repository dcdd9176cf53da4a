"""Helpers that several migrations use."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import op
from alembic.operations import BatchOperations

FROM_DISCORD = sa.text("interaction <> 0")


def game_column() -> sa.Column[str]:
    """Return the column `game`, the first column of each table whose rows belong to a game."""
    return sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


def create_interaction_index(name: str, table: str, columns: Sequence[str]) -> None:
    """Create a unique index on `columns` for the rows that an interaction wrote."""
    op.create_index(name, table, columns, unique=True, sqlite_where=FROM_DISCORD, postgresql_where=FROM_DISCORD)


@contextmanager
def alter_entries(*last_columns: str) -> Iterator[BatchOperations]:
    """Yield the operations that alter the table of entries. Drop the unique index first, and restore it afterwards.

    On SQLite, the table is rebuilt with `last_columns` at its end, in this order.
    """
    op.drop_index("an_interaction_acts_once", "entries")
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    always: dict[str, Any] = {"recreate": "always", "partial_reordering": [last_columns]} if on_sqlite else {}
    with op.batch_alter_table("entries", **always) as table:
        yield table
    create_interaction_index("an_interaction_acts_once", "entries", ["game", "interaction", "part"])
