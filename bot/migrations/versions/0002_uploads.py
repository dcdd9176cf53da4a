"""Scenarios that people uploaded.

Revision ID: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes their table."""
    op.create_table(
        "uploads",
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, primary_key=True),
        sa.Column("scenario", sa.Text, primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("author", sa.BigInteger, nullable=False),
        sa.Column("author_name", sa.Text, nullable=False),
        sa.Column("card", sa.JSON, nullable=False),
        sa.Column("document", sa.LargeBinary, nullable=False),
    )
