"""Add the table of photographs, which are drawn under the units of a table."""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import game_column

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "photographs",
        game_column(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("jpeg", sa.LargeBinary),
    )
