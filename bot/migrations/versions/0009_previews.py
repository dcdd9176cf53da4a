"""Add the table of actions that the umpire previews on a private map."""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import game_column

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "previews",
        game_column(),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("tag", sa.String(16), nullable=False),
        sa.Column("action", sa.JSON, nullable=False),
    )
