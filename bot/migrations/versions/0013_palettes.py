"""Add the palettes that users chose for private pictures, and each game's palette for public pictures."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the table and the column. Existing games keep the usual palette."""
    op.create_table(
        "palettes",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("palette", sa.Text, nullable=False),
    )
    op.add_column("games", sa.Column("palette", sa.Text, nullable=False, server_default="campaign"))
