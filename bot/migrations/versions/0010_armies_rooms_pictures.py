"""Add the tables of saved armies, of the private threads of sides, and of pictures that the umpire posts."""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import game_column

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "armies",
        sa.Column("scope", sa.Text, primary_key=True),
        sa.Column("owner", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("ruleset", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
    )
    op.create_table(
        "rooms",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("thread", sa.BigInteger, nullable=False),
    )
    op.create_index("a_thread_is_one_room", "rooms", ["thread"], unique=True)
    op.create_table(
        "pictures",
        game_column(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
    )
