"""Add the table of automatic entries that are not announced yet."""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import game_column

revision = "0011"
down_revision = "0010"

INSERT_UNANNOUNCED = sa.text(
    """
    INSERT INTO announcements (game, seq)
    SELECT entries.game, entries.seq FROM entries JOIN games ON games.id = entries.game
    WHERE games.ended IS NULL AND entries.actor < 0 AND entries.acts AND NOT entries.undone
    AND entries.seq > (SELECT min(seats.told) FROM seats WHERE seats.game = entries.game AND seats.level IS NOT NULL)
    """
)
"""Insert the bot's entries after the last announced entry, whose number is stored in the bot's seats."""


def upgrade() -> None:
    """Create the table of unannounced entries."""
    op.create_table(
        "announcements",
        game_column(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer),
        sa.Column("reserved", sa.DateTime),
    )
    op.execute(INSERT_UNANNOUNCED)
