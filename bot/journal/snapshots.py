"""States as the journal keeps them: old ones dropped now and then, and worked out again when asked for."""

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import override

from bot.errors import UserError
from bot.store.tables import ENTRIES
from rules.core.dice import Dice, Throw, shown_number
from rules.core.model import Viewer
from rules.core.ruleset import Refused, Ruleset
from rules.core.sealed_dice import SealedThrow
from rules.core.state import State

from .codec import pack_state, read_state
from .drafts import READ_COLUMNS
from .entries import THROWN

KEPT_ACTIONS = 100
"""How many of the last snapshots are kept beside those of turn ends."""
DROPPED_EVERY = 50
"""Number of entries between deletions of old snapshots."""


class Recorded(Dice):
    """Dice that give what the journal says was thrown."""

    def __init__(self, throws: Sequence[SealedThrow]) -> None:
        self._throws = iter(throws)

    @override
    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Return the next recorded throw. Raises LookupError when the rules now ask for another."""
        recorded = next(self._throws, None)
        if recorded is None or (len(recorded.throw.dice), recorded.throw.sides) != (count, sides):
            raise LookupError(f"the journal has no {count}D{sides} here")
        return recorded.throw

    @property
    def all_thrown(self) -> bool:
        """Whether the rules asked for every recorded throw."""
        return next(self._throws, None) is None


async def packed(connection: AsyncConnection, game: str, seq: int) -> bytes | None:
    """Return the packed snapshot of an entry, or None if missing."""
    asked = select(ENTRIES.c.state).where(ENTRIES.c.game == game, ENTRIES.c.seq == seq)
    found: bytes | None = (await connection.execute(asked)).scalar()
    return found


async def find(connection: AsyncConnection, game: str, seq: int, ruleset: Ruleset[Any]) -> State | None:
    """Return the parsed snapshot of an entry, or None if missing."""
    kept = await packed(connection, game, seq)
    return None if kept is None else await asyncio.to_thread(read_state, ruleset, kept)


async def load(connection: AsyncConnection, game: str, seq: int, ruleset: Ruleset[Any]) -> tuple[State, bytes]:
    """Return the state after an entry, parsed and packed, from its snapshot or by replaying actions.

    Raises UserError when the rules have changed since, so that playing it again has another result.
    """
    later: list[Row[Any]] = []
    kept = await packed(connection, game, seq)
    while kept is None:
        asked = select(*READ_COLUMNS).where(ENTRIES.c.game == game, ENTRIES.c.seq == seq)
        row = (await connection.execute(asked)).first()
        if row is None or row.base == seq:
            raise UserError("The journal of this game has a gap, so its state there cannot be found.")
        later.append(row)
        seq = row.base
        kept = await packed(connection, game, seq)
    state = await asyncio.to_thread(_played_on, ruleset, kept, later[::-1])
    if later:
        await _require_agreement(connection, game, later[0].seq, state, ruleset)
        kept = await asyncio.to_thread(pack_state, ruleset, state)
    return state, kept


def _played_on(ruleset: Ruleset[Any], kept: bytes, later: Sequence[Row[Any]]) -> State:
    state = read_state(ruleset, kept)
    for row in later:
        state = play_again(ruleset, state, row)
    return state


async def _require_agreement(
    connection: AsyncConnection, game: str, seq: int, state: State, ruleset: Ruleset[Any]
) -> None:
    """Replay actions up to the next snapshot. Raises UserError if the snapshot differs."""
    while (row := await _next(connection, game, seq)) is not None:
        state, seq = await asyncio.to_thread(play_again, ruleset, state, row), row.seq
        kept = await find(connection, game, seq, ruleset)
        if kept is not None and kept != state:
            raise _changed_rules(row)
        if kept is not None:
            return


async def _next(connection: AsyncConnection, game: str, seq: int) -> Row[Any] | None:
    """Return an action taken from that entry's state: one that was not undone if possible, and the newest."""
    then = ENTRIES.c.game == game, ENTRIES.c.base == seq, ENTRIES.c.seq > seq, ENTRIES.c.acts
    asked = select(*READ_COLUMNS).where(*then).order_by(ENTRIES.c.undone, ENTRIES.c.seq.desc())
    return (await connection.execute(asked.limit(1))).first()


def drop_old(connection: Connection, game: str) -> None:
    """Drops snapshots older than the last 100, except those of turn ends and of the present state."""
    with_state = ENTRIES.c.game == game, ENTRIES.c.state.is_not(None)
    newest = select(ENTRIES.c.seq).where(*with_state).order_by(ENTRIES.c.seq.desc())
    oldest = newest.offset(KEPT_ACTIONS).limit(1).scalar_subquery()
    stands = select(ENTRIES.c.state_seq).where(ENTRIES.c.game == game).order_by(ENTRIES.c.seq.desc()).limit(1)
    acting = ENTRIES.c.acts, ~ENTRIES.c.turn_end
    old = (*with_state, *acting, ENTRIES.c.seq <= oldest, ENTRIES.c.seq != stands.scalar_subquery())
    connection.execute(update(ENTRIES).where(*old).values(state=None))


def play_again(ruleset: Ruleset[Any], state: State, row: Row[Any]) -> State:
    """Return the state after the entry, by its action and dice. Raises UserError when the rules ask for other dice."""
    recorded = Recorded(THROWN.validate_python(row.dice))
    after: State
    try:
        action = ruleset.read_action(row.kind, row.action, row.rules_version)
        after, _ = ruleset.act(state, action, recorded)
    except (Refused, LookupError, ValueError):
        raise _changed_rules(row) from None
    if not recorded.all_thrown:
        raise _changed_rules(row)
    return after


def _changed_rules(row: Row[Any]) -> UserError:
    number = shown_number(row.number, row.among)
    return UserError(
        f"The rules have changed since action {number}, and the table at that time is no longer stored. "
        "Go back to the end of a turn instead: those are all stored."
    )
