"""Add order sheets, clocks, boards, and the level of detail in the chat.

Each new entry stores the sides that must act next. For existing entries, these sides are unknown.
"""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import alter_entries, game_column

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns and create the tables."""
    with alter_entries("thrown", "audience", "waits", "message", "report", "state") as table:
        table.add_column(sa.Column("waits", sa.Text))
        table.add_column(sa.Column("message", sa.BigInteger))
    op.add_column("games", sa.Column("detail", sa.Text, nullable=False, server_default="brief"))
    op.create_table(
        "sheets",
        game_column(),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
    )
    op.create_table(
        "clocks",
        game_column(),
        sa.Column("hours", sa.Integer, nullable=False),
        sa.Column("quiet", sa.Text, nullable=False, server_default=""),
    )
    op.create_table(
        "reminders",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("since", sa.Integer, primary_key=True),
        sa.Column("which", sa.Text, primary_key=True),
        sa.Column("claimed", sa.DateTime, nullable=False),
        sa.Column("sent", sa.DateTime),
    )
    op.create_table("silent", game_column(), sa.Column("user", sa.BigInteger, primary_key=True))
    op.create_table(
        "boards",
        game_column(),
        sa.Column("message", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("claimed", sa.DateTime),
    )
