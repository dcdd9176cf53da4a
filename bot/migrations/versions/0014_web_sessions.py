"""Add links to the live map, and the sessions that they open."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "web_links",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("viewer", sa.Text, nullable=False),
        sa.Column("until", sa.DateTime, nullable=False),
    )
    op.create_table(
        "web_sessions",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("viewer", sa.Text, nullable=False),
        sa.Column("began", sa.DateTime, nullable=False),
        sa.Column("used", sa.DateTime, nullable=False),
    )
    op.create_index("web_sessions_of_a_user", "web_sessions", ["user"])
