"""Find actions that a viewer may undo or redo."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, select

from bot.errors import UserError
from bot.journal.drafts import READ_COLUMNS, readable_entries_condition
from bot.journal.entries import AS_AFTER
from bot.journal.game import Game
from bot.journal.ledger import Ledger
from bot.store.queries import fetch_rows
from bot.store.tables import ENTRIES
from rules.core.hidden_troops import acts_unseen
from rules.core.model import UMPIRE, Viewer

MOST_SEARCHED_ACTIONS = 50
"""Maximum number of undone actions searched for a redo."""


@dataclass(frozen=True)
class UndoCandidates:
    """Rows of entries to undo or redo, newest first. An undo restores the state of entry `target`.

    `unseen` are later entries that the viewer may not undo. `hidden` are those that are undone all the same,
    because their units cannot keep the present state.
    """

    rows: Sequence[Row[Any]]
    target: int
    hidden: Sequence[Row[Any]] = ()
    unseen: Sequence[Row[Any]] = ()


async def find_undoable(ledger: Ledger, game: Game, viewer: Viewer, steps: int) -> UndoCandidates:
    """Return the last `steps` actions that the viewer may undo. Raises UserError if there are fewer."""
    may_undo = _undoable_condition(game, viewer)
    readable_query = _select_actions(game, undone=False).where(may_undo)
    rows = await load_newest_first(ledger, readable_query.limit(max(steps, 1)))
    if not rows:
        raise UserError("There is nothing to undo: no action has been taken yet.")
    if len(rows) < steps:
        raise UserError(f"Only {len(rows)} actions can be undone. Ask for no more.")
    hidden_query = _select_actions(game, undone=False).where(~may_undo, ENTRIES.c.seq > rows[-1].seq)
    unseen = await load_newest_first(ledger, hidden_query)
    troops = game.ruleset.hidden_troops
    hidden = [row for row in unseen if troops is None or not acts_unseen(troops, game.state, row.action.get("unit"))]
    return UndoCandidates(rows, rows[-1].base, hidden, unseen)


async def find_redoable(ledger: Ledger, game: Game, viewer: Viewer) -> UndoCandidates:
    """Return the newest undone action that can be redone from the present state.

    The present state must look to the viewer like the state before the action. Raises UserError without such an
    action.
    """
    present_entry = await _find_entry_with_equal_view(ledger, game, viewer, game.state_seq)
    undone = _select_actions(game, undone=True).where(_undoable_condition(game, viewer)).limit(MOST_SEARCHED_ACTIONS)
    for row in await load_newest_first(ledger, undone):
        if present_entry == (
            row.base if row.base == present_entry else await _find_entry_with_equal_view(ledger, game, viewer, row.base)
        ):
            return UndoCandidates((row,), row.seq)
    raise UserError("There is nothing to put back: nothing was undone, or the game has gone on since.")


async def _find_entry_with_equal_view(ledger: Ledger, game: Game, viewer: Viewer, seq: int) -> int:
    """Return the earliest entry whose state looks to the viewer like the state after entry `seq`.

    Skip actions that the viewer cannot undo. After an undo that kept hidden troops, continue at the restored entry.
    """
    readable = _undoable_condition(game, viewer).label("readable")
    query = select(ENTRIES.c.seq, ENTRIES.c.base, ENTRIES.c.acts, ENTRIES.c.action, readable)
    while rows := await load_newest_first(ledger, query.where(ENTRIES.c.game == game.id, ENTRIES.c.seq == seq)):
        (row,) = rows
        if not row.acts and AS_AFTER in row.action:
            seq = row.action[AS_AFTER]
        elif row.acts and not row.readable and row.base != seq:
            seq = row.base
        else:
            break
    return seq


async def load_newest_first(ledger: Ledger, query: Select[Any]) -> Sequence[Row[Any]]:
    """Run a query on entries, and return the resulting rows, newest first."""
    return await fetch_rows(ledger.store, query.order_by(ENTRIES.c.seq.desc()))


def _select_actions(game: Game, *, undone: bool) -> Select[Any]:
    return select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, ENTRIES.c.acts, ENTRIES.c.undone == undone)


def _undoable_condition(game: Game, viewer: Viewer) -> ColumnElement[bool]:
    """Return the SQL condition for entries that the viewer may read and undo.

    Some kinds of actions can be undone only by the acting side, or by a side that represents it.
    """
    kinds = [kind for kind, action in game.ruleset.actions.items() if action.stays_for_readers]
    if viewer == UMPIRE or not kinds:
        return readable_entries_condition(viewer)
    own = game.state.sides_represented_by(viewer)
    return readable_entries_condition(viewer) & (ENTRIES.c.kind.not_in(kinds) | ENTRIES.c.side.in_(own))
