"""Store an action as one entry: the state after the action, and its readers, become columns of the entry.

Older programs do not know the new required columns, so the database refuses their entries.
"""

import json
import zlib
from typing import Any

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import alter_entries, make_unique_per_interaction

revision = "0003"
down_revision = "0002"

AT_ONCE = 200
"""Number of entries read and updated in one batch; their reports may be long."""
NEEDED = ("part", "state_seq", "thrown")

games = sa.table("games", *map(sa.column, ("id", "state_seq", "thrown")))
entries = sa.table(
    "entries",
    *map(sa.column, ("game", "seq", "base", *NEEDED, "audience", "report")),
    sa.column("dice", sa.JSON),
)


def upgrade() -> None:
    """Add the columns, fill them from existing data, and make interactions unique in entries and rulings."""
    for name in NEEDED:
        op.add_column("entries", sa.Column(name, sa.Integer))
    op.add_column("entries", sa.Column("audience", sa.Text))
    for game in op.get_bind().execute(sa.select(games)).all():
        _fill_in(game)
    with alter_entries("undone", *NEEDED, "audience", "report", "state") as table:
        for name in NEEDED:
            table.alter_column(name, existing_type=sa.Integer, nullable=False)
    op.add_column("rulings", sa.Column("interaction", sa.BigInteger, nullable=False, server_default="0"))
    make_unique_per_interaction("an_interaction_records_once", "rulings", ["interaction"])


def _fill_in(game: sa.Row[Any]) -> None:
    """Fill the columns of a game's entries. `state_seq` is the `base` of the next entry, or that of the game."""
    connection = op.get_bind()
    of_game = entries.c.game == game.id
    bases = connection.execute(sa.select(entries.c.seq, entries.c.base).where(of_game).order_by(entries.c.seq)).all()
    seqs = [row.seq for row in bases]
    stands = dict(zip(seqs, [*(row.base for row in bases[1:]), game.state_seq], strict=True))
    filled = entries.update().where(of_game, entries.c.seq == sa.bindparam("entry"))
    told = sa.select(entries.c.seq, entries.c.dice, entries.c.report).where(of_game).order_by(entries.c.seq)
    thrown = 0
    for start in range(0, len(seqs), AT_ONCE):
        values = []
        for row in connection.execute(told.where(entries.c.seq.in_(seqs[start : start + AT_ONCE]))).all():
            thrown = max([thrown, *(sealed["throw"]["number"] for sealed in row.dice)])
            where = {"entry": row.seq, "part": 0, "state_seq": stands[row.seq], "thrown": thrown}
            values.append({**where, "audience": _audience(row.report)})
        connection.execute(filled, values)
    newest = of_game, entries.c.seq == max(seqs, default=0)
    connection.execute(entries.update().where(*newest).values(thrown=max(thrown, game.thrown)))


def _audience(report: bytes) -> str | None:
    """Return the sides that may read the report, a line for each.

    None is everyone; unreadable reports have no readers.
    """
    try:
        limited = json.loads(zlib.decompress(report)).get("audience")
    except (zlib.error, ValueError, AttributeError):
        limited = ()
    return None if limited is None else "\n".join(["", *sorted(limited), ""])
