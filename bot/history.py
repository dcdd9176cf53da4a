"""The states stored of a game, for its replay and the maps of its report."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from .game import Game
from .jobs.turn_maps import TurnStart
from .ledger import Ledger
from .store.tables import EntryRow


class KeptState(NamedTuple):
    """A packed state and its turn."""

    turn: int
    state: bytes


async def kept(ledger: Ledger, game: Game) -> Sequence[KeptState]:
    """Every kept state that was not undone, oldest first."""
    stands = EntryRow.game == game.id, ~EntryRow.undone, EntryRow.state.is_not(None)
    wanted = select(EntryRow.turn, EntryRow.state).where(*stands).order_by(EntryRow.seq)
    async with ledger.store.read() as session:
        return [KeptState(row.turn, row.state or b"") for row in await session.execute(wanted)]


async def turn_starts(ledger: Ledger, game: Game) -> Sequence[TurnStart]:
    """How each turn began that was not taken back, oldest first."""
    stands = EntryRow.game == game.id, ~EntryRow.undone
    first = select(func.min(EntryRow.seq)).where(*stands, EntryRow.turn_end).group_by(EntryRow.turn)
    wanted = select(EntryRow.turn, EntryRow.seq, EntryRow.state).where(*stands, EntryRow.seq.in_(first))
    async with ledger.store.read() as session:
        rows = await session.execute(wanted.order_by(EntryRow.seq))
        return [TurnStart(row.turn, row.seq, row.state) for row in rows]


def last_turns(states: Sequence[KeptState], turns: int | None) -> Sequence[KeptState]:
    """The states of the last `turns` turns and the one before them; all states without a number."""
    if turns is None or not states:
        return states
    first = next(at for at, one in enumerate(states) if one.turn > states[-1].turn - turns)
    return states[max(first - 1, 0) :]
