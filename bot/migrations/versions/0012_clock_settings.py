"""Add fixed hours, absences and missed turns to the clock, and count refused reminders."""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import game_column

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the columns and the table of times in which a clock stands still."""
    op.add_column("clocks", sa.Column("daily", sa.Text, nullable=False, server_default=""))
    op.add_column("clocks", sa.Column("days_away", sa.Integer, nullable=False, server_default="14"))
    op.add_column("clocks", sa.Column("missed", sa.Text, nullable=False, server_default=""))
    op.add_column("reminders", sa.Column("tries", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "stops",
        game_column(),
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("begins", sa.DateTime, primary_key=True),
        sa.Column("ends", sa.DateTime),
    )
