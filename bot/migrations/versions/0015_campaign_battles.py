"""Add the table that links the battles of campaigns to their games."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "campaign_battles",
        sa.Column("campaign", sa.String(16), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("battle", sa.String(80), primary_key=True),
        sa.Column("tag", sa.String(64), nullable=False),
        sa.Column("game", sa.String(16), sa.ForeignKey("games.id", ondelete="SET NULL")),
        sa.Column("roster", sa.JSON),
        sa.Column("given", sa.Integer),
        sa.Column("given_day", sa.Integer, nullable=False, server_default="0"),
        sa.Column("late", sa.Integer, nullable=False, server_default="0"),
        sa.Column("told", sa.DateTime),
        sa.Column("claimed", sa.DateTime),
    )
    op.create_index("a_game_is_one_battle", "campaign_battles", ["game"], unique=True)
