"""The states stored of a game, for its replay."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select

from .game import Game
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


def last_turns(states: Sequence[KeptState], turns: int | None) -> Sequence[KeptState]:
    """The states of the last `turns` turns and the one before them; all states without a number."""
    if turns is None or not states:
        return states
    first = next(at for at, one in enumerate(states) if one.turn > states[-1].turn - turns)
    return states[max(first - 1, 0) :]
