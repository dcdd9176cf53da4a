"""Find actions that a viewer may undo or redo."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, select

from bot.errors import UserError
from bot.journal.drafts import READ_COLUMNS, may_read
from bot.journal.entries import AS_AFTER
from bot.journal.game import Game
from bot.journal.ledger import Ledger
from bot.store.tables import ENTRIES
from rules.core.model import Viewer

MOST_LOOKED_AT = 50
"""Maximum number of undone actions searched for a redo."""


@dataclass(frozen=True)
class Found:
    """Entries to take back or put back, the newest first, and the one whose state the game goes to.

    Those `along` with them are hidden from whoever asks, and do not outlive it.
    """

    rows: Sequence[Row[Any]]
    target: int
    along: Sequence[Row[Any]] = ()


async def find_undoable(ledger: Ledger, game: Game, viewer: Viewer, steps: int) -> Found:
    """Return the last `steps` actions that the viewer knows of. Raises UserError where there are fewer."""
    known = _actions(game, undone=False).where(may_read(viewer))
    rows = await rows_of(ledger, known.limit(max(steps, 1)))
    if not rows:
        raise UserError("There is nothing to undo: no action has been taken yet.")
    if len(rows) < steps:
        raise UserError(f"Only {len(rows)} actions can be undone. Ask for no more.")
    unknown = _actions(game, undone=False).where(~may_read(viewer), ENTRIES.c.seq > rows[-1].seq)
    hidden = await rows_of(ledger, unknown)
    troops = game.ruleset.hidden_troops
    along = [row for row in hidden if troops is None or not troops.outlives_undo(game.state, row.action)]
    return Found(rows, rows[-1].base, along)


async def find_redoable(ledger: Ledger, game: Game, viewer: Viewer) -> Found:
    """Return the newest action undone from the present state, as far as the viewer knows of it.

    Raises UserError where the game went on differently.
    """
    stands = await _entry_with_equal_view(ledger, game, viewer, game.state_seq)
    for row in await rows_of(ledger, _actions(game, undone=True).where(may_read(viewer)).limit(MOST_LOOKED_AT)):
        if stands == (row.base if row.base == stands else await _entry_with_equal_view(ledger, game, viewer, row.base)):
            return Found((row,), row.seq)
    raise UserError("There is nothing to put back: nothing was undone, or the game has gone on since.")


async def _entry_with_equal_view(ledger: Ledger, game: Game, viewer: Viewer, seq: int) -> int:
    """Return the entry whose visible state equals the state after entry `seq`, apart from hidden units."""
    readable = may_read(viewer).label("readable")
    asked = select(ENTRIES.c.seq, ENTRIES.c.base, ENTRIES.c.acts, ENTRIES.c.action, readable)
    while rows := await rows_of(ledger, asked.where(ENTRIES.c.game == game.id, ENTRIES.c.seq == seq)):
        (row,) = rows
        if not row.acts and AS_AFTER in row.action:
            seq = row.action[AS_AFTER]
        elif row.acts and not row.readable and row.base != seq:
            seq = row.base
        else:
            break
    return seq


async def rows_of(ledger: Ledger, asked: Select[Any]) -> Sequence[Row[Any]]:
    """Entries, newest first."""
    async with ledger.store.ask() as connection:
        rows: Sequence[Row[Any]] = (await connection.execute(asked.order_by(ENTRIES.c.seq.desc()))).all()
    return rows


def _actions(game: Game, *, undone: bool) -> Select[Any]:
    return select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, ENTRIES.c.acts, ENTRIES.c.undone == undone)
