"""Number public entries, and separately the hidden entries of each side.

Existing entries keep their numbers in one count. A game now stores the users who have played each side.

Revision ID: 0008
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

LONG_ONES_LAST = ("hidden", "thought", "report", "state")
FROM_DISCORD = sa.text("interaction <> 0")
ONCE = "an_interaction_acts_once"


def upgrade() -> None:
    """Add the columns, and keep the numbers of existing entries."""
    op.drop_index(ONCE, "entries")
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    always: dict[str, Any] = {"recreate": "always", "partial_reordering": [LONG_ONES_LAST]} if on_sqlite else {}
    with op.batch_alter_table("entries", **always) as table:
        for name in ("number", "public"):
            table.add_column(sa.Column(name, sa.Integer, nullable=False, server_default="0"))
        table.add_column(sa.Column("among", sa.Text))
        table.add_column(sa.Column("hidden", sa.JSON))
    key = ["game", "interaction", "part"]
    op.create_index(ONCE, "entries", key, unique=True, sqlite_where=FROM_DISCORD, postgresql_where=FROM_DISCORD)
    op.add_column("games", sa.Column("held", sa.JSON))
    entries = sa.table("entries", *map(sa.column, ("seq", "number", "public")))
    op.execute(entries.update().values(number=entries.c.seq, public=entries.c.seq))
