"""The game as a film: the states kept of what stands, for replays."""

import asyncio
from collections.abc import Sequence

from sqlalchemy import select

from rules.core.model import Viewer
from rules.core.state import State

from .game import Entry, Game
from .journal import entry_of, seen_by, unread
from .ledger import Ledger
from .store.tables import EntryRow


async def film(ledger: Ledger, game: Game, viewer: Viewer) -> Sequence[tuple[Entry, State]]:
    """Every kept state in order, with the entry that led to it, as `viewer` may know them."""
    stands = EntryRow.game == game.id, ~EntryRow.undone, EntryRow.state.is_not(None)
    async with ledger.store.read() as session:
        rows = (await session.scalars(select(EntryRow).where(*stands).order_by(EntryRow.seq))).all()
    return await asyncio.to_thread(_seen, game, rows, viewer)


def _seen(game: Game, rows: Sequence[EntryRow], viewer: Viewer) -> Sequence[tuple[Entry, State]]:
    view, read = game.ruleset.view, game.ruleset.read_state
    entries = [entry_of(row, game.ruleset) for row in rows]
    states = [view(read(row.state or ""), viewer) for row in rows]
    return [(seen_by(entry, viewer) or unread(entry), state) for entry, state in zip(entries, states, strict=True)]
