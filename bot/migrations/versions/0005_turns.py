"""Add awaited sides, order sheets, clocks, boards, and the level of detail in the chat.

Each entry stores the sides awaited after it. Older entries have no such value.

Revision ID: 0005
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

LONG_ONES_LAST = ("thrown", "audience", "waits", "message", "report", "state")
FROM_DISCORD = sa.text("interaction <> 0")
ONCE = "an_interaction_acts_once"


def upgrade() -> None:
    """Adds the columns and makes the tables."""
    op.drop_index(ONCE, "entries")
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    always: dict[str, Any] = {"recreate": "always", "partial_reordering": [LONG_ONES_LAST]} if on_sqlite else {}
    with op.batch_alter_table("entries", **always) as table:
        table.add_column(sa.Column("waits", sa.Text))
        table.add_column(sa.Column("message", sa.BigInteger))
    key = ["game", "interaction", "part"]
    op.create_index(ONCE, "entries", key, unique=True, sqlite_where=FROM_DISCORD, postgresql_where=FROM_DISCORD)
    op.add_column("games", sa.Column("detail", sa.Text, nullable=False, server_default="brief"))
    op.create_table(
        "sheets",
        _game(),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
    )
    op.create_table(
        "clocks",
        _game(),
        sa.Column("hours", sa.Integer, nullable=False),
        sa.Column("quiet", sa.Text, nullable=False, server_default=""),
    )
    op.create_table(
        "reminders",
        _game(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("since", sa.Integer, primary_key=True),
        sa.Column("which", sa.Text, primary_key=True),
        sa.Column("claimed", sa.DateTime, nullable=False),
        sa.Column("sent", sa.DateTime),
    )
    op.create_table("silent", _game(), sa.Column("user", sa.BigInteger, primary_key=True))
    op.create_table(
        "boards",
        _game(),
        sa.Column("message", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("claimed", sa.DateTime),
    )


def _game() -> sa.Column[str]:
    return sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
