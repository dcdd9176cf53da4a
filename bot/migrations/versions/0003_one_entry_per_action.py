"""Store an action as one entry, with columns for the state after the action and for the sides that may read it.

Older programs do not know the new required columns, so the database refuses their entries.
"""

import json
import zlib
from typing import Any

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import alter_entries, create_interaction_index

revision = "0003"
down_revision = "0002"

BATCH_SIZE = 200
"""Number of entries read and updated in one batch; their reports may be long."""
REQUIRED_COLUMNS = ("part", "state_seq", "thrown")

games = sa.table("games", *map(sa.column, ("id", "state_seq", "thrown")))
entries = sa.table(
    "entries",
    *map(sa.column, ("game", "seq", "base", *REQUIRED_COLUMNS, "audience", "report")),
    sa.column("dice", sa.JSON),
)


def upgrade() -> None:
    """Add the columns, fill them from existing data, and index entries and rulings by their interaction."""
    for name in REQUIRED_COLUMNS:
        op.add_column("entries", sa.Column(name, sa.Integer))
    op.add_column("entries", sa.Column("audience", sa.Text))
    for game in op.get_bind().execute(sa.select(games)).all():
        _fill_columns(game)
    with alter_entries("undone", *REQUIRED_COLUMNS, "audience", "report", "state") as table:
        for name in REQUIRED_COLUMNS:
            table.alter_column(name, existing_type=sa.Integer, nullable=False)
    op.add_column("rulings", sa.Column("interaction", sa.BigInteger, nullable=False, server_default="0"))
    create_interaction_index("an_interaction_records_once", "rulings", ["interaction"])


def _fill_columns(game: sa.Row[Any]) -> None:
    """Fill the new columns of a game's entries.

    An entry's `state_seq` is the `base` of the next entry. The last entry has the `state_seq` of the game.
    """
    connection = op.get_bind()
    in_game = entries.c.game == game.id
    bases = connection.execute(sa.select(entries.c.seq, entries.c.base).where(in_game).order_by(entries.c.seq)).all()
    seqs = [row.seq for row in bases]
    state_seqs = dict(zip(seqs, [*(row.base for row in bases[1:]), game.state_seq], strict=True))
    update = entries.update().where(in_game, entries.c.seq == sa.bindparam("entry"))
    reports = sa.select(entries.c.seq, entries.c.dice, entries.c.report).where(in_game).order_by(entries.c.seq)
    thrown = 0
    for start in range(0, len(seqs), BATCH_SIZE):
        values = []
        for row in connection.execute(reports.where(entries.c.seq.in_(seqs[start : start + BATCH_SIZE]))).all():
            thrown = max([thrown, *(sealed["throw"]["number"] for sealed in row.dice)])
            where = {"entry": row.seq, "part": 0, "state_seq": state_seqs[row.seq], "thrown": thrown}
            values.append({**where, "audience": _read_audience(row.report)})
        connection.execute(update, values)
    newest = in_game, entries.c.seq == max(seqs, default=0)
    connection.execute(entries.update().where(*newest).values(thrown=max(thrown, game.thrown)))


def _read_audience(report: bytes) -> str | None:
    """Return the sides that may read the report, one per line; none if it is unreadable, None for everyone."""
    try:
        limited = json.loads(zlib.decompress(report)).get("audience")
    except (zlib.error, ValueError, AttributeError):
        limited = ()
    return None if limited is None else "\n".join(["", *sorted(limited), ""])
