"""Seats that the bot takes, and what the journal keeps of its decisions.

Revision ID: 0006
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

LONG_ONES_LAST = ("thought", "report", "state")
FROM_DISCORD = sa.text("interaction <> 0")
ONCE = "an_interaction_acts_once"


def upgrade() -> None:
    """Adds the columns."""
    op.drop_index(ONCE, "entries")
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    always: dict[str, Any] = {"recreate": "always", "partial_reordering": [LONG_ONES_LAST]} if on_sqlite else {}
    with op.batch_alter_table("entries", **always) as table:
        table.add_column(sa.Column("thought", sa.JSON))
    key = ["game", "interaction", "part"]
    op.create_index(ONCE, "entries", key, unique=True, sqlite_where=FROM_DISCORD, postgresql_where=FROM_DISCORD)
    op.add_column("seats", sa.Column("level", sa.Text))
    op.add_column("seats", sa.Column("rests", sa.Integer))
    op.add_column("seats", sa.Column("until", sa.Integer))
    op.add_column("seats", sa.Column("told", sa.Integer))
