"""Add the table of messages that Discord did not accept."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "untold",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
