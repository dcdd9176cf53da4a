"""Add the table of uploaded scenarios."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
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
