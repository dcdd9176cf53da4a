"""Add the table of actions that the umpire previews on a private map.

Revision ID: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes its table."""
    op.create_table(
        "previews",
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("tag", sa.String(16), nullable=False),
        sa.Column("action", sa.JSON, nullable=False),
    )
