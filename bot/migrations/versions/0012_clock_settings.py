"""Add fixed hours, absences and missed turns to the clock, and count refused reminders.

Revision ID: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table of times in which a clock stands still."""
    op.add_column("clocks", sa.Column("daily", sa.Text, nullable=False, server_default=""))
    op.add_column("clocks", sa.Column("days_away", sa.Integer, nullable=False, server_default="14"))
    op.add_column("clocks", sa.Column("missed", sa.Text, nullable=False, server_default=""))
    op.add_column("reminders", sa.Column("tries", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "stops",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("begins", sa.DateTime, primary_key=True),
        sa.Column("ends", sa.DateTime),
    )
