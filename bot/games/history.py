"""Load a game's stored states, photographs and pictures, for its replay, report and export."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import DatabaseAway, UserError
from bot.jobs.illustration import Illustration
from bot.jobs.photograph import LaidPhotograph, photograph_at
from bot.jobs.replay import Shot
from bot.journal import snapshots
from bot.journal.audience import read_viewers
from bot.journal.game import Game
from bot.journal.ledger import Ledger
from bot.reports.turn_maps import TurnStart
from bot.store.tables import ENTRIES, PHOTOGRAPHS, PICTURES, EntryRow
from rules.core.model import Viewer
from rules.core.state import State

LOOK_BACK = 200
"""Maximum number of entries searched for the last one that waited for a side."""


class StoredState(NamedTuple):
    """A compressed state, with the number of its entry and its turn."""

    seq: int
    turn: int
    state: bytes


async def load_states(ledger: Ledger, game: Game) -> Sequence[StoredState]:
    """Return all stored states of entries that were not undone, oldest first."""
    not_undone = EntryRow.game == game.id, ~EntryRow.undone, EntryRow.state.is_not(None)
    query = select(EntryRow.seq, EntryRow.turn, EntryRow.state).where(*not_undone).order_by(EntryRow.seq)
    async with ledger.store.read() as session:
        return [StoredState(row.seq, row.turn, row.state or b"") for row in await session.execute(query)]


async def load_turn_starts(ledger: Ledger, game: Game) -> Sequence[TurnStart]:
    """Return the first state of each turn that was not undone, oldest first."""
    not_undone = EntryRow.game == game.id, ~EntryRow.undone
    first = select(func.min(EntryRow.seq)).where(*not_undone, EntryRow.turn_end).group_by(EntryRow.turn)
    query = select(EntryRow.turn, EntryRow.seq, EntryRow.state).where(*not_undone, EntryRow.seq.in_(first))
    async with ledger.store.read() as session:
        rows = await session.execute(query.order_by(EntryRow.seq))
        return [TurnStart(row.turn, row.seq, row.state) for row in rows]


def turn_starts(states: Sequence[StoredState]) -> Sequence[StoredState]:
    """Return the first state of each turn, and the last of all: what happened in turns that play by themselves."""
    first = [one for place, one in enumerate(states) if not place or states[place - 1].turn != one.turn]
    return first if first[-1:] == [*states[-1:]] else [*first, *states[-1:]]


def last_turns(states: Sequence[StoredState], turns: int | None) -> Sequence[StoredState]:
    """Return the states of the last `turns` turns, preceded by one earlier state. None returns all states."""
    if turns is None or not states:
        return states
    first = next(at for at, one in enumerate(states) if one.turn > states[-1].turn - turns)
    return states[max(first - 1, 0) :]


async def load_photographs(ledger: Ledger, game: Game) -> Sequence[LaidPhotograph]:
    """Return all photographs laid under the table, and their removals, oldest first."""
    of_entry = (ENTRIES.c.game == PHOTOGRAPHS.c.game) & (ENTRIES.c.seq == PHOTOGRAPHS.c.seq)
    query = select(PHOTOGRAPHS.c.seq, ENTRIES.c.turn, PHOTOGRAPHS.c.jpeg).join(ENTRIES, of_entry)
    async with ledger.store.ask() as connection:
        rows = await connection.execute(query.where(PHOTOGRAPHS.c.game == game.id).order_by(PHOTOGRAPHS.c.seq))
        return [LaidPhotograph(*row) for row in rows]


async def load_illustrations(ledger: Ledger, game: Game) -> Sequence[Illustration]:
    """Return the pictures of all entries, oldest first."""
    query = select(PICTURES.c.seq, PICTURES.c.jpeg).where(PICTURES.c.game == game.id).order_by(PICTURES.c.seq)
    async with ledger.store.ask() as connection:
        return [Illustration(*row) for row in await connection.execute(query)]


def make_shots(states: Sequence[StoredState], laid: Sequence[LaidPhotograph]) -> list[Shot]:
    """Return replay frames: each state with the photograph laid at that time."""
    return [Shot(one.state, photograph_at(laid, one.turn, one.seq)) for one in states]


async def find_last_awaited(connection: AsyncConnection, game: str, seq: int, sides: Collection[Viewer]) -> int:
    """Return the newest entry number below `seq` at which the game waited for one of `sides`, or 0 if not found."""
    waits = select(ENTRIES.c.seq, ENTRIES.c.waits).where(ENTRIES.c.game == game, ENTRIES.c.seq < seq)
    rows = (await connection.execute(waits.order_by(ENTRIES.c.seq.desc()).limit(LOOK_BACK))).all()
    return next((row.seq for row in rows if (read_viewers(row.waits) or frozenset()) & {*sides}), 0)


async def load_state_after(ledger: Ledger, game: Game, seq: int) -> State | None:
    """Return the state after entry `seq`, or None if there is no such entry, or its state cannot be read."""
    query = select(ENTRIES.c.state_seq).where(ENTRIES.c.game == game.id, ENTRIES.c.seq == seq)
    async with ledger.store.ask() as connection:
        state_seq: int | None = await connection.scalar(query)
    return None if state_seq is None else await load_past_state(ledger, game, state_seq)


async def load_past_state(ledger: Ledger, game: Game, state_seq: int) -> State | None:
    """Return the state that entry `state_seq` led to, or None if it cannot be read."""
    if not game.state_is_readable:
        return None
    async with ledger.store.ask() as connection:
        try:
            return (await snapshots.load(connection, game.id, state_seq, game.ruleset))[0]
        except DatabaseAway:
            raise
        except (ValueError, UserError):
            return None
