"""Number public entries, and separately the hidden entries of each side.

Existing entries are all numbered in one sequence, as before. A game now stores the users who have played each side.
"""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import alter_entries

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns. Existing entries get their `seq` as `number` and as `public`."""
    with alter_entries("hidden", "thought", "report", "state") as table:
        for name in ("number", "public"):
            table.add_column(sa.Column(name, sa.Integer, nullable=False, server_default="0"))
        table.add_column(sa.Column("among", sa.Text))
        table.add_column(sa.Column("hidden", sa.JSON))
    op.add_column("games", sa.Column("held", sa.JSON))
    entries = sa.table("entries", *map(sa.column, ("seq", "number", "public")))
    op.execute(entries.update().values(number=entries.c.seq, public=entries.c.seq))
