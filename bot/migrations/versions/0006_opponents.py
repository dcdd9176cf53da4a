"""Add seats of the bot, and the record of its decisions in entries."""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import alter_entries

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the columns."""
    with alter_entries("thought", "report", "state") as table:
        table.add_column(sa.Column("thought", sa.JSON))
    op.add_column("seats", sa.Column("level", sa.Text))
    op.add_column("seats", sa.Column("rests", sa.Integer))
    op.add_column("seats", sa.Column("until", sa.Integer))
    op.add_column("seats", sa.Column("told", sa.Integer))
