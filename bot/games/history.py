"""The states stored of a game, its photographs and pictures, for its replay, its report and its file."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.jobs.illustration import Illustration
from bot.jobs.photograph import LaidPhotograph, photograph_at
from bot.jobs.replay import Shot
from bot.journal.audience import viewers_in
from bot.journal.game import Game
from bot.journal.ledger import Ledger
from bot.reports.turn_maps import TurnStart
from bot.store.tables import ENTRIES, PHOTOGRAPHS, PICTURES, EntryRow
from rules.core.model import Viewer

LOOK_BACK = 200
"""Entries looked through for when a side was last waited for."""


class KeptState(NamedTuple):
    """A packed state, its entry and its turn."""

    seq: int
    turn: int
    state: bytes


async def kept_states(ledger: Ledger, game: Game) -> Sequence[KeptState]:
    """Return every kept state that was not undone, oldest first."""
    stands = EntryRow.game == game.id, ~EntryRow.undone, EntryRow.state.is_not(None)
    wanted = select(EntryRow.seq, EntryRow.turn, EntryRow.state).where(*stands).order_by(EntryRow.seq)
    async with ledger.store.read() as session:
        return [KeptState(row.seq, row.turn, row.state or b"") for row in await session.execute(wanted)]


async def turn_starts(ledger: Ledger, game: Game) -> Sequence[TurnStart]:
    """Return how each turn began that was not taken back, oldest first."""
    stands = EntryRow.game == game.id, ~EntryRow.undone
    first = select(func.min(EntryRow.seq)).where(*stands, EntryRow.turn_end).group_by(EntryRow.turn)
    wanted = select(EntryRow.turn, EntryRow.seq, EntryRow.state).where(*stands, EntryRow.seq.in_(first))
    async with ledger.store.read() as session:
        rows = await session.execute(wanted.order_by(EntryRow.seq))
        return [TurnStart(row.turn, row.seq, row.state) for row in rows]


def last_turns(states: Sequence[KeptState], turns: int | None) -> Sequence[KeptState]:
    """Return the states of the last `turns` turns, with the state before them; every state for None."""
    if turns is None or not states:
        return states
    first = next(at for at, one in enumerate(states) if one.turn > states[-1].turn - turns)
    return states[max(first - 1, 0) :]


async def photographs(ledger: Ledger, game: Game) -> Sequence[LaidPhotograph]:
    """Return every photograph that was laid under the table or taken away, oldest first."""
    of_entry = (ENTRIES.c.game == PHOTOGRAPHS.c.game) & (ENTRIES.c.seq == PHOTOGRAPHS.c.seq)
    wanted = select(PHOTOGRAPHS.c.seq, ENTRIES.c.turn, PHOTOGRAPHS.c.jpeg).join(ENTRIES, of_entry)
    async with ledger.store.ask() as connection:
        rows = await connection.execute(wanted.where(PHOTOGRAPHS.c.game == game.id).order_by(PHOTOGRAPHS.c.seq))
        return [LaidPhotograph(*row) for row in rows]


async def illustrations(ledger: Ledger, game: Game) -> Sequence[Illustration]:
    """Return the picture of every entry that has one, oldest first."""
    wanted = select(PICTURES.c.seq, PICTURES.c.jpeg).where(PICTURES.c.game == game.id).order_by(PICTURES.c.seq)
    async with ledger.store.ask() as connection:
        return [Illustration(*row) for row in await connection.execute(wanted)]


def shots(states: Sequence[KeptState], every: Sequence[LaidPhotograph]) -> list[Shot]:
    """Return the states, each with its photograph."""
    return [Shot(one.state, photograph_at(every, one.turn, one.seq)) for one in states]


async def last_waited_for(connection: AsyncConnection, game: str, seq: int, sides: Collection[Viewer]) -> int:
    """Return the newest entry before `seq` that waited for one of the sides, or 0 if no recent entry did."""
    waits = select(ENTRIES.c.seq, ENTRIES.c.waits).where(ENTRIES.c.game == game, ENTRIES.c.seq < seq)
    rows = (await connection.execute(waits.order_by(ENTRIES.c.seq.desc()).limit(LOOK_BACK))).all()
    return next((row.seq for row in rows if (viewers_in(row.waits) or frozenset()) & {*sides}), 0)
